/* Names and numbers. */
#ifndef LOOKUP_H
#define LOOKUP_H
struct table;
struct table *table_new(void);
void table_free(struct table *table);
int table_add(struct table *table, int key, int value);
int table_value(const struct table *table, int key);
int table_has(const struct table *table, int key);
#endif
