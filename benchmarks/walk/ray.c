/* A small ray tracer (spheres, one light): every operation in single precision. Five drivers with free numbers.
 *
 * Two branches look impossible, a mirrored ray that meets its own sphere and four of those in a row: over the reals a ray leaves a
 * sphere for good. Rounding makes them possible where a ray grazes a large sphere. With driver 4, surface[7] = 1, everything else 0 and
 *   radius = 0x1.b044a6p+24, eye = {-0x1.0e574ap+24, 0x1.139266p+24, -0x1.86072ep+23},
 *   direction = {0x1.613a82p-1, 0x1.6d2e16p-1, 0x1.fb0c34p-4}
 * both are taken, so none is left out of the total. */
#include <covet.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

struct vector {
    float x, y, z;
};

static struct vector vector(float x, float y, float z) {
    struct vector v = {x, y, z};
    return v;
}

static struct vector from(const float v[3]) { return vector(v[0], v[1], v[2]); }

static float dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static struct vector plus(struct vector a, float t, struct vector b) {
    return vector(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z);
}

static struct vector normalised(struct vector v) {
    float t = v.x * v.x + v.y * v.y + v.z * v.z;
    if (t != 0.0f && t != 1.0f)
        t = (float)(1.0 / sqrt(t));
    return vector(v.x * t, v.y * t, v.z * t);
}

struct surface {
    float r, g, b, ka, kd, ks, ns, kr, kt, nt;
};

static struct surface surface(const float s[10]) {
    struct surface made = {s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7] * 0.00392156f, s[8], s[9]};
    return made;
}

enum light_type { AMBIENT, DIRECTIONAL, POINT };

struct light {
    int type;
    struct vector v;
    float r, g, b;
};

static struct light light(int type, const float l[6]) {
    struct light made = {type, {0.0f, 0.0f, 0.0f}, l[3], l[4], l[5]};
    if (type != AMBIENT) {
        made.v = from(l);
        if (type == DIRECTIONAL)
            made.v = normalised(made.v);
    }
    return made;
}

struct sphere {
    struct surface surface;
    struct vector centre;
    float radius, square;
};

static struct sphere sphere(struct surface surface, struct vector centre, float radius) {
    struct sphere made = {surface, centre, radius, radius * radius};
    return made;
}

struct ray {
    struct vector origin, direction;
    float t;
    const struct sphere *hit;
};

struct scene {
    const struct sphere *objects;
    int object_count;
    const struct light *lights;
    int light_count;
    struct vector background;
};

static struct ray ray(struct vector origin, struct vector direction) {
    struct ray made = {origin, normalised(direction), 0.0f, NULL};
    return made;
}

static int intersect(const struct sphere *s, struct ray *ray) {
    struct vector d = plus(s->centre, -1.0f, ray->origin);
    float v = dot(ray->direction, d);
    if (v - s->radius > ray->t)
        return 0;
    float t = s->square + v * v - d.x * d.x - d.y * d.y - d.z * d.z;
    if (t < 0.0f)
        return 0;
    t = v - (float)sqrt(t);
    if (t > ray->t || t < 0.0f)
        return 0;
    ray->t = t;
    ray->hit = s;
    return 1;
}

static int trace(struct ray *ray, const struct scene *scene) {
    ray->t = FLT_MAX;
    ray->hit = NULL;
    for (int i = 0; i < scene->object_count; i++)
        intersect(&scene->objects[i], ray);
    return ray->hit != NULL;
}

static struct vector towards_light(const struct light *light, struct vector p) {
    if (light->type == POINT)
        return normalised(plus(light->v, -1.0f, p));
    return vector(-light->v.x, -light->v.y, -light->v.z);
}

enum { DEEPEST = 4 };

static struct vector shade_hit(const struct ray *ray, const struct scene *scene, int depth);

static struct vector shade(const struct surface *s, struct vector p, struct vector n, struct vector v,
                           const struct scene *scene, int depth) {
    float r = 0.0f, g = 0.0f, b = 0.0f;
    for (int i = 0; i < scene->light_count; i++) {
        const struct light *light = &scene->lights[i];
        if (light->type == AMBIENT) {
            r += s->ka * s->r * light->r;
            g += s->ka * s->g * light->g;
            b += s->ka * s->b * light->b;
            continue;
        }
        struct vector l = towards_light(light, p);
        struct ray shadow = ray(plus(p, 0.001f, l), l);
        if (trace(&shadow, scene))
            break;
        float lambert = dot(n, l);
        if (lambert > 0.0f) {
            if (s->kd > 0.0f) {
                float diffuse = s->kd * lambert;
                r += diffuse * s->r * light->r;
                g += diffuse * s->g * light->g;
                b += diffuse * s->b * light->b;
            }
            if (s->ks > 0.0f) {
                lambert *= 2.0f;
                float spec = dot(v, plus(vector(lambert * n.x, lambert * n.y, lambert * n.z), -1.0f, l));
                if (spec > 0.0f) {
                    spec = s->ks * (float)pow(spec, s->ns);
                    r += spec * light->r;
                    g += spec * light->g;
                    b += spec * light->b;
                }
            }
        }
    }
    if (s->kr > 0.0f) {
        float t = dot(v, n);
        if (t > 0.0f) {
            t *= 2.0f;
            struct vector reflect = plus(vector(t * n.x, t * n.y, t * n.z), -1.0f, v);
            struct ray mirrored = ray(plus(p, 0.001f, reflect), reflect);
            struct vector seen = scene->background;
            if (depth < DEEPEST && trace(&mirrored, scene))
                seen = shade_hit(&mirrored, scene, depth + 1);
            r += s->kr * seen.x;
            g += s->kr * seen.y;
            b += s->kr * seen.z;
        }
    }
    r = r > 1.0f ? 1.0f : r;
    g = g > 1.0f ? 1.0f : g;
    b = b > 1.0f ? 1.0f : b;
    return vector(r, g, b);
}

static struct vector shade_hit(const struct ray *ray, const struct scene *scene, int depth) {
    struct vector p = plus(ray->origin, ray->t, ray->direction);
    struct vector n = normalised(plus(p, -1.0f, ray->hit->centre));
    struct vector v = vector(-ray->direction.x, -ray->direction.y, -ray->direction.z);
    return shade(&ray->hit->surface, p, n, v, scene, depth);
}

static float surface_shade(const float s[10], const float p[3], const float n[3], const float v[3], int light_type,
                           const float l[6]) {
    struct surface material = surface(s);
    struct light lamp = light(light_type, l);
    struct scene scene = {NULL, 0, &lamp, 1, {1.0f, 1.0f, 1.0f}};
    return shade(&material, from(p), from(n), from(v), &scene, 0).x;
}

static int ray_trace(const float centre[3], float radius, const float eye[3], const float direction[3]) {
    struct surface plain = {0};
    struct sphere ball = sphere(plain, from(centre), radius);
    struct scene scene = {&ball, 1, NULL, 0, {0.0f, 0.0f, 0.0f}};
    struct ray look = ray(from(eye), from(direction));
    return trace(&look, &scene);
}

static int sphere_intersect(const float s[10], const float centre[3], float radius, const float eye[3],
                            const float direction[3]) {
    struct sphere ball = sphere(surface(s), from(centre), radius);
    struct ray look = ray(from(eye), from(direction));
    return intersect(&ball, &look);
}

static float sphere_shade(const float s[10], const float centre[3], float radius, const float eye[3],
                          const float direction[3], int light_type, const float l[6], const float background[3]) {
    struct sphere ball = sphere(surface(s), from(centre), radius);
    struct light lamp = light(light_type, l);
    struct scene scene = {&ball, 1, &lamp, 1, from(background)};
    struct ray look = ray(from(eye), from(direction));
    if (!trace(&look, &scene))
        return -1.0f;
    return shade_hit(&look, &scene, 0).x;
}

int main(void) {
    float s[10], p[3], n[3], v[3], l[6], background[3], centre[3], eye[3], direction[3];
    float radius = covet_float("radius");
    int light_type = covet_int("light_type");
    covet_symbolic(s, sizeof s, "surface");
    covet_symbolic(p, sizeof p, "p");
    covet_symbolic(n, sizeof n, "n");
    covet_symbolic(v, sizeof v, "v");
    covet_symbolic(l, sizeof l, "light");
    covet_symbolic(background, sizeof background, "background");
    covet_symbolic(centre, sizeof centre, "centre");
    covet_symbolic(eye, sizeof eye, "eye");
    covet_symbolic(direction, sizeof direction, "direction");
    switch (covet_int("driver")) {
    case 0:
        return normalised(from(p)).x > 0.0f;
    case 1:
        return surface_shade(s, p, n, v, light_type, l) > 0.0f;
    case 2:
        return ray_trace(centre, radius, eye, direction);
    case 3:
        return sphere_intersect(s, centre, radius, eye, direction);
    default:
        return sphere_shade(s, centre, radius, eye, direction, light_type, l, background) > 0.0f;
    }
}
