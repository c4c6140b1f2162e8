// The member behind the array is overwritten: inside the object, and wrong all the same.
// covet: cover % --function set
struct record { char name[6]; char is_admin; int values[3]; int last[2]; };
int set(struct record *r, unsigned i, char c) {
    if (!r || i > 6) return -1;
    r->is_admin = 0;
    r->name[i] = c;
    return r->is_admin;
}
