#include <stdint.h>

struct list {
    int value;
    struct list *next;
};

typedef struct {
    double x, y;
} point;

struct flags {
    unsigned ready : 1;
    int level : 5;
    unsigned : 0;
    uint64_t rest : 40;
    _Bool last : 1;
};

struct __attribute__((packed)) wire {
    uint8_t tag;
    uint32_t length;
    char body[];
};

struct value {
    enum kind { NONE = -1, NUMBER, TEXT = 10 } kind;
    union {
        long number;
        struct {
            char *text;
            int length;
        };
        struct { short a, b; } pair;
    };
    union { float f; uint32_t bits; } raw[2];
};

union any { int i; double d; char bytes[12]; };
enum big { HUGE_ONE = 0xffffffffffull };
typedef enum { RED, GREEN } colour;
typedef float quad __attribute__((vector_size(16)));
struct tree { struct tree *children[2]; struct node_data { point at; colour c; } data; void (*visit)(struct tree *, int); };
struct never_defined;

int length(struct list *head) { return head ? 1 + length(head->next) : 0; }
point middle(point a, const point *b) { a.x += b->x; return a; }
int by_value(struct flags f, union any a, struct value v) { return f.ready + a.i + v.kind; }
int packet(struct wire *w) { return w->tag; }
colour paint(enum big b, quad q) { return b ? RED : (colour)q[0]; }
struct tree *grow(struct tree *t, struct never_defined *n, _Atomic int *count) { return n && count ? t : 0; }
unsigned _BitInt(17) odd(_BitInt(40) x) { return (unsigned _BitInt(17))x; }
struct { int anonymous_result_field; } global_without_tag;
