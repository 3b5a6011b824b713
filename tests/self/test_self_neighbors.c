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
  def.solver.iterations = 0;
  c.world = new_world(&def, scene);
  for (uint32_t i = 0; i < count; ++i) {
    weft_particle_shape_def contact = cloth_contact(random_chance(random, 2) ? 0.05f : 0.02f);
    contact.category = c.category[i] = 1u << random_below(random, 2);
    contact.mask = c.mask[i] = 1 + random_below(random, 3);
    c.radius[i] = random_chance(random, 10) ? 0.0f : contact.half_size[0];
    if (c.radius[i] > 0.0f)
      expect_ok(weft_world_set_particle_shape(c.world, weft_range(i, 1), &contact));
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
      const bool expected =
          belongs_in_list(&c, built, a, b, cloth->lists.skin + cloth->tiles.margin, &is_close_call);
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
