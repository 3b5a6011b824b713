/* The shapes of ready-made bodies, against closed forms. */
#include "support/bodies.h"
#include "support/snapshot.h"
#include "support/test.h"

#define PI 3.14159265358979323846

// ---- quantities of a scene ----

static double distance(const scene_snapshot* s, uint32_t a, uint32_t b) {
  double squared = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double d =
        (double)s->positions[3 * (size_t)b + axis] - s->positions[3 * (size_t)a + axis];
    squared += d * d;
  }
  return sqrt(squared);
}

static double free_mass(const scene_snapshot* s) {
  double mass = 0.0;
  for (uint32_t i = 0; i < s->particle_count; ++i) {
    if (s->inverse_masses[i] > 0.0f) mass += 1.0 / (double)s->inverse_masses[i];
  }
  return mass;
}

static bool near(double value, double expected) {
  return fabs(value - expected) <= 4e-7 + 2e-6 * fabs(expected);
}

static uint32_t count_kind(const scene_snapshot* s, weft_link_kind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->link_count; ++i) count += s->links[i].kind == kind ? 1 : 0;
  return count;
}

// true if no link exerts a force at the start positions
static bool is_at_rest(const scene_snapshot* s) {
  for (uint32_t i = 0; i < s->link_count; ++i) {
    const weft_link_def* link = &s->links[i];
    const double length = distance(s, link->a, link->b);
    const double slack = 2e-6 * fmax(link->rest_length, 0.1);
    const double upper = link->mode == WEFT_LINK_MODE_RANGE ? link->max_length : link->rest_length;
    if (link->mode != WEFT_LINK_MODE_STRETCH && length < link->rest_length - slack) return false;
    if (link->mode != WEFT_LINK_MODE_COMPRESS && length > upper + slack) return false;
  }
  return true;
}

static scene_snapshot snapshot_of(body_kind kind, const any_body_def* def, weft_body* body) {
  weft_scene* scene = new_sheet_scene(2, 3, STRUCTURAL);
  *body = add_good_body(scene, kind, def);
  ck_assert_uint_eq(body->first_particle, 6);
  ck_assert_uint_eq(body->first_link, 7);
  ck_assert_uint_eq(body->first_particle + body->particle_count, weft_scene_particle_count(scene));
  ck_assert_uint_eq(body->first_link + body->link_count, weft_scene_link_count(scene));
  scene = new_scene();
  expect_ok(add_body(scene, kind, def, NULL));
  scene_snapshot snapshot = take_snapshot(scene);
  ck_assert_uint_eq(snapshot.particle_count, body->particle_count);
  ck_assert_uint_eq(snapshot.link_count, body->link_count);
  return snapshot;
}

// random plane of a def: two unit vectors at right angles
static void draw_plane(random_source* random, weft_circle_def* def) {
  double x[3];
  double y[3];
  double xx = 0.0;
  double xy = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    def->origin[axis] = random_float(random, -2.0f, 2.0f);
    x[axis] = (double)random_float(random, -1.0f, 1.0f) + (axis == 0 ? 2.0 : 0.0);
    y[axis] = (double)random_float(random, -1.0f, 1.0f) + (axis == 1 ? 2.0 : 0.0);
    xx += x[axis] * x[axis];
  }
  for (int axis = 0; axis < 3; ++axis) xy += x[axis] * y[axis] / xx;
  double yy = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    y[axis] -= xy * x[axis];
    yy += y[axis] * y[axis];
  }
  for (int axis = 0; axis < 3; ++axis) {
    def->across[axis] = (float)(x[axis] / sqrt(xx));
    def->up[axis] = (float)(y[axis] / sqrt(yy));
  }
}

// ---- all kinds ----

RANDOM_TEST(bodies_are_at_rest_where_they_stand_wherever_that_is, 10 * BODY_KINDS) {
  const body_kind kind = (body_kind)(_i % BODY_KINDS);
  any_body_def def = default_body_def(kind);
  if (kind != BODY_ROPE && kind != BODY_BALL) draw_plane(&random, &def.circle);
  if (kind == BODY_WEB) def.web.tension = 0.0f;
  if (kind == BODY_WEB) def.web.spiral = random_chance(&random, 2);
  if (kind == BODY_RAGDOLL) def.ragdoll.flat = random_chance(&random, 2);
  if (kind == BODY_TREE) def.tree.flat = random_chance(&random, 2);
  if (kind == BODY_BOX) def.box.columns = random_from(&random, 2, 7);
  if (kind == BODY_BOX) def.box.rows = random_from(&random, 2, 7);
  weft_body body;
  scene_snapshot s = snapshot_of(kind, &def, &body);
  ck_assert(is_at_rest(&s));
}

LOOP_TEST(flat_bodies_lie_in_their_plane_to_the_last_bit, 0, BODY_KINDS) {
  const body_kind kind = (body_kind)_i;
  if (kind == BODY_COMPOSITE || kind == BODY_BALL) return;
  any_body_def def = default_body_def(kind);
  weft_body body;
  scene_snapshot s = snapshot_of(kind, &def, &body);
  for (uint32_t i = 0; i < s.particle_count; ++i) require(s.positions[3 * (size_t)i + 2] == 0.0f);
}

TEST(pinning_a_body_pins_all_of_it_and_nothing_else) {
  weft_scene* scene = new_scene();
  any_body_def def = default_body_def(BODY_BOX);
  (void)add_good_body(scene, BODY_BOX, &def);
  const weft_body body = add_good_body(scene, BODY_BOX, &def);
  (void)add_good_body(scene, BODY_BOX, &def);
  expect_ok(weft_scene_pin(scene, weft_range(body.first_particle, body.particle_count)));
  scene_snapshot s = take_snapshot(scene);
  for (uint32_t i = 0; i < 12; ++i) {
    ck_assert((s.inverse_masses[i] == 0.0f) == (i >= 4 && i < 8));
  }
}

// ---- each kind ----

RANDOM_TEST(ropes_are_lines_of_equal_links, 40) {
  any_body_def def = default_body_def(BODY_ROPE);
  double way = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    def.rope.origin[axis] = random_float(&random, -1.0f, 1.0f);
    def.rope.end[axis] = random_float(&random, -1.0f, 1.0f);
    way += pow((double)def.rope.end[axis] - (double)def.rope.origin[axis], 2.0);
  }
  def.rope.segments = random_from(&random, 1, 40);
  def.rope.slack = random_float(&random, -0.5f, 1.0f);
  def.rope.compliance = 0.25f;
  def.rope.mode = random_chance(&random, 2) ? WEFT_LINK_MODE_BOTH : WEFT_LINK_MODE_STRETCH;
  const double length = sqrt(way) * (1.0 + (double)def.rope.slack);
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_ROPE, &def, &body);
  ck_assert_uint_eq(s.particle_count, def.rope.segments + 1);
  ck_assert_uint_eq(s.link_count, def.rope.segments);
  ck_assert(near(free_mass(&s), length * (double)def.rope.mass_per_metre));
  for (uint32_t i = 0; i < s.link_count; ++i) {
    require(s.links[i].a == i && s.links[i].b == i + 1 && s.links[i].mode == def.rope.mode);
    require(near(s.links[i].rest_length, length / def.rope.segments));
    require(near(s.links[i].compliance, 0.25 * length / def.rope.segments));
    require(near(distance(&s, i, i + 1), sqrt(way) / def.rope.segments));
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    require(near(s.positions[axis], def.rope.origin[axis]));
    require(near(s.positions[3 * (size_t)def.rope.segments + axis], def.rope.end[axis]));
  }
}

RANDOM_TEST(a_rope_goes_through_its_points_with_the_mass_of_its_length, 10) {
  any_body_def def = default_body_def(BODY_ROPE);
  float points[40][3];
  const uint32_t count = random_from(&random, 2, 40);
  for (uint32_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) points[i][axis] = random_float(&random, -1.0f, 1.0f);
  }
  def.rope.points = points[0];
  def.rope.point_count = count;
  def.rope.slack = random_float(&random, -0.5f, 1.0f);
  def.rope.compliance = 0.25f;
  def.rope.segments = 0;  // ignored, as both ends are
  def.rope.end[0] = NAN;
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_ROPE, &def, &body);
  ck_assert_uint_eq(s.particle_count, count);
  ck_assert_uint_eq(s.link_count, count - 1);
  double length = 0.0;
  for (uint32_t i = 0; i + 1 < count; ++i) {
    const double rest = distance(&s, i, i + 1) * (1.0 + (double)def.rope.slack);
    require(s.links[i].a == i && s.links[i].b == i + 1);
    require(near(s.links[i].rest_length, rest) && near(s.links[i].compliance, 0.25 * rest));
    length += rest;
  }
  ck_assert(near(free_mass(&s), length * (double)def.rope.mass_per_metre));
  for (uint32_t i = 0; i < count; ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      require(near(s.positions[3 * (size_t)i + axis], points[i][axis]));
    }
  }
}

LOOP_TEST(ropes_are_pinned_at_the_ends_that_are_named, 0, 4) {
  any_body_def def = default_body_def(BODY_ROPE);
  def.rope.pin_origin = _i % 2 == 1;
  def.rope.pin_end = _i / 2 == 1;
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_ROPE, &def, &body);
  for (uint32_t i = 0; i < s.particle_count; ++i) {
    const bool pinned =
        (i == 0 && def.rope.pin_origin) || (i + 1 == s.particle_count && def.rope.pin_end);
    require((s.inverse_masses[i] == 0.0f) == pinned);
  }
}

RANDOM_TEST(circles_and_tires_are_round_and_as_heavy_as_asked, 40) {
  const bool is_tire = _i % 2 == 1;
  const uint32_t count = random_from(&random, is_tire ? 5 : 3, 60);
  const bool hub = is_tire || random_chance(&random, 2);
  const double radius = (double)random_float(&random, 0.1f, 3.0f);
  any_body_def def = default_body_def(is_tire ? BODY_TIRE : BODY_CIRCLE);
  if (is_tire) def.tire.radius = (float)radius;
  if (is_tire) def.tire.count = count;
  if (!is_tire) def.circle.radius = (float)radius;
  if (!is_tire) def.circle.count = count;
  if (!is_tire) def.circle.hub = hub;
  weft_body body;
  scene_snapshot s = snapshot_of(is_tire ? BODY_TIRE : BODY_CIRCLE, &def, &body);
  ck_assert_uint_eq(s.particle_count, count + (hub ? 1 : 0));
  ck_assert_uint_eq(s.link_count, count * (is_tire ? 3 : hub ? 2 : 1));
  ck_assert(near(free_mass(&s), is_tire ? 5.0 : 1.0));
  for (uint32_t i = 0; i < count; ++i) {
    const double angle = 2.0 * PI * i / count;
    require(near(s.positions[3 * (size_t)i], radius * cos(angle)));
    require(near(s.positions[3 * (size_t)i + 1], radius * sin(angle)));
    require(near(s.links[i].rest_length, 2.0 * radius * sin(PI / count)));
    require(s.links[i].a == i && s.links[i].b == (i + 1) % count);
    if (hub) require(near(s.links[count + i].rest_length, radius));
    if (!is_tire) continue;
    const weft_link_def* support = &s.links[2 * count + i];
    require(support->kind == WEFT_LINK_SUPPORT && support->b == (i + 2) % count);
    require(near(support->rest_length, 2.0 * radius * sin(2.0 * PI / count)));
    require(s.links[i].compliance == def.tire.tread_compliance);
    require(support->compliance == def.tire.tread_compliance);
    require(s.links[count + i].compliance == def.tire.spoke_compliance);
  }
}

RANDOM_TEST(boxes_are_lattices_with_both_diagonals, 40) {
  any_body_def def = default_body_def(BODY_BOX);
  def.box.columns = random_from(&random, 2, 9);
  def.box.rows = random_from(&random, 2, 9);
  def.box.width = random_float(&random, 0.2f, 4.0f);
  def.box.height = random_float(&random, 0.2f, 4.0f);
  def.box.mass = 7.0f;
  const uint32_t c = def.box.columns;
  const uint32_t r = def.box.rows;
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_BOX, &def, &body);
  ck_assert_uint_eq(s.particle_count, c * r);
  ck_assert_uint_eq(count_kind(&s, WEFT_LINK_STRUCTURAL), (c - 1) * r + c * (r - 1));
  ck_assert_uint_eq(count_kind(&s, WEFT_LINK_SHEAR), 2 * (c - 1) * (r - 1));
  ck_assert(near(free_mass(&s), 7.0));
  ck_assert(near(distance(&s, 0, c - 1), def.box.width));
  ck_assert(near(distance(&s, 0, c * (r - 1)), def.box.height));
  ck_assert(near(s.positions[0], -0.5 * def.box.width));
  ck_assert(near(s.positions[1], -0.5 * def.box.height));
}

TEST(triangles_stand_on_their_base_around_their_centre_of_mass) {
  any_body_def def = default_body_def(BODY_TRIANGLE);
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_TRIANGLE, &def, &body);
  ck_assert_uint_eq(s.particle_count, 3);
  ck_assert(near(free_mass(&s), 1.0));
  for (uint32_t i = 0; i < 3; ++i) ck_assert(near(s.links[i].rest_length, 1.0));
  for (size_t axis = 0; axis < 2; ++axis) {
    const double sum = (double)s.positions[axis] + s.positions[3 + axis] + s.positions[6 + axis];
    ck_assert(fabs(sum) < 1e-6);
  }
  ck_assert(s.positions[7] > s.positions[1] && s.positions[1] == s.positions[4]);
}

TEST(composites_are_placed_turned_and_scaled) {
  any_body_def def = default_body_def(BODY_COMPOSITE);
  // rotation by 90 degrees about z, scale 2
  const float across[3] = {0.0f, 1.0f, 0.0f};
  const float up[3] = {-1.0f, 0.0f, 0.0f};
  memcpy(def.composite.across, across, sizeof(across));
  memcpy(def.composite.up, up, sizeof(up));
  def.composite.origin[2] = 10.0f;
  def.composite.scale = 2.0f;
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_COMPOSITE, &def, &body);
  const float expected[] = {0.0f,  0.0f, 10.0f, 0.0f, 2.0f, 10.0f,
                            -4.0f, 0.0f, 10.0f, 0.0f, 0.0f, 16.0f};
  for (size_t i = 0; i < 12; ++i) ck_assert(near(s.positions[i], expected[i]));
  for (uint32_t i = 0; i < 3; ++i) {
    weft_link_def link = def.composite.links[i];
    link.rest_length *= 2.0f;
    link.max_length *= 2.0f;
    ck_assert(same_link(&s.links[i], &link));
  }
  ck_assert_mem_eq(s.inverse_masses, def.composite.inverse_masses, 4 * sizeof(float));
}

RANDOM_TEST(trees_fork_as_often_as_asked_and_their_leaves_are_the_tips, 60) {
  any_body_def def = default_body_def(BODY_TREE);
  def.tree.depth = random_from(&random, 0, 4);
  def.tree.branches = random_from(&random, 2, 4);
  def.tree.flat = random_chance(&random, 2);
  def.tree.seed = (uint32_t)_i;
  uint32_t leaves = 1;
  uint32_t branches = 1;
  for (uint32_t d = 0; d < def.tree.depth; ++d) branches += leaves *= def.tree.branches;
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_TREE, &def, &body);
  ck_assert_uint_eq(s.particle_count, 1 + branches + (def.tree.flat ? 2 : 3));
  ck_assert_uint_eq(count_kind(&s, WEFT_LINK_STRUCTURAL), branches);
  ck_assert(near(free_mass(&s), def.tree.mass));
  bool* bears = test_alloc(s.particle_count * sizeof(*bears));
  for (uint32_t i = 0; i < branches; ++i) {
    require(s.links[i].kind == WEFT_LINK_STRUCTURAL && s.links[i].b == i + 1);
    require(s.links[i].a <= i);
    bears[s.links[i].a] = true;
  }
  uint32_t first;
  uint32_t count;
  expect_ok(weft_tree_get_leaves(&def.tree, &first, &count));
  ck_assert_uint_eq(count, leaves);
  for (uint32_t i = 0; i <= branches; ++i) {
    require(bears[i] == (i < first || i >= first + count));
    require((s.inverse_masses[i] == 0.0f) == (i == 0));
  }
}

RANDOM_TEST(webs_are_pinned_around_and_threads_are_shorter_than_drawn, 40) {
  any_body_def def = default_body_def(BODY_WEB);
  def.web.radials = random_from(&random, 3, 20);
  def.web.rings = random_from(&random, 1, 9);
  def.web.spiral = _i % 2 == 0;
  def.web.tension = 0.25f;
  const uint32_t crossings = def.web.radials * def.web.rings;
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_WEB, &def, &body);
  ck_assert_uint_eq(s.particle_count, 1 + crossings + def.web.radials);
  ck_assert_uint_eq(s.link_count,
                    crossings + def.web.radials + crossings - (def.web.spiral ? 1 : 0));
  for (uint32_t i = 0; i < s.particle_count; ++i) {
    require((s.inverse_masses[i] == 0.0f) == (i > crossings));
    if (i > crossings) require(near(distance(&s, 0, i), 1.0));
  }
  double half_masses = 0.0;
  for (uint32_t i = 0; i < s.link_count; ++i) {
    const weft_link_def* link = &s.links[i];
    require(link->mode == WEFT_LINK_MODE_STRETCH);
    require(near(link->rest_length, 0.75 * distance(&s, link->a, link->b)));
    half_masses += (link->b > crossings ? 1.0 : 2.0) * 0.5 * link->rest_length * 0.001;
  }
  ck_assert(near(free_mass(&s), half_masses));
}

RANDOM_TEST(double_pendulums_hang_at_their_angles, 40) {
  any_body_def def = default_body_def(BODY_DOUBLE_PENDULUM);
  double x = 0.0;
  double y = 0.0;
  for (size_t i = 0; i < 2; ++i) {
    def.double_pendulum.angles[i] = random_float(&random, -100.0f, 100.0f);
    def.double_pendulum.lengths[i] = random_float(&random, 0.1f, 2.0f);
    def.double_pendulum.masses[i] = random_float(&random, 0.1f, 2.0f);
  }
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_DOUBLE_PENDULUM, &def, &body);
  ck_assert(s.inverse_masses[0] == 0.0f);
  for (size_t i = 0; i < 2; ++i) {
    x += (double)def.double_pendulum.lengths[i] * sin((double)def.double_pendulum.angles[i]);
    y -= (double)def.double_pendulum.lengths[i] * cos((double)def.double_pendulum.angles[i]);
    ck_assert(fabs(s.positions[3 * (i + 1)] - x) < 1e-6);
    ck_assert(fabs(s.positions[3 * (i + 1) + 1] - y) < 1e-6);
    ck_assert(near(1.0 / s.inverse_masses[i + 1], def.double_pendulum.masses[i]));
    ck_assert(s.links[i].rest_length == def.double_pendulum.lengths[i]);
  }
}

LOOP_TEST(balls_are_closed_spheres_as_heavy_as_asked, 0, 6) {
  any_body_def def = default_body_def(BODY_BALL);
  def.ball.level = (uint32_t)_i;
  def.ball.radius = 2.0f;
  const uint32_t triangles = 20u << (2 * _i);
  weft_body body;
  scene_snapshot s = snapshot_of(BODY_BALL, &def, &body);
  ck_assert_uint_eq(s.particle_count, triangles / 2 + 2);
  ck_assert_uint_eq(s.link_count, triangles / 2 * 3);
  ck_assert(fabs(free_mass(&s) / 2.0 - 1.0) < 1e-5);
  double shortest = 1e9;
  double longest = 0.0;
  for (uint32_t i = 0; i < s.particle_count; ++i) {
    const float* p = s.positions + 3 * (size_t)i;
    require(near(sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])), 2.0));
  }
  for (uint32_t i = 0; i < s.link_count; ++i) {
    shortest = fmin(shortest, s.links[i].rest_length);
    longest = fmax(longest, s.links[i].rest_length);
  }
  ck_assert(longest < 1.25 * shortest);
}
