/* Seams: links between bodies on coarse levels, and bodies excluded from the levels. */

#include "scene/scene.h"
#include "support/stack.h"
#include "support/test.h"

// ---- small bodies joined by links ----

static void tie(weft_scene* scene, uint32_t a, uint32_t b, float length) {
  const weft_link_def link = {.a = a, .b = b, .rest_length = length, .relaxation = 1.0f};
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
}

// rope as one body
static weft_body add_rope(weft_scene* scene, const float top[3], float length, uint32_t count) {
  float* places = test_alloc(count * sizeof(float[3]));
  float* inverse_masses = test_alloc(count * sizeof(float));
  for (uint32_t i = 0; i < count; ++i) {
    places[3 * i] = top[0];
    places[3 * i + 1] = top[1] - length * (float)i / (float)(count - 1);
    places[3 * i + 2] = top[2];
    inverse_masses[i] = 1000.0f;
  }
  weft_body body;
  expect_ok(weft_scene_add_particles(scene, places, inverse_masses, count, &body));
  for (uint32_t i = 0; i + 1 < count; ++i) {
    const weft_link_def link = {.a = body.first_particle + i,
                                .b = body.first_particle + i + 1,
                                .rest_length = length / (float)(count - 1),
                                .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return body;
}

static bool has_links(const weft_scene* scene, uint32_t particle) {
  for (uint32_t i = 0; i < scene->links.count; ++i) {
    if (scene->links.end_a[i] == particle || scene->links.end_b[i] == particle) return true;
  }
  return false;
}

// links from the first body to particles of other bodies that have links already
static void add_ties(weft_scene* scene, random_source* random, uint32_t count) {
  const uint32_t first = scene->parts[0].particle_count;
  for (uint32_t i = 0; i < count; ++i) {
    const weft_link_def link = {.a = random_below(random, first),
                                .b = random_from(random, first, scene->particle_count - 1),
                                .rest_length = random_float(random, 0.01f, 1.0f),
                                .relaxation = 1.0f};
    if (has_links(scene, link.b)) may_fail(weft_scene_add_links(scene, &link, 1, NULL));
  }
}

static weft_scene* new_bodies(random_source* source) {
  random_source random = {random_bits(source)};
  weft_scene* scene = new_scene();
  const uint32_t bodies = random_from(&random, 2, 4);
  for (uint32_t i = 0; i < bodies; ++i) {
    const uint32_t kind = i == 0 ? 0 : random_below(&random, 3);
    const float top[3] = {random_float(&random, -1.0f, 1.0f), 1.0f, (float)i};
    if (kind == 0) {
      (void)add_sheet(scene, random_from(&random, 1, 9), random_from(&random, 6, 9),
                      STRUCTURAL | random_below(&random, ALL_FAMILIES + 1));
    } else if (kind == 1) {
      (void)add_rope(scene, top, 1.0f, random_from(&random, 4, 30));
    } else {
      (void)add_random_mesh(scene, &random, random_from(&random, 3, 6));
    }
  }
  return scene;
}

// links between any two particles of any bodies
static weft_scene* new_tied_scene(int number) {
  random_source random = {(uint64_t)number};
  weft_scene* scene = new_bodies(&random);
  add_random_links(scene, &random, random_from(&random, 5, 30));
  return scene;
}

static uint32_t part_of(const weft_scene* scene, uint32_t particle) {
  uint32_t part = 0;
  while (part + 1 < scene->part_count && scene->parts[part + 1].first_particle <= particle) ++part;
  return part;
}

static bool is_seam(const weft_scene* scene, uint32_t link) {
  const uint32_t a = part_of(scene, scene->links.end_a[link]);
  const uint32_t b = part_of(scene, scene->links.end_b[link]);
  return a != b && (scene->parts[a].columns > 0 || scene->parts[b].columns > 0);
}

// scene that coarse scene number `level` was made from
static const weft_scene* finer_scene(const stack* s, uint32_t level) {
  return level == 0 ? s->scene : s->made[level - 1].scene;
}

// ---- sheet sewn to itself ----

LOOP_TEST(a_sheet_closed_to_a_tube_is_closed_on_all_levels, 0, 6) {
  weft_scene* scene = new_scene();
  const uint32_t side = 12 + (uint32_t)_i;
  (void)add_sheet(scene, side, side, ALL_FAMILIES);
  for (uint32_t row = 0; row < side; ++row) {
    const weft_link_def link = {.a = row * side,
                                .b = row * side + side - 1,
                                .rest_length = 0.05f,
                                .relaxation = 1.0f,
                                .kind = (weft_link_kind)(_i % 3)};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  stack* s = new_stack(scene);
  const weft_scene* coarse = s->made[0].scene;
  const uint32_t columns = coarse->parts[0].columns;
  uint32_t closing = 0;
  for (uint32_t i = 0; i < coarse->links.count; ++i) {
    const uint32_t a = coarse->links.end_a[i] % columns;
    const uint32_t b = coarse->links.end_b[i] % columns;
    closing += (a == 0 && b == columns - 1) || (b == 0 && a == columns - 1);
  }
  ck_assert_uint_eq(closing, coarse->parts[0].particle_count / columns);
}

// ---- rest lengths of seams ----

// shortest path lengths along links between all pairs of particles (Floyd 1962)
static double* measure_all(const weft_scene* scene) {
  const uint32_t n = scene->particle_count;
  double* way = test_alloc(sizeof(double) * n * n);
  for (uint32_t i = 0; i < n * n; ++i) way[i] = i / n == i % n ? 0.0 : (double)INFINITY;
  for (uint32_t i = 0; i < scene->links.count; ++i) {
    const uint32_t a = scene->links.end_a[i];
    const uint32_t b = scene->links.end_b[i];
    way[a * n + b] = way[b * n + a] = fmin(way[a * n + b], (double)scene->links.rest_length[i]);
  }
  for (uint32_t k = 0; k < n; ++k) {
    for (uint32_t i = 0; i < n; ++i) {
      for (uint32_t j = 0; j < n; ++j) {
        way[i * n + j] = fmin(way[i * n + j], way[i * n + k] + way[k * n + j]);
      }
    }
  }
  return way;
}

LOOP_TEST(a_seam_is_never_shorter_than_the_way_along_links_between_its_ends, 0, ROUNDS(24, 10)) {
  stack* s = new_stack(new_tied_scene(_i));
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft_scene* finer = finer_scene(s, l);
    const weft__coarsening* made = &s->made[l];
    double* way = measure_all(finer);
    for (uint32_t i = 0; i < made->scene->links.count; ++i) {
      if (!is_seam(made->scene, i)) continue;
      const uint32_t a = made->fine_of[made->scene->links.end_a[i]];
      const uint32_t b = made->fine_of[made->scene->links.end_b[i]];
      const double length = (double)made->scene->links.rest_length[i];
      require(isfinite(length) && length >= way[a * finer->particle_count + b] * (1.0 - 1e-5));
      require(made->scene->links.relaxation[i] == WEFT__COARSE_RELAXATION);
    }
  }
}

LOOP_TEST(no_pair_of_coarse_particles_is_linked_twice, 0, ROUNDS(24, 10)) {
  stack* s = new_stack(new_tied_scene(_i));
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__links* links = &s->made[l].scene->links;
    for (uint32_t i = 0; i < links->count; ++i) {
      require(links->end_a[i] != links->end_b[i]);
      for (uint32_t j = 0; j < i; ++j) {
        require(links->end_a[i] != links->end_a[j] || links->end_b[i] != links->end_b[j]);
        require(links->end_a[i] != links->end_b[j] || links->end_b[i] != links->end_a[j]);
      }
    }
  }
}

// ---- existence of seams ----

enum { MOST_BODIES = 4 };

// bodies of the cloth with particles in a scene, and pairs of them joined by a seam
typedef struct ties {
  bool is_there[MOST_BODIES];
  bool are_tied[MOST_BODIES][MOST_BODIES];
} ties;

// `cloth_of`: cloth particle of each particle; NULL if the scene is the cloth itself
static ties list_ties(const weft_scene* cloth, const weft_scene* scene, const uint32_t* cloth_of) {
  ties t = {0};
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    t.is_there[part_of(cloth, cloth_of == NULL ? i : cloth_of[i])] = true;
  }
  for (uint32_t i = 0; i < scene->links.count; ++i) {
    const uint32_t a = scene->links.end_a[i];
    const uint32_t b = scene->links.end_b[i];
    const uint32_t body_a = part_of(cloth, cloth_of == NULL ? a : cloth_of[a]);
    const uint32_t body_b = part_of(cloth, cloth_of == NULL ? b : cloth_of[b]);
    if (scene->links.relaxation[i] == 0.0f) continue;
    t.are_tied[body_a][body_b] = t.are_tied[body_b][body_a] = true;
  }
  return t;
}

RANDOM_TEST(bodies_stay_tied_on_every_level_on_which_both_have_particles, ROUNDS(60, 20)) {
  weft_scene* scene = new_bodies(&random);
  add_ties(scene, &random, random_from(&random, 1, 4));
  stack* s = new_stack(scene);
  ties last = list_ties(s->scene, s->scene, NULL);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const ties here = list_ties(s->scene, s->made[l].scene, s->cloth_of[l]);
    for (uint32_t a = 0; a < s->scene->part_count; ++a) {
      for (uint32_t b = 0; b < a; ++b) {
        const bool has_lattice = s->scene->parts[a].columns + s->scene->parts[b].columns > 0;
        if (!has_lattice || !here.is_there[a] || !here.is_there[b]) continue;
        require(here.are_tied[a][b] == last.are_tied[a][b]);
      }
    }
    last = here;
  }
}

static bool is_parent(const weft__parents* parents, uint32_t coarse) {
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] > 0.0f && parents->of[j] == coarse) return true;
  }
  return false;
}

// each seam link joins a particle kept in the next level to its own mesh vertex
LOOP_TEST(every_thread_from_a_sheet_to_a_mesh_stays_and_ends_at_a_parent, 0, ROUNDS(24, 10)) {
  enum { MESH_SIDE = 10, THREADS = MESH_SIDE * MESH_SIDE };
  random_source random = {(uint64_t)_i};
  weft_scene* scene = new_scene();
  const weft_body ribbon = add_sheet(scene, 2 * THREADS - 1, 1, ALL_FAMILIES);
  const weft_body mesh = add_random_mesh(scene, &random, MESH_SIDE);
  for (uint32_t i = 0; i < THREADS; ++i) {
    if (!has_links(scene, mesh.first_particle + i)) continue;
    tie(scene, 2 * i, mesh.first_particle + i, 0.1f);
  }
  stack* s = new_stack(scene);
  const weft__links* coarse = &s->made[0].scene->links;
  for (uint32_t i = ribbon.link_count + mesh.link_count; i < scene->links.count; ++i) {
    const weft__parents* parents = &s->made[0].parents[scene->links.end_b[i]];
    bool stays = false;
    for (uint32_t j = 0; j < coarse->count; ++j) {
      stays |=
          coarse->end_a[j] == scene->links.end_a[i] / 2 && is_parent(parents, coarse->end_b[j]);
    }
    require(stays);
  }
}

// ---- effect of seams ----

// mean strain of a body's structural links, relative to the rest lengths
static double strain_of(const weft_scene* scene, const weft_world* world, const weft_body* body) {
  float* places = new_positions(world);
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t i = body->first_link; i < body->first_link + body->link_count; ++i) {
    const float* a = places + (size_t)3 * scene->links.end_a[i];
    const float* b = places + (size_t)3 * scene->links.end_b[i];
    const double x = (double)a[0] - (double)b[0];
    const double y = (double)a[1] - (double)b[1];
    const double z = (double)a[2] - (double)b[2];
    if (scene->links.kind[i] != WEFT_LINK_STRUCTURAL) continue;
    sum += fabs(sqrt(x * x + y * y + z * z) / (double)scene->links.rest_length[i] - 1.0);
    ++count;
  }
  return sum / (double)count;
}

static double strain_after(const weft_scene* scene, const weft_body* body, uint32_t coarse) {
  weft_world* world =
      new_plain_world(scene, .iterations = 4, .coarse_iterations = coarse, .damping = 1.0f);
  weft_world_step(world, 180);
  return strain_of(scene, world, body);
}

enum { SIDE = 65, ROPES = 5 };

// ropes at even columns (case 0), or also at odd ones, whose coarse seams are longer
LOOP_TEST(a_sheet_that_hangs_from_ropes_keeps_its_length, 0, LONG_RUN(2)) {
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, SIDE, SIDE, STRUCTURAL | SHEAR);
  for (uint32_t i = 0; i < ROPES; ++i) {
    const uint32_t column = i == ROPES - 1 ? SIDE - 1 : i * (16 + (uint32_t)_i);
    const float top[3] = {0.05f * (float)column, 1.0f, 0.0f};
    const weft_body rope = add_rope(scene, top, 0.975f, 40);
    expect_ok(weft_scene_pin(scene, weft_range(rope.first_particle, 1)));
    tie(scene, sheet.first_particle + column, rope.first_particle + 39, 0.025f);
  }
  const double coarse = strain_after(scene, &sheet, 8);
  const double plain = strain_after(scene, &sheet, 0);
  ck_assert_msg(coarse < 0.04 && coarse < 0.2 * plain, "%g, and %g without levels", coarse, plain);
}

// ---- excluded bodies ----

RANDOM_TEST(no_level_particle_stands_for_a_body_that_is_left_out, ROUNDS(24, 10)) {
  weft_scene* scene = new_tied_scene(_i);
  bool left_out[MOST_BODIES] = {false};
  for (uint32_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    const uint32_t any = part->first_particle + random_below(&random, part->particle_count);
    // a repeated call overrides the previous one
    expect_ok(weft_scene_set_coarse(scene, any, random_chance(&random, 2)));
    left_out[p] = random_chance(&random, 2);
    expect_ok(weft_scene_set_coarse(scene, any, !left_out[p]));
  }
  stack* s = new_stack(scene);
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    const weft__parents* parents = &s->made[0].parents[i];
    for (uint32_t j = 0; j < WEFT__PARENTS && left_out[part_of(scene, i)]; ++j) {
      require(parents->weight[j] == 0.0f);
    }
  }
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    for (uint32_t i = 0; i < s->levels.levels[l].particles.count; ++i) {
      require(!left_out[part_of(scene, s->cloth_of[l][i])]);
    }
  }
}

TEST(only_a_particle_of_a_scene_names_a_body) {
  weft_scene* scene = new_scene();
  expect_null(weft_scene_set_coarse(NULL, 0, false), "scene");
  expect_error(weft_scene_set_coarse(scene, 0, false), WEFT_ERROR_INDEX, "particle");
  (void)add_sheet(scene, 3, 4, ALL_FAMILIES);
  expect_ok(weft_scene_set_coarse(scene, 11, false));
  expect_error(weft_scene_set_coarse(scene, 12, false), WEFT_ERROR_INDEX, "particle");
  expect_error(weft_scene_set_coarse(scene, UINT32_MAX, true), WEFT_ERROR_INDEX, "particle");
}

static float* places_after(const weft_scene* scene, uint32_t coarse) {
  weft_world* world = new_plain_world(scene, .coarse_iterations = coarse);
  weft_world_step(world, 30);
  return new_positions(world);
}

static weft_body add_body(weft_scene* scene, int number) {
  random_source random = {(uint64_t)number};
  const weft_body body = number % 2 == 0 ? add_sheet(scene, 20, 31, ALL_FAMILIES)
                                         : add_random_mesh(scene, &random, 20);
  expect_ok(weft_scene_pin(scene, weft_range(body.first_particle + 7, 1)));
  return body;
}

LOOP_TEST(a_body_that_is_left_out_moves_as_it_does_without_levels, 0, ROUNDS(8, 4)) {
  weft_scene* alone = new_scene();
  const weft_body body = add_body(alone, _i);
  weft_scene* amid = new_scene();
  (void)add_body(amid, _i);
  expect_ok(weft_scene_set_coarse(amid, body.first_particle + 3, false));
  if (_i >= 2) (void)add_body(amid, _i + _i / 4);
  float* expected = places_after(amid, 0);
  float* leveled = places_after(alone, 8);
  float* places = places_after(amid, 8);
  const size_t bytes = sizeof(float[3]) * body.particle_count;
  ck_assert_mem_eq(places, expected, bytes);
  ck_assert_mem_ne(leveled, expected, bytes);
}
