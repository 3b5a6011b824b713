/* Query results, with and without an index, against a cast and a distance test per element. */
#include "support/ask.h"
#include "support/handles.h"
#include "support/query_oracle.h"
#include "support/questions.h"
#include "support/test.h"

static bool is_hit_of(const weft_query_hit* hit, const thing* it) {
  if (hit->kind != it->kind || hit->index != it->index) return false;
  require(SAME_HANDLE(hit->collider, it->collider));
  return true;
}

static const thing* find_thing(const thing_list* things, const weft_query_hit* hit) {
  for (uint32_t i = 0; i < things->count; ++i) {
    if (is_hit_of(hit, &things->items[i])) return &things->items[i];
  }
  ck_abort_msg("there is no such element: %d %u", (int)hit->kind, hit->index);
  return NULL;
}

static void to_doubles(const float* from, double to[3]) {
  for (int k = 0; k < 3; ++k) to[k] = (double)from[k];
}

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// ---- casts ----

typedef struct marched {
  double from[3], direction[3];
  double length, radius;
} marched;

static marched march_of(const question* q) {
  marched m = {.length = (double)q->size};
  float along[3];
  direction_of(q, along);
  to_doubles(q->from, m.from);
  to_doubles(along, m.direction);
  if (q->kind != RAY) {
    for (int k = 0; k < 3; ++k) m.direction[k] = (double)q->to[k] - (double)q->from[k];
  }
  const double size = length_of(m.direction);
  for (int k = 0; k < 3 && size > 0.0; ++k) m.direction[k] /= size;
  if (q->kind != RAY) m.length = size;
  if (q->kind == BALL_WAY) m.radius = (double)q->size;
  return m;
}

// points and segments without a radius are never hit, neither as such nor after shrinking
static bool is_met(const thing* it, double radius) {
  const bool has_width = it->form == TRIANGLE || it->form == PLANE || it->form == HALF_SPACE ||
                         it->form == BOX || it->form == ELLIPSOID;
  return has_width || it->radius + radius > 0.0;
}

static double march(const marched* m, const thing* it, double by) {
  if (!is_met(it, m->radius)) return INFINITY;
  const thing other = grown_thing(it, by);
  if (!is_met(&other, m->radius)) return INFINITY;
  return march_to(&other, m->from, m->direction, fmin(m->length, 1e5), m->radius, by > 0.0);
}

static void check_met(const marched* m, const thing_list* things, const weft_query_hit* hit) {
  const thing* it = find_thing(things, hit);
  const double distance = (double)hit->distance;
  require(march(m, it, 1e-5) <= distance + 1e-5);
  const double share = m->length > 0.0 && m->length < INFINITY ? distance / m->length : 0.0;
  require(fabs((double)hit->fraction - share) < 1e-5);
  // the hit point lies on the element, one radius from the sphere's centre, along the normal
  double point[3];
  double normal[3];
  double nearest[3];
  to_doubles(hit->point, point);
  to_doubles(hit->normal, normal);
  if (distance == 0.0) {
    require(thing_apart(it, m->from, nearest) < m->radius + 1e-5);
    require(memcmp(point, m->from, sizeof(point)) == 0 && length_of(normal) == 0.0);
    return;
  }
  require(thing_apart(it, point, nearest) < 1e-5);
  require(fabs(length_of(normal) - 1.0) < 1e-5);
  double off = 0.0;
  double along = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double middle = m->from[k] + distance * m->direction[k];
    off += fabs(point[k] + m->radius * normal[k] - middle);
    along += normal[k] * m->direction[k];
  }
  require(off < 3e-4);
  require(along < 1e-3);
}

static void check_cast(const query_scene* scene, const thing_list* things, const question* q) {
  answers a;
  ask(scene->world, q, &a);
  const marched m = march_of(q);
  double sure = INFINITY;
  double early = INFINITY;
  for (uint32_t i = 0; i < things->count; ++i) {
    const thing* it = &things->items[i];
    if (!thing_is_asked(it, &q->filter)) continue;
    sure = fmin(sure, march(&m, it, -1e-5));
    early = fmin(early, march(&m, it, 1e-5));
  }
  if (!a.found) {
    require(sure == INFINITY || sure > m.length - 1e-5);
    return;
  }
  require(thing_is_asked(find_thing(things, a.hits), &q->filter));
  require((double)a.hits->distance >= early - 1e-5);
  require((double)a.hits->distance <= sure + 1e-5);
  check_met(&m, things, a.hits);
}

LOOP_TEST(a_cast_meets_first_what_a_march_meets_first, 0, ROUNDS(40, 8)) {
  random_source random = {(uint64_t)_i + 100};
  query_scene scene = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  if (random_chance(&random, 2)) expect_ok(weft_world_build_index(scene.world));
  thing_list things = list_things(&scene);
  for (int round = 0; round < ROUNDS(60, 6); ++round) {
    const question q = random_question(&random, (question_kind)random_below(&random, 3));
    check_cast(&scene, &things, &q);
  }
}

// ---- overlaps ----

static void check_near_hit(const thing* it, const double point[3], const weft_query_hit* hit) {
  double nearest[3];
  double told[3];
  double normal[3];
  const double distance = thing_apart(it, point, nearest);
  require(fabs((double)hit->distance - distance) < 1e-5);
  require(hit->fraction == 0.0f);
  to_doubles(hit->point, told);
  to_doubles(hit->normal, normal);
  double off = 0.0;
  double wrong = 0.0;
  for (int k = 0; k < 3; ++k) {
    off += fabs(told[k] - nearest[k]);
    wrong += fabs(told[k] + normal[k] * (double)hit->distance - point[k]);
  }
  require(off < 1e-3 && wrong < 1e-5);
}

static bool is_after(const weft_query_hit* a, const weft_query_hit* b) {
  return a->kind > b->kind || (a->kind == b->kind && a->index > b->index);
}

LOOP_TEST(what_is_near_is_what_an_oracle_finds_near_by_kind_and_number, 0, ROUNDS(40, 8)) {
  random_source random = {(uint64_t)_i + 200};
  query_scene scene = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  if (random_chance(&random, 2)) expect_ok(weft_world_build_index(scene.world));
  thing_list things = list_things(&scene);
  for (int round = 0; round < ROUNDS(100, 10); ++round) {
    question q = random_question(&random, NEAR);
    answers a;
    ask(scene.world, &q, &a);
    double point[3];
    to_doubles(q.from, point);
    uint32_t sure = 0;
    uint32_t likely = 0;
    for (uint32_t i = 0; i < things.count; ++i) {
      double nearest[3];
      if (!thing_is_asked(&things.items[i], &q.filter)) continue;
      const double distance = thing_apart(&things.items[i], point, nearest);
      sure += distance < (double)q.size - 1e-6;
      likely += distance < (double)q.size + 1e-6;
    }
    require(a.count >= sure && a.count <= likely);
    const uint32_t written = a.count < q.capacity ? a.count : q.capacity;
    for (uint32_t i = 0; i < written; ++i) {
      require(i == 0 || is_after(&a.hits[i], &a.hits[i - 1]));
      const thing* it = find_thing(&things, &a.hits[i]);
      require(thing_is_asked(it, &q.filter));
      check_near_hit(it, point, &a.hits[i]);
    }
  }
}

LOOP_TEST(the_closest_is_as_near_as_an_oracle_finds_any, 0, ROUNDS(40, 8)) {
  random_source random = {(uint64_t)_i + 300};
  query_scene scene = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  if (random_chance(&random, 2)) expect_ok(weft_world_build_index(scene.world));
  thing_list things = list_things(&scene);
  for (int round = 0; round < ROUNDS(100, 10); ++round) {
    const question q = random_question(&random, CLOSEST);
    answers a;
    ask(scene.world, &q, &a);
    double point[3];
    to_doubles(q.from, point);
    double lower = INFINITY;
    for (uint32_t i = 0; i < things.count; ++i) {
      double nearest[3];
      if (!thing_is_asked(&things.items[i], &q.filter)) continue;
      lower = fmin(lower, thing_apart(&things.items[i], point, nearest));
    }
    if (fabs(lower - (double)q.size) < 1e-5) continue;
    require(a.found == (lower < (double)q.size));
    if (!a.found) continue;
    require(fabs((double)a.hits->distance - lower) < 1e-5);
    const thing* it = find_thing(&things, a.hits);
    require(thing_is_asked(it, &q.filter));
    check_near_hit(it, point, a.hits);
  }
}

LOOP_TEST(what_is_in_a_box_is_what_an_oracle_brings_together_with_it, 0, ROUNDS(40, 8)) {
  random_source random = {(uint64_t)_i + 400};
  query_scene scene = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  if (random_chance(&random, 2)) expect_ok(weft_world_build_index(scene.world));
  thing_list things = list_things(&scene);
  const uint32_t room = things.count + 1;
  weft_query_hit* hits = test_alloc(room * sizeof(*hits));
  for (int round = 0; round < ROUNDS(20, 3); ++round) {
    const question q = random_question(&random, IN_BOX);
    uint32_t count = 0;
    expect_ok(ask_box(scene.world, q.from, q.to, &q.filter, room, hits, &count));
    uint32_t next = 0;
    for (uint32_t i = 0; i < things.count; ++i) {
      const thing* it = &things.items[i];
      const bool told = next < count && is_hit_of(&hits[next], it);
      next += told;
      require(!told || thing_is_asked(it, &q.filter));
      if (!thing_is_asked(it, &q.filter)) continue;
      const double distance = thing_from_box(it, q.from, q.to);
      // alternating projections may converge slowly
      require(told ? distance < 1e-2 : distance > 1e-8);
    }
    require(next == count);
  }
}

LOOP_TEST(the_nearest_particles_are_those_that_sorting_all_finds, 0, ROUNDS(40, 8)) {
  random_source random = {(uint64_t)_i + 500};
  query_scene scene = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  if (random_chance(&random, 2)) expect_ok(weft_world_build_index(scene.world));
  thing_list things = list_things(&scene);
  bool* used = test_alloc(things.count * sizeof(bool));
  for (int round = 0; round < ROUNDS(60, 6); ++round) {
    const question q = random_question(&random, NEAREST);
    answers a;
    ask(scene.world, &q, &a);
    memset(used, 0, things.count * sizeof(bool));
    double point[3];
    to_doubles(q.from, point);
    for (uint32_t n = 0; n <= a.count && n < q.capacity; ++n) {
      double lower = INFINITY;
      uint32_t best = UINT32_MAX;
      for (uint32_t i = 0; i < things.count; ++i) {
        const thing* it = &things.items[i];
        if (used[i] || it->kind != WEFT_ELEMENT_PARTICLE || !thing_is_asked(it, &q.filter))
          continue;
        const double away[3] = {it->corner[0][0] - point[0], it->corner[0][1] - point[1],
                                it->corner[0][2] - point[2]};
        if (length_of(away) >= lower) continue;
        lower = length_of(away);
        best = i;
      }
      if (fabs(lower - (double)q.size) < 1e-9) break;
      require((n < a.count) == (best != UINT32_MAX && lower < (double)q.size));
      if (n == a.count) break;
      used[best] = true;
      require(a.hits[n].kind == WEFT_ELEMENT_PARTICLE);
      require(a.hits[n].index == things.items[best].index);
      require(fabs((double)a.hits[n].distance - lower) < 1e-6);
    }
  }
}

// ---- empty results ----

LOOP_TEST(a_filter_that_lets_nothing_through_finds_nothing, 0, 2) {
  query_scene scene = new_query_scene(5, 1, WEFT_ISA_AUTO);
  if (_i == 1) expect_ok(weft_world_build_index(scene.world));
  random_source random = {1};
  for (int i = 0; i < 70; ++i) {
    question q = random_question(&random, (question_kind)(i % 7));
    q.filter = weft_default_query_def();
    q.filter.particles = q.filter.links = q.filter.faces = q.filter.colliders = false;
    answers a;
    ask(scene.world, &q, &a);
    require(!a.found && a.count == 0);
  }
}

// ---- examples ----

LOOP_TEST(of_what_is_equally_near_the_first_kind_and_then_the_lowest_number_is_told, 0, 2) {
  // three coincident particles, two of them linked
  const float places[9] = {1.0f, 2.0f, 3.0f, 1.0f, 2.0f, 3.0f, 1.0f, 2.0f, 3.0f};
  weft_scene* scene = new_scene();
  const float inverse_masses[3] = {0.0f, 0.0f, 0.0f};
  expect_ok(weft_scene_add_particles(scene, places, inverse_masses, 3, NULL));
  weft_world* world = new_world_of(scene);
  const float point[3] = {1.0f, 2.0f, 0.0f};
  if (_i == 1) expect_ok(weft_world_build_index(world));
  weft_query_hit hit;
  bool found = false;
  expect_ok(ask_closest(world, point, INFINITY, NULL, &hit, &found));
  ck_assert(found && hit.kind == WEFT_ELEMENT_PARTICLE && hit.index == 0);
  ck_assert_float_eq(hit.distance, 3.0f);
  ck_assert_float_eq(hit.normal[2], -1.0f);
  weft_query_hit hits[2];
  uint32_t count = 0;
  expect_ok(ask_nearest(world, point, INFINITY, NULL, 2, hits, &count));
  ck_assert_uint_eq(count, 2);
  ck_assert(hits[0].index == 0 && hits[1].index == 1);
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.shape = WEFT_PARTICLE_SHAPE_BOX;
  for (int axis = 0; axis < 3; ++axis) contact.half_size[axis] = 0.5f;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 3), &contact));
  if (_i == 1) expect_ok(weft_world_build_index(world));
  const float up[3] = {0.0f, 0.0f, 2.0f};
  expect_ok(ask_ray(world, point, up, INFINITY, NULL, &hit, &found));
  ck_assert(found && hit.index == 0);
  ck_assert_float_eq_tol(hit.distance, 2.5f, 1e-6f);
  ck_assert_float_eq(hit.fraction, 0.0f);
  ck_assert_float_eq(hit.normal[2], -1.0f);
}

LOOP_TEST(a_ray_finds_what_is_far_away_and_passes_between_no_two_faces, 0, 4) {
  const uint32_t side = 9;
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = side;
  sheet.spacing = 0.25f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world_def def = weft_plain_world_def();
  weft_world* world = new_world(&def, scene);
  if (_i % 2 == 1) expect_ok(weft_world_build_index(world));
  float* positions = new_positions(world);
  random_source random = {(uint64_t)_i};
  const float away = _i < 2 ? 1.0f : 100000.0f;
  for (int round = 0; round < ROUNDS(2000, 200); ++round) {
    // at a corner or a midpoint of an edge inside the sheet
    const uint32_t column = random_from(&random, 1, side - 2);
    const uint32_t row = random_from(&random, 1, side - 2);
    const float* corner = positions + 3 * (size_t)(row * side + column);
    const float* next = corner + 3 * (size_t)random_below(&random, 2);
    float from[3];
    float direction[3];
    for (int k = 0; k < 3; ++k) {
      const float target = 0.5f * (corner[k] + next[k]);
      from[k] = target + away * (k == 2 ? 1.0f : random_float(&random, -1.0f, 1.0f));
      if (random_chance(&random, 2)) from[k] = target + (k == 2 ? away : 0.0f);
      direction[k] = target - from[k];
    }
    // the sheet lies in a plane: a ray within that plane has no defined hit
    weft_query_hit hit;
    bool found = false;
    const float normal_size = fabsf(direction[2]);
    if (normal_size == 0.0f) continue;
    expect_ok(ask_ray(world, from, direction, INFINITY, NULL, &hit, &found));
    require(found && hit.kind == WEFT_ELEMENT_FACE);
    const float no_way[3] = {-direction[0], -direction[1], -direction[2]};
    expect_ok(ask_ray(world, from, no_way, INFINITY, NULL, &hit, &found));
    require(!found);
  }
}

LOOP_TEST(without_room_hits_are_counted_and_none_are_written, 0, 2) {
  query_scene scene = new_query_scene(9, 1, WEFT_ISA_AUTO);
  const float point[3] = {0.5f, 0.5f, 0.5f};
  uint32_t all = 0;
  expect_ok(ask_sphere(scene.world, point, 2.0f, NULL, 0, NULL, &all));
  ck_assert_uint_gt(all, 20);
  weft_query_hit* whole = test_alloc(all * sizeof(*whole));
  weft_query_hit some[10];
  uint32_t count = 0;
  expect_ok(ask_sphere(scene.world, point, 2.0f, NULL, all, whole, &count));
  ck_assert_uint_eq(count, all);
  if (_i == 1) expect_ok(weft_world_build_index(scene.world));
  expect_ok(ask_sphere(scene.world, point, 2.0f, NULL, 10, some, &count));
  ck_assert_uint_eq(count, all);
  ck_assert_mem_eq(some, whole, sizeof(some));
  expect_ok(ask_nearest(scene.world, point, 2.0f, NULL, 0, NULL, &count));
  ck_assert_uint_eq(count, 0);
}
