#include "fuzz/program.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "fuzz/calls.h"

// ---- the state ----

// Reads that cannot fail.
static void must(weft_result result) {
  if (result.error != WEFT_OK) abort();
}

void violate(program* p, const char* format, ...) {
  p->is_over = true;
  if (p->violation[0] != '\0') return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(p->violation, 256, format, arguments);
  va_end(arguments);
}

static uint64_t mix(uint64_t hash, const void* bytes, size_t size) {
  const uint8_t* byte = bytes;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ byte[i]) * WEFT__FNV_PRIME;
  return hash;
}

void note(program* p, const void* bytes, size_t size) {
  p->noted = mix(p->noted, bytes, size);
}

static uint64_t hash_scene(const weft_scene* scene) {
  uint64_t hash = WEFT__FNV_BASIS;
  for (uint32_t i = 0; i < weft_scene_particle_count(scene); ++i) {
    float particle[4];
    must(weft_scene_get_particles(scene, i, 1, particle, particle + 3));
    hash = mix(hash, particle, sizeof(particle));
  }
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    must(weft_scene_get_links(scene, i, 1, &link));
    hash = mix(hash, &link, sizeof(link));
  }
  return hash;
}

// hash of positions, previous positions, counts and sums; field by field, as padding is undefined
static uint64_t hash_world(const weft_world* world) {
  weft_world_stats stats;
  weft_contact_stats met;
  weft_measures measures;
  uint64_t hash = weft_world_hash(world);
  must(weft_world_get_stats(world, &stats));
  must(weft_world_get_contact_stats(world, &met));
  must(weft_world_measure(world, &measures));
  const uint64_t counts[] = {stats.torn_count, stats.joint_count,  stats.lost_events,
                             stats.step_count, met.collider_count, met.collider_contacts,
                             met.self_pairs,   met.particle_pairs, met.particle_colors,
                             met.ccd_pairs,    met.ccd_hits,       met.ccd_rollbacks,
                             met.ccd_stuck,    met.lost_pairs,     met.lost_ccd_pairs,
                             met.lost_touches, met.lost_events};
  hash = mix(hash, counts, sizeof(counts));
  return mix(hash, &measures, sizeof(measures));
}

static uint64_t hash_state(const program* p) {
  return p->world != NULL ? hash_world(p->world) : hash_scene(p->scene);
}

// ---- calls ----

// requires the same calls with the same outcome in the second run
static void log_call(program* p, weft_error error) {
  call_log* log = &p->log;
  const uint32_t call = log->count;
  const uint64_t seen[2] = {p->state, p->noted};
  log->errors[call] = error;
  log->marks[call] = mix(WEFT__FNV_BASIS, seen, sizeof(seen));
  ++log->count;
  if (log->count == MOST_CALLS) p->is_over = true;
  if (p->first_run == NULL) return;
  if (p->first_run->errors[call] != error) {
    violate(p, "call %u, %s: %s in the first run, and %s in the second", call, log->names[call],
            weft_error_text(p->first_run->errors[call]), weft_error_text(error));
  } else if (p->first_run->marks[call] != log->marks[call]) {
    violate(p, "call %u, %s: other bits in the second run", call, log->names[call]);
  }
}

static bool calls_as_before(program* p, const char* name) {
  const uint32_t call = p->log.count;
  if (call >= p->first_run->count) {
    violate(p, "call %u, %s: none in the first run", call, name);
    return false;
  }
  if (p->first_run->errors[call] == WEFT_OK) return true;
  log_call(p, p->first_run->errors[call]);
  return false;
}

static bool is_interrupted(const program* p) {
  return p->interrupted != NULL && *p->interrupted;
}

bool call_begins(program* p, const char* name) {
  p->ok = false;
  if (is_interrupted(p)) p->is_over = true;
  if (p->is_over) return false;
  p->log.names[p->log.count] = name;
  p->allocations = 0;
  if (p->ration != NULL) (void)p->ration(0);
  return p->first_run == NULL || calls_as_before(p, name);
}

// true if a call ran out of memory and is to be repeated with more
static bool starves(program* p, weft_result result) {
  static const int most_allocations = 2000;
  if (p->ration == NULL) return false;
  (void)p->ration(-1);
  if (result.error != WEFT_ERROR_OUT_OF_MEMORY || p->allocations == most_allocations) return false;
  return !p->is_over;
}

bool call_ends(program* p, weft_result result, bool only_reads) {
  const bool starved = starves(p, result);
  const uint64_t state = hash_state(p);
  if (state != p->state && (only_reads || result.error != WEFT_OK)) {
    violate(p, "call %u, %s: %s, and has changed the state", p->log.count,
            p->log.names[p->log.count], weft_error_text(result.error));
  }
  p->state = state;
  if (starved) {
    (void)p->ration(++p->allocations);
    return true;
  }
  if (result.field == NULL) violate(p, "%s: names no field", p->log.names[p->log.count]);
  p->ok = result.error == WEFT_OK;
  log_call(p, result.error);
  return false;
}

// ---- handles ----

handle* find_handle(handle_list* list, uint32_t index, uint32_t generation) {
  for (uint32_t i = 0; i < list->count; ++i) {
    handle* known = &list->handles[i];
    if (known->index == index && known->generation == generation) return known;
  }
  return NULL;
}

void add_handle(program* p, handle_list* list, uint32_t index, uint32_t generation) {
  if (!p->ok) return;
  for (uint32_t i = 0; i < list->count; ++i) {
    const handle* known = &list->handles[i];
    const bool is_same = known->index == index && known->generation == generation;
    if (is_same || (known->index == index && known->is_live)) {
      violate(p, "call %u: handle %u %u is that of another entry", p->log.count - 1, index,
              generation);
    }
  }
  list->handles[list->count++] = (handle){index, generation, true};
  note(p, &list->handles[list->count - 1], sizeof(uint32_t[2]));
}

void check_handle(program* p, handle taken) {
  if (p->is_over || p->log.count == 0) return;
  const uint32_t call = p->log.count - 1;
  if ((p->log.errors[call] == WEFT_ERROR_STALE) == !taken.is_live) return;
  violate(p, "call %u, %s: %s, and handle %u %u is %s", call, p->log.names[call],
          weft_error_text(p->log.errors[call]), taken.index, taken.generation,
          taken.is_live ? "live" : "stale");
}

void remove_handle(program* p, handle_list* list, handle taken) {
  check_handle(p, taken);
  if (p->ok && taken.is_live) find_handle(list, taken.index, taken.generation)->is_live = false;
}

// ---- steps ----

static int64_t cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool are_finite(const float* numbers, int count) {
  for (int i = 0; i < count; ++i) {
    if (!isfinite(numbers[i])) return false;
  }
  return true;
}

void check_finite(program* p) {
  weft_measures measures;
  for (uint32_t i = 0; i < p->particle_count; ++i) {
    float here[13];
    must(weft_world_get(p->world, WEFT_ATTRIBUTE_POSITION, weft_range(i, 1), here, 0));
    must(weft_world_get(p->world, WEFT_ATTRIBUTE_VELOCITY, weft_range(i, 1), here + 3, 0));
    must(weft_world_get(p->world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(i, 1), here + 6, 0));
    must(weft_world_get(p->world, WEFT_ATTRIBUTE_ORIENTATION, weft_range(i, 1), here + 9, 0));
    if (!are_finite(here, 13)) violate(p, "particle %u is at no finite place", i);
    if (p->is_plane && (here[2] != 0.0f || here[5] != 0.0f)) {
      violate(p, "particle %u has left the plane", i);
    }
  }
  must(weft_world_measure(p->world, &measures));
  const double sums[] = {measures.kinetic, measures.gravitational, measures.elastic,
                         measures.mean_strain, measures.max_strain};
  for (uint32_t i = 0; i < sizeof(sums) / sizeof(*sums); ++i) {
    if (!isfinite(sums[i])) violate(p, "energy or strain %u is not finite", i);
  }
}

// Reports a step that takes over a second and a hundred times the median; the absolute limit
// excludes noise of the machine, and tangles, whose work the budget of CCD bounds: see
// docs/contacts.md. The median is an estimate that moves by a sixteenth up or down per step.
static void check_time(program* p, int64_t spent_ns) {
  static const int64_t most_ns = 1000000000;
  if (p->median_ns == 0) p->median_ns = spent_ns;
  p->median_ns += (spent_ns > p->median_ns ? 1 : -1) * (p->median_ns / 16 + 1);
  if (spent_ns > most_ns && p->steps > 4 && spent_ns / 100 > p->median_ns) {
    violate(p, "step %u takes %lld ms, and others %lld us", p->steps,
            (long long)(spent_ns / 1000000), (long long)(p->median_ns / 1000));
  }
}

void step_world(program* p, uint32_t count) {
  const uint32_t upper = MOST_STEPS * p->scale;
  for (uint32_t i = 0; i < count && p->steps < upper && call_begins(p, "weft_world_step"); ++i) {
    const int64_t start_ns = cpu_ns();
    weft_world_step(p->world, 1);
    if (p->ration != NULL && p->ration(-1) != 0) violate(p, "step %u allocates", p->steps);
    ++p->steps;
    if (p->checks_times && p->first_run == NULL) check_time(p, cpu_ns() - start_ns);
    check_finite(p);
    if (p->is_over) return;
    p->state = hash_state(p);
    log_call(p, WEFT_OK);
  }
}

// ---- the scene and the world ----

static void make_call(program* p, program_call* const* calls, uint32_t call_count) {
  calls[stream_below(&p->in, call_count)](p);
}

static void describe_scene(program* p) {
  if (weft_scene_create(&p->scene).error != WEFT_OK) {
    violate(p, "no memory for a scene");
    return;
  }
  p->state = hash_state(p);
  const uint32_t count = 1 + stream_below(&p->in, 4);
  for (uint32_t i = 0; i < count && !p->is_over; ++i) make_call(p, scene_calls, scene_call_count);
}

// ---- snapshots ----

// the number-th supported ISA, cyclically
static weft_isa isa_number(uint32_t number) {
  int isa = WEFT_ISA_SCALAR;
  while (number > 0 || !weft_isa_supported((weft_isa)isa)) {
    isa = isa == WEFT_ISA_SIMD128 ? WEFT_ISA_SCALAR : isa + 1;
    if (number > 0 && weft_isa_supported((weft_isa)isa)) --number;
  }
  return (weft_isa)isa;
}

// Steps the world on and restores it, or restores its snapshot in a world of its own: another ISA,
// another number of workers. All that follows must be as in the first run, which did neither.
static void rewind_world(program* p, const void* memory, size_t size) {
  weft_world_step(p->world, 1 + p->log.count % 2);
  const weft_result result = weft_world_restore(p->world, memory, size);
  if (result.error != WEFT_OK) {
    violate(p, "restore: %s, at %s", weft_error_text(result.error), result.field);
  }
}

static void move_world(program* p, const void* memory, size_t size) {
  weft_world_def def = p->def;
  weft_world* world = NULL;
  def.worker_count = 1 + p->log.count % 4;
  def.isa = isa_number(p->log.count);
  if (weft_world_create(&def, p->scene, &world).error != WEFT_OK) return;
  const weft_result result = weft_world_restore(world, memory, size);
  if (result.error == WEFT_OK) {
    weft_world_destroy(&p->world);
    p->world = world;
    return;
  }
  // the world has been reset to a scene that has changed since
  if (result.error != WEFT_ERROR_FOREIGN) violate(p, "restore: %s", weft_error_text(result.error));
  weft_world_destroy(&world);
}

static void save_and_restore(program* p) {
  size_t size = 0;
  must(weft_world_get_snapshot_size(p->world, &size));
  void* memory = malloc(size);
  if (memory == NULL) abort();
  must(weft_world_save(p->world, memory, size, &size));
  if (p->log.count % 2 == 0) {
    rewind_world(p, memory, size);
  } else {
    move_world(p, memory, size);
  }
  free(memory);
  const uint64_t state = hash_state(p);
  if (state != p->state) violate(p, "call %u: other bits after a restore", p->log.count);
}

// Runs without a restore end in the same bytes.
static void note_snapshot(program* p) {
  size_t size = 0;
  must(weft_world_get_snapshot_size(p->world, &size));
  void* memory = malloc(size);
  if (memory == NULL) abort();
  must(weft_world_save(p->world, memory, size, &size));
  note(p, memory, size);
  free(memory);
  step_world(p, 1);
}

// ---- a program ----

static void change_world(program* p) {
  if (p->first_run != NULL && p->log.count % 3 == 0) save_and_restore(p);
  const uint32_t kind = stream_below(&p->in, 8);
  if (kind < 3) {
    make_call(p, change_calls, change_call_count);
  } else if (kind < 5) {
    make_call(p, contact_calls, contact_call_count);
  } else if (kind < 6) {
    make_call(p, read_calls, read_call_count);
  } else {
    step_world(p, 1 + stream_below(&p->in, 4));
  }
}

// A host that runs a task at once, refuses the next, and keeps the third to the end. With
// assertions it keeps the first, too: they forbid to run it within enqueue().
static bool enqueue(void* context, weft_task* task) {
  program* p = context;
  const uint32_t turn = p->task_count++ % 3;
  if (turn == 1) return false;
#ifdef NDEBUG
  if (turn == 0) {
    weft_task_run(task);
    return true;
  }
#endif
  task->next = p->late;
  p->late = task;
  return true;
}

// Helpers of the second run: threads of the world's own, shared threads, or tasks of the host.
static void choose_helpers(program* p) {
  if (p->def.worker_count % 3 == 1 && p->def.worker_count > 1) {
    weft_threads_def def = weft_default_threads_def();
    def.count = p->def.worker_count - 1;
    if (weft_threads_create(&def, &p->threads).error != WEFT_OK) abort();
    p->def.threads = p->threads;
  } else if (p->def.worker_count % 3 == 2) {
    p->def.task_system = (weft_task_system){p, enqueue};
  }
}

static void run_world(program* p, uint32_t worker_count, weft_isa isa) {
  draw_def(p, worker_count, isa);
  choose_helpers(p);
  p->particle_count = weft_scene_particle_count(p->scene);
  p->link_count = weft_scene_link_count(p->scene);
  CALL(p, weft_world_create, &p->def, p->scene, &p->world);
  if (!p->ok) return;
  check_finite(p);
  p->state = hash_state(p);
  while (!stream_is_empty(&p->in) && !p->is_over) change_world(p);
  step_world(p, 2);
  if (p->notes_snapshot && !p->is_over) note_snapshot(p);
}

static program* new_program(const uint8_t* data, size_t size, const program_options* options,
                            program_report* report) {
  program* p = calloc(1, sizeof(*p));
  if (p == NULL) abort();
  p->in = stream_of(data, size);
  p->scale = options->scale;
  p->violation = report->violation;
  p->ration = options->ration;
  p->checks_times = options->checks_times;
  p->interrupted = options->interrupted;
  p->noted = WEFT__FNV_BASIS;
  return p;
}

static void free_program(program* p) {
  weft_world_destroy(&p->world);
  weft_scene_destroy(&p->scene);
  weft_threads_destroy(&p->threads);
  for (weft_task* task = p->late; task != NULL;) {
    weft_task* next = task->next;
    weft_task_run(task);
    task = next;
  }
  free(p);
}

static void run_once(program* p, uint8_t kind, uint32_t worker_count, weft_isa isa) {
  p->is_wild = kind % 2 == 1;
  p->is_plane = kind >= 192;
  describe_scene(p);
  if (!p->is_over) run_world(p, worker_count, isa);
}

bool program_run(const uint8_t* data, size_t size, const program_options* options,
                 program_report* report) {
  *report = (program_report){0};
  if (size == 0) return true;
  const bool is_compared =
      options->ration == NULL && (options->worker_count > 0 || data[0] / 2 % 8 == 7);
  program* first = new_program(data + 1, size - 1, options, report);
  first->notes_snapshot = options->compares_snapshots || !is_compared;
  run_once(first, data[0], 1, WEFT_ISA_AUTO);
  if (is_compared && report->violation[0] == '\0') {
    program* second = new_program(data + 1, size - 1, options, report);
    second->first_run = &first->log;
    second->notes_snapshot = options->compares_snapshots;
    const uint32_t workers = options->worker_count > 0 ? options->worker_count : 3;
    run_once(second, data[0], workers, isa_number(data[0] / 16));
    if (second->log.count != first->log.count && !is_interrupted(second)) {
      violate(second, "the second run ends early");
    }
    free_program(second);
  }
  report->calls = first->log.count;
  report->steps = first->steps;
  report->particles = first->particle_count;
  report->hash = first->log.count > 0 ? first->log.marks[first->log.count - 1] : 0;
  free_program(first);
  return report->violation[0] == '\0';
}
