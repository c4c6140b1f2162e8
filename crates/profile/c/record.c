/* What a recorded program does at its calls becomes records in a file that it has mapped; crates/profile/src/raw.rs has their layout.
 *
 * This text is compiled into every recorded object file, all of it weak: whatever links them has it once. Without COVET_PROFILE_DIR it does
 * nothing. It allocates nothing by malloc, holds no lock that it would wait for, and reads memory through the kernel, so that it may be called
 * from anywhere and be wrong about memory without harm. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define OURS __attribute__((weak, visibility("default")))

enum {
  HEADER = 64,
  MOST = 16 << 20,          /* bytes of a file */
  CHUNK = 64 << 10,         /* bytes of it that are made sure of at a time */
  DEPTH = 1 << 15,          /* calls that are open */
  EDGES = 1 << 14,          /* places for edges, and for live objects of the heap */
  OBJECTS = 1 << 16,
  PROBES = 64,
  PARAMETERS = 32,
  PAIRINGS = 16,
  STATES = 3,               /* states of a function, and what one of them may have */
  STATE_BYTES = 16 << 10,
  REGION_BYTES = 4 << 10,
  REGIONS = 192,
  UNKNOWN_BYTES = 128,      /* of memory that nobody has announced */
  ALWAYS = 256,             /* calls after which sizes are looked at now and then only */
};
#define ALL_STATES (6u << 20) /* bytes of states of a process, and nanoseconds for taking them */
#define STATE_TIME 2000000000ull

/* As the instrumentation writes them (crates/instrument/src/record.rs). */
struct covet_global { char *address; uint64_t size; const char *name; uint64_t record; };
struct covet_function;
struct covet_unit {
  struct covet_unit *next;
  uint64_t is_known;
  struct covet_function **functions;
  uint64_t function_count;
  struct covet_global *globals;
  uint64_t global_count;
};
struct covet_function {
  uint64_t record;
  uint64_t states;
  struct covet_unit *unit;
  char *address;
  const char *name, *file, *compiled;
  const uint8_t *kinds;               /* bits of a number, POINTER, or OTHER */
  const uint64_t *local_sizes;
  struct covet_global **globals;
  uint64_t flags, parameters, locals, global_count;
};
enum { OTHER = 0, POINTER = 255, STATIC = 1, INLINED = 2 };

struct covet_frame { struct covet_function *function; char *frame; char **locals; };
struct covet_edge { uint64_t caller, callee, record; };
struct covet_object { char *address; uint64_t size; };
struct covet_span { char *start; uint64_t size; struct covet_global *global; };
struct covet_region { uint64_t address; uint32_t bytes, is_whole; };

OURS char *__covet_profile_map;
OURS int __covet_profile_tried, __covet_profile_fd = -1, __covet_profile_lock;
OURS uint64_t __covet_profile_inode, __covet_profile_device, __covet_profile_state_bytes, __covet_profile_state_time;
OURS struct covet_edge *__covet_profile_edges;
OURS struct covet_object *__covet_profile_objects;
OURS struct covet_unit *__covet_profile_units;
OURS struct covet_span *__covet_profile_spans;  /* variables of all units that are known, by address */
OURS uint64_t __covet_profile_span_count, __covet_profile_units_count, __covet_profile_spans_of;
OURS __thread struct covet_frame *__covet_profile_stack;
OURS __thread uint64_t __covet_profile_depth;
OURS __thread int __covet_profile_inside;

#define map __covet_profile_map
#define USED ((uint64_t *)(map + 8))
#define FLAGS ((uint64_t *)(map + 16))
#define ALLOCATED ((uint64_t *)(map + 24))

static void *room(uint64_t bytes) {
  void *at = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? 0 : at;
}

/* Nobody waits: a record that cannot be made now is not made. */
static int lock(void) {
  for (int tries = 0; tries < 200; tries++)
    if (!__atomic_exchange_n(&__covet_profile_lock, 1, __ATOMIC_ACQUIRE)) return 1;
  return 0;
}
static void unlock(void) { __atomic_store_n(&__covet_profile_lock, 0, __ATOMIC_RELEASE); }

OURS void __covet_profile_begin(void) {
  if (__atomic_exchange_n(&__covet_profile_tried, 1, __ATOMIC_ACQ_REL)) return;
  const char *folder = getenv("COVET_PROFILE_DIR");
  if (!folder || strlen(folder) > 3000) return;
  char name[3200];
  int fd = -1;
  for (int number = 0; number < 10000 && fd < 0; number++) {
    snprintf(name, sizeof name, "%s/%d.%d", folder, (int)getpid(), number);
    fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && access(name, F_OK)) return;
  }
  if (fd < 0) return;
  /* Out of the way of programs that count on their numbers. */
  int high = fcntl(fd, F_DUPFD_CLOEXEC, 700);
  if (high >= 0) { close(fd); fd = high; }
  flock(fd, LOCK_EX | LOCK_NB);
  struct stat about;
  if (posix_fallocate(fd, 0, CHUNK) || fstat(fd, &about)) { close(fd); return; }
  char *at = mmap(0, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  struct covet_edge *edges = room(EDGES * sizeof *edges);
  struct covet_object *objects = room(OBJECTS * sizeof *objects);
  if (at == MAP_FAILED || !edges || !objects) { close(fd); return; }
  memcpy(at, "covetPR1", 8);
  *(uint64_t *)(at + 8) = HEADER;
  *(uint64_t *)(at + 24) = CHUNK;
  __covet_profile_fd = fd;
  __covet_profile_inode = about.st_ino;
  __covet_profile_device = about.st_dev;
  __covet_profile_edges = edges;
  __covet_profile_objects = objects;
  __atomic_store_n(&map, at, __ATOMIC_RELEASE);
}

/* Bytes of the file for a record, zeroed; 0 when there are none. */
static uint64_t reserve(uint32_t bytes) {
  bytes = (bytes + 7) & ~7u;
  uint64_t used = __atomic_load_n(USED, __ATOMIC_RELAXED);
  while (used + bytes > __atomic_load_n(ALLOCATED, __ATOMIC_ACQUIRE)) {
    uint64_t end = __atomic_load_n(ALLOCATED, __ATOMIC_ACQUIRE), more = used + bytes - end;
    more = (more + CHUNK - 1) / CHUNK * CHUNK;
    struct stat about;
    /* The program may have closed our file, and opened its own in its place. */
    if (end + more > MOST || fstat(__covet_profile_fd, &about) || about.st_ino != __covet_profile_inode ||
        about.st_dev != __covet_profile_device || posix_fallocate(__covet_profile_fd, 0, end + more)) {
      *FLAGS |= 1;
      return 0;
    }
    __atomic_compare_exchange_n(ALLOCATED, &end, end + more, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  uint64_t at = __atomic_fetch_add(USED, bytes, __ATOMIC_ACQ_REL);
  /* Another process that shares the file may have been quicker. */
  if (at + bytes > __atomic_load_n(ALLOCATED, __ATOMIC_ACQUIRE)) {
    __atomic_fetch_sub(USED, bytes, __ATOMIC_ACQ_REL);
    *FLAGS |= 1;
    return 0;
  }
  *(uint32_t *)(map + at + 4) = bytes;
  return at;
}

static void known(struct covet_unit *unit) {
  if (unit->is_known) return;
  unit->is_known = 1;
  unit->next = __covet_profile_units;
  __covet_profile_units = unit;
  __covet_profile_units_count++;
}

static uint32_t parameters_of(struct covet_function *function) {
  return function->parameters < PARAMETERS ? (uint32_t)function->parameters : PARAMETERS;
}

/* The record of a function; 0 when it has none. */
static uint64_t record_of(struct covet_function *function) {
  if (function->record) return function->record;
  if (!lock()) return 0;
  uint64_t at = function->record;
  if (!at) {
    uint32_t parameters = parameters_of(function), pairings = 0, pairs[PAIRINGS][2];
    for (uint32_t p = 0; p < parameters; p++)
      for (uint32_t n = 0; n < parameters; n++)
        if (function->kinds[p] == POINTER && function->kinds[n] != POINTER && function->kinds[n] > 8 && pairings < PAIRINGS) {
          pairs[pairings][0] = p;
          pairs[pairings++][1] = n;
        }
    uint32_t texts = 40 + parameters * 48 + pairings * 32;
    uint32_t lengths[3] = { (uint32_t)strlen(function->name) + 1, (uint32_t)strlen(function->file) + 1,
                            (uint32_t)strlen(function->compiled) + 1 };
    at = reserve(texts + lengths[0] + lengths[1] + lengths[2]);
    if (at) {
      char *record = map + at, *text = record + texts;
      *(uint64_t *)(record + 8) = (uint64_t)function->address;
      uint32_t head[4] = { parameters, (uint32_t)function->flags & STATIC, pairings, texts };
      memcpy(record + 24, head, sizeof head);
      for (uint32_t p = 0; p < parameters; p++)
        *(uint64_t *)(record + 40 + p * 48) = function->kinds[p] == POINTER ? 2 : function->kinds[p] ? 1 : 3;
      for (uint32_t pair = 0; pair < pairings; pair++)
        memcpy(record + 40 + parameters * 48 + pair * 32, pairs[pair], 8);
      memcpy(text, function->name, lengths[0]);
      memcpy(text + lengths[0], function->file, lengths[1]);
      memcpy(text + lengths[0] + lengths[1], function->compiled, lengths[2]);
      __atomic_store_n((uint32_t *)record, 1, __ATOMIC_RELEASE);
      known(function->unit);
      function->record = at;
    }
  }
  unlock();
  return at;
}

static uint64_t mixed(uint64_t a) {
  a ^= a >> 33;
  a *= 0xff51afd7ed558ccdull;
  return a ^ a >> 33;
}

static void count_edge(uint64_t caller, uint64_t callee) {
  struct covet_edge *edges = __covet_profile_edges;
  uint64_t at = mixed(caller * 0x9e3779b97f4a7c15ull + callee);
  for (int probe = 0; probe < PROBES; probe++) {
    struct covet_edge *edge = &edges[(at + (uint64_t)probe) % EDGES];
    if (edge->record && edge->caller == caller && edge->callee == callee) {
      __atomic_fetch_add((uint64_t *)(map + edge->record + 24), 1, __ATOMIC_RELAXED);
      return;
    }
    if (!edge->record) {
      if (!lock()) return;
      if (!edge->record) {
        uint64_t record = reserve(32);
        if (record) {
          uint64_t body[3] = { caller, callee, 1 };
          memcpy(map + record + 8, body, sizeof body);
          __atomic_store_n((uint32_t *)(map + record), 2, __ATOMIC_RELEASE);
          edge->caller = caller;
          edge->callee = callee;
          edge->record = record;
        }
        unlock();
        return;
      }
      unlock();
      probe--; /* Somebody took the place: look at it again. */
    }
  }
  *FLAGS |= 1;
}

/* Objects of the heap that the program itself has asked for. A size of ~0 stands for one that is gone. */
static struct covet_object *object_at(char *address) {
  uint64_t at = mixed((uint64_t)address);
  for (int probe = 0; probe < PROBES; probe++) {
    struct covet_object *object = &__covet_profile_objects[(at + (uint64_t)probe) % OBJECTS];
    if (object->address == address) return object->size == ~0ull ? 0 : object;
    if (!object->address) return 0;
  }
  return 0;
}

static void has_come(char *address, uint64_t size) {
  if (!__covet_profile_tried) __covet_profile_begin();
  if (!map || !address) return;
  uint64_t at = mixed((uint64_t)address);
  for (int probe = 0; probe < PROBES; probe++) {
    struct covet_object *object = &__covet_profile_objects[(at + (uint64_t)probe) % OBJECTS];
    if (!object->address || object->address == address || object->size == ~0ull) {
      object->size = size;
      object->address = address;
      return;
    }
  }
}

static void has_gone(char *address) {
  struct covet_object *object = map && address ? object_at(address) : 0;
  if (object) object->size = ~0ull;
}

OURS void *__covet_profile_malloc(size_t size) {
  void *at = malloc(size);
  has_come(at, size);
  return at;
}
OURS void *__covet_profile_calloc(size_t count, size_t size) {
  void *at = calloc(count, size);
  if (at) has_come(at, count * size);
  return at;
}
OURS void *__covet_profile_realloc(void *old, size_t size) {
  void *at = realloc(old, size);
  if (at || !size) has_gone(old);
  if (size) has_come(at, size);
  return at;
}
OURS void *__covet_profile_reallocarray(void *old, size_t count, size_t size) {
  void *at = reallocarray(old, count, size);
  if (at) {
    has_gone(old);
    has_come(at, count * size);
  }
  return at;
}
OURS void __covet_profile_free(void *old) {
  has_gone(old);
  free(old);
}
OURS void *__covet_profile_aligned_alloc(size_t alignment, size_t size) {
  void *at = aligned_alloc(alignment, size);
  has_come(at, size);
  return at;
}
OURS int __covet_profile_posix_memalign(void **at, size_t alignment, size_t size) {
  int failed = posix_memalign(at, alignment, size);
  if (!failed) has_come(*at, size);
  return failed;
}
OURS char *__covet_profile_strdup(const char *text) {
  char *at = strdup(text);
  if (at) has_come(at, strlen(at) + 1);
  return at;
}
OURS char *__covet_profile_strndup(const char *text, size_t most) {
  char *at = strndup(text, most);
  if (at) has_come(at, strlen(at) + 1);
  return at;
}

static int by_start(const void *a, const void *b) {
  char *x = ((const struct covet_span *)a)->start, *y = ((const struct covet_span *)b)->start;
  return x < y ? -1 : x > y;
}

/* Merge sort would allocate: heap sort does not. */
static void sort(struct covet_span *all, uint64_t count) {
  for (uint64_t end = count, from = count / 2; end > 1;) {
    struct covet_span moved;
    if (from > 0) moved = all[--from];
    else {
      moved = all[--end];
      all[end] = all[0];
    }
    uint64_t at = from;
    for (uint64_t child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && by_start(&all[child], &all[child + 1]) < 0) child++;
      if (by_start(&moved, &all[child]) >= 0) break;
      all[at] = all[child];
    }
    all[at] = moved;
  }
}

/* The span that holds an address. */
static struct covet_span *span_of(struct covet_span *all, uint64_t count, char *address) {
  uint64_t low = 0, high = count;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (all[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  if (!low) return 0;
  struct covet_span *span = &all[low - 1];
  return (uint64_t)(address - span->start) < span->size ? span : 0;
}

/* The variables of all units that are known, sorted anew when there are more units. */
static void sort_globals(void) {
  if (__covet_profile_spans_of == __covet_profile_units_count || !lock()) return;
  uint64_t count = 0;
  for (struct covet_unit *unit = __covet_profile_units; unit; unit = unit->next) count += unit->global_count;
  struct covet_span *spans = room((count + 1) * sizeof *spans);
  if (spans) {
    uint64_t at = 0;
    for (struct covet_unit *unit = __covet_profile_units; unit; unit = unit->next)
      for (uint64_t global = 0; global < unit->global_count && at < count; global++, at++)
        spans[at] = (struct covet_span){ unit->globals[global].address, unit->globals[global].size, &unit->globals[global] };
    sort(spans, at);
    /* The old ones stay: another thread may be looking at them. */
    __covet_profile_spans = spans;
    __covet_profile_span_count = at;
    __covet_profile_spans_of = __covet_profile_units_count;
  }
  unlock();
}

/* The variable of a function on the stack that holds an address, of the innermost `calls` that are open. */
static int local_of(char *address, uint64_t calls, struct covet_span *found) {
  uint64_t depth = __covet_profile_depth < DEPTH ? __covet_profile_depth : DEPTH;
  for (uint64_t back = 0; back < calls && back < depth; back++) {
    struct covet_frame *frame = &__covet_profile_stack[depth - 1 - back];
    for (uint64_t local = 0; frame->locals && local < frame->function->locals; local++) {
      char *start = frame->locals[local];
      if (address >= start && (uint64_t)(address - start) < frame->function->local_sizes[local]) {
        *found = (struct covet_span){ start, frame->function->local_sizes[local], 0 };
        return 1;
      }
    }
  }
  return 0;
}

/* Bytes from a pointer to the end of its object; 0 when that is not known. */
static uint64_t extent(char *address) {
  struct covet_object *object = object_at(address);
  if (object) return object->size;
  struct covet_span local, *global;
  if (local_of(address, 4, &local)) return local.size - (uint64_t)(address - local.start);
  sort_globals();
  global = span_of(__covet_profile_spans, __covet_profile_span_count, address);
  return global ? global->size - (uint64_t)(address - global->start) : 0;
}

static int64_t as_signed(uint64_t value, uint8_t bits) {
  return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static void least_and_most(uint64_t *range, uint64_t value, int is_first) {
  if (is_first || value < range[0]) range[0] = value;
  if (is_first || value > range[1]) range[1] = value;
}

static void look_at(struct covet_function *function, uint64_t record, const uint64_t *arguments, uint64_t calls) {
  uint32_t parameters = parameters_of(function);
  uint64_t extents[PARAMETERS] = { 0 };
  int sizes = calls <= ALWAYS || calls % 64 == 0;
  for (uint32_t p = 0; p < parameters; p++) {
    uint64_t *seen = (uint64_t *)(map + record + 40 + p * 48) + 1, value = arguments[p];
    uint8_t kind = function->kinds[p];
    if (kind == POINTER) {
      seen[0]++;
      seen[1] += !value;
      if (!value || !sizes || !(extents[p] = extent((char *)value))) continue;
      least_and_most(seen + 3, extents[p], !seen[2]++);
    } else if (kind != OTHER) {
      int64_t number = as_signed(value, kind), *range = (int64_t *)seen + 1;
      int is_first = !seen[0]++;
      if (is_first || number < range[0]) range[0] = number;
      if (is_first || number > range[1]) range[1] = number;
      least_and_most(seen + 3, value, is_first);
    }
  }
  uint32_t pairings = *(uint32_t *)(map + record + 32);
  for (uint32_t pair = 0; sizes && pair < pairings; pair++) {
    char *at = map + record + 40 + parameters * 48 + pair * 32;
    uint32_t pointer = ((uint32_t *)at)[0], number = ((uint32_t *)at)[1];
    if (pointer >= parameters || number >= parameters) break; /* Somebody wrote into the file. */
    int64_t count = as_signed(arguments[number], function->kinds[number]);
    uint64_t *seen = (uint64_t *)(at + 8);
    if (extents[pointer] && count > 0) least_and_most(seen + 1, extents[pointer] / (uint64_t)count, !seen[0]++);
  }
}

/* A state under way. */
struct covet_state {
  struct covet_span *heap;
  uint64_t heap_count;
  struct covet_region regions[REGIONS];
  uint32_t count, bytes;
  char content[STATE_BYTES];
};

static int is_there(struct covet_state *state, uint64_t address) {
  for (uint32_t at = 0; at < state->count; at++)
    if (address - state->regions[at].address < state->regions[at].bytes) return 1;
  return 0;
}

/* Copies memory as far as there is any. */
static uint64_t copied(char *to, uint64_t from, uint64_t bytes) {
  struct iovec here = { to, bytes }, there = { (void *)from, bytes };
  ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  return got > 0 ? (uint64_t)got : 0;
}

static void keep(struct covet_state *state, uint64_t start, uint64_t size, int is_known) {
  uint64_t bytes = size < REGION_BYTES ? size : REGION_BYTES;
  for (uint32_t at = 0; at < state->count; at++) /* None overlap. */
    if (state->regions[at].address > start && state->regions[at].address - start < bytes)
      bytes = state->regions[at].address - start;
  if (bytes > STATE_BYTES - state->bytes) bytes = STATE_BYTES - state->bytes;
  if (!bytes || state->count == REGIONS) return;
  bytes = copied(state->content + state->bytes, start, bytes);
  if (!bytes) return;
  state->regions[state->count++] = (struct covet_region){ start, (uint32_t)bytes, is_known && bytes == size };
  state->bytes += (uint32_t)bytes;
}

static void keep_global(struct covet_state *state, struct covet_global *global) {
  if (is_there(state, (uint64_t)global->address)) return;
  keep(state, (uint64_t)global->address, global->size, 1);
  if (global->record || !*global->name) return;
  uint32_t length = (uint32_t)strlen(global->name) + 1;
  uint64_t at = reserve(24 + length);
  if (!at) return;
  uint64_t body[2] = { (uint64_t)global->address, global->size };
  memcpy(map + at + 8, body, sizeof body);
  memcpy(map + at + 24, global->name, length);
  __atomic_store_n((uint32_t *)(map + at), 4, __ATOMIC_RELEASE);
  global->record = at;
}

/* An object from its start; of a large one, what begins where the pointer leads. */
static void keep_around(struct covet_state *state, struct covet_span *span, uint64_t address) {
  uint64_t start = (uint64_t)span->start, end = start + span->size;
  if (address - start >= REGION_BYTES / 2 && span->size > REGION_BYTES) start = address & ~7ull;
  if (!is_there(state, start)) keep(state, start, end - start, start == (uint64_t)span->start);
}

static void follow(struct covet_state *state, uint64_t address, int is_pointer) {
  if (address < 4096 || address >> 47 || is_there(state, address)) return;
  char *at = (char *)address;
  struct covet_span *span = span_of(state->heap, state->heap_count, at), local;
  if (!span) {
    span = span_of(__covet_profile_spans, __covet_profile_span_count, at);
    if (span) {
      keep_global(state, span->global);
      return;
    }
  }
  if (!span && local_of(at, 64, &local)) span = &local;
  if (span) {
    keep_around(state, span, address);
    return;
  }
  for (struct covet_unit *unit = __covet_profile_units; unit; unit = unit->next)
    for (uint64_t number = 0; number < unit->function_count; number++)
      if (unit->functions[number]->address == at) {
        record_of(unit->functions[number]);
        return;
      }
  if (is_pointer) keep(state, address, UNKNOWN_BYTES, 0);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

/* Arguments and what can be reached from them and from the variables that the function names, breadth first. */
static void take_state(struct covet_function *function, uint64_t record, const uint64_t *arguments) {
  if (__covet_profile_state_bytes > ALL_STATES || __covet_profile_state_time > STATE_TIME) return;
  uint64_t began = now(), live = 0;
  struct covet_state *state = room(sizeof *state);
  struct covet_span *heap = room(OBJECTS * sizeof *heap);
  if (state && heap) {
    for (uint64_t at = 0; at < OBJECTS; at++) {
      struct covet_object object = __covet_profile_objects[at];
      if (object.address && object.size != ~0ull) heap[live++] = (struct covet_span){ object.address, object.size, 0 };
    }
    sort(heap, live);
    sort_globals();
    state->heap = heap;
    state->heap_count = live;
    uint32_t parameters = parameters_of(function);
    for (uint32_t p = 0; p < parameters; p++)
      if (function->kinds[p] == POINTER) follow(state, arguments[p], 1);
    for (uint64_t global = 0; global < function->global_count; global++) keep_global(state, function->globals[global]);
    for (uint32_t region = 0, from = 0; region < state->count; from += state->regions[region++].bytes) {
      uint64_t skipped = -state->regions[region].address & 7;
      for (uint64_t at = skipped; at + 8 <= state->regions[region].bytes; at += 8) {
        uint64_t word;
        memcpy(&word, state->content + from + at, 8);
        follow(state, word, 0);
      }
    }
    uint64_t at = reserve(24 + parameters * 8 + state->count * 16 + state->bytes);
    if (at) {
      char *to = map + at;
      uint32_t counts[2] = { parameters, state->count };
      memcpy(to + 8, &record, 8);
      memcpy(to + 16, counts, 8);
      memcpy(to + 24, arguments, parameters * 8);
      memcpy(to + 24 + parameters * 8, state->regions, state->count * 16);
      memcpy(to + 24 + parameters * 8 + state->count * 16, state->content, state->bytes);
      __atomic_store_n((uint32_t *)to, 3, __ATOMIC_RELEASE);
      __covet_profile_state_bytes += state->bytes;
    }
  }
  if (state) munmap(state, sizeof *state);
  if (heap) munmap(heap, OBJECTS * sizeof *heap);
  __covet_profile_state_time += now() - began;
}

/* The first call, and then ever more seldom. */
static int is_worth_keeping(uint64_t calls, uint64_t states) {
  return states < STATES && (calls == 1 || (states == 1 && calls >= 10) || (states == 2 && calls >= 200));
}

OURS void __covet_profile_enter(struct covet_function *function, const uint64_t *arguments, char **locals) {
  if (!map) {
    __covet_profile_begin();
    if (!map) return;
  }
  if (__covet_profile_inside) return; /* A signal, or a function of the program that we use. */
  __covet_profile_inside = 1;
  if (!__covet_profile_stack) __covet_profile_stack = room(DEPTH * sizeof *__covet_profile_stack);
  struct covet_frame *stack = __covet_profile_stack;
  if (stack) {
    char *frame = __builtin_frame_address(0);
    uint64_t depth = __covet_profile_depth;
    /* What a longjmp has left is below us. Only what is always inlined shares a frame with its caller. */
    char *dead = function->flags & INLINED ? frame - 1 : frame;
    while (depth > 0 && depth <= DEPTH && stack[depth - 1].frame <= dead) depth--;
    uint64_t record = record_of(function);
    struct covet_function *caller = depth > 0 && depth <= DEPTH ? stack[depth - 1].function : 0;
    __covet_profile_depth = depth;
    if (record) {
      uint64_t calls = __atomic_add_fetch((uint64_t *)(map + record + 16), 1, __ATOMIC_RELAXED);
      if (depth <= DEPTH) count_edge(caller ? caller->record : 0, record);
      look_at(function, record, arguments, calls);
      if (is_worth_keeping(calls, function->states)) {
        function->states++;
        take_state(function, record, arguments);
      }
    }
    if (depth < DEPTH) stack[depth] = (struct covet_frame){ function, frame, locals };
    __covet_profile_depth = depth + 1;
  }
  __covet_profile_inside = 0;
}

OURS void __covet_profile_leave(struct covet_function *function) {
  struct covet_frame *stack = __covet_profile_stack;
  uint64_t depth = __covet_profile_depth;
  if (!stack || !depth || __covet_profile_inside) return;
  if (depth > DEPTH || stack[depth - 1].function == function) __covet_profile_depth = depth - 1;
  else if (depth > 1 && stack[depth - 2].function == function) __covet_profile_depth = depth - 2;
}
