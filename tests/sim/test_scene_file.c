/* Valid scene files give the scenes that they describe. */
#include <unistd.h>

#include "common/file_bytes.h"
#include "sim/file/tables.h"
#include "support/scene_files.h"
#include "support/sim_runs.h"
#include "support/test.h"

static const char path[] = "test_scene_file.json";

static sim_run* new_run_of_text(const char* text) {
  const sim_settings settings = sim_default_settings();
  write_bytes(path, text, strlen(text));
  sim_run* run = new_run(path, &settings);
  unlink(path);
  return run;
}

// Steps a scene file and a world side by side.
static void expect_same_steps(sim_run* run, weft_world* world, int count) {
  for (int i = 0; i < count; ++i) {
    ck_assert(weft_world_hash(world) == weft_world_hash(sim_run_world(run)));
    take_steps(run, 1);
    weft_world_step(world, 1);
  }
}

/* Hand-made world of the file below. */
static weft_world* new_described_world(void) {
  const float ends[6] = {0, 0, 0, 1, 0, 0}, inverse_masses[2] = {1.0f / 0.001f, 1.0f / 0.001f};
  const weft_link_def links[] = {
      {.a = 6, .b = 7, .rest_length = 1, .relaxation = 1},
      {.a = 5,
       .b = 7,
       .rest_length = 4,
       .relaxation = 0.5f,
       .tear_ratio = 9,
       .kind = WEFT_LINK_BEND,
       .mode = WEFT_LINK_MODE_RANGE,
       .max_length = 5,
       .spring_damping = 0.5f},
  };
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_material_def material = weft_default_material_def();
  weft_world_def def = weft_default_world_def();
  sheet.columns = 3;
  sheet.rows = 2;
  sheet.spacing = 0.5f;
  sheet.material = &material;
  material.density = 0.5f;
  material.stretch_stiffness = (float)INFINITY;
  def.damping = 0.25f;
  def.gravity[1] = -5.0f;
  def.gravity[2] = 1.0f;
  def.max_speed[0] = 3.0f;
  def.step_ns = 5000000;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_add_particles(scene, ends, inverse_masses, 2, NULL));
  expect_ok(weft_scene_add_links(scene, links, 2, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, 3)));
  return new_world(&def, scene);
}

static weft_scene* new_denim(bool membrane, float density) {
  static const float corners[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  static const uint32_t triangle[] = {0, 1, 2};
  weft_scene* scene = new_scene();
  weft_material_def material;
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_mesh_def mesh = weft_default_mesh_def();
  expect_ok(weft_fabric_material(WEFT_FABRIC_DENIM, membrane, &material));
  material.density = density;
  sheet.material = mesh.material = &material;
  mesh.positions = corners[0];
  mesh.vertex_count = 3;
  mesh.triangles = triangle;
  mesh.triangle_count = 1;
  mesh.warp[1] = 1.0f;
  expect_ok(membrane ? weft_scene_add_mesh(scene, &mesh, NULL)
                     : weft_scene_add_sheet(scene, &sheet, NULL));
  return scene;
}

static void expect_same_scenes(const weft_scene* a, const weft_scene* b) {
  const uint32_t count = weft_scene_link_count(b);
  float left = 0.0f, right = 0.0f;
  ck_assert_uint_eq(weft_scene_link_count(a), count);
  for (uint32_t i = 0; i < count; ++i) {
    weft_link_def x, y;
    expect_ok(weft_scene_get_links(a, i, 1, &x));
    expect_ok(weft_scene_get_links(b, i, 1, &y));
    require(x.compliance == y.compliance && x.kind == y.kind);
  }
  for (uint32_t i = 0; i < weft_scene_particle_count(b); ++i) {
    expect_ok(weft_scene_get_particles(a, i, 1, NULL, &left));
    expect_ok(weft_scene_get_particles(b, i, 1, NULL, &right));
    require(left == right);
  }
}

LOOP_TEST(a_fabric_is_a_material_and_keys_beside_it_override_it, 0, 4) {
#define FABRIC_SHEET "{\"bodies\": [{\"type\": \"sheet\", \"material\": "
#define FABRIC_MESH                                                                                \
  "{\"bodies\": [{\"type\": \"mesh\", \"positions\": [[0,0,0], [1,0,0], [0,1,0]], \"triangles\": " \
  "[[0,1,2]], \"warp\": [0,1,0], \"material\": "
  static const struct {
    const char* text;
    bool membrane;
    float density;
  } files[] = {
      {FABRIC_SHEET "\"denim\"}]}", false, 0.324f},
      {FABRIC_SHEET "{\"density\": 0.5, \"fabric\": \"denim\"}}]}", false, 0.5f},
      {FABRIC_MESH "\"denim\"}]}", true, 0.324f},
      {FABRIC_MESH "{\"fabric\": \"denim\", \"density\": 0.5}}]}", true, 0.5f},
  };
  sim_run* run = new_run_of_text(files[_i].text);
  weft_scene* expected = new_denim(files[_i].membrane, files[_i].density);
  expect_same_scenes(sim_run_description(run), expected);
}

#define TWO "{\"type\": \"particles\", \"name\": \"p\", \"positions\": [[0,0,0],\n[1,0,0]]}"

TEST(a_file_is_the_scene_that_it_describes) {
  static const char text[] =
      "{\"world\": {\"damping\": 0.25, \"gravity\": [0, -5, 1], \"step_ns\": 5000000,\n"
      " \"max_speed\": [3, \"infinity\", \"infinity\"], \"remainder\": \"step\"}, \"seconds\": 2,\n"
      " \"bodies\": [{\"type\": \"sheet\", \"name\": \"a\", \"columns\": 3, \"rows\": 2, "
      "\"spacing\": 0.5,\n"
      "  \"pin\": [\"first\", {\"first\": 1, \"count\": 1}, 2],\n"
      "  \"material\": {\"density\": 0.5, \"stretch_stiffness\": \"infinity\"}}, " TWO
      "],\n"
      " \"links\": [{\"from\": \"p[0]\", \"to\": \"p[1]\"}, {\"from\": \"a[2,1]\", \"to\": "
      "\"p[1]\",\n"
      "  \"rest_length\": 4, \"kind\": \"bend\", \"tear_ratio\": 9, \"relaxation\": 0.5,\n"
      "  \"mode\": \"range\", \"max_length\": 5, \"spring_damping\": 0.5}]}";
  sim_run* run = new_run_of_text(text);
  weft_world* world = new_described_world();
  ck_assert_uint_eq(sim_run_length(run), 400);
  ck_assert_int_eq(sim_run_def(run)->remainder, WEFT_REMAINDER_STEP);
  expect_same_steps(run, world, 20);
}

/* Without settings a run has those of weft_default_world_def(), which "auto" names, too. */
TEST(a_sheet_without_settings_hangs_at_its_length) {
  static const char* const worlds[] = {
      "",
      " \"world\": {\"quality\": \"draft\", \"iterations\": \"auto\", "
      "\"coarse_iterations\": \"auto\", \"substeps\": \"auto\", "
      "\"max_substeps\": \"auto\", \"attachments\": \"auto\"},\n"};
  for (size_t i = 0; i < 2; ++i) {
    char text[400];
    snprintf(text, sizeof text,
             "{%s \"bodies\": [{\"type\": \"sheet\", \"columns\": 33, \"rows\": 33, "
             "\"spacing\": 0.0625, \"pin\": \"top\"}]}",
             worlds[i]);
    sim_run* run = new_run_of_text(text);
    ck_assert_uint_eq(sim_run_def(run)->solver.sweeps, WEFT_SWEEPS_SYMMETRIC);
    ck_assert_uint_eq(sim_run_def(run)->solver.substeps, WEFT_AUTO);
    ck_assert_uint_eq(sim_run_def(run)->solver.quality,
                      i == 0 ? WEFT_QUALITY_FINE : WEFT_QUALITY_DRAFT);
    take_steps(run, 120);
    weft_measures measures;
    expect_ok(weft_world_measure(sim_run_world(run), &measures));
    ck_assert_float_eq_tol(measures.lower[1], -2.0f, 0.002f);
  }
}

/* Hand-made world of the file below: a sheet that falls onto seven colliders. */
static weft_world* new_world_with_contacts(void) {
  static const float points[4][3] = {{0, 0, 0}, {0.5f, 0, 0}, {0, 0, 0.5f}, {0, 0.2f, 0}};
  static const uint32_t triangles[2][3] = {{0, 2, 1}, {0, 1, 3}};
  static const float heights[4] = {0.1f, 0.2f, 0.3f, 0.4f};
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_world_def def = weft_default_world_def();
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  weft_collider added;
  sheet.columns = sheet.rows = 20;
  sheet.origin[1] = 0.4f;
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world* world = new_world(&def, scene);
  contact.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  contact.half_size[0] = contact.half_size[1] = contact.half_size[2] = 0.02f;
  contact.surface.static_friction = 0.5f;
  contact.surface.dynamic_friction = 0.25f;
  contact.category = 2;
  contact.mask = 5;
  contact.collision = WEFT_COLLISION_EXACT;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 400), &contact));
  for (int shape = WEFT_COLLIDER_SHAPE_HALF_SPACE; shape <= WEFT_COLLIDER_SHAPE_HEIGHTFIELD;
       ++shape) {
    weft_collider_def collider = weft_default_collider_def();
    collider.shape = (weft_collider_shape)shape;
    collider.category = 4;
    collider.mask = 2;
    collider.position[0] = 0.1f * (float)shape;
    collider.radius = collider.half_size[0] = 0.1f;
    collider.half_size[1] = 0.2f;
    collider.half_size[2] = 0.3f;
    collider.points = &points[0][0];
    collider.point_count = 4;
    collider.triangles = &triangles[0][0];
    collider.triangle_count = 2;
    collider.samples = heights;
    collider.size[0] = collider.size[2] = 2;
    collider.size[1] = 1;
    collider.spacing = 0.5f;
    collider.velocity[0] = 0.25f;
    collider.spin[1] = 0.5f;
    expect_ok(weft_world_add_collider(world, &collider, &added));
  }
  return world;
}

#define MOVES "\"category\": 4, \"mask\": 2, \"velocity\": [0.25, 0, 0], \"spin\": [0, 0.5, 0], "
#define AT(x) MOVES "\"position\": [" x ", 0, 0], \"shape\": "

TEST(contacts_and_colliders_of_a_file_are_the_librarys_own) {
  static const char text[] =
      "{\"bodies\": [{\"type\": \"sheet\", \"columns\": 20, \"rows\": 20,"
      " \"origin\": [0, 0.4, 0],\n"
      " \"down\": [0, 0, 1], \"contact\": {\"shape\": \"cloth\", \"radius\": 0.02,\n"
      " \"static_friction\": 0.5, \"dynamic_friction\": 0.25, \"category\": 2, \"mask\": 5,\n"
      " \"collision\": \"exact\"}}],\n \"colliders\": [{" AT("0.1") "\"half_space\"},\n"
      "{" AT("0.2") "\"sphere\", \"radius\": 0.1},\n"
      "{" AT("0.3") "\"capsule\", \"radius\": 0.1, \"half_length\": 0.2},\n"
      "{" AT("0.4") "\"box\", \"half_size\": [0.1, 0.2, 0.3]},\n"
      "{" AT("0.5") "\"ellipsoid\", \"half_size\": [0.1, 0.2, 0.3]},\n"
      "{" AT("0.6") "\"hull\", \"points\": [[0, 0, 0], [0.5, 0, 0], [0, 0, 0.5], [0, 0.2, 0]]},\n"
      "{" AT("0.7") "\"heightfield\", \"columns\": 2, \"rows\": 2, \"spacing\": 0.5,\n"
      " \"heights\": [0.1, 0.2, 0.3, 0.4]}]}";
  sim_run* run = new_run_of_text(text);
  weft_world* world = new_world_with_contacts();
  expect_same_steps(run, world, 60);
  const sim_facts facts = facts_of(run);
  ck_assert_uint_eq(facts.met.collider_count, 7);
  ck_assert_uint_gt(facts.met.collider_contacts, 0);
}

TEST(a_mesh_from_a_file_is_the_one_in_lists) {
  static const char* const meshes[] = {
      "\"file\": \"test_scene_file.obj\"",
      "\"points\": [[-9, 0, -9], [9, 0, -9], [0, 0, 9]], \"triangles\": [[0, 2, 1]]"};
  uint64_t hashes[2];
  FILE* file = fopen("test_scene_file.obj", "w");
  ck_assert_ptr_nonnull(file);
  fputs("v -9 0 -9\nv 9 0 -9\nv 0 0 9\nf 1 3 2\n", file);
  ck_assert_int_eq(fclose(file), 0);
  for (int i = 0; i < 2; ++i) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"bodies\": [{\"type\": \"particles\", \"positions\": [[0, 1, 0]],\n"
             "\"contact\": {\"radius\": 0.1}}],\n"
             "\"colliders\": [{\"shape\": \"mesh\", %s}]}",
             meshes[i]);
    sim_run* run = new_run_of_text(text);
    take_steps(run, 60);
    float place[3];
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 0, 1, place);
    ck_assert_float_eq_tol(place[1], 0.1f, 1e-3f);
    hashes[i] = weft_world_hash(sim_run_world(run));
  }
  ck_assert_uint_eq(hashes[0], hashes[1]);
  unlink("test_scene_file.obj");
}

static weft_scene* new_scene_of_all(void) {
  weft_scene* scene = new_scene();
  const weft_rope_def rope = weft_default_rope_def();
  const weft_circle_def circle = weft_default_circle_def();
  const weft_box_def box = weft_default_box_def();
  const weft_triangle_def triangle = weft_default_triangle_def();
  const weft_tire_def tire = weft_default_tire_def();
  weft_double_pendulum_def pendulum = weft_default_double_pendulum_def();
  const weft_ragdoll_def ragdoll = weft_default_ragdoll_def();
  const weft_tree_def tree = weft_default_tree_def();
  const weft_web_def web = weft_default_web_def();
  weft_ball_def ball = weft_default_ball_def();
  pendulum.lengths[0] = 2.0f;
  pendulum.lengths[1] = 3.0f;
  ball.pressure = 100.0f;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  expect_ok(weft_scene_add_circle(scene, &circle, NULL));
  expect_ok(weft_scene_add_box(scene, &box, NULL));
  expect_ok(weft_scene_add_triangle(scene, &triangle, NULL));
  expect_ok(weft_scene_add_tire(scene, &tire, NULL));
  expect_ok(weft_scene_add_double_pendulum(scene, &pendulum, NULL));
  expect_ok(weft_scene_add_ragdoll(scene, &ragdoll, NULL));
  expect_ok(weft_scene_add_tree(scene, &tree, NULL));
  expect_ok(weft_scene_add_web(scene, &web, NULL));
  expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  return scene;
}

TEST(bodies_that_come_ready_made_are_the_librarys_own) {
  static const char text[] =
      "{\"bodies\": [{\"type\": \"rope\"}, {\"type\": \"circle\"}, {\"type\": \"box\"},\n"
      " {\"type\": \"triangle\"}, {\"type\": \"tire\"},\n"
      " {\"type\": \"double_pendulum\", \"lengths\": [2, 3]}, {\"type\": \"ragdoll\"},\n"
      " {\"type\": \"tree\"}, {\"type\": \"web\"}, {\"type\": \"ball\", \"pressure\": 100}]}";
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_world(&def, new_scene_of_all());
  sim_run* run = new_run_of_text(text);
  expect_same_steps(run, world, 10);
}

TEST(composites_and_ropes_through_points_of_a_file_are_the_librarys_own) {
  static const char text[] =
      "{\"bodies\": [{\"type\": \"composite\", \"origin\": [1, 2, 3], \"across\": [0, 0, 1],\n"
      "  \"scale\": 2, \"positions\": [[0, 0, 0], [1, 0, 0], [0, 2, 0]], \"masses\": [2, 4, 8],\n"
      "  \"links\": [{\"a\": 0, \"b\": 1}, {\"a\": 2, \"b\": 1, \"rest_length\": 1, \"mode\": "
      "\"range\",\n"
      "  \"max_length\": 2, \"compliance\": 0.001, \"kind\": \"support\"}]},\n"
      " {\"type\": \"rope\", \"points\": [[0, 0, 0], [1, 0, 0], [1, 2, 0]], \"pin_end\": true}]}";
  const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  const float inverse_masses[3] = {0.5f, 0.25f, 0.125f};
  const float points[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}};
  const weft_link_def links[2] = {{.a = 0, .b = 1, .rest_length = 1, .relaxation = 1},
                                  {.a = 2,
                                   .b = 1,
                                   .rest_length = 1,
                                   .relaxation = 1,
                                   .mode = WEFT_LINK_MODE_RANGE,
                                   .max_length = 2,
                                   .compliance = 0.001f,
                                   .kind = WEFT_LINK_SUPPORT}};
  weft_composite_def composite = weft_default_composite_def();
  weft_rope_def rope = weft_default_rope_def();
  const weft_world_def def = weft_default_world_def();
  weft_scene* scene = new_scene();
  for (int axis = 0; axis < 3; ++axis) composite.origin[axis] = (float)(axis + 1);
  composite.across[0] = 0.0f;
  composite.across[2] = 1.0f;
  composite.scale = 2.0f;
  composite.positions = positions[0];
  composite.inverse_masses = inverse_masses;
  composite.particle_count = 3;
  composite.links = links;
  composite.link_count = 2;
  rope.points = points[0];
  rope.point_count = 3;
  rope.pin_end = true;
  expect_ok(weft_scene_add_composite(scene, &composite, NULL));
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  weft_world* world = new_world(&def, scene);
  sim_run* run = new_run_of_text(text);
  expect_same_steps(run, world, 10);
}

/* Names of parts: the named part is pinned, and nothing else but the default pins of a tree and a
 * web. */
TEST(parts_of_ready_made_bodies_are_where_they_should_be) {
  static const struct {
    const char* body;
    uint32_t pinned, first, last;
  } cases[] = {
      {"\"type\": \"circle\", \"count\": 7, \"hub\": true, \"pin\": \"ring\"", 7, 0, 6},
      {"\"type\": \"tire\", \"count\": 7, \"pin\": \"tread\"", 7, 0, 6},
      {"\"type\": \"tire\", \"count\": 7, \"pin\": \"last\"", 1, 7, 7},
      {"\"type\": \"box\", \"columns\": 3, \"rows\": 4, \"pin\": \"bottom\"", 3, 0, 2},
      {"\"type\": \"box\", \"columns\": 3, \"rows\": 4, \"pin\": \"top\"", 3, 9, 11},
      {"\"type\": \"box\", \"columns\": 3, \"rows\": 4, \"pin\": \"left\"", 4, 0, 9},
      {"\"type\": \"box\", \"columns\": 3, \"rows\": 4, \"pin\": \"right\"", 4, 2, 11},
      {"\"type\": \"ragdoll\", \"pin\": \"hands\"", 2, 6, 7},
      {"\"type\": \"ragdoll\", \"pin\": [\"head\", \"foot_right\"]", 2, 0, 14},
      {"\"type\": \"web\", \"radials\": 5, \"rings\": 2", 5, 11, 15},
      {"\"type\": \"web\", \"radials\": 5, \"rings\": 2, \"pin\": \"pins\"", 5, 11, 15},
      {"\"type\": \"tree\", \"depth\": 2, \"pin\": \"leaves\"", 1 + 4 + 2, 0, 9},
      {"\"type\": \"rope\", \"segments\": 4, \"pin_origin\": true, \"pin_end\": true", 2, 0, 4},
  };
  char text[512];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    snprintf(text, sizeof text, "{\"bodies\": [{%s}]}", cases[i].body);
    sim_run* run = new_run_of_text(text);
    const weft_world_stats stats = stats_of(sim_run_world(run));
    uint32_t pinned = 0, first = UINT32_MAX, last = 0;
    for (uint32_t p = 0; p < stats.particle_count; ++p) {
      // only pinned particles can be moved
      const float target[3] = {0.0f, 0.0f, 0.0f};
      if (weft_world_set(sim_run_world(run), WEFT_ATTRIBUTE_TARGET, weft_range(p, 1), target, 0)
              .error != WEFT_OK)
        continue;
      if (pinned++ == 0) first = p;
      last = p;
    }
    ck_assert_msg(pinned == cases[i].pinned && first == cases[i].first && last == cases[i].last,
                  "%s: %u, from %u to %u", cases[i].body, pinned, first, last);
  }
}

TEST(the_manual_has_the_reference_that_the_tables_print) {
  char* reference = NULL;
  size_t length = 0;
  tool_bytes manual;
  tool_message why;
  FILE* out = open_memstream(&reference, &length);
  sim_print_reference(out);
  fclose(out);
  while (length > 0 && reference[length - 1] == '\n') reference[--length] = '\0';
  ck_assert(tool_read_file(WEFT_MANUAL, SIZE_MAX, &manual, &why));
  if (!strstr(manual.text, reference)) {
    ck_abort_msg("put what `weft-sim schema` prints into " WEFT_MANUAL);
  }
  free(reference);
  free(manual.text);
}
