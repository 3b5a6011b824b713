/* What the calls of a program have in common: how arguments are drawn, and how a call is made and
 * checked. */
#ifndef TESTS_FUZZ_CALLS_H
#define TESTS_FUZZ_CALLS_H

#include <signal.h>

#include "fuzz/stream.h"
#include "weft/weft.h"

enum { MOST_BODIES = 16, MOST_CALLS = 1024, MOST_PARTICLES = 48, MOST_STEPS = 10 };

typedef struct call_log {
  const char* names[MOST_CALLS];
  weft_error errors[MOST_CALLS];
  uint64_t marks[MOST_CALLS]; /* hash of the state after the call and of all that was read so far */
  uint32_t count;
} call_log;

typedef struct program {
  input_stream in;
  bool is_wild; /* numbers of any kind, and indices and pointers that lead nowhere, among others */
  uint32_t scale;
  weft_world_def def;
  weft_scene* scene;
  weft_world* world;
  weft_body bodies[MOST_BODIES];
  uint32_t body_count;
  uint32_t particle_count, link_count;
  call_log log;
  const call_log* first_run; /* NULL in the first run */
  uint64_t noted;            /* hash of all that was read */
  uint64_t state;            /* hash of the state after the last call */
  uint32_t steps;
  int64_t median_ns;              /* of steps so far, of the caller's CPU time */
  int (*ration)(int allocations); /* NULL = memory does not run out */
  int allocations;                /* that the call is allowed */
  const volatile sig_atomic_t* interrupted;
  bool ok; /* the last call succeeded */
  bool is_over;
  char* violation; /* [256], empty while all invariants hold */
} program;

// ---- arguments ----

float draw_number(program* p, float low, float high);
void draw_vector(program* p, float vector[3], float low, float high);

/* 0 to bound - 1; in wild programs now and then beyond. */
uint32_t draw_index(program* p, uint32_t bound);

/* low to high, both included; times the program's scale. Never beyond. */
uint32_t draw_count(program* p, uint32_t low, uint32_t high);

/* Nanoseconds. */
int64_t draw_ns(program* p, uint32_t low, uint32_t high);

bool draw_chance(program* p, uint32_t one_in);

/* One of the bodies, or any numbers in a wild program. */
weft_body draw_body(program* p);

/* The argument itself; in wild programs now and then NULL. */
const void* or_null(program* p, const void* argument);

/* The cookie, or another one. */
uint32_t draw_cookie(program* p, uint32_t cookie);

// ---- calls ----

/* Makes a call that returns a weft_result; p->ok says whether it succeeded. Arguments are drawn
 * before: they are not evaluated where the call is left out, and more than once where allocations
 * fail. */
#define CALL(p, function, ...)                            \
  do {                                                    \
    bool again = call_begins(p, #function);               \
    while (again) {                                       \
      again = call_ends(p, function(__VA_ARGS__), false); \
    }                                                     \
  } while (0)

/* The same for one that only reads. */
#define READ(p, function, ...)                           \
  do {                                                   \
    bool again = call_begins(p, #function);              \
    while (again) {                                      \
      again = call_ends(p, function(__VA_ARGS__), true); \
    }                                                    \
  } while (0)

/* False where the call is to be left out. */
bool call_begins(program* p, const char* name);

/* True where it found no memory and is to be made again with a little more. */
bool call_ends(program* p, weft_result result, bool only_reads);

/* Adds to what the program has seen. */
void note(program* p, const void* bytes, size_t size);

void step_world(program* p, uint32_t count);

/* Positions, velocities, energies and strains are finite, whatever calls were taken. */
void check_finite(program* p);

/* Notes which invariant does not hold, unless another one did not before, and ends the program. */
void violate(program* p, const char* format, ...) __attribute__((format(printf, 2, 3)));

// ---- what there is to call ----

typedef void program_call(program* p);

extern program_call* const scene_calls[];
extern const uint32_t scene_call_count;
extern program_call* const change_calls[];
extern const uint32_t change_call_count;
extern program_call* const contact_calls[];
extern const uint32_t contact_call_count;
extern program_call* const read_calls[];
extern const uint32_t read_call_count;

#endif
