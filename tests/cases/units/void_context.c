// A context behind `void *`, known by how it is converted.
// covet: cover % --function on_event
#include <stddef.h>
struct context { int mode; struct context *outer; char name[4]; };
int on_event(int event, void *data)
{
    struct context *context = data;
    if (!context)
        return -1;
    if (context->mode == 12 && event == 3)
        return context->outer && context->outer->name[0] == 'x' ? 2 : 1;
    return 0;
}
