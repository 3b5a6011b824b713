/* The scenes of tests/python/test_bits.py in C.
 * usage: reference hashes          prints a name and a hash a line
 *        reference time SIDE N     steps N towels as often as each line of its input says, and
 *                                  answers with the nanoseconds of CPU time */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <weft/weft.h>

#define STEPS 40u

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

static weft_world* freeze(weft_scene** scene, const weft_world_def* def) {
  weft_world* world = NULL;
  check(weft_world_create(def, *scene, &world));
  weft_scene_destroy(scene);
  return world;
}

// a sheet of a material, pinned along its first row, on settings of AUTO
static weft_world* hang(void) {
  weft_scene* scene = NULL;
  weft_body body;
  check(weft_scene_create(&scene));
  weft_material_def material = weft_default_material_def();
  material.bend_stiffness = 1e-4f;
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = 33;
  sheet.rows = 35;
  sheet.material = &material;
  check(weft_scene_add_sheet(scene, &sheet, &body));
  check(weft_scene_pin(scene, weft_range(body.first_particle, sheet.columns)));
  weft_world_def def = weft_default_world_def();
  def.worker_count = 2;
  weft_world* world = freeze(&scene, &def);
  weft_world_step(world, STEPS);
  return world;
}

// cloth with thickness and CCD on a sphere that moves, with friction
static weft_world* drape(void) {
  weft_scene* scene = NULL;
  check(weft_scene_create(&scene));
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = 25;
  sheet.origin[0] = -0.6f;
  sheet.origin[1] = 0.52f;
  sheet.origin[2] = -0.6f;
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world_def def = weft_default_world_def();
  weft_world* world = freeze(&scene, &def);
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = 0.0275f;
  shape.surface.static_friction = shape.surface.dynamic_friction = 0.3f;
  shape.collision = WEFT_COLLISION_EXACT;
  check(weft_world_set_particle_shape(world, weft_range(0, 625), &shape));
  weft_collider_def ball = weft_default_collider_def();
  ball.radius = 0.4f;
  ball.surface.static_friction = 0.5f;
  ball.surface.dynamic_friction = 0.4f;
  weft_collider collider;
  check(weft_world_add_collider(world, &ball, &collider));
  for (uint32_t step = 0; step < STEPS; ++step) {
    const float place[3] = {0.005f * (float)step, 0.0f, 0.0f};
    check(weft_world_move_collider(world, collider, place, NULL));
    weft_world_step(world, 1);
  }
  return world;
}

// ragdolls that fall on a floor
static weft_world* ragdolls(void) {
  weft_scene* scene = NULL;
  check(weft_scene_create(&scene));
  for (uint32_t i = 0; i < 5; ++i) {
    weft_ragdoll_def def = weft_default_ragdoll_def();
    def.origin[0] = 2.0f * (float)i;
    def.origin[1] = 0.1f * (float)i;
    def.flat = false;
    check(weft_scene_add_ragdoll(scene, &def, NULL));
  }
  weft_world_def def = weft_default_world_def();
  def.solver.substeps = 4;
  def.worker_count = 2;
  weft_world* world = freeze(&scene, &def);
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = 0.0f;
  bounds.surface.static_friction = bounds.surface.dynamic_friction = 0.6f;
  bounds.surface.restitution = 0.2f;
  check(weft_world_set_bounds(world, &bounds));
  weft_world_step(world, STEPS);
  return world;
}

// a curtain in the wind that is pulled, cut and torn
static weft_world* curtain(void) {
  weft_scene* scene = NULL;
  check(weft_scene_create(&scene));
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.tear_ratio = 1.3f;
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  check(weft_scene_pin(scene, weft_range(0, 32)));
  weft_world_def def = weft_plain_world_def();
  weft_world* world = freeze(&scene, &def);
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 5.0f;
  wind.gust = 0.5f;
  check(weft_world_set_wind(world, &wind));
  const float triangle[9] = {-1.0f, -0.4f, -1.0f, 0.5f, -0.4f, 1.0f, 0.5f, -0.4f, -1.0f};
  check(weft_world_cut(world, triangle, NULL));
  const float corner[3] = {1.55f, -1.55f, 0.0f};
  weft_grip grip;
  check(weft_world_add_grip(world, corner, 0.1f, &grip));
  for (uint32_t step = 0; step < STEPS; ++step) {
    const float place[3] = {1.55f, -1.55f, 0.05f * (float)step};
    const float force[3] = {0.0f, 0.1f, 0.0f};
    check(weft_world_move_grip(world, grip, place));
    check(weft_world_add(world, WEFT_ATTRIBUTE_FORCE, weft_range(100, 200), force, WEFT_SAME));
    weft_world_step(world, 1);
  }
  return world;
}

// a rope of springs, with links and a force curve given one by one, and a joint
static weft_world* springs(void) {
  weft_scene* scene = NULL;
  check(weft_scene_create(&scene));
  const float strains[3] = {-1.0f, 0.0f, 1.0f};
  const float forces[3] = {-10.0f, 0.0f, 40.0f};
  const weft_force_curve_def curve = {.strains = strains, .forces = forces, .count = 3};
  uint32_t number;
  check(weft_scene_add_force_curve(scene, &curve, &number));
  float positions[20][3] = {{0}};
  float inverse_masses[20];
  weft_link_def links[19];
  for (uint32_t i = 0; i < 20; ++i) {
    positions[i][0] = 0.125f * (float)i;
    inverse_masses[i] = i == 0 ? 0.0f : 50.0f;
  }
  for (uint32_t i = 0; i < 19; ++i) {
    links[i] = weft_default_link_def();
    links[i].a = i;
    links[i].b = i + 1;
    links[i].rest_length = 0.125f;
    links[i].compliance = 0.01f;
    links[i].force_curve = number;
  }
  check(weft_scene_add_particles(scene, positions[0], inverse_masses, 20, NULL));
  check(weft_scene_add_links(scene, links, 19, NULL));
  weft_world_def def = weft_default_world_def();
  def.solver.springs = true;
  def.solver.integrator = WEFT_INTEGRATOR_VELOCITY_VERLET;
  def.gravity[1] = 0.0f;
  def.gravity[2] = -9.81f;
  weft_world* world = freeze(&scene, &def);
  weft_joint_def joint = weft_default_joint_def();
  joint.particle = 19;
  joint.to[0] = 5;
  joint.rest_length = 1.0f;
  weft_joint handle;
  check(weft_world_add_joint(world, &joint, &handle));
  weft_world_step(world, STEPS);
  return world;
}

// towels hung by two corners, each an environment
static weft_world* towels(uint32_t side, uint32_t count) {
  weft_scene* one = NULL;
  weft_scene* scene = NULL;
  check(weft_scene_create(&one));
  check(weft_scene_create(&scene));
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = side;
  sheet.spacing = 0.02f;
  check(weft_scene_add_sheet(one, &sheet, NULL));
  check(weft_scene_pin(one, weft_range(0, 1)));
  check(weft_scene_pin(one, weft_range(side - 1, 1)));
  for (uint32_t i = 0; i < count; ++i) {
    check(weft_scene_add_scene(scene, one, NULL, NULL, i, NULL));
  }
  weft_scene_destroy(&one);
  weft_world_def def = weft_default_world_def();
  def.solver.substeps = 4;
  weft_world* world = freeze(&scene, &def);
  const float gravity[6] = {0.0f, -1.6f, 0.0f, 1.0f, -9.0f, 0.0f};
  check(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY, weft_range(1, 2), gravity, 0));
  return world;
}

static void print_hash(const char* name, weft_world* world) {
  printf("%s %016" PRIx64 "\n", name, weft_world_hash(world));
  weft_world_destroy(&world);
}

static int64_t cpu_ns(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void time_steps(uint32_t side, uint32_t count) {
  weft_world* world = towels(side, count);
  unsigned steps;
  while (scanf("%u", &steps) == 1) {
    const int64_t begin = cpu_ns();
    for (unsigned step = 0; step < steps; ++step) weft_world_step(world, 1);
    printf("%" PRId64 "\n", cpu_ns() - begin);
    (void)fflush(stdout);
  }
  weft_world_destroy(&world);
}

int main(int argc, char** argv) {
  if (argc == 4 && strcmp(argv[1], "time") == 0) {
    time_steps((uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]));
    return 0;
  }
  print_hash("hang", hang());
  print_hash("drape", drape());
  print_hash("ragdolls", ragdolls());
  print_hash("curtain", curtain());
  print_hash("springs", springs());
  weft_world* world = towels(9, 50);
  weft_world_step(world, STEPS);
  print_hash("towels", world);
}
