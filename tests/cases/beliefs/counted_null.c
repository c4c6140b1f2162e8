// An array that is counted is there when its count says so, although another function asks whether it is: counts are named after what they count.
// covet: hunt % --filter off --no-official --function width --function first
struct image { int width, height; };
struct gallery { int image_count; struct image *saved_images; };

int width(struct gallery *gallery, int at)
{
    if (at < 0 || at >= gallery->image_count)
        return 0;
    return gallery->saved_images[at].width;
}

int first(struct gallery *gallery)
{
    return gallery->saved_images->width;
}

int is_empty(struct gallery *gallery)
{
    return gallery->saved_images == 0;
}
