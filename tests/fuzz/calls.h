/* Common parts of the calls of a program: drawing of arguments, and making and checking of a call.
 */
#ifndef TESTS_FUZZ_CALLS_H
#define TESTS_FUZZ_CALLS_H

#include <signal.h>

#include "fuzz/stream.h"
#include "weft/weft.h"

enum { MOST_BODIES = 16, MOST_CALLS = 1024, MOST_PARTICLES = 48, MOST_STEPS = 10 };

typedef struct call_log {
  const char* names[MOST_CALLS];
  weft_error errors[MOST_CALLS];
  uint64_t marks[MOST_CALLS]; /* hash of the state after the call and of all reads so far */
  uint32_t count;
} call_log;

/* Handle of a collider, a joint or a grip. */
typedef struct handle {
  uint32_t index, generation;
  bool is_live;
} handle;

/* Handles of one kind that the world has returned, those of removed entries included. */
typedef struct handle_list {
  handle handles[MOST_CALLS];
  uint32_t count;
} handle_list;

typedef struct program {
  input_stream in;
  bool is_wild;  /* also draws arbitrary numbers, invalid indices and NULL pointers */
  bool is_plane; /* draws vectors with z = 0, in wild programs sometimes others */
  bool notes_snapshot;
  uint32_t scale;
  weft_world_def def;
  weft_scene* scene;
  weft_world* world;
  weft_threads* threads; /* of the world, if not its own */
  weft_task* late;       /* tasks that run when all is over */
  uint32_t task_count;
  weft_body bodies[MOST_BODIES];
  uint32_t body_count;
  uint32_t particle_count, link_count;
  handle_list colliders, joints, grips, particles;
  call_log log;
  const call_log* first_run; /* NULL in the first run */
  uint64_t noted;            /* hash of all values read so far */
  uint64_t state;            /* hash of the state after the last call */
  uint32_t steps;
  int64_t median_ns;              /* running median of the steps' CPU time */
  int (*ration)(int allocations); /* NULL = memory does not run out */
  int allocations;                /* allocations that succeed in the current call */
  const volatile sig_atomic_t* interrupted;
  bool checks_times; /* see program_options */
  bool ok;           /* the last call succeeded */
  bool is_over;
  char* violation; /* [256], empty while all invariants hold */
} program;

// ---- arguments ----

float draw_number(program* p, float low, float high);
void draw_vector(program* p, float vector[3], float low, float high);

/* Index from 0 to bound - 1; in wild programs sometimes out of range. */
uint32_t draw_index(program* p, uint32_t bound);

/* Elements that have an attribute. */
uint32_t element_count(const program* p, weft_attribute attribute);

/* List of `count` numbers, perhaps one twice. */
weft_selection draw_list(program* p, uint32_t bound, uint32_t* numbers, uint32_t count);

/* Count from low to high, both included, the range times the program's scale. Never out of range.
 */
uint32_t draw_count(program* p, uint32_t low, uint32_t high);

/* Duration in nanoseconds; in wild programs sometimes an extreme one. */
int64_t draw_ns(program* p, uint32_t low, uint32_t high);

bool draw_chance(program* p, uint32_t one_in);

/* Random body of the scene; in wild programs sometimes arbitrary numbers. */
weft_body draw_body(program* p);

/* One of the last handles of the list, live or stale, or one that the world may not have returned.
 */
handle draw_handle(program* p, handle_list* list);

/* Draws the world's def, with this number of workers and ISA. */
void draw_def(program* p, uint32_t worker_count, weft_isa isa);

/* The argument itself; in wild programs sometimes NULL. */
const void* or_null(program* p, const void* argument);

/* The cookie itself; in wild programs sometimes 0. */
uint32_t draw_cookie(program* p, uint32_t cookie);

// ---- calls ----

/* Makes a call that returns a weft_result; p->ok is true if it succeeded. Arguments are drawn
 * before the call: they are not evaluated if the call is left out, and more than once if
 * allocations fail. */
#define CALL(p, function, ...)                            \
  do {                                                    \
    bool again = call_begins(p, #function);               \
    while (again) {                                       \
      again = call_ends(p, function(__VA_ARGS__), false); \
    }                                                     \
  } while (0)

/* Makes a read-only call, in the same way. */
#define READ(p, function, ...)                           \
  do {                                                   \
    bool again = call_begins(p, #function);              \
    while (again) {                                      \
      again = call_ends(p, function(__VA_ARGS__), true); \
    }                                                    \
  } while (0)

/* Begins a call; false if it is left out. */
bool call_begins(program* p, const char* name);

/* Ends a call; true if it ran out of memory and is to be repeated with one more allocation. */
bool call_ends(program* p, weft_result result, bool only_reads);

/* Entry of the list; NULL if the world has not returned it. */
handle* find_handle(handle_list* list, uint32_t index, uint32_t generation);

/* Lists the handle that the last call returned, if it succeeded, and requires that it is new and
 * that no live one has its index. */
void add_handle(program* p, handle_list* list, uint32_t index, uint32_t generation);

/* Requires that the last call, which took the handle, failed with WEFT_ERROR_STALE if and only if
 * the handle is stale. */
void check_handle(program* p, handle taken);

/* The same of a call that removes: the handle is stale then. */
void remove_handle(program* p, handle_list* list, handle taken);

/* Adds bytes to the hash of all reads. */
void note(program* p, const void* bytes, size_t size);

void step_world(program* p, uint32_t count);

/* Requires that positions, velocities, energies and strains are finite. */
void check_finite(program* p);

/* Records the first violated invariant and ends the program. */
void violate(program* p, const char* format, ...) __attribute__((format(printf, 2, 3)));

// ---- tables of calls ----

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
