/* Neighbour lists of self-collision: against all pairs, lists that are kept, and those of one
 * substep. */
#include "support/cloths.h"
#include "support/test.h"

// ---- lists, against all pairs ----

// random particles, some joined by links, of two categories with random masks
typedef struct cloud {
  weft_world* world;
  uint32_t count;
  float* radius;
  uint32_t* category;
  uint32_t* mask;
  float* ways;  // shortest paths along links [count x count]
} cloud;

static void add_links(weft_scene* scene, random_source* random, uint32_t count, float* ways) {
  for (uint32_t k = 0; k < count; ++k) {
    const weft_link_def link = {.a = random_below(random, count),
                                .b = random_below(random, count),
                                .rest_length = random_float(random, 0.01f, 0.2f),
                                .relaxation = 1.0f};
    if (link.a == link.b || ways[link.a * count + link.b] < INFINITY) continue;
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    ways[link.a * count + link.b] = ways[link.b * count + link.a] = link.rest_length;
  }
}

// Floyd and Warshall 1962
static void close_ways(float* ways, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t j = 0; j < count; ++j) {
        const float way = ways[i * count + k] + ways[k * count + j];
        if (way < ways[i * count + j]) ways[i * count + j] = way;
      }
    }
  }
}

static cloud new_cloud(random_source* random, uint32_t count, float size) {
  cloud c = {.count = count,
             .radius = test_alloc(count * sizeof(float)),
             .category = test_alloc(count * sizeof(uint32_t)),
             .mask = test_alloc(count * sizeof(uint32_t)),
             .ways = test_alloc((size_t)count * count * sizeof(float))};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, random, count, size);
  for (uint32_t i = 0; i < count * count; ++i) c.ways[i] = INFINITY;
  add_links(scene, random, count, c.ways);
  close_ways(c.ways, count);
  weft_world_def def = free_flight(1 + random_below(random, 3));
  def.iterations = 0;
  c.world = new_world(&def, scene);
  for (uint32_t i = 0; i < count; ++i) {
    weft_particle_shape_def contact = cloth_contact(random_chance(random, 2) ? 0.05f : 0.02f);
    contact.category = c.category[i] = 1u << random_below(random, 2);
    contact.mask = c.mask[i] = 1 + random_below(random, 3);
    c.radius[i] = random_chance(random, 10) ? 0.0f : contact.half_size[0];
    if (c.radius[i] > 0.0f) expect_ok(weft_world_set_particle_shape(c.world, i, 1, &contact));
  }
  return c;
}

static bool belongs_in_list(const cloud* c, const float* built, uint32_t a, uint32_t b, float skin,
                            bool* is_close_call) {
  const double reach = (double)c->radius[a] + (double)c->radius[b];
  const double gap = distance_between(built, a, b) - reach - (double)skin;
  const double beyond = (double)c->ways[a * c->count + b] - 1.5 * reach;
  *is_close_call = fabs(gap) < 1e-5 || fabs(beyond) < 1e-5;
  if (c->radius[a] == 0.0f || c->radius[b] == 0.0f) return false;
  if ((c->category[a] & c->mask[b]) == 0 || (c->category[b] & c->mask[a]) == 0) return false;
  return gap < 0.0 && beyond > 0.0;
}

// positions at which the lists were built, in the caller's order
static float* new_built(const weft_world* world, uint32_t count) {
  const weft__self* cloth = cloth_of(world);
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  float* built = test_alloc(sizeof(float[3]) * count);
  for (uint32_t i = 0; i < count; ++i) {
    built[3 * i] = cloth->tiles.listed_pos[0][cloth->place_of[solver_of[i]]];
    built[3 * i + 1] = cloth->tiles.listed_pos[1][cloth->place_of[solver_of[i]]];
    built[3 * i + 2] = cloth->tiles.listed_pos[2][cloth->place_of[solver_of[i]]];
  }
  return built;
}

RANDOM_TEST(lists_hold_the_pairs_that_are_near_and_no_others, ROUNDS(20, 10)) {
  cloud c = new_cloud(&random, random_from(&random, 2, 250), random_float(&random, 0.2f, 1.5f));
  weft_world_step(c.world, 1);
  const weft__self* cloth = cloth_of(c.world);
  const uint32_t* solver_of = c.world->stepper.schedule.solver_of;
  float* built = new_built(c.world, c.count);
  uint32_t pairs = 0;
  for (uint32_t a = 0; a < c.count && cloth->on; ++a) {
    for (uint32_t b = 0; b < c.count; ++b) {
      if (a == b) continue;
      bool is_close_call = false;
      const bool expected = belongs_in_list(&c, built, a, b, cloth->skin, &is_close_call);
      const bool is_listed = weft__self_neighbors(cloth, solver_of[a], solver_of[b]);
      if (!is_close_call) require(is_listed == expected);
      require(is_listed == weft__self_neighbors(cloth, solver_of[b], solver_of[a]));
      pairs += is_listed && a < b;
    }
  }
  const weft_contact_stats stats = contact_stats_of(c.world);
  ck_assert_uint_eq(stats.self_pairs, pairs);
  ck_assert_uint_eq(stats.lost_pairs, 0);
}

// ---- lists that are kept ----

TEST(what_falls_as_one_makes_no_new_lists) {
  weft_scene* scene = new_scene();
  const placed_sheet sheet = {20, 20, {0.0f, 0.0f, 0.0f}, SPACING};
  const weft_body body = add_flat(scene, &sheet);
  weft_world* world = new_plain_world(scene, .undamped = true);
  lay_out(world, &body, &sheet, 1.0f, 0.0f);
  make_cloth(world, 0, body.particle_count, 0.0225f, 0.0f);
  weft_world_step(world, 1);
  const float built = cloth_of(world)->tiles.listed_pos[1][0];
  weft_world_step(world, 60);
  ck_assert_float_eq(cloth_of(world)->tiles.listed_pos[1][0], built);
  ck_assert_float_lt(world->stepper.particles.pos_y[0], built - 4.0f);
}

// ---- lists for one substep ----

static uint32_t count_stale_tiles(const weft__self* cloth) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < cloth->tiles.tile_count && cloth->has_stale; ++t) {
    count += cloth->is_stale[t];
  }
  return count;
}

// Lists are symmetric.
static void expect_both_ends(const weft__self* cloth) {
  const weft__self_tiles* t = &cloth->tiles;
  for (uint32_t tile = 0; tile < t->tile_count; ++tile) {
    for (uint32_t r = t->row_first[tile]; r < t->row_first[tile] + t->row_count[tile]; ++r) {
      for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
        if ((t->rows[r].lanes >> lane & 1u) == 0) continue;
        const uint32_t own = cloth->particle[tile * WEFT__TILE + lane];
        require(weft__self_neighbors(cloth, cloth->particle[t->rows[r].place], own));
      }
    }
  }
}

// sheet in folds above the floor
static weft_world* new_folds(weft_isa isa, uint32_t worker_count) {
  const uint32_t side = 64;
  const uint32_t turn = 16;
  weft_scene* scene = new_scene();
  const placed_sheet sheet = {side, side, {0.0f, 0.0f, 0.0f}, SPACING};
  const weft_body body = add_flat(scene, &sheet);
  weft_world* world = new_plain_world(scene, .isa = isa, .worker_count = worker_count);
  for (uint32_t i = 0; i < body.particle_count; ++i) {
    const uint32_t fold = i / side / turn;
    const uint32_t along = i / side % turn;
    const float position[3] = {SPACING * (float)(i % side), 0.3f + 0.06f * (float)fold,
                               SPACING * (float)(fold % 2 == 0 ? along : turn - 1 - along)};
    place_particle(world, i, position, NULL);
  }
  add_floor(world, 0.4f);
  make_cloth(world, 0, body.particle_count, 0.0225f, 0.3f);
  return world;
}

// True if two tiles overlap and have moved by more than the skin relative to each other.
static bool has_moved_from(const weft__self* cloth, uint32_t tile, uint32_t other) {
  const weft__tile_boxes* box = &cloth->tiles.boxes;
  const weft__tile_boxes* moved = &cloth->tiles.displacements;
  float sum = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float lower = box->lower[axis][tile];
    const float upper = box->upper[axis][tile];
    const float rounding = 1e-6f * fmaxf(fabsf(lower), fabsf(upper));
    if (!(upper + rounding >= box->lower[axis][other])) return false;
    if (!(box->upper[axis][other] >= lower - rounding)) return false;
    const float across = fmaxf(moved->upper[axis][other] - moved->lower[axis][tile],
                               moved->upper[axis][tile] - moved->lower[axis][other]);
    sum += across * across;
  }
  return sum > cloth->skin * cloth->skin;
}

// Stale tiles are those of a test of each pair of tiles.
static void expect_stale(const weft__self* cloth) {
  for (uint32_t tile = 0; tile < cloth->tiles.tile_count; ++tile) {
    bool is_stale = false;
    for (uint32_t other = 0; other < cloth->tiles.tile_count; ++other) {
      is_stale |= has_moved_from(cloth, tile, other);
    }
    require((cloth->is_stale[tile] != 0) == is_stale);
  }
}

TEST(both_ends_list_each_other_in_folds_that_come_to_lie) {
  weft_world* world = new_folds(WEFT_ISA_AUTO, 2);
  uint32_t stale = 0;
  for (int step = 0; step < 80; ++step) {
    weft_world_step(world, 1);
    stale += count_stale_tiles(cloth_of(world));
    if (cloth_of(world)->has_stale) expect_stale(cloth_of(world));
    expect_both_ends(cloth_of(world));
  }
  ck_assert_uint_gt(stale, 100);
}

static uint64_t hash_of_folds(weft_isa isa, uint32_t worker_count) {
  weft_world* world = new_folds(isa, worker_count);
  uint32_t stale = 0;
  for (int step = 0; step < 60; ++step) {
    weft_world_step(world, 1);
    stale += count_stale_tiles(cloth_of(world));
  }
  ck_assert_uint_gt(stale, 50);
  return weft_world_hash(world);
}

TEST(stale_tiles_have_the_same_bits_for_any_isa_and_any_number_of_workers) {
  const uint64_t expected = hash_of_folds(WEFT_ISA_SCALAR, 1);
  for (uint32_t workers = 2; workers <= ROUNDS(7, 2); workers += 1 + workers / 3) {
    ck_assert_uint_eq(hash_of_folds(WEFT_ISA_AUTO, workers), expected);
  }
  for (int isa = next_isa(WEFT_ISA_SCALAR); isa < ISA_END; isa = next_isa(isa)) {
    ck_assert_uint_eq(hash_of_folds((weft_isa)isa, 1), expected);
  }
}

// cloth at rest, and a ball of it that moves through the rest
static weft_world* new_shot(random_source* random, uint32_t count, float* positions) {
  for (uint32_t i = 0; i < 3 * count; ++i) positions[i] = random_float(random, 0.0f, 1.2f);
  float* inverse_masses = test_alloc(sizeof(float) * count);
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = 1.0f;
  weft_world_def def = free_flight(1 + random_below(random, 3));
  def.substeps = 1;
  def.iterations = 0;
  weft_world* world = new_world(&def, new_points_scene(positions, inverse_masses, count));
  make_cloth(world, 0, count, 0.02f, 0.0f);
  const float from[3] = {0.2f, 0.6f, 0.6f};
  const float velocity[3] = {random_float(random, 0.2f, 0.6f), 0.0f, 0.0f};
  for (uint32_t i = 0; i < count; ++i) {
    float sum = 0.0f;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      sum += (positions[3 * i + axis] - from[axis]) * (positions[3 * i + axis] - from[axis]);
    }
    if (sum < 0.07f * 0.07f) {
      place_particle(world, i, positions + 3 * i, velocity);
    }
  }
  return world;
}

// positions at which contacts are found
static void step_alone(const weft_world* world, uint32_t count, float* positions) {
  float* velocities = test_alloc(sizeof(float[3]) * count);
  expect_ok(weft_world_get_positions(world, 0, count, positions));
  expect_ok(weft_world_get_velocities(world, 0, count, velocities));
  for (uint32_t i = 0; i < 3 * count; ++i) positions[i] += velocities[i] / 60.0f;
}

static void expect_all_that_touch(const weft_world* world, uint32_t count, const float* positions) {
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  for (uint32_t a = 0; a < count; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      if (fabsf(positions[3 * a] - positions[3 * b]) > 0.04f) continue;
      if (distance_between(positions, a, b) > 0.04 - 1e-5) continue;
      require(weft__self_neighbors(cloth_of(world), solver_of[a], solver_of[b]));
    }
  }
}

LOOP_TEST(what_touches_is_listed_where_some_move_through_others, 0, ROUNDS(4, 1)) {
  random_source random = {(uint64_t)_i + 400};
  const uint32_t count = 5000;
  float* positions = test_alloc(sizeof(float[3]) * count);
  weft_world* world = new_shot(&random, count, positions);
  uint32_t stale = 0;
  for (int step = 0; step < 30; ++step) {
    step_alone(world, count, positions);
    weft_world_step(world, 1);
    if (count_stale_tiles(cloth_of(world)) == 0) continue;
    ++stale;
    expect_both_ends(cloth_of(world));
    expect_all_that_touch(world, count, positions);
  }
  ck_assert_uint_gt(stale, 1);
}
