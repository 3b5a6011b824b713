/* The fingerprint of a scene depends on every column of it. */
#include "scene/fingerprint.h"
#include "support/bend_scenes.h"
#include "support/test.h"

// Meshes of both models, a sheet, a ball with gas, a rod, and springs with a curve.
static weft_scene* new_scene_of_all(void) {
  weft_scene* scene = new_scene();
  weft_material_def material = bend_material(1e-4f);
  material.crease_angle = 0.3f;
  (void)add_bend_net(scene, 4, 5, true, 0.0f, 1e-3f);
  const float at[4][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  const uint32_t triangles[2][3] = {{0, 1, 2}, {1, 3, 2}};
  weft_mesh_def mesh = mesh_def(.positions = at[0], .vertex_count = 4, .triangles = triangles[0],
                                .triangle_count = 2);
  material.membrane = true;
  mesh.material = &material;
  mesh.warp[0] = 1.0f;
  expect_ok(weft_scene_add_mesh(scene, &mesh, NULL));
  (void)add_bend_sheet(scene, 5, 4, 1e-4f);
  weft_ball_def ball = bare_ball_def();
  ball.pressure = 500.0f;
  expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  const weft_rod_def rod = bare_rod_def();
  expect_ok(weft_scene_add_rod(scene, &rod, NULL));
  const float strains[2] = {0.0f, 1.0f}, forces[2] = {0.0f, 3.0f};
  const weft_force_curve_def curve = {.strains = strains, .forces = forces, .count = 2};
  weft_link_def springs[2] = {weft_default_link_def(), weft_default_link_def()};
  expect_ok(weft_scene_add_force_curve(scene, &curve, &springs[0].force_curve));
  for (uint32_t k = 0; k < 2; ++k) {
    springs[k].a = k;
    springs[k].b = 20 + k;
    springs[k].rest_length = 1.0f;
    springs[k].compliance = springs[k].spring_damping = 0.1f;
  }
  springs[1].mode = WEFT_LINK_MODE_RANGE;
  springs[1].max_length = 2.0f;
  expect_ok(weft_scene_add_links(scene, springs, 2, NULL));
  return scene;
}

static uint64_t fingerprint_of(const weft_scene* scene) {
  const weft__schedule none = {0};
  return weft__scene_fingerprint(scene, &none);
}

TEST(every_column_changes_the_fingerprint) {
  weft_scene* scene = new_scene_of_all();
  const weft__links* l = &scene->links;
  const weft__hinges* h = &scene->hinges;
  const struct {
    const char* name;
    void* value;
  } columns[] = {{"positions", scene->positions},
                 {"inverse_masses", scene->inverse_masses},
                 {"triangles", scene->triangles},
                 {"links.end_a", l->end_a},
                 {"links.end_b", l->end_b},
                 {"links.rest_length", l->rest_length},
                 {"links.relaxation", l->relaxation},
                 {"links.tear_ratio", l->tear_ratio},
                 {"links.compliance", l->compliance},
                 {"links.kind", l->kind},
                 {"links.mode", l->mode},
                 {"links.max_length", l->max_length},
                 {"links.slack_below", l->slack_below},
                 {"links.slack_above", l->slack_above},
                 {"links.spring_damping", l->spring_damping},
                 {"links.force_curve", l->force_curve},
                 {"hinges.particle", h->particle},
                 {"hinges.coefficient", h->coefficient},
                 {"hinges.rest_length", h->rest_length},
                 {"hinges.compliance", h->compliance},
                 {"hinges.yield", h->yield},
                 {"hinges.max_rest_length", h->max_rest_length},
                 {"hinges.side", h->side},
                 {"hinges.bend_stiffness", h->bend_stiffness},
                 {"membranes", scene->membranes.list},
                 {"curves.points", scene->curves.points},
                 {"part.columns", &scene->parts[0].columns},
                 {"part.lattice_rows", &scene->parts[0].lattice_rows},
                 {"part.fine_only", &scene->parts[0].fine_only},
                 {"part.is_reserved", &scene->parts[0].is_reserved},
                 {"part.environment", &scene->parts[0].environment},
                 {"part.first_triangle", &scene->parts[0].first_triangle},
                 {"pressure", &scene->pressures[0].pressure},
                 {"rods", scene->rods}};
  const uint64_t expected = fingerprint_of(scene);
  for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); ++k) {
    unsigned char* byte = columns[k].value;
    ck_assert_msg(byte != NULL, "%s is empty", columns[k].name);
    *byte ^= 1u;
    ck_assert_msg(fingerprint_of(scene) != expected, "%s has no part", columns[k].name);
    *byte ^= 1u;
  }
  ck_assert_uint_eq(fingerprint_of(scene), expected);
}
