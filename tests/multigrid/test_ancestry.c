/* Ancestor links: the coarse link that represents a fine one, checked by geometry. */
#include "solvers/multigrid/ancestry.h"

#include "scene/scene.h"
#include "solvers/multigrid/levels.h"
#include "support/stack.h"
#include "support/test.h"

typedef struct vector {
  double x, y, z;
} vector;

static vector place_of(const weft_scene* scene, uint32_t particle) {
  const float* at = scene->positions + (size_t)3 * particle;
  return (vector){(double)at[0], (double)at[1], (double)at[2]};
}

static vector direction_of(const weft_scene* scene, uint32_t link) {
  const vector a = place_of(scene, scene->links.end_a[link]);
  const vector b = place_of(scene, scene->links.end_b[link]);
  return (vector){b.x - a.x, b.y - a.y, b.z - a.z};
}

// twice the midpoint of a link
static vector middle_of(const weft_scene* scene, uint32_t link) {
  const vector a = place_of(scene, scene->links.end_a[link]);
  const vector b = place_of(scene, scene->links.end_b[link]);
  return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static double length_of(vector v) {
  return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static bool are_parallel(vector a, vector b) {
  const vector cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  return length_of(cross) < 1e-4 * length_of(a) * length_of(b);
}

static double gap_between(const weft_scene* fine, uint32_t link, const weft_scene* coarse,
                          uint32_t ancestor) {
  const vector a = middle_of(fine, link);
  const vector b = middle_of(coarse, ancestor);
  return length_of((vector){a.x - b.x, a.y - b.y, a.z - b.z});
}

// distance to the nearest coarse link of the same direction, infinite if there is none
static double least_gap(const weft_scene* fine, uint32_t link, const weft_scene* coarse) {
  double lower = INFINITY;
  for (uint32_t i = 0; i < coarse->links.count; ++i) {
    if (!are_parallel(direction_of(fine, link), direction_of(coarse, i))) continue;
    lower = fmin(lower, gap_between(fine, link, coarse, i));
  }
  return lower;
}

static void expect_ancestors(const weft__coarsening* made, const weft_scene* fine) {
  uint32_t* ancestor = test_alloc(sizeof(uint32_t) * (fine->links.count + 1));
  ck_assert(weft__list_ancestors(ancestor, made, fine));
  for (uint32_t i = 0; i < fine->links.count; ++i) {
    require((ancestor[i] == WEFT__NO_ANCESTOR) == (fine->links.kind[i] == WEFT_LINK_BEND));
    if (ancestor[i] == WEFT__NO_ANCESTOR) continue;
    require(are_parallel(direction_of(fine, i), direction_of(made->scene, ancestor[i])));
    const double gap = gap_between(fine, i, made->scene, ancestor[i]);
    require(gap <= least_gap(fine, i, made->scene) + 1e-4);
  }
}

// odd sides give identical cells on all levels
LOOP_TEST(a_link_descends_from_the_nearest_coarse_one_of_its_direction_on_every_level, 0, 20) {
  static const uint32_t sides[] = {1, 7, 9, 17, 33};
  weft_scene* scene =
      new_sheet_scene(sides[_i % 5], 9 + 8 * (uint32_t)(_i / 5 % 2),
                      STRUCTURAL | (_i / 10 == 0 ? 0 : SHEAR) | (_i % 2 == 0 ? 0 : BEND));
  stack* s = new_stack(scene);
  ck_assert_uint_ge(s->levels.count, 1);
  const weft_scene* fine = scene;
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    // halving only one of two sides changes the direction of the diagonals
    if (_i / 10 == 0 || l == 0) expect_ancestors(&s->made[l], fine);
    fine = s->made[l].scene;
  }
}

// ---- shares ----

typedef struct sheet_case {
  uint32_t columns, rows;
} sheet_case;

static bool on_border(const sheet_case* c, uint32_t particle) {
  const uint32_t column = particle % c->columns;
  const uint32_t row = particle / c->columns;
  return column == 0 || column + 1 == c->columns || row == 0 || row + 1 == c->rows;
}

// The share of an inner link is one half: at equal strain it has the stiffness of its coarse link
// and half of the length.
LOOP_TEST(a_link_inside_a_uniform_sheet_starts_with_half_of_its_ancestors_multiplier, 0, 8) {
  static const float shears[] = {20.0f, 200.0f, 2000.0f, 20000.0f};
  weft_scene* scene = new_scene();
  weft_material_def material = material_def(.shear_stiffness = shears[_i % 4]);
  weft_sheet_def def =
      sheet_def(.side = _i / 4 == 0 ? 17 : 33, .material = &material, .bend = true);
  def.shear = _i % 3 != 0;
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  stack* s = new_stack(scene);
  const weft__level* level = &s->levels.levels[0];
  const weft_scene* coarse = s->made[0].scene;
  uint32_t* ancestor = test_alloc(sizeof(uint32_t) * scene->links.count);
  ck_assert(weft__list_ancestors(ancestor, &s->made[0], scene));
  const sheet_case cloth = {def.columns, def.rows};
  const sheet_case coarser = {def.columns / 2 + 1, def.rows / 2 + 1};
  uint32_t inside = 0;
  for (uint32_t i = 0; i < scene->links.count; ++i) {
    const uint32_t slot = s->cloth.links.slot_of_link[i];
    require((level->origins.of[slot] == WEFT__NO_ORIGIN) == (ancestor[i] == WEFT__NO_ANCESTOR));
    if (ancestor[i] == WEFT__NO_ANCESTOR) continue;
    require(level->origins.of[slot] == level->schedule.links.slot_of_link[ancestor[i]]);
    require(level->origins.share[slot] > 0.0f && level->origins.share[slot] <= 1.0f);
    if (on_border(&cloth, scene->links.end_a[i]) || on_border(&cloth, scene->links.end_b[i]))
      continue;
    if (on_border(&coarser, coarse->links.end_a[ancestor[i]])) continue;
    if (on_border(&coarser, coarse->links.end_b[ancestor[i]])) continue;
    // coarse diagonals are capped at the stiffness of the links they are fixed to
    const bool is_capped =
        coarse->links.compliance[ancestor[i]] > scene->links.compliance[i] * 1.001f;
    require(!is_capped || scene->links.kind[i] == WEFT_LINK_SHEAR);
    require(is_capped || fabsf(level->origins.share[slot] - 0.5f) < 1e-5f);
    ++inside;
  }
  ck_assert_uint_gt(inside, 100);
}
