#define HERE 2
