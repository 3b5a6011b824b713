/* Calls that describe a scene: every function of weft.h's second chapter and of bodies.h. */
#include <string.h>

#include "fuzz/calls.h"

// ---- bodies ----

static bool is_full(const program* p) {
  return weft_scene_particle_count(p->scene) >= MOST_PARTICLES * p->scale * p->scale;
}

static void keep_body(program* p, weft_body body) {
  p->bodies[p->body_count < MOST_BODIES ? p->body_count++ : MOST_BODIES - 1] = body;
}

// adds the body of a def, unless the scene is full
#define ADD(p, function, def)                      \
  do {                                             \
    weft_body body = {0};                          \
    (def)->cookie = draw_cookie(p, (def)->cookie); \
    const void* with = or_null(p, def);            \
    if (is_full(p)) break;                         \
    CALL(p, function, (p)->scene, with, &body);    \
    if (p->ok) keep_body(p, body);                 \
  } while (0)

static float draw_tear_ratio(program* p) {
  return draw_chance(p, 4) ? draw_number(p, 1.01f, 2.0f) : 0.0f;
}

static float draw_compliance(program* p) {
  return draw_chance(p, 3) ? draw_number(p, 1e-7f, 1e-2f) : 0.0f;
}

// origin and two perpendicular axes; in wild programs `across` is sometimes any vector
static void draw_plane(program* p, float origin[3], float across[3], float up[3]) {
  draw_vector(p, origin, -1.0f, 1.0f);
  const uint32_t drawn = stream_below(&p->in, 3);
  const uint32_t axis = p->is_plane ? 0 : drawn;
  for (uint32_t k = 0; k < 3; ++k) {
    across[k] = k == axis ? 1.0f : 0.0f;
    up[k] = k == (axis + 1) % 3 ? 1.0f : 0.0f;
  }
  if (p->is_wild && draw_chance(p, 8)) draw_vector(p, across, -1.0f, 1.0f);
}

static void draw_link_values(program* p, float* relaxation, float* compliance, float* tear_ratio) {
  *relaxation = draw_chance(p, 3) ? draw_number(p, 0.0f, 1.0f) : 1.0f;
  *compliance = draw_compliance(p);
  *tear_ratio = draw_tear_ratio(p);
}

static weft_material_def draw_material(program* p) {
  weft_material_def material = weft_default_material_def();
  material.density = draw_number(p, 0.01f, 2.0f);
  material.stretch_stiffness = draw_number(p, 10.0f, 5000.0f);
  material.shear_stiffness = draw_number(p, 1.0f, 500.0f);
  material.bend_stiffness = draw_chance(p, 2) ? draw_number(p, 0.0f, 1e-3f) : 0.0f;
  material.cookie = draw_cookie(p, material.cookie);
  return material;
}

static void draw_membrane(program* p, weft_material_def* material) {
  if (draw_chance(p, 2)) {
    material->shear_stiffness = weft_default_material_def().shear_stiffness;
    return;
  }
  material->membrane = true;
  if (draw_chance(p, 2)) {
    material->weft_stiffness = draw_number(p, 10.0f, 5000.0f);
  } else {
    material->poisson_ratio = draw_number(p, -0.5f, 0.9f);
  }
  if (draw_chance(p, 4)) material->max_stretch = draw_number(p, 1.0f, 2.0f);
}

static void add_sheet(program* p) {
  const weft_material_def material = draw_material(p);
  weft_sheet_def def = weft_default_sheet_def();
  float up[3];
  def.columns = draw_count(p, 1, 9);
  def.rows = draw_count(p, 1, 9);
  def.spacing = draw_number(p, 0.02f, 0.2f);
  draw_plane(p, def.origin, def.across, up);
  for (int k = 0; k < 3; ++k) def.down[k] = -up[k];
  def.particle_mass = draw_number(p, 1e-3f, 0.1f);
  def.material = draw_chance(p, 2) ? &material : NULL;
  def.structural = !draw_chance(p, 8);
  def.shear = !draw_chance(p, 4);
  def.bend = draw_chance(p, 2);
  float compliance;
  draw_link_values(p, &def.relaxation, &compliance, &def.tear_ratio);
  ADD(p, weft_scene_add_sheet, &def);
}

enum { MOST_SIDE = 40 };

// triangles of a lattice with holes, in wild programs some with a random corner; returns their
// number
static uint32_t draw_triangles(program* p, uint32_t columns, uint32_t rows, uint32_t* triangles) {
  uint32_t count = 0;
  for (uint32_t i = 0; i + columns < columns * rows; ++i) {
    if ((i + 1) % columns == 0 || draw_chance(p, 8)) continue;
    const uint32_t cell[2][3] = {{i, i + columns, i + 1}, {i + 1, i + columns, i + columns + 1}};
    memcpy(triangles + (size_t)3 * count, cell, sizeof(cell));
    count += 2;
    if (p->is_wild && draw_chance(p, 16)) triangles[3 * count - 1] = draw_index(p, columns * rows);
  }
  return count;
}

static void add_mesh(program* p) {
  static float positions[3 * MOST_SIDE * MOST_SIDE];
  static uint32_t triangles[6 * MOST_SIDE * MOST_SIDE];
  weft_material_def material = draw_material(p);
  draw_membrane(p, &material);
  weft_mesh_def def = weft_default_mesh_def();
  const uint32_t columns = draw_count(p, 2, 6);
  const uint32_t rows = draw_count(p, 2, 6);
  float origin[3];
  draw_vector(p, origin, -1.0f, 1.0f);
  for (uint32_t i = 0; i < columns * rows; ++i) {
    const uint32_t place[3] = {i % columns, 0, i / columns};
    for (uint32_t k = 0; k < 3; ++k) {
      positions[3 * i + k] = origin[k] + 0.1f * (float)place[k] + draw_number(p, -0.03f, 0.03f);
    }
  }
  def.positions = positions;
  def.vertex_count = columns * rows;
  def.triangles = triangles;
  def.triangle_count = draw_triangles(p, columns, rows, triangles);
  def.particle_mass = draw_number(p, 1e-3f, 0.1f);
  def.material = draw_chance(p, 2) ? &material : NULL;
  def.relaxation = draw_number(p, 0.5f, 1.0f);
  if (material.membrane) {
    def.warp[0] = 1.0f;
    def.warp[2] = draw_number(p, -1.0f, 1.0f);
    def.relaxation = 1.0f;
  }
  def.bend_relaxation = draw_number(p, 0.0f, 1.0f);
  def.tear_ratio = draw_tear_ratio(p);
  ADD(p, weft_scene_add_mesh, &def);
}

enum { MOST_LOOSE = 128, MOST_LINKS = 64 };

typedef struct cloud {
  float positions[3 * MOST_LOOSE];
  float inverse_masses[MOST_LOOSE];
  uint32_t count;
} cloud;

static cloud draw_cloud(program* p) {
  cloud drawn = {.count = draw_count(p, 1, 16)};
  if (drawn.count > MOST_LOOSE) drawn.count = MOST_LOOSE;
  for (uint32_t i = 0; i < drawn.count; ++i) {
    draw_vector(p, drawn.positions + (size_t)3 * i, -1.0f, 1.0f);
    drawn.inverse_masses[i] = draw_chance(p, 8) ? 0.0f : draw_number(p, 0.1f, 100.0f);
  }
  return drawn;
}

static void draw_contact(program* p, float* thickness, float* friction, weft_collision* collision,
                         bool* in_air) {
  *thickness = draw_chance(p, 2) ? draw_number(p, 0.001f, 0.1f) : 0.0f;
  *friction = draw_number(p, 0.0f, 1.0f);
  *collision = (weft_collision)draw_index(p, WEFT_COLLISION_EXACT + 1);
  *in_air = draw_chance(p, 2);
}

static void add_rope(program* p) {
  weft_rope_def def = weft_default_rope_def();
  draw_vector(p, def.origin, -1.0f, 1.0f);
  draw_vector(p, def.end, 1.5f, 2.0f);
  def.segments = draw_count(p, 1, 16);
  const cloud drawn = draw_cloud(p);
  if (draw_chance(p, 2)) def.points = drawn.positions;
  def.point_count = drawn.count;
  def.slack = draw_number(p, -0.2f, 0.5f);
  def.mass_per_metre = draw_number(p, 0.01f, 1.0f);
  def.pin_origin = draw_chance(p, 2);
  def.pin_end = draw_chance(p, 4);
  def.mode = draw_chance(p, 2) ? WEFT_LINK_MODE_STRETCH : WEFT_LINK_MODE_BOTH;
  draw_link_values(p, &def.relaxation, &def.compliance, &def.tear_ratio);
  draw_contact(p, &def.thickness, &def.friction, &def.collision, &def.in_air);
  ADD(p, weft_scene_add_rope, &def);
}

static void add_circle(program* p) {
  weft_circle_def def = weft_default_circle_def();
  draw_plane(p, def.origin, def.across, def.up);
  def.radius = draw_number(p, 0.1f, 1.0f);
  def.count = draw_count(p, 3, 16);
  def.hub = draw_chance(p, 2);
  def.mass = draw_number(p, 0.1f, 10.0f);
  draw_link_values(p, &def.relaxation, &def.compliance, &def.tear_ratio);
  ADD(p, weft_scene_add_circle, &def);
}

static void add_box(program* p) {
  weft_box_def def = weft_default_box_def();
  draw_plane(p, def.origin, def.across, def.up);
  def.width = draw_number(p, 0.1f, 1.0f);
  def.height = draw_number(p, 0.1f, 1.0f);
  def.columns = draw_count(p, 2, 5);
  def.rows = draw_count(p, 2, 5);
  def.mass = draw_number(p, 0.1f, 10.0f);
  draw_link_values(p, &def.relaxation, &def.compliance, &def.tear_ratio);
  ADD(p, weft_scene_add_box, &def);
}

static void add_triangle(program* p) {
  weft_triangle_def def = weft_default_triangle_def();
  draw_plane(p, def.origin, def.across, def.up);
  def.width = draw_number(p, 0.1f, 1.0f);
  def.height = draw_number(p, 0.1f, 1.0f);
  def.mass = draw_number(p, 0.1f, 10.0f);
  draw_link_values(p, &def.relaxation, &def.compliance, &def.tear_ratio);
  ADD(p, weft_scene_add_triangle, &def);
}

static void add_tire(program* p) {
  weft_tire_def def = weft_default_tire_def();
  draw_plane(p, def.origin, def.across, def.up);
  def.radius = draw_number(p, 0.1f, 1.0f);
  def.count = draw_count(p, 5, 16);
  def.mass = draw_number(p, 0.1f, 10.0f);
  draw_link_values(p, &def.tread_relaxation, &def.tread_compliance, &def.tear_ratio);
  draw_link_values(p, &def.spoke_relaxation, &def.spoke_compliance, &def.tear_ratio);
  ADD(p, weft_scene_add_tire, &def);
}

static void add_ragdoll(program* p) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  draw_plane(p, def.origin, def.across, def.up);
  def.height = draw_number(p, 0.5f, 2.0f);
  def.mass = draw_number(p, 10.0f, 100.0f);
  def.flat = draw_chance(p, 2);
  def.tear_ratio = draw_tear_ratio(p);
  const cloud drawn = draw_cloud(p);
  if (drawn.count >= WEFT_RAGDOLL_PART_COUNT) def.joints = drawn.positions;
  ADD(p, weft_scene_add_ragdoll, &def);
  const float radius = weft_ragdoll_get_head_radius(or_null(p, &def));
  note(p, &radius, sizeof(radius));
}

static void add_tree(program* p) {
  weft_tree_def def = weft_default_tree_def();
  draw_plane(p, def.origin, def.across, def.up);
  def.depth = stream_below(&p->in, 4);
  def.branches = 2 + stream_below(&p->in, 2);
  def.length = draw_number(p, 0.2f, 2.0f);
  def.length_ratio = draw_number(p, 0.4f, 1.0f);
  def.spread = draw_number(p, 0.1f, 1.4f);
  def.irregularity = draw_number(p, 0.0f, 0.9f);
  def.seed = stream_byte(&p->in);
  def.flat = draw_chance(p, 2);
  def.mass = draw_number(p, 0.1f, 20.0f);
  def.bend_compliance = draw_number(p, 0.0f, 1e-3f);
  def.softening = draw_number(p, 1.0f, 10.0f);
  def.tear_ratio = draw_tear_ratio(p);
  ADD(p, weft_scene_add_tree, &def);
  uint32_t leaves[2] = {0, 0};
  READ(p, weft_tree_get_leaves, &def, &leaves[0], &leaves[1]);
  note(p, leaves, sizeof(leaves));
}

static void add_web(program* p) {
  weft_web_def def = weft_default_web_def();
  draw_plane(p, def.origin, def.across, def.up);
  def.radius = draw_number(p, 0.2f, 2.0f);
  def.radials = draw_count(p, 3, 8);
  def.rings = draw_count(p, 1, 4);
  def.spiral = draw_chance(p, 2);
  def.tension = draw_number(p, 0.0f, 0.2f);
  def.mass_per_metre = draw_number(p, 1e-3f, 0.1f);
  def.compliance = draw_number(p, 0.0f, 0.1f);
  def.tear_ratio = draw_tear_ratio(p);
  ADD(p, weft_scene_add_web, &def);
}

static void add_double_pendulum(program* p) {
  weft_double_pendulum_def def = weft_default_double_pendulum_def();
  draw_plane(p, def.origin, def.across, def.up);
  for (int k = 0; k < 2; ++k) {
    def.lengths[k] = draw_number(p, 0.1f, 1.0f);
    def.angles[k] = draw_number(p, -3.0f, 3.0f);
    def.masses[k] = draw_number(p, 0.1f, 10.0f);
  }
  def.compliance = draw_compliance(p);
  def.tear_ratio = draw_tear_ratio(p);
  ADD(p, weft_scene_add_double_pendulum, &def);
}

static void add_ball(program* p) {
  weft_ball_def def = weft_default_ball_def();
  draw_vector(p, def.origin, -1.0f, 1.0f);
  def.radius = draw_number(p, 0.1f, 1.0f);
  def.level = stream_below(&p->in, p->scale > 1 ? 4 : 2);
  def.mass = draw_number(p, 0.5f, 5.0f);
  def.stretch_stiffness = draw_number(p, 100.0f, 5000.0f);
  def.bend_stiffness = draw_chance(p, 2) ? draw_number(p, 0.0f, 1e-2f) : 0.0f;
  def.pressure = draw_chance(p, 2) ? draw_number(p, 0.0f, 50.0f) : 0.0f;
  def.tear_ratio = draw_tear_ratio(p);
  draw_contact(p, &def.thickness, &def.friction, &def.collision, &def.in_air);
  ADD(p, weft_scene_add_ball, &def);
}

static void add_cloth(program* p) {
  weft_cloth_def def = weft_default_cloth_def();
  draw_plane(p, def.origin, def.across, def.down);
  def.width = draw_number(p, 0.2f, 2.0f);
  def.height = draw_number(p, 0.2f, 2.0f);
  def.columns = draw_count(p, 2, 8);
  def.hooks = draw_chance(p, 2) ? draw_count(p, 1, 8) : 0;
  draw_contact(p, &def.thickness, &def.friction, &def.collision, &def.in_air);
  def.ripple = draw_number(p, 0.0f, 0.1f);
  def.seed = stream_byte(&p->in);
  def.tear_ratio = draw_tear_ratio(p);
  ADD(p, weft_scene_add_cloth, &def);
}

// ---- particles and links ----

static weft_link_def draw_link(program* p, uint32_t particle_count) {
  weft_link_def link = {.a = draw_index(p, particle_count),
                        .b = draw_index(p, particle_count),
                        .rest_length = draw_number(p, 0.05f, 1.0f),
                        .kind = (weft_link_kind)draw_index(p, WEFT_LINK_SUPPORT + 1),
                        .mode = (weft_link_mode)draw_index(p, WEFT_LINK_MODE_RANGE + 1)};
  draw_link_values(p, &link.relaxation, &link.compliance, &link.tear_ratio);
  if (link.compliance > 0.0f) link.spring_damping = draw_number(p, 0.0f, 1.0f);
  if (link.mode == WEFT_LINK_MODE_BOTH && link.compliance > 0.0f && link.relaxation >= 1.0f) {
    link.force_curve = draw_index(p, 3);
  }
  if (link.mode == WEFT_LINK_MODE_RANGE)
    link.max_length = link.rest_length + draw_number(p, 0.0f, 1.0f);
  return link;
}

static void add_particles(program* p) {
  const cloud drawn = draw_cloud(p);
  const float* positions = or_null(p, drawn.positions);
  const float* masses = or_null(p, drawn.inverse_masses);
  weft_body body;
  if (is_full(p)) return;
  CALL(p, weft_scene_add_particles, p->scene, positions, masses, drawn.count, &body);
  if (p->ok) {
    keep_body(p, body);
  }
}

static void reserve_particles(program* p) {
  const uint32_t count = draw_count(p, 0, 8);
  weft_body body = {0};
  if (is_full(p)) return;
  CALL(p, weft_scene_reserve_particles, p->scene, count, &body);
  if (p->ok) keep_body(p, body);
}

static void add_force_curve(program* p) {
  float strains[3] = {draw_number(p, -0.5f, 0.0f), 0.1f, 0.5f}, forces[3];
  for (int i = 0; i < 3; ++i) forces[i] = draw_number(p, -100.0f, 100.0f);
  const weft_force_curve_def def = {.strains = or_null(p, strains),
                                    .forces = or_null(p, forces),
                                    .count = 3,
                                    .is_monotone = draw_chance(p, 4)};
  uint32_t curve;
  CALL(p, weft_scene_add_force_curve, p->scene, &def, &curve);
}

// one by one, as a duplicate makes a whole call fail; only the last call adds several links
static void add_links(program* p) {
  weft_link_def links[MOST_LINKS];
  const uint32_t particles = weft_scene_particle_count(p->scene);
  const uint32_t count = 1 + stream_below(&p->in, MOST_LINKS - 1);
  if (particles == 0) return;
  if (draw_chance(p, 2)) add_force_curve(p);
  for (uint32_t i = 0; i < count; ++i) {
    links[i] = draw_link(p, particles);
    if (p->is_wild || links[i].a != links[i].b) {
      CALL(p, weft_scene_add_links, p->scene, &links[i], 1, NULL);
    }
    if (stream_is_empty(&p->in)) return;
  }
  const weft_link_def* all = or_null(p, links);
  CALL(p, weft_scene_add_links, p->scene, all, count, NULL);
}

static void add_composite(program* p) {
  const cloud drawn = draw_cloud(p);
  weft_link_def links[4];
  weft_composite_def def = weft_default_composite_def();
  draw_plane(p, def.origin, def.across, def.up);
  def.scale = draw_number(p, 0.5f, 2.0f);
  def.positions = or_null(p, drawn.positions);
  def.inverse_masses = or_null(p, drawn.inverse_masses);
  def.particle_count = drawn.count;
  def.links = links;
  for (def.link_count = 0; def.link_count < 4; ++def.link_count) {
    links[def.link_count] = draw_link(p, drawn.count);
    if (!p->is_wild && links[def.link_count].a == links[def.link_count].b) break;
  }
  ADD(p, weft_scene_add_composite, &def);
}

// ---- settings ----

static void pin_particles(program* p) {
  uint32_t numbers[4];
  const weft_selection particles =
      draw_list(p, weft_scene_particle_count(p->scene), numbers, 1 + stream_below(&p->in, 4));
  CALL(p, weft_scene_pin, p->scene, particles);
}

static void pin_body(program* p) {
  const weft_body body = draw_body(p);
  CALL(p, weft_scene_pin, p->scene, weft_range(body.first_particle, body.particle_count));
}

static void set_coarse(program* p) {
  const uint32_t particle = draw_index(p, weft_scene_particle_count(p->scene));
  const bool coarse = draw_chance(p, 4);
  CALL(p, weft_scene_set_coarse, p->scene, particle, coarse);
}

static void set_pressure(program* p) {
  const weft_body body = draw_body(p);
  const float pressure = draw_number(p, 0.0f, 50.0f);
  const weft_body* which = or_null(p, &body);
  CALL(p, weft_scene_set_pressure, p->scene, which, pressure);
}

static void read_scene(program* p) {
  float positions[3 * 8], masses[8];
  weft_link_def links[8];
  const uint32_t first = draw_index(p, weft_scene_particle_count(p->scene));
  const uint32_t count = stream_below(&p->in, 9);
  READ(p, weft_scene_get_particles, p->scene, first, count, positions, masses);
  if (p->ok) {
    note(p, positions, sizeof(float[3]) * count);
  }
  READ(p, weft_scene_get_links, p->scene, first, count, links);
  const float arm = draw_number(p, 0.1f, 1.0f);
  const float angle = draw_number(p, 0.1f, 3.0f);
  float length = 0.0f;
  READ(p, weft_length_at_angle, arm, 0.5f, angle, &length);
  note(p, &length, sizeof(length));
}

program_call* const scene_calls[] = {
    add_sheet,     add_sheet,         add_mesh,   add_mesh,      add_rope,      add_circle,
    add_box,       add_triangle,      add_tire,   add_ragdoll,   add_tree,      add_web,
    add_cloth,     add_cloth,         add_ball,   add_particles, add_links,     add_composite,
    pin_particles, pin_body,          set_coarse, set_pressure,  add_particles, add_double_pendulum,
    read_scene,    reserve_particles,
};
const uint32_t scene_call_count = sizeof(scene_calls) / sizeof(*scene_calls);
