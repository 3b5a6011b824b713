/* Spans of the last step: stages without gaps, every item and every phase once, no bit changed. */
#include "base/clock.h"
#include "support/ask.h"
#include "support/collided.h"
#include "support/test.h"

enum { CAPACITY = 1 << 16, SCENES = 3, SHEET = 96 };

static const uint32_t worker_counts[] = {1, 2, 5};
enum { COUNTS = sizeof(worker_counts) / sizeof(*worker_counts) };

// ---- worlds ----

static weft_scene* new_sheet(uint32_t size) {
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, size, size, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(sheet.first_particle, 1)));
  return scene;
}

// Particles that are bodies, in a block above a floor.
static weft_scene* new_bodies(void) {
  weft_scene* scene = new_scene();
  const float inverse_mass = 1.0f;
  for (uint32_t i = 0; i < 2000; ++i) {
    const float position[3] = {0.2f * (float)(i % 10), 0.15f + 0.19f * (float)(i / 100),
                               0.2f * (float)(i / 10 % 10)};
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
  }
  return scene;
}

/* Sheet with levels; sheet that collides with a sphere and with itself, with CCD; bodies. */
static weft_world* new_recorded(int number, uint32_t workers, uint32_t capacity) {
  weft_scene* scene = number == 0 ? new_sheet(SHEET) : number == 1 ? new_sheet(48) : new_bodies();
  weft_world_def def = plain_def(.worker_count = workers, .substeps = 2);
  def.span_capacity = capacity;
  if (number == 0) def.solver.coarse_iterations = def.solver.attachments = 2;
  weft_world* world = new_world(&def, scene);
  if (number == 0) return world;
  weft_particle_shape_def shape = sphere_contact(0.1f);
  if (number == 1) shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  if (number == 1) shape.half_size[0] = 0.005f;
  shape.collision = number == 1 ? WEFT_COLLISION_EXACT : WEFT_COLLISION_SOFT;
  touch_all(world, &shape);
  weft_collider_def ball =
      collider_of_shape(number == 1 ? WEFT_COLLIDER_SHAPE_SPHERE : WEFT_COLLIDER_SHAPE_HALF_SPACE);
  ball.radius = 0.3f;
  (void)add_collider(world, &ball);
  return world;
}

static weft_spans spans_of(const weft_world* world, uint32_t worker) {
  weft_spans spans;
  expect_ok(weft_world_get_spans(world, worker, &spans));
  return spans;
}

static uint32_t workers_of(const weft_world* world) {
  return stats_of(world).worker_count;
}

static bool is_job(const weft_span* span) {
  return span->kind == WEFT_SPAN_LOOP || span->kind == WEFT_SPAN_WAVEFRONT;
}

// ---- the caller's spans ----

// Stages follow each other from the first span to the last one, jobs follow each other within
// stages, and have numbers.
static uint32_t check_caller(const weft_spans* spans) {
  const weft_span *stage = NULL, *job = NULL;
  uint32_t job_count = 0;
  require(spans->count > 0 && spans->items[0].kind == WEFT_SPAN_STAGE);
  for (uint32_t i = 0; i < spans->count; ++i) {
    const weft_span* span = &spans->items[i];
    require(span->begin_ns <= span->end_ns && span->name != NULL);
    require(i == 0 || span->begin_ns >= spans->items[i - 1].begin_ns);
    if (span->kind == WEFT_SPAN_STAGE) {
      require(stage == NULL || stage->end_ns == span->begin_ns);
      require(strcmp(span->name, weft_stage_name(span->stage)) == 0);
      require(span->job == job_count);
      stage = span;
    } else if (is_job(span)) {
      require(job == NULL || job->end_ns <= span->begin_ns);
      require(stage != NULL && span->stage == stage->stage && span->job == job_count++);
      require(span->begin_ns >= stage->begin_ns && span->end_ns <= stage->end_ns);
      job = span;
    }
  }
  for (uint32_t i = 0; i < spans->count; ++i) require(spans->items[i].end_ns <= stage->end_ns);
  return job_count;
}

// Job of a number.
static const weft_span* find_job(const weft_spans* caller, uint32_t job) {
  for (uint32_t i = 0; i < caller->count; ++i) {
    if (is_job(&caller->items[i]) && caller->items[i].job == job) return &caller->items[i];
  }
  ck_abort_msg("no job %u", job);
  return NULL;
}

// ---- what the workers have done ----

/* Marks what a span has done of its job, once: items, or phases of patches. */
static void mark(const weft_span* span, const weft_span* job, uint8_t* done) {
  require(span->begin_ns >= job->begin_ns && span->end_ns <= job->end_ns);
  require(span->stage == job->stage && span->name == job->name);
  if (span->kind == WEFT_SPAN_PIECE) {
    require(job->kind == WEFT_SPAN_LOOP && span->item % job->grain == 0);
    require(span->item_count > 0 && span->item + span->item_count <= job->item_count);
    for (uint32_t i = 0; i < span->item_count; ++i) require(done[span->item + i]++ == 0);
  } else if (span->kind == WEFT_SPAN_PHASE) {
    require(job->kind == WEFT_SPAN_WAVEFRONT && span->patch < job->item_count);
    require(span->phase < job->phase && done[span->patch * job->phase + span->phase]++ == 0);
  }
}

static void check_job(const weft_world* world, const weft_span* job) {
  const size_t size = (size_t)job->item_count * (job->kind == WEFT_SPAN_LOOP ? 1 : job->phase);
  uint8_t* done = test_alloc(size * 1);
  for (uint32_t w = 0; w < workers_of(world); ++w) {
    const weft_spans spans = spans_of(world, w);
    int64_t end_ns = job->begin_ns;
    for (uint32_t i = 0; i < spans.count; ++i) {
      const weft_span* span = &spans.items[i];
      if (span->job != job->job || is_job(span) || span->kind == WEFT_SPAN_STAGE) continue;
      require(span->begin_ns >= end_ns);
      end_ns = span->end_ns;
      mark(span, job, done);
    }
  }
  for (size_t i = 0; i < size; ++i) require(done[i] == 1);
}

LOOP_TEST(each_item_of_a_loop_and_each_phase_of_a_patch_has_one_span_of_a_worker,
          THREADED(0, SCENES), COUNTS* SCENES) {
  const int scene = _i % SCENES;
  weft_world* world = new_recorded(scene, worker_counts[_i / SCENES], CAPACITY);
  for (int step = 0; step < 2; ++step) {
    const int64_t begin_ns = weft__clock_ns();
    weft_world_step(world, 3);
    const weft_spans caller = spans_of(world, 0);
    ck_assert_uint_eq(caller.lost, 0);
    require(caller.items[0].begin_ns >= begin_ns);
    const uint32_t job_count = check_caller(&caller);
    ck_assert_uint_gt(job_count, 1);
    for (uint32_t job = 0; job < job_count; ++job) check_job(world, find_job(&caller, job));
  }
}

LOOP_TEST(spans_change_no_bit, 0, SCENES) {
  // none, all, and fewer than there are
  static const uint32_t capacities[] = {0, CAPACITY, 100};
  uint64_t expected = 0;
  for (int w = 0; w < COUNTS; ++w) {
    weft_world* world = new_recorded(_i, worker_counts[w], capacities[w]);
    weft_world_step(world, ROUNDS(6, 3));
    expect_final_hash(world, &expected);
  }
}

// ---- the edges ----

TEST(spans_beyond_the_capacity_are_counted) {
  weft_world* whole = new_recorded(0, 1, CAPACITY);
  weft_world* cut = new_recorded(0, 1, 100);
  weft_world_step(whole, 1);
  weft_world_step(cut, 1);
  const weft_spans all = spans_of(whole, 0), some = spans_of(cut, 0);
  ck_assert_uint_eq(some.count, 100);
  ck_assert(some.lost > 0 && all.lost == 0 && all.count > 100);
  // pieces share spans by the time that they take, and are as many as the load decides
  for (uint32_t i = 0, k = 0; i < 100; ++i) {
    if (some.items[i].kind == WEFT_SPAN_PIECE) continue;
    while (all.items[k].kind == WEFT_SPAN_PIECE) ++k;
    require(some.items[i].kind == all.items[k].kind && some.items[i].patch == all.items[k].patch);
    ++k;
  }
}

TEST(only_the_last_step_is_recorded) {
  weft_world* world = new_recorded(2, 2, CAPACITY);
  ck_assert_uint_eq(spans_of(world, 0).count, 0);
  weft_world_step(world, 5);
  const weft_spans spans = spans_of(world, 0);
  const weft_span first = spans.items[0];
  // jobs of queries are none of the step's; nor does a call of no steps change anything
  weft_world_step(world, 0);
  const float origin[3] = {0.0f, 9.0f, 0.0f}, down[3] = {0.0f, -1.0f, 0.0f};
  weft_query_hit hit;
  bool is_found;
  expect_ok(ask_ray(world, origin, down, 20.0f, NULL, &hit, &is_found));
  const weft_spans again = spans_of(world, 0);
  ck_assert_uint_eq(again.count, spans.count);
  ck_assert_mem_eq(&again.items[0], &first, sizeof(first));
  weft_world_step(world, 1);
  ck_assert_int_gt(spans_of(world, 0).items[0].begin_ns, first.begin_ns);
}

TEST(patches_have_neighbours_that_have_them) {
  weft_world* world = new_recorded(0, 1, 0);
  const weft_world_stats stats = stats_of(world);
  enum { MOST = 64 };
  uint32_t pairs = 0;
  for (uint32_t p = 0; p < stats.patch_count; ++p) {
    uint32_t near[MOST], count = 0;
    expect_ok(weft_world_get_patch_neighbors(world, 0, p, MOST, near, &count));
    require(count > 0 && count <= MOST);
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t back[MOST], back_count = 0;
      expect_ok(weft_world_get_patch_neighbors(world, 0, near[i], MOST, back, &back_count));
      for (uint32_t k = 0; k < back_count; ++k) pairs += back[k] == p;
    }
    pairs -= count;
  }
  ck_assert_uint_eq(pairs, 0);
  uint32_t count = 0;
  expect_ok(weft_world_get_patch_neighbors(world, 1, 0, 0, NULL, &count));
}

// Each patch has particles, and neighbours of other colours; each level has fewer particles.
TEST(particles_have_patches_colours_and_levels) {
  enum { COUNT = SHEET * SHEET };
  static uint32_t patches[COUNT], levels[COUNT], colors[COUNT], of_level[32], members[COUNT];
  weft_world* world = new_recorded(0, 1, 0);
  const weft_world_stats stats = stats_of(world);
  expect_get(world, WEFT_ATTRIBUTE_PATCH, 0, COUNT, patches);
  expect_get(world, WEFT_ATTRIBUTE_LEVEL, 0, COUNT, levels);
  expect_ok(weft_world_get_patch_colors(world, 0, 0, stats.patch_count, colors));
  for (uint32_t i = 0; i < COUNT; ++i) {
    uint32_t patch = UINT32_MAX, level = UINT32_MAX;
    expect_get(world, WEFT_ATTRIBUTE_PATCH, i, 1, &patch);
    if (i % 97 == 0) expect_get(world, WEFT_ATTRIBUTE_LEVEL, i, 1, &level);
    require(patch == patches[i] && patch < stats.patch_count);
    require(i % 97 != 0 || level == levels[i]);
    require(levels[i] < 32);
    ++members[patch];
    for (uint32_t l = 0; l <= levels[i]; ++l) ++of_level[l];
  }
  for (uint32_t l = 1; l < 4; ++l) {
    require(of_level[l] > 0 && 4 * of_level[l] < 2 * of_level[l - 1]);
    uint32_t color = UINT32_MAX;
    expect_ok(weft_world_get_patch_colors(world, l, 0, 1, &color));
    require(color != UINT32_MAX);
  }
  for (uint32_t p = 0; p < stats.patch_count; ++p) {
    uint32_t near[64], count = 0;
    expect_ok(weft_world_get_patch_neighbors(world, 0, p, 64, near, &count));
    require(members[p] > 0 && colors[p] < stats.patch_color_count);
    for (uint32_t i = 0; i < count; ++i) require(colors[near[i]] != colors[p]);
  }
}

// Recording goes on and off between steps, and survives a reset.
TEST(recording_is_switched_on_and_off) {
  weft_world* world = new_recorded(0, 2, 0);
  weft_scene* scene = new_sheet(SHEET);
  weft_spans spans;
  weft_world_step(world, 1);
  for (int round = 0; round < 2; ++round) {
    expect_ok(weft_world_set_span_capacity(world, CAPACITY));
    ck_assert_uint_eq(spans_of(world, 1).count, 0);
    if (round == 1) expect_ok(weft_world_reset(world, scene));
    weft_world_step(world, 1);
    ck_assert_uint_gt(spans_of(world, 0).count, 100);
    expect_ok(weft_world_set_span_capacity(world, 0));
    expect_error(weft_world_get_spans(world, 0, &spans), WEFT_ERROR_DISABLED,
                 "weft_world_def.span_capacity");
    weft_world_step(world, 1);
  }
}

TEST(wrong_input_has_its_name) {
  weft_world* off = new_recorded(2, 1, 0);
  weft_world* on = new_recorded(2, 1, 8);
  weft_spans spans;
  uint32_t count = 0;
  expect_null(weft_world_get_spans(NULL, 0, &spans), "world");
  expect_null(weft_world_get_spans(on, 0, NULL), "spans");
  expect_error(weft_world_get_spans(off, 0, &spans), WEFT_ERROR_DISABLED,
               "weft_world_def.span_capacity");
  expect_error(weft_world_get_spans(on, 1, &spans), WEFT_ERROR_INDEX, "worker");
  expect_null(weft_world_set_span_capacity(NULL, 1), "world");
  expect_error(weft_world_set_span_capacity(on, (1u << 22) + 1), WEFT_ERROR_RANGE, "capacity");
  expect_null(weft_world_get_patch_neighbors(NULL, 0, 0, 0, NULL, &count), "world");
  expect_null(weft_world_get_patch_neighbors(on, 0, 0, 1, NULL, &count), "neighbors");
  expect_null(weft_world_get_patch_neighbors(on, 0, 0, 0, NULL, NULL), "count");
  expect_error(weft_world_get_patch_neighbors(on, 1, 0, 0, NULL, &count), WEFT_ERROR_INDEX,
               "level");
  expect_error(weft_world_get_patch_neighbors(on, 0, 1u << 30, 0, NULL, &count), WEFT_ERROR_INDEX,
               "patch");
  expect_null(weft_world_get(NULL, WEFT_ATTRIBUTE_PATCH, weft_range(0, 1), &count, 0), "world");
  expect_null(weft_world_get(on, WEFT_ATTRIBUTE_PATCH, weft_range(0, 1), NULL, 0), "values");
  expect_past_end(weft_world_get(on, WEFT_ATTRIBUTE_PATCH, weft_range(2000, 1), &count, 0));
  expect_null(weft_world_get(NULL, WEFT_ATTRIBUTE_LEVEL, weft_range(0, 1), &count, 0), "world");
  expect_null(weft_world_get(on, WEFT_ATTRIBUTE_LEVEL, weft_range(0, 1), NULL, 0), "values");
  expect_past_end(weft_world_get(on, WEFT_ATTRIBUTE_LEVEL, weft_range(1999, 2), &count, 0));
  expect_null(weft_world_get_patch_colors(NULL, 0, 0, 1, &count), "world");
  expect_null(weft_world_get_patch_colors(on, 0, 0, 1, NULL), "colors");
  expect_error(weft_world_get_patch_colors(on, 1, 0, 1, &count), WEFT_ERROR_INDEX, "level");
  expect_past_end(weft_world_get_patch_colors(on, 0, UINT32_MAX, 1, &count));
  weft_scene* scene = new_bodies();
  weft_world_def def = weft_plain_world_def();
  def.span_capacity = (1u << 22) + 1;
  weft_world* none = NULL;
  expect_error(weft_world_create(&def, scene, &none), WEFT_ERROR_RANGE,
               "weft_world_def.span_capacity");
}
