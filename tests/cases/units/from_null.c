// From NULL everywhere: the list is made as the code asks for it.
// covet: cover % --function third --pointers graph
struct node { int value; struct node *next; };
int third(struct node *list)
{
    if (!list)
        return 0;
    if (!list->next)
        return 1;
    if (!list->next->next)
        return 2;
    return list->next->next->value == 30 ? 4 : 3;
}
