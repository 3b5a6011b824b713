/* Threads that worlds share, tasks of a host, its memory and its data. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#ifdef __linux__
#include <dirent.h>
#endif

#include "base/host.h"
#include "base/memory.h"
#include "support/test.h"

enum { WORLDS = 32, STEPS = 6, MOST_TASKS = 64 };

static weft_threads* new_threads(uint32_t count) {
  weft_threads* threads = NULL;
  weft_threads_def def = weft_default_threads_def();
  def.count = count;
  def.stack_bytes = 1 << 18;
  expect_ok(weft_threads_create(&def, &threads));
  return threads;
}

static weft_world* new_sheet_world(const weft_world_def* def, float spacing) {
  weft_scene* scene = new_scene();
  const weft_sheet_def sheet = sheet_def(.side = 48, .spacing = spacing);
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, sheet.columns)));
  weft_world* world = NULL;
  expect_ok(weft_world_create(def, scene, &world));
  weft_scene_destroy(&scene);
  return world;
}

// a body of one particle; returns its number
static uint32_t add_particle(weft_scene* scene) {
  static const float position[3], inverse_mass = 1.0f;
  weft_body body;
  expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, &body));
  return body.first_particle;
}

// hash of a world that one thread has stepped
static uint64_t hash_alone(float spacing) {
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_sheet_world(&def, spacing);
  weft_world_step(world, STEPS);
  return weft_world_hash(world);
}

// ---- shared threads ----

#ifdef __linux__
static uint32_t thread_count(void) {
  uint32_t count = 0;
  DIR* tasks = opendir("/proc/self/task");
  for (const struct dirent* task = readdir(tasks); task != NULL; task = readdir(tasks)) {
    count += task->d_name[0] != '.';
  }
  closedir(tasks);
  return count;
}

TEST(worlds_with_shared_threads_start_no_thread) {
  weft_threads* threads = new_threads(3);
  const uint32_t before = thread_count();
  weft_world* worlds[WORLDS];
  weft_world_def def = plain_def(.worker_count = 2);
  def.threads = threads;
  const uint64_t expected = hash_alone(0.05f);
  for (int w = 0; w < WORLDS; ++w) {
    worlds[w] = new_sheet_world(&def, 0.05f);
    ck_assert_uint_eq(stats_of(worlds[w]).worker_count, 2);
    weft_world_step(worlds[w], STEPS);
    ck_assert_uint_eq(weft_world_hash(worlds[w]), expected);
  }
  ck_assert_uint_eq(thread_count(), before);
  for (int w = 0; w < WORLDS; ++w) weft_world_destroy(&worlds[w]);
  weft_threads_destroy(&threads);
}
#endif

typedef struct stepping {
  weft_world* world;
  pthread_t thread;
} stepping;

static void* step_by_step(void* context) {
  stepping* s = context;
  for (int i = 0; i < STEPS; ++i) weft_world_step(s->world, 1);
  return NULL;
}

LOOP_TEST(worlds_with_shared_threads_step_in_several_threads_of_the_host_at_once, 1, 4) {
  weft_threads* threads = new_threads((uint32_t)_i);
  weft_world_def def = plain_def(.worker_count = 7);
  def.threads = threads;
  stepping all[5];
  for (int w = 0; w < 5; ++w) all[w].world = new_sheet_world(&def, 0.01f * (float)(w + 1));
  for (int w = 0; w < 5; ++w) {
    ck_assert_int_eq(pthread_create(&all[w].thread, NULL, step_by_step, &all[w]), 0);
  }
  for (int w = 0; w < 5; ++w) pthread_join(all[w].thread, NULL);
  for (int w = 0; w < 5; ++w) {
    require(weft_world_hash(all[w].world) == hash_alone(0.01f * (float)(w + 1)));
    weft_world_destroy(&all[w].world);
  }
  weft_threads_destroy(&threads);
}

TEST(a_world_goes_on_alone_when_its_threads_are_destroyed) {
  weft_threads* threads = new_threads(3);
  weft_world_def def = plain_def(.worker_count = 4);
  def.threads = threads;
  weft_world* world = new_sheet_world(&def, 0.05f);
  weft_world_step(world, STEPS / 2);
  weft_threads_destroy(&threads);
  ck_assert_ptr_null(threads);
  weft_world_step(world, STEPS - STEPS / 2);
  ck_assert_uint_eq(weft_world_hash(world), hash_alone(0.05f));
  weft_world_destroy(&world);
  weft_threads_destroy(&threads);
}

static void expect_bad_threads(const weft_threads_def* def, weft_error error, const char* field) {
  weft_threads* threads = NULL;
  const weft_result result = weft_threads_create(def, &threads);
  ck_assert_int_eq((int)result.error, (int)error);
  ck_assert_str_eq(result.field, field);
  ck_assert_ptr_null(threads);
}

TEST(bad_threads_are_refused) {
  const weft_threads_def good = weft_default_threads_def();
  weft_threads_def def = {0};
  expect_bad_threads(NULL, WEFT_ERROR_NULL, "def");
  expect_bad_threads(&def, WEFT_ERROR_DEF, "weft_threads_def");
  def = good;
  def.name = "twelve chars";
  expect_bad_threads(&def, WEFT_ERROR_RANGE, "weft_threads_def.name");
  ck_assert_int_eq((int)weft_threads_create(&good, NULL).error, WEFT_ERROR_NULL);
}

// ---- tasks ----

typedef enum habit {
  HOST_REFUSES,
  HOST_RUNS_LATE,
  HOST_RUNS_WITHIN_ENQUEUE,
  HOST_RUNS_WITHIN_ENQUEUE_AND_REFUSES,
  HOST_RUNS_TWICE,
  HOST_HABITS
} habit;

typedef struct host {
  habit habit;
  weft_task* tasks[MOST_TASKS];
  uint32_t count;
} host;

static void* run_twice(void* task) {
  weft_task_run(task);
  weft_task_run(task);
  return NULL;
}

static bool enqueue(void* context, weft_task* task) {
  host* h = context;
  if (h->habit == HOST_REFUSES) return false;
  require(h->count < MOST_TASKS);
  h->tasks[h->count++] = task;
  if (h->habit == HOST_RUNS_TWICE) {
    pthread_t thread;
    require(pthread_create(&thread, NULL, run_twice, task) == 0);
    pthread_join(thread, NULL);
  } else if (h->habit != HOST_RUNS_LATE) {
    weft_task_run(task);
  }
  return h->habit != HOST_RUNS_WITHIN_ENQUEUE_AND_REFUSES;
}

// Steps a world of 7 workers, each step by itself, and requires the bits of one.
static void step_with(host* h) {
  weft_world_def def = plain_def(.worker_count = 7);
  def.task_system = (weft_task_system){h, enqueue};
  weft_world* world = new_sheet_world(&def, 0.05f);
  for (int i = 0; i < STEPS; ++i) weft_world_step(world, 1);
  ck_assert_uint_eq(weft_world_hash(world), hash_alone(0.05f));
  weft_world_destroy(&world);
}

LOOP_TEST(a_host_may_refuse_tasks_of_workers_or_run_them_after_all_is_over, HOST_REFUSES,
          HOST_RUNS_WITHIN_ENQUEUE) {
  host h = {.habit = (habit)_i};
  step_with(&h);
  // one task of each worker at a time
  ck_assert_uint_le(h.count, 6);
  for (uint32_t i = 0; i < h.count; ++i) weft_task_run(h.tasks[i]);
}

// Builds with sanitizers, which have assertions, run tests in one process.
#ifdef NDEBUG
static const int signal_of_assertions;
#else
static const int signal_of_assertions = SIGABRT;
#endif

SIGNAL_TEST(a_step_goes_on_without_workers_when_the_host_misuses_a_task_which_asserts,
            signal_of_assertions, HOST_RUNS_WITHIN_ENQUEUE,
            ROUNDS(HOST_HABITS, HOST_RUNS_WITHIN_ENQUEUE)) {
  host h = {.habit = (habit)_i};
  step_with(&h);
  // in one job of each step at most: workers of a busy machine may be excluded
  ck_assert_uint_ge(h.count, 1);
  ck_assert_uint_le(h.count, 6 * STEPS);
}

TEST(a_world_has_one_source_of_workers) {
  host h = {0};
  uint32_t cpus[1] = {0};
  weft_threads* threads = new_threads(1);
  weft_scene* scene = new_scene();
  (void)add_particle(scene);
  weft_world* world = NULL;
  weft_world_def def = weft_plain_world_def();
  def.threads = threads;
  def.task_system = (weft_task_system){&h, enqueue};
  ck_assert_str_eq(weft_world_create(&def, scene, &world).field, "weft_world_def.task_system");
  def.task_system.enqueue = NULL;
  def.worker_cpus = cpus;
  ck_assert_str_eq(weft_world_create(&def, scene, &world).field, "weft_world_def.worker_cpus");
  weft_threads_destroy(&threads);
}

// ---- memory ----

typedef struct ledger {
  atomic_size_t allocated, released, misaligned;
} ledger;

static void* allocate(void* context, size_t bytes, size_t alignment) {
  ledger* l = context;
  void* memory = aligned_alloc(alignment, bytes);
  ++l->allocated;
  l->misaligned += alignment < WEFT__CACHE_LINE || bytes == 0;
  return memory;
}

static void release(void* context, void* memory) {
  ledger* l = context;
  ++l->released;
  free(memory);
}

TEST(memory_is_the_hosts_from_the_first_block_to_the_last_and_none_is_taken_in_a_step) {
  static ledger l;
  weft_host_def def = weft_default_host_def();
  def.context = &l;
  def.allocate = allocate;
  def.release = release;
  expect_ok(weft_set_host(&def));
  const weft_world_def with = default_def(.worker_count = 3);
  weft_world* world = new_sheet_world(&with, 0.05f);
  weft_world_step(world, 1);
  const size_t before = l.allocated;
  weft_world_step(world, STEPS);
  ck_assert_uint_eq(l.allocated, before);
  const weft_host_def none = weft_default_host_def();
  ck_assert_int_eq((int)weft_set_host(&none).error, WEFT_ERROR_IN_USE);
  weft_world_destroy(&world);
  ck_assert_uint_gt(l.allocated, 0);
  ck_assert_uint_eq(l.allocated, l.released);
  ck_assert_uint_eq(l.misaligned, 0);
  expect_ok(weft_set_host(&none));
}

TEST(bad_hosts_are_refused) {
  weft_host_def def = {0};
  ck_assert_int_eq((int)weft_set_host(NULL).error, WEFT_ERROR_NULL);
  ck_assert_int_eq((int)weft_set_host(&def).error, WEFT_ERROR_DEF);
  def = weft_default_host_def();
  def.allocate = allocate;
  ck_assert_str_eq(weft_set_host(&def).field, "weft_host_def.release");
}

static char logged[100];

static void keep_message(void* context, const char* message) {
  (void)context;
  strncat(logged, message, sizeof(logged) - strlen(logged) - 1);
}

TEST(messages_go_to_the_host) {
  weft_host_def def = weft_default_host_def();
  def.log = keep_message;
  weft__log("nobody listens");
  expect_ok(weft_set_host(&def));
  weft__log("a message");
  ck_assert_str_eq(logged, "a message");
}

// ---- user data ----

TEST(worlds_bodies_colliders_and_joints_keep_the_hosts_data) {
  int data[5];
  weft_scene* scene = new_scene();
  const uint32_t first = add_particle(scene), second = add_particle(scene);
  expect_ok(weft_scene_set_user_data(scene, second, &data[1]));
  ck_assert_int_eq((int)weft_scene_set_user_data(scene, 2, data).error, WEFT_ERROR_INDEX);
  weft_world_def def = weft_plain_world_def();
  def.user_data = &data[0];
  weft_world* world = NULL;
  expect_ok(weft_world_create(&def, scene, &world));
  expect_ok(weft_world_get_def(world, &def));
  ck_assert_ptr_eq(def.user_data, &data[0]);

  void* found = &data[4];
  expect_ok(weft_world_get_body_user_data(world, first, &found));
  ck_assert_ptr_null(found);
  expect_ok(weft_world_get_body_user_data(world, second, &found));
  ck_assert_ptr_eq(found, &data[1]);
  expect_ok(weft_world_set_body_user_data(world, first, &data[2]));
  expect_ok(weft_world_get_body_user_data(world, first, &found));
  ck_assert_ptr_eq(found, &data[2]);
  ck_assert_int_eq((int)weft_world_get_body_user_data(world, 2, &found).error, WEFT_ERROR_INDEX);

  weft_collider_def ball = weft_default_collider_def();
  weft_collider collider;
  ball.user_data = &data[3];
  expect_ok(weft_world_add_collider(world, &ball, &collider));
  ball.user_data = NULL;
  expect_ok(weft_world_get_collider(world, collider, &ball));
  ck_assert_ptr_eq(ball.user_data, &data[3]);

  weft_joint_def rod = weft_default_joint_def();
  weft_joint joint;
  rod.particle = first;
  rod.to[0] = second;
  rod.user_data = &data[4];
  expect_ok(weft_world_add_joint(world, &rod, &joint));
  rod.user_data = NULL;
  expect_ok(weft_world_get_joint(world, joint, &rod, NULL, NULL));
  ck_assert_ptr_eq(rod.user_data, &data[4]);

  // snapshots do not touch it
  unsigned char snapshot[1 << 16];
  size_t size = 0;
  expect_ok(weft_world_save(world, snapshot, sizeof(snapshot), &size));
  expect_ok(weft_world_restore(world, snapshot, size));
  expect_ok(weft_world_get_collider(world, collider, &ball));
  expect_ok(weft_world_get_joint(world, joint, &rod, NULL, NULL));
  require(ball.user_data == &data[3] && rod.user_data == &data[4]);
  expect_ok(weft_world_get_def(world, &def));
  require(def.user_data == &data[0]);
}
