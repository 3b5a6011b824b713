#include "solvers/multigrid/coarsen.h"

#include "support/test.h"

// coarsening of lattices; for graphs see test_graph.c

enum { MOST_SIDE = 40, MOST_SHEETS = 6 };

typedef struct lattice {
  uint32_t first, columns, rows;
  float spacing;
} lattice;

typedef struct lattice_list {
  lattice items[MOST_SHEETS];
  uint32_t count;
} lattice_list;

// coarsens a scene as the finest level: its own link lengths are the distances
static weft__coarsening coarsen(const weft_scene* fine) {
  const uint32_t count = weft_scene_particle_count(fine);
  uint32_t* cloth_of = test_alloc(sizeof(uint32_t) * (count + 1));
  for (uint32_t i = 0; i < count; ++i) cloth_of[i] = i;
  weft__distances cloth;
  weft__coarsening made;
  ck_assert(weft__distances_create(&cloth, fine));
  ck_assert(weft__coarsen(&made, fine, cloth_of, &cloth));
  weft__distances_destroy(&cloth);
  return made;
}

static lattice add_lattice(weft_scene* scene, uint32_t columns, uint32_t rows, unsigned families,
                           float spacing) {
  weft_sheet_def def = sheet_def(.columns = columns, .rows = rows, .spacing = spacing,
                                 .bend = (families & BEND) != 0);
  def.structural = (families & STRUCTURAL) != 0;
  def.shear = (families & SHEAR) != 0;
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &def, &body));
  return (lattice){body.first_particle, columns, rows, spacing};
}

// up to six sheets of random size and link families, some of them with pins
static lattice_list add_lattices(weft_scene* scene, random_source* random) {
  lattice_list list = {.count = random_from(random, 1, MOST_SHEETS)};
  for (uint32_t i = 0; i < list.count; ++i) {
    const uint32_t columns = random_from(random, 1, MOST_SIDE);
    const uint32_t rows = random_from(random, 1, MOST_SIDE);
    list.items[i] =
        add_lattice(scene, columns, rows, random_below(random, ALL_FAMILIES + 1), 0.05f);
    if (random_chance(random, 2)) {
      const uint32_t pinned = random_below(random, columns * rows);
      expect_ok(weft_scene_pin(scene, weft_range(list.items[i].first + pinned, 1)));
    }
  }
  return list;
}

// ---- kept particles, as documented in the header ----

// indices along a side that the next level keeps; returns their number
static uint32_t list_kept(uint32_t count, uint32_t kept[MOST_SIDE]) {
  uint32_t kept_count = 0;
  for (uint32_t place = 0; place < count; ++place) {
    if (count <= 5 || place % 2 == 0 || place == count - 1) kept[kept_count++] = place;
  }
  return kept_count;
}

// lattices of the coarse scene, in the order of the fine ones
static lattice_list list_coarse(const lattice_list* fine) {
  lattice_list coarse = {.count = 0};
  uint32_t next = 0;
  for (uint32_t i = 0; i < fine->count; ++i) {
    const lattice* f = &fine->items[i];
    uint32_t kept[MOST_SIDE];
    if (f->columns <= 5 && f->rows <= 5) continue;
    lattice* c = &coarse.items[coarse.count++];
    *c = (lattice){next, list_kept(f->columns, kept), list_kept(f->rows, kept), 0.0f};
    next += c->columns * c->rows;
  }
  return coarse;
}

static void expect_kept(const weft_scene* fine, const weft__coarsening* made, const lattice* f,
                        const lattice* c) {
  uint32_t columns[MOST_SIDE];
  uint32_t rows[MOST_SIDE];
  require(list_kept(f->columns, columns) == c->columns);
  require(list_kept(f->rows, rows) == c->rows);
  require(columns[0] == 0 && columns[c->columns - 1] == f->columns - 1);
  require(rows[0] == 0 && rows[c->rows - 1] == f->rows - 1);
  for (uint32_t i = 0; i < c->columns * c->rows; ++i) {
    const uint32_t expected =
        f->first + rows[i / c->columns] * f->columns + columns[i % c->columns];
    require(made->fine_of[c->first + i] == expected);
    require(made->scene->inverse_masses[c->first + i] == fine->inverse_masses[expected]);
    require(made->parents[expected].of[0] == c->first + i);
    require(made->parents[expected].weight[0] == 1.0f);
  }
}

RANDOM_TEST(every_second_column_and_row_stays_and_so_do_borders_and_corners, ROUNDS(60, 20)) {
  weft_scene* scene = new_scene();
  const lattice_list fine = add_lattices(scene, &random);
  weft__coarsening made = coarsen(scene);
  const lattice_list coarse = list_coarse(&fine);
  ck_assert_uint_eq(made.scene->part_count, coarse.count);
  uint32_t c = 0;
  for (uint32_t f = 0; f < fine.count; ++f) {
    if (fine.items[f].columns <= 5 && fine.items[f].rows <= 5) continue;
    const weft__part* part = &made.scene->parts[c];
    ck_assert_uint_eq(part->first_particle, coarse.items[c].first);
    ck_assert_uint_eq(part->columns, coarse.items[c].columns);
    ck_assert_uint_eq(part->particle_count, coarse.items[c].columns * coarse.items[c].rows);
    expect_kept(scene, &made, &fine.items[f], &coarse.items[c++]);
  }
  weft__coarsening_destroy(&made);
}

static void expect_nothing(const weft_scene* scene) {
  weft__coarsening made = coarsen(scene);
  ck_assert_uint_eq(weft_scene_particle_count(made.scene), 0);
  ck_assert_uint_eq(weft_scene_link_count(made.scene), 0);
  for (uint32_t i = 0; i < weft_scene_particle_count(scene); ++i) {
    for (uint32_t j = 0; j < WEFT__PARENTS; ++j) require(made.parents[i].weight[j] == 0.0f);
  }
  weft__coarsening_destroy(&made);
}

TEST(particles_without_links_and_an_empty_scene_leave_nothing) {
  random_source random = {5};
  weft_scene* scene = new_scene();
  expect_nothing(scene);
  (void)add_cloud(scene, &random, 100, 1.0f);
  (void)add_lattice(scene, 4, 4, ALL_FAMILIES, 0.05f);
  (void)add_cloud(scene, &random, 1, 1.0f);
  expect_nothing(scene);
}

// ---- parents ----

// affine field with integer values over the columns and rows of the cloth
static float field_at(uint32_t column, uint32_t row) {
  return 7.0f + 3.0f * (float)column - 5.0f * (float)row;
}

static float blended(const weft__parents* parents, const float* values) {
  float sum = 0.0f;
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) sum += parents->weight[j] * values[parents->of[j]];
  return sum;
}

// True if an index is centred between its neighbours in the cloth. From the second level on, the
// one before the last may not be: the last gap may be narrower.
static bool is_regular(const uint32_t* places, uint32_t count, uint32_t i) {
  return i == 0 || i + 1 == count || 2 * places[i] == places[i - 1] + places[i + 1];
}

// reduces a list of cloth indices to those kept in the next level
static uint32_t keep(uint32_t* places, uint32_t count) {
  uint32_t kept[MOST_SIDE];
  const uint32_t kept_count = list_kept(count, kept);
  for (uint32_t i = 0; i < kept_count; ++i) places[i] = places[kept[i]];
  return kept_count;
}

// compares an affine field over the cloth with its prolongation from the next level
static void compare_field(const weft__coarsening* made, const uint32_t* columns,
                          uint32_t column_count, const uint32_t* rows, uint32_t row_count) {
  const uint32_t coarse_count = weft_scene_particle_count(made->scene);
  float* values = test_alloc(sizeof(float) * coarse_count);
  for (uint32_t i = 0; i < coarse_count; ++i) {
    const uint32_t fine = made->fine_of[i];
    values[i] = field_at(columns[fine % column_count], rows[fine / column_count]);
  }
  for (uint32_t i = 0; i < column_count * row_count; ++i) {
    const uint32_t c = i % column_count;
    const uint32_t r = i / column_count;
    if (!is_regular(columns, column_count, c) || !is_regular(rows, row_count, r)) continue;
    require(blended(&made->parents[i], values) == field_at(columns[c], rows[r]));
  }
}

RANDOM_TEST(a_field_that_is_affine_in_columns_and_rows_is_handed_down_unchanged, ROUNDS(100, 20)) {
  uint32_t columns[MOST_SIDE];
  uint32_t rows[MOST_SIDE];
  uint32_t column_count = random_from(&random, 1, MOST_SIDE);
  uint32_t row_count = random_from(&random, 6, MOST_SIDE);
  for (uint32_t i = 0; i < MOST_SIDE; ++i) columns[i] = rows[i] = i;
  weft_scene* scene = new_scene();
  (void)add_lattice(scene, column_count, row_count, STRUCTURAL, 0.05f);
  // all indices of the finest level are regular
  for (uint32_t i = 0; i < column_count; ++i) require(is_regular(columns, column_count, i));
  while (column_count > 5 || row_count > 5) {
    weft__coarsening made = coarsen(scene);
    compare_field(&made, columns, column_count, rows, row_count);
    column_count = keep(columns, column_count);
    row_count = keep(rows, row_count);
    scene = made.scene;
    made.scene = NULL;
    weft__coarsening_destroy(&made);
  }
}

// ---- links ----

RANDOM_TEST(coarse_links_are_as_long_as_the_straight_sheet_between_their_ends, ROUNDS(60, 20)) {
  const uint32_t columns = random_from(&random, 6, MOST_SIDE);
  weft_scene* scene = new_scene();
  const unsigned families = _i % 2 == 0 ? STRUCTURAL : STRUCTURAL | SHEAR;
  const lattice cloth = add_lattice(scene, columns, random_from(&random, 1, MOST_SIDE), families,
                                    random_float(&random, 1e-3f, 2.0f));
  uint32_t* cloth_of = test_alloc(sizeof(uint32_t) * columns * cloth.rows);
  for (uint32_t i = 0; i < columns * cloth.rows; ++i) cloth_of[i] = i;
  for (uint32_t links = 1; links > 0;) {
    weft__coarsening made = coarsen(scene);
    links = weft_scene_link_count(made.scene);
    // the index of a coarse particle never exceeds that of its fine particle
    for (uint32_t i = 0; i < weft_scene_particle_count(made.scene); ++i) {
      cloth_of[i] = cloth_of[made.fine_of[i]];
    }
    for (uint32_t i = 0; i < links; ++i) {
      const weft_link_def link = weft__links_get(&made.scene->links, i);
      const uint32_t a = cloth_of[link.a];
      const uint32_t b = cloth_of[link.b];
      const double across = (double)(a % columns) - (double)(b % columns);
      const double down = (double)(a / columns) - (double)(b / columns);
      const double straight = (double)cloth.spacing * hypot(across, down);
      require(fabs((double)link.rest_length - straight) <= 1e-6 * straight);
      require((link.kind == WEFT_LINK_SHEAR) == (across != 0.0 && down != 0.0));
      require(link.relaxation == WEFT__COARSE_RELAXATION);
    }
    scene = made.scene;
    made.scene = NULL;
    weft__coarsening_destroy(&made);
  }
}

// rest lengths of a lattice's links to the next column and row, 0 = no link
typedef struct rest_lengths {
  float right[MOST_SIDE * MOST_SIDE];
  float down[MOST_SIDE * MOST_SIDE];
} rest_lengths;

// adds structural links of random rest length to a bare sheet, omitting one in `gap`
static void link_lattice(weft_scene* scene, random_source* random, const lattice* l, uint32_t gap,
                         rest_lengths* rests) {
  memset(rests, 0, sizeof(*rests));
  for (uint32_t i = 0; i < l->columns * l->rows; ++i) {
    for (int downward = 0; downward < 2; ++downward) {
      const bool inside = downward ? i / l->columns + 1 < l->rows : (i + 1) % l->columns != 0;
      if (!inside || random_chance(random, gap)) continue;
      const uint32_t to = i + (downward ? l->columns : 1);
      const bool turned = random_chance(random, 2);
      const weft_link_def link = {.a = l->first + (turned ? to : i),
                                  .b = l->first + (turned ? i : to),
                                  .rest_length = random_float(random, 0.01f, 0.1f),
                                  .relaxation = 1.0f,
                                  .kind = WEFT_LINK_STRUCTURAL};
      expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
      *(downward ? &rests->down[i] : &rests->right[i]) = link.rest_length;
    }
  }
}

// length of the path over fine links, 0 if a link is missing
static float way(const float* rests, uint32_t from, uint32_t to, uint32_t stride) {
  float length = 0.0f;
  for (; from < to; from += stride) {
    if (rests[from] == 0.0f) return 0.0f;
    length += rests[from];
  }
  return length;
}

// rest length of the coarse link between two particles, 0 = no link
static float find_rest(const weft_scene* scene, uint32_t a, uint32_t b) {
  float rest = 0.0f;
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    const weft_link_def link = weft__links_get(&scene->links, i);
    if ((link.a != a || link.b != b) && (link.a != b || link.b != a)) continue;
    require(rest == 0.0f);
    rest = link.rest_length;
  }
  return rest;
}

// compares the links of a cell's two near sides and its diagonals; returns the number expected
static uint32_t compare_cell(const weft__coarsening* made, const lattice* fine,
                             const lattice* coarse, const rest_lengths* rests, bool shear,
                             uint32_t i) {
  const uint32_t width = coarse->columns;
  const uint32_t here = made->fine_of[i];
  const bool to_right = (i + 1) % width != 0;
  const bool to_down = i / width + 1 < coarse->rows;
  const float right = to_right ? way(rests->right, here, made->fine_of[i + 1], 1) : 0.0f;
  const float down =
      to_down ? way(rests->down, here, made->fine_of[i + width], fine->columns) : 0.0f;
  if (to_right) require(find_rest(made->scene, i, i + 1) == right);
  if (to_down) require(find_rest(made->scene, i, i + width) == down);
  const bool crossed = shear && right > 0.0f && down > 0.0f;
  if (to_right && to_down) {
    require((find_rest(made->scene, i, i + width + 1) > 0.0f) == crossed);
    require((find_rest(made->scene, i + 1, i + width) > 0.0f) == crossed);
  }
  return (right > 0.0f ? 1u : 0u) + (down > 0.0f ? 1u : 0u) + (crossed ? 2u : 0u);
}

RANDOM_TEST(a_coarse_link_stands_only_where_all_links_are_that_it_stands_for, ROUNDS(40, 10)) {
  const bool shear = _i % 2 == 0;
  weft_scene* scene = new_scene();
  const lattice fine = add_lattice(scene, random_from(&random, 2, 24), random_from(&random, 6, 24),
                                   shear ? SHEAR | BEND : BEND, 0.05f);
  static rest_lengths rests;
  link_lattice(scene, &random, &fine, random_from(&random, 2, 30), &rests);
  weft__coarsening made = coarsen(scene);
  const lattice_list list = {{fine}, 1};
  const lattice coarse = list_coarse(&list).items[0];
  uint32_t links = 0;
  for (uint32_t i = 0; i < coarse.columns * coarse.rows; ++i) {
    links += compare_cell(&made, &fine, &coarse, &rests, shear, i);
  }
  ck_assert_uint_eq(weft_scene_link_count(made.scene), links);
  weft__coarsening_destroy(&made);
}
