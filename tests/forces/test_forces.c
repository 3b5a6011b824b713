/* Forces of wind and pressure on particles, against reference sums. */

#include "support/balls.h"
#include "support/external_forces.h"
#include "support/test.h"

typedef struct vector {
  double x, y, z;
} vector;

static vector minus(vector a, vector b) {
  return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vector plus(vector a, vector b) {
  return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vector scaled(double s, vector a) {
  return (vector){s * a.x, s * a.y, s * a.z};
}

static vector cross(vector a, vector b) {
  return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector at(const float* values, uint32_t i) {
  return (vector){(double)values[3 * i], (double)values[3 * i + 1], (double)values[3 * i + 2]};
}

// world with all that its public functions return
typedef struct sight {
  const weft_world* world;
  uint32_t particles, faces, original_faces;
  float *positions, *velocities;
  uint32_t *triangles, *original;
} sight;

static sight look(const weft_world* world, const weft_world* original) {
  sight s = {.world = world, .particles = particle_count_of(world)};
  expect_ok(weft_world_get_faces(world, 0, NULL, &s.faces));
  expect_ok(weft_world_get_faces(original, 0, NULL, &s.original_faces));
  s.positions = test_alloc(sizeof(float[3]) * s.particles);
  s.velocities = test_alloc(sizeof(float[3]) * s.particles);
  s.triangles = test_alloc(sizeof(uint32_t[3]) * (s.faces + 1));
  s.original = test_alloc(sizeof(uint32_t[3]) * (s.original_faces + 1));
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, s.particles, s.positions);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, s.particles, s.velocities);
  expect_ok(weft_world_get_faces(world, s.faces, s.triangles, &s.faces));
  expect_ok(weft_world_get_faces(original, s.original_faces, s.original, &s.original_faces));
  return s;
}

static double inverse_mass(const sight* s, uint32_t particle) {
  const weft__stepper* stepper = &s->world->stepper;
  return (double)stepper->particles.inv_mass[stepper->schedule.solver_of[particle]];
}

// third of a particle's faces, along their normals, and the sum of their sizes
typedef struct share_of_faces {
  vector area;
  double size;
} share_of_faces;

static share_of_faces* sum_areas(const sight* s) {
  share_of_faces* sums = test_alloc(s->particles * sizeof(*sums));
  for (uint32_t f = 0; f < s->faces; ++f) {
    const uint32_t* corner = s->triangles + (size_t)3 * f;
    const vector a = at(s->positions, corner[0]);
    const vector area = scaled(1.0 / 6.0, cross(minus(at(s->positions, corner[1]), a),
                                                minus(at(s->positions, corner[2]), a)));
    for (int k = 0; k < 3; ++k) {
      sums[corner[k]].area = plus(sums[corner[k]].area, area);
      sums[corner[k]].size += sqrt(dot(area, area));
    }
  }
  return sums;
}

// force on a particle, and the magnitude of the terms that cancel in it
typedef struct particle_push {
  vector push;
  double size;
} particle_push;

// drag in a steady wind
static particle_push drag_of(const sight* s, const weft_wind_def* wind, double step, uint32_t i,
                             const share_of_faces* share) {
  const double area = sqrt(dot(share->area, share->area));
  if (area == 0.0 || inverse_mass(s, i) == 0.0) return (particle_push){0};
  const vector meeting = minus(at(wind->velocity, 0), at(s->velocities, i));
  const double speed = dot(meeting, share->area) / area;
  const double fastest = sqrt(dot(meeting, meeting));
  const double upper = 1.0 / (step * inverse_mass(s, i));
  const double c = 0.5 * (double)wind->density * (double)wind->drag;
  const double slow = (double)wind->unsteady_speed;
  return (particle_push){
      scaled(fmin(c * area * (fabs(speed) + slow), upper) * speed / area, share->area),
      4.0 * fmin(c * share->size * (fastest + slow), upper) * fastest * share->size / area};
}

typedef struct oracle {
  vector* force;     /* [particles] */
  double* magnitude; /* sum of the magnitudes added [particles] */
} oracle;

static void add(oracle* o, uint32_t particle, particle_push p) {
  o->force[particle] = plus(o->force[particle], p.push);
  o->magnitude[particle] += p.size;
}

static void compare_forces(const sight* s, const oracle* o) {
  const weft__particles* p = &s->world->stepper.particles;
  for (uint32_t user = 0; user < s->particles; ++user) {
    const uint32_t i = s->world->stepper.schedule.solver_of[user];
    const vector found = {(double)p->force_x[i], (double)p->force_y[i], (double)p->force_z[i]};
    const vector error = minus(found, o->force[user]);
    require(sqrt(dot(error, error)) <= 1e-5 * o->magnitude[user]);
  }
}

static weft_wind_def random_wind(random_source* random) {
  weft_wind_def wind = weft_default_wind_def();
  for (int axis = 0; axis < 3; ++axis) wind.velocity[axis] = random_float(random, -20.0f, 20.0f);
  wind.drag = random_float(random, 0.0f, 2.0f);
  wind.unsteady_speed = random_float(random, 0.0f, 2.0f);
  return wind;
}

static void throw_about(weft_world* world, random_source* random) {
  const uint32_t count = particle_count_of(world);
  for (uint32_t i = 0; i < count; ++i) {
    float position[3];
    float velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, position);
    for (int axis = 0; axis < 3; ++axis) {
      position[axis] += random_float(random, -0.02f, 0.02f);
      velocity[axis] = random_float(random, -10.0f, 10.0f);
    }
    place_particle(world, i, position, velocity);
  }
}

// cloth with and without material, a ball in it and one behind it
typedef struct windy_scene {
  weft_scene* scene;
  weft_body sheet;
  weft_body balls[2];
  uint32_t first_face[2]; /* first faces of the balls */
  uint32_t face_count[2];
} windy_scene;

static windy_scene new_windy_scene(random_source* random, float tear_ratio) {
  windy_scene w = {.scene = new_scene()};
  const float centers[2][3] = {{3.0f, 0.0f, 0.0f}, {6.0f, 1.0f, 0.0f}};
  weft_sheet_def sheet = sheet_def(.tear_ratio = tear_ratio);
  sheet.columns = random_from(random, 2, 40);
  sheet.rows = random_from(random, 2, 40);
  expect_ok(weft_scene_add_sheet(w.scene, &sheet, &w.sheet));
  uint32_t faces = 2 * (sheet.columns - 1) * (sheet.rows - 1);
  for (int b = 0; b < 2; ++b) {
    ball made = new_ball(random_from(random, 2, 12), 0.5f, centers[b]);
    weft_mesh_def def = mesh_of_ball(&made);
    def.tear_ratio = tear_ratio;
    expect_ok(weft_scene_add_mesh(w.scene, &def, &w.balls[b]));
    w.first_face[b] = faces;
    w.face_count[b] = made.triangle_count;
    faces += made.triangle_count;
  }
  (void)add_random_mesh(w.scene, random, random_from(random, 2, 20));
  (void)add_cloud(w.scene, random, 9, 1.0f);
  for (int i = 0; i < 20; ++i) {
    expect_ok(weft_scene_pin(
        w.scene, weft_range(random_below(random, weft_scene_particle_count(w.scene)), 1)));
  }
  return w;
}

static weft_world* new_windy_world(const windy_scene* w, uint32_t substeps) {
  return new_plain_world(w->scene, .substeps = substeps);
}

static double volume_of(const sight* s, const windy_scene* w, int number) {
  return volume_of_faces(s->positions, s->original + (size_t)3 * w->first_face[number],
                         w->face_count[number]);
}

// evaluates the forces of a world in its sight, and compares them
static void compare(weft_world* world, const sight* seen, oracle* o) {
  weft__external_forces_prepare(&world->stepper.forces, &world->stepper.schedule,
                                &world->stepper.contacts.materials);
  begin_external_forces(world);
  const weft__pressures* pressures = &world->stepper.forces.pressures;
  // the first of two balls with gas is torn
  for (uint32_t i = 0; i < pressures->count; ++i) {
    ck_assert(pressures->pressures[i].has_leaked == (i + 1 < pressures->count));
  }
  compare_forces(seen, o);
}

// Tears links, and switches one off for a step.
static void tear_some(weft_world* world, const windy_scene* w, random_source* random) {
  for (int k = 0; k < 5; ++k) {
    const uint32_t link = w->sheet.first_link + random_below(random, w->sheet.link_count);
    expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, link, 1, &(bool){true}, 0);
  }
  const uint32_t link = w->sheet.first_link + random_below(random, w->sheet.link_count);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, link, 1, &(bool){false}, 0);
  weft_world_step(world, 1);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, link, 1, &(bool){true}, 0);
}

RANDOM_TEST(what_air_and_gas_do_is_what_a_sum_over_all_faces_says, ROUNDS(30, 6)) {
  const float pressure = random_float(&random, 1.0f, 200.0f);
  windy_scene w = new_windy_scene(&random, 0.0f);
  const uint32_t substeps = random_from(&random, 1, 4);
  weft_world* original = new_windy_world(&w, substeps);
  const sight before = look(original, original);
  expect_ok(weft_scene_set_pressure(w.scene, &w.balls[1], pressure));
  weft_world* world = new_windy_world(&w, substeps);
  const weft_wind_def wind = random_wind(&random);
  const bool blows = _i % 3 > 0;
  if (blows) expect_ok(weft_world_set_wind(world, &wind));
  if (_i % 2 > 0) tear_some(world, &w, &random);
  throw_about(world, &random);

  const sight s = look(world, original);
  oracle o = {test_alloc(s.particles * sizeof(vector)), test_alloc(s.particles * sizeof(double))};
  const double now = (double)pressure * volume_of(&before, &w, 1) / volume_of(&s, &w, 1);
  const share_of_faces* shares = sum_areas(&s);
  const uint32_t gas_end = w.balls[1].first_particle + w.balls[1].particle_count;
  for (uint32_t i = 0; i < s.particles; ++i) {
    if (blows) add(&o, i, drag_of(&s, &wind, 16666667e-9, i, &shares[i]));
    if (i < w.balls[1].first_particle || i >= gas_end) continue;
    add(&o, i, (particle_push){scaled(now, shares[i].area), now * shares[i].size});
  }
  compare(world, &s, &o);
}

TEST(wind_does_not_push_cloth_whose_links_are_gone) {
  weft_scene* scene = new_scene();
  const float center[3] = {0};
  ball made = new_ball(4, 0.5f, center);
  weft_mesh_def def = mesh_of_ball(&made);
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &def, &body));
  weft_world* world = new_plain_world(scene, .substeps = 1);
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 0, body.link_count, &(bool){true}, WEFT_SAME);
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = 5.0f;
  // the tables of the surface begin with all links gone
  expect_ok(weft_world_set_wind(world, &wind));
  weft__external_forces_prepare(&world->stepper.forces, &world->stepper.schedule,
                                &world->stepper.contacts.materials);
  begin_external_forces(world);
  for (uint32_t i = 0; i < body.particle_count; ++i)
    ck_assert_float_eq(world->stepper.particles.force_x[i], 0.0f);
}
