/* Contacts of cloth leave out what joints hold together: seams close, rest, bear a load, and part
 * when they are opened. */
#include "support/joined.h"
#include "support/passing.h"
#include "support/saved.h"
#include "support/test.h"

// particles across: fine cloth sees no other code
enum { LARGE = ROUNDS(33, 17), MOST = LARGE, MOST_PAIRS = 4 * MOST };

// Cloth of side x side particles, half a metre wide, and the pairs of its seam.
typedef struct panels {
  weft_scene* scene;
  uint32_t side, sheets;
  uint32_t pairs[2 * MOST_PAIRS], count;
} panels;

static void sew(panels* p, uint32_t a, uint32_t b) {
  p->pairs[2 * p->count] = a;
  p->pairs[2 * p->count++ + 1] = b;
}

static weft_cloth_def panel_def(const panels* p, weft_collision collision) {
  weft_cloth_def def = weft_default_cloth_def();
  def.width = def.height = 0.5f;
  def.columns = p->side;
  def.collision = collision;
  def.seed = p->sheets + 1;
  return def;
}

static void add_panel(panels* p, const weft_cloth_def* def) {
  expect_ok(weft_scene_add_cloth(p->scene, def, NULL));
  ++p->sheets;
}

// one below the other
static void build_curtain(panels* p, weft_collision collision) {
  const uint32_t n = p->side;
  weft_cloth_def def = panel_def(p, collision);
  def.hooks = n;
  add_panel(p, &def);
  def = panel_def(p, collision);
  def.origin[1] = -0.53f;
  add_panel(p, &def);
  for (uint32_t i = 0; i < n; ++i) sew(p, (n - 1) * n + i, n * n + i);
}

// face to face, sewn along three sides
static void build_pillow(panels* p, weft_collision collision) {
  const uint32_t n = p->side;
  for (uint32_t k = 0; k < 2; ++k) {
    weft_cloth_def def = panel_def(p, collision);
    def.hooks = n;
    def.origin[2] = 0.05f * (float)k;
    add_panel(p, &def);
  }
  for (uint32_t i = 0; i < n; ++i) sew(p, (n - 1) * n + i, n * n + (n - 1) * n + i);
  for (uint32_t row = n / 4; row + 1 < n; ++row) {
    sew(p, row * n, n * n + row * n);
    sew(p, row * n + n - 1, n * n + row * n + n - 1);
  }
}

// one panel, rolled up, hung by four of its particles
static void build_tube(panels* p, weft_collision collision) {
  const uint32_t n = p->side;
  const face_mesh mesh = new_sheet_mesh(n, n, 1);
  float* places = test_alloc(sizeof(float[3]) * n * n);
  for (uint32_t i = 0; i < n * n; ++i) {
    const double angle = 6.2831853 * 0.92 * (i % n) / (n - 1), radius = 0.5 / 6.2831853 / 0.92;
    places[3 * i] = (float)(radius * cos(angle));
    places[3 * i + 1] = -0.5f * (float)(i / n) / (float)(n - 1);
    places[3 * i + 2] = (float)(radius * sin(angle));
  }
  weft_cloth_def def = panel_def(p, collision);
  def.positions = places;
  def.vertex_count = n * n;
  def.triangles = mesh.face[0];
  def.triangle_count = mesh.face_count;
  add_panel(p, &def);
  for (uint32_t k = 0; k < 4; ++k)
    expect_ok(weft_scene_pin(p->scene, weft_range(k * (n - 1) / 4, 1)));
  for (uint32_t row = 0; row < n; ++row) sew(p, row * n, row * n + n - 1);
}

// four panels that meet in one place: welds of a chain
static void build_patchwork(panels* p, weft_collision collision) {
  const uint32_t n = p->side, last = n * n - n, block = n * n;
  for (uint32_t k = 0; k < 4; ++k) {
    weft_cloth_def def = panel_def(p, collision);
    def.hooks = k < 2 ? n : 0;
    def.origin[0] = 0.5f * (float)(k % 2);
    def.origin[1] = -0.53f * (float)(k / 2);
    add_panel(p, &def);
  }
  for (uint32_t i = 0; i < n; ++i) {
    sew(p, i * n + n - 1, block + i * n);
    sew(p, last + i, 2 * block + i);
    sew(p, block + last + i, 3 * block + i);
    if (i > 0) sew(p, 2 * block + i * n + n - 1, 3 * block + i * n);
  }
}

static panels new_panels(void (*build)(panels*, weft_collision), uint32_t side,
                         weft_collision collision) {
  panels made = {.scene = new_scene(), .side = side};
  build(&made, collision);
  return made;
}

static weft_world* new_sewn(const panels* p, uint32_t substeps, float closing_time) {
  weft_world* world = new_default_world(p->scene, .substeps = substeps, .max_joints = MOST_PAIRS,
                                        .worker_count = 1);
  weft_seam_def seam = weft_default_seam_def();
  seam.pairs = p->pairs;
  seam.count = p->count;
  seam.closing_time = closing_time;
  expect_ok(weft_world_add_seam(world, &seam, NULL));
  return world;
}

static double widest_gap(const weft_world* world, const panels* p) {
  double widest = 0.0;
  for (uint32_t k = 0; k < p->count; ++k)
    widest = fmax(widest, apart(world, p->pairs[2 * k], p->pairs[2 * k + 1]));
  return widest;
}

static void speeds_of(const weft_world* world, double* rms, double* largest) {
  const uint32_t count = particle_count_of(world);
  float* velocities = test_alloc(sizeof(float[3]) * count);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, count, velocities);
  double sum = 0.0;
  *largest = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    double sq = 0.0;
    for (uint32_t k = 3 * i; k < 3 * i + 3; ++k)
      sq += (double)velocities[k] * (double)velocities[k];
    sum += sq;
    *largest = fmax(*largest, sqrt(sq));
  }
  *rms = sqrt(sum / count);
}

// Crossings of the cloth, with the pairs of a closed seam as one particle each.
static uint32_t crossings_of(const weft_world* world, const panels* p, bool is_sewn) {
  const face_mesh mesh = new_sheet_mesh(p->side, p->side, p->sheets);
  const uint32_t particles = p->side * p->side * p->sheets;
  uint32_t* one = test_alloc(sizeof(*one) * particles);
  for (uint32_t i = 0; i < particles; ++i) one[i] = i;
  for (uint32_t k = 0; k < p->count && is_sewn; ++k) {
    const uint32_t from = one[p->pairs[2 * k + 1]], to = one[p->pairs[2 * k]];
    for (uint32_t i = 0; i < particles; ++i) one[i] = one[i] == from ? to : one[i];
  }
  for (uint32_t e = 0; e < mesh.edge_count; ++e) {
    for (int k = 0; k < 2; ++k) mesh.edge[e][k] = one[mesh.edge[e][k]];
  }
  for (uint32_t f = 0; f < mesh.face_count; ++f) {
    for (int k = 0; k < 3; ++k) mesh.face[f][k] = one[mesh.face[f][k]];
  }
  return count_crossings(&mesh, new_positions(world));
}

// ---- closed ----

static const struct {
  const char* name;
  void (*build)(panels*, weft_collision);
  uint32_t side, substeps;
  weft_collision collision;
} seams[] = {
    {"curtain", build_curtain, 17, 8, WEFT_COLLISION_EXACT},
    {"curtain", build_curtain, 17, 16, WEFT_COLLISION_SOFT},
    {"curtain", build_curtain, LARGE, 8, WEFT_COLLISION_SOFT},
    {"curtain", build_curtain, LARGE, 16, WEFT_COLLISION_EXACT},
    {"pillow", build_pillow, 17, 8, WEFT_COLLISION_SOFT},
    {"pillow", build_pillow, 17, 16, WEFT_COLLISION_EXACT},
    {"pillow", build_pillow, LARGE, 8, WEFT_COLLISION_EXACT},
    {"tube", build_tube, 17, 16, WEFT_COLLISION_SOFT},
    {"tube", build_tube, LARGE, 8, WEFT_COLLISION_EXACT},
    {"patchwork", build_patchwork, 17, 16, WEFT_COLLISION_EXACT},
    {"patchwork", build_patchwork, 17, 16, WEFT_COLLISION_SOFT},
};

// before joints were links to contacts, borders stayed 17 to 34 mm apart and trembled at 30 to 400
// mm/s
LOOP_TEST(seams_of_thick_cloth_close_and_come_to_rest, 0, sizeof(seams) / sizeof(*seams)) {
  const panels p = new_panels(seams[_i].build, seams[_i].side, seams[_i].collision);
  weft_world* world = new_sewn(&p, seams[_i].substeps, 0.5f);
  double rms, largest, slowest = 0.0;
  weft_world_step(world, 5 * 60);
  for (int step = 0; step < 15; ++step) {
    weft_world_step(world, 1);
    speeds_of(world, &rms, &largest);
    slowest = fmax(slowest, rms);
  }
  const double gap = widest_gap(world, &p);
  ck_assert_msg(gap < 1e-4 && slowest < 1e-3, "%s of %u, %u substeps: gap %.3f mm, %.2f mm/s",
                seams[_i].name, seams[_i].side, seams[_i].substeps, 1e3 * gap, 1e3 * slowest);
  ck_assert_uint_eq(crossings_of(world, &p, true), 0);
}

static void expect_rest(weft_world* world, int row) {
  double rms, largest;
  speeds_of(world, &rms, &largest);
  ck_assert_msg(rms < 1e-3, "row %d: %.2f mm/s", row, 1e3 * rms);
}

// a border of 25 particles is held between those of a border of 17
LOOP_TEST(a_finer_border_is_sewn_between_the_particles_of_a_coarser_one, 0, 4) {
  enum { COARSE = 17, FINE = 25 };
  const weft_collision collision = _i & 1 ? WEFT_COLLISION_EXACT : WEFT_COLLISION_SOFT;
  panels p = {.scene = new_scene(), .side = COARSE};
  weft_cloth_def cloth = panel_def(&p, collision);
  cloth.hooks = COARSE;
  add_panel(&p, &cloth);
  p.side = FINE;
  cloth = panel_def(&p, collision);
  cloth.origin[1] = -0.53f;
  add_panel(&p, &cloth);
  weft_world* world = new_default_world(p.scene, .substeps = _i & 2 ? 16 : 8, .max_joints = FINE);
  for (uint32_t k = 0; k < FINE; ++k) {
    const uint32_t at = k * (COARSE - 1) / (FINE - 1), rest = k * (COARSE - 1) % (FINE - 1);
    weft_joint_def def = joint_between(COARSE * COARSE + k, COARSE * (COARSE - 1) + at);
    def.to[1] = def.to[0] + 1;
    def.weights[1] = (float)rest / (FINE - 1);
    def.weights[0] = 1.0f - def.weights[1];
    def.closing_time = 0.5f;
    (void)add_joint(world, &def);
  }
  weft_world_step(world, 5 * 60);
  expect_rest(world, _i);
  ck_assert_uint_eq(contact_stats_of(world).crossings, 0);
  for (uint32_t k = 0; k < FINE; k += 3)
    ck_assert_double_lt(apart(world, COARSE * COARSE + k, COARSE * (COARSE - 1) + k * 2 / 3), 1e-4);
}

// their first strands lie within the sum of their radii, along a path of no length
LOOP_TEST(ropes_that_are_joined_at_their_ends_rest, 0, 2) {
  weft_scene* scene = new_scene();
  weft_rope_def def = weft_default_rope_def();
  def.segments = 16;
  def.end[1] = -0.5f;
  def.pin_origin = true;
  weft_body above, below;
  expect_ok(weft_scene_add_rope(scene, &def, &above));
  def.pin_origin = false;
  def.origin[1] = -0.5f;
  def.end[1] = -1.0f;
  expect_ok(weft_scene_add_rope(scene, &def, &below));
  weft_world* world = new_default_world(scene, .substeps = _i == 0 ? 8 : 16);
  const uint32_t end = above.first_particle + above.particle_count - 1;
  const weft_joint_def joint = joint_between(end, below.first_particle);
  (void)add_joint(world, &joint);
  weft_world_step(world, 180);
  expect_rest(world, _i);
  ck_assert_double_lt(apart(world, end, below.first_particle), 1e-4);
}

// ---- loaded ----

// two level panels, each pinned along its far side, and a sphere above the seam
static void build_hammock(panels* p, weft_collision collision) {
  const uint32_t n = p->side;
  for (uint32_t k = 0; k < 2; ++k) {
    weft_cloth_def def = panel_def(p, collision);
    def.hooks = n;
    def.origin[2] = (float)k;
    def.down[1] = 0.0f;
    def.down[2] = k == 0 ? 1.0f : -1.0f;
    add_panel(p, &def);
  }
  for (uint32_t i = 0; i < n; ++i) sew(p, (n - 1) * n + i, n * n + (n - 1) * n + i);
}

static const struct {
  uint32_t side, substeps;
} loads[] = {{17, 8}, {17, 16}, {LARGE, 8}, {LARGE, 16}};

// eight times as heavy as the cloth; it fell through
LOOP_TEST(a_seam_bears_a_heavy_sphere_that_falls_on_it, 0, sizeof(loads) / sizeof(*loads)) {
  const panels p = new_panels(build_hammock, loads[_i].side, WEFT_COLLISION_EXACT);
  const float at[3] = {0.25f, 0.3f, 0.505f}, inverse_mass = 2.0f;
  weft_body sphere;
  expect_ok(weft_scene_add_particles(p.scene, at, &inverse_mass, 1, &sphere));
  weft_world* world = new_sewn(&p, loads[_i].substeps, 0.0f);
  shape_particles(world, sphere.first_particle, 1, .shape = WEFT_PARTICLE_SHAPE_SPHERE,
                  .radius = 0.08f, .collision = WEFT_COLLISION_EXACT);
  double widest = 0.0;
  for (int step = 0; step < 120; ++step) {
    weft_world_step(world, 1);
    widest = fmax(widest, widest_gap(world, &p));
  }
  float here[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, sphere.first_particle, 1, here);
  const float below = here[1] - measures_of(world).lower[1];
  ck_assert_msg(below > 0.06f && widest < 1e-4, "%u, %u substeps: cloth %.3f m below, gap %.3f mm",
                loads[_i].side, loads[_i].substeps, (double)below, 1e3 * widest);
}

// ---- opened ----

// two panels in a plane, sewn where they touch
static void build_flat(panels* p, weft_collision collision) {
  const uint32_t n = p->side;
  weft_cloth_def def = panel_def(p, collision);
  add_panel(p, &def);
  def.origin[1] = -0.5f;
  add_panel(p, &def);
  for (uint32_t i = 0; i < n; ++i) sew(p, (n - 1) * n + i, n * n + i);
}

typedef enum opening { REMOVED, BROKEN, OPENING_COUNT } opening;

// weightless; joints break as a panel is pushed off
static weft_world* new_opening(const panels* p, opening how, uint32_t substeps, uint32_t workers) {
  weft_world* world = new_default_world(p->scene, .substeps = substeps, .max_joints = MOST_PAIRS,
                                        .weightless = true, .worker_count = workers);
  weft_joint joints[MOST];
  weft_seam_def seam = weft_default_seam_def();
  seam.pairs = p->pairs;
  seam.count = p->count;
  seam.break_force = how == BROKEN ? 1e-4f : 0.0f;
  expect_ok(weft_world_add_seam(world, &seam, joints));
  weft_world_step(world, 20);
  ck_assert_uint_eq(whole_joints(world), p->count);
  const float push[3] = {0.0f, 0.0f, 0.1f};
  expect_ok(weft_world_add(world, WEFT_ATTRIBUTE_VELOCITY,
                           weft_range(p->side * p->side, p->side * p->side), push, WEFT_SAME));
  for (uint32_t k = 0; k < p->count && how == REMOVED; ++k)
    expect_ok(weft_world_remove_joint(world, joints[k]));
  if (how == BROKEN) weft_world_step(world, 1);
  ck_assert_uint_eq(whole_joints(world), 0);
  return world;
}

LOOP_TEST(the_borders_of_an_opened_seam_part_slowly, 0, 8) {
  const uint32_t side = _i & 1 ? LARGE : 17, substeps = _i & 2 ? 16 : 8;
  const opening how = _i & 4 ? BROKEN : REMOVED;
  const panels p = new_panels(build_flat, side, WEFT_COLLISION_EXACT);
  weft_world* world = new_opening(&p, how, substeps, 1);
  const double thickness = 2.0 * 0.55 * 0.5 / (side - 1);
  double rms, largest, fastest = 0.0;
  for (int step = 0; step < 180; ++step) {
    weft_world_step(world, 1);
    speeds_of(world, &rms, &largest);
    fastest = fmax(fastest, largest);
  }
  double narrowest = 1.0;
  for (uint32_t k = 0; k < p.count; ++k)
    narrowest = fmin(narrowest, apart(world, p.pairs[2 * k], p.pairs[2 * k + 1]));
  ck_assert_msg(narrowest > 0.9 * thickness && fastest < 0.4,
                "%u, %u substeps: %.2f of the thickness, %.3f m/s", side, substeps,
                narrowest / thickness, fastest);
  ck_assert_uint_eq(crossings_of(world, &p, false), 0);
}

// a snapshot may come before the step in which opened pairs collide again
LOOP_TEST(a_world_restored_as_a_seam_opens_goes_on_alike, 0, OPENING_COUNT) {
  const panels p = new_panels(build_flat, 17, WEFT_COLLISION_EXACT);
  weft_world* world = new_opening(&p, (opening)_i, 8, 1);
  const saved_world saved = save_world(world);
  weft_world_step(world, 30);
  const saved_world after = save_world(world);
  weft_world* fresh = new_default_world(p.scene, .substeps = 8, .max_joints = MOST_PAIRS,
                                        .weightless = true, .worker_count = 3);
  restore_world(fresh, &saved);
  weft_world_step(fresh, 30);
  const saved_world again = save_world(fresh);
  ck_assert_uint_eq(after.size, again.size);
  ck_assert(memcmp(after.bytes, again.bytes, after.size) == 0);
}

LOOP_TEST(seams_have_the_same_bits_with_any_number_of_workers, 0, OPENING_COUNT) {
  uint64_t hash = 0;
  for (uint32_t workers = 1; workers <= 4; ++workers) {
    const panels p = new_panels(build_flat, LARGE, WEFT_COLLISION_EXACT);
    weft_world* world = new_opening(&p, (opening)_i, 8, workers);
    weft_world_step(world, 20);
    expect_final_hash(world, &hash);
  }
}
