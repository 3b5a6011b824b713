/* A bouncy castle: its floor heaves under children, who are ragdolls, and under a balloon full of
 * gas, which hangs on a hook, is let go, pumped up, and pricked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { SIDE = 13, POINTS = SIDE * SIDE, CHILDREN = 3, SECOND = 60 };

typedef struct castle {
  weft_world* world;
  weft_body balloon;
  weft_collider floor;
  weft_joint hook;
  double time;
} castle;

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

/* The floor, 4 m x 4 m, at a time: two waves, the border at rest. */
static void heave(double time, float points[POINTS][3]) {
  for (int i = 0; i < POINTS; ++i) {
    const double x = (i % SIDE) / (SIDE - 1.0), z = (i / SIDE) / (SIDE - 1.0);
    const double inside = 16.0 * x * (1.0 - x) * z * (1.0 - z);
    points[i][0] = (float)(4.0 * x - 2.0);
    points[i][1] = (float)(0.2 * inside * sin(6.0 * time + 4.0 * x) * sin(5.0 * time + 3.0 * z));
    points[i][2] = (float)(4.0 * z - 2.0);
  }
}

static weft_collider add_floor(weft_world* world) {
  float points[POINTS][3];
  uint32_t triangles[2 * POINTS][3], count = 0;
  weft_collider_def floor = weft_default_collider_def();
  weft_collider made;
  heave(0.0, points);
  for (uint32_t i = 0; i < POINTS - SIDE; ++i) {
    if (i % SIDE == SIDE - 1) continue;
    const uint32_t corners[6] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
    for (int k = 0; k < 6; ++k) triangles[count + (uint32_t)k / 3][k % 3] = corners[k];
    count += 2;
  }
  floor.shape = WEFT_COLLIDER_SHAPE_MESH;
  floor.deforms = true;
  floor.points = points[0];
  floor.point_count = POINTS;
  floor.triangles = triangles[0];
  floor.triangle_count = count;
  floor.surface.static_friction = floor.surface.dynamic_friction = 0.6f;
  check(weft_world_add_collider(world, &floor, &made));
  return made;
}

static void add_children(weft_scene* scene) {
  weft_particle_shape_def flesh = weft_default_particle_shape_def();
  flesh.shape = WEFT_PARTICLE_SHAPE_SPHERE;
  flesh.half_size[0] = 0.05f;
  flesh.category = 2;
  flesh.mask = ~2u;  // not with the child's other parts
  for (int i = 0; i < CHILDREN; ++i) {
    weft_ragdoll_def child = weft_default_ragdoll_def();
    weft_body body;
    child.height = 1.1f;
    child.mass = 20.0f;
    child.flat = false;
    child.origin[0] = (float)i - 1.0f;
    child.origin[1] = 0.5f;
    check(weft_scene_add_ragdoll(scene, &child, &body));
    check(weft_scene_set_particle_shape(scene, weft_range(body.first_particle, body.particle_count),
                                        &flesh));
  }
}

/* The particle of the balloon that is highest. */
static uint32_t top_of(const weft_scene* scene, const weft_body* balloon) {
  uint32_t top = balloon->first_particle;
  float highest = -INFINITY;
  for (uint32_t i = 0; i < balloon->particle_count; ++i) {
    float place[3];
    check(weft_scene_get_particles(scene, balloon->first_particle + i, 1, place, NULL));
    if (place[1] <= highest) continue;
    highest = place[1];
    top = balloon->first_particle + i;
  }
  return top;
}

static castle new_castle(void) {
  castle made = {.time = 0.0};
  weft_scene* scene = NULL;
  const weft_world_def def = weft_default_world_def();
  const float hook[3] = {0.0f, 3.0f, 0.0f}, pinned = 0.0f;
  weft_body nail;
  weft_ball_def balloon = weft_default_ball_def();
  balloon.origin[1] = 2.0f;
  balloon.level = 3;
  balloon.mass = 4.0f;
  balloon.pressure = 400.0f;
  check(weft_scene_create(&scene));
  check(weft_scene_add_ball(scene, &balloon, &made.balloon));
  check(weft_scene_add_particles(scene, hook, &pinned, 1, &nail));
  add_children(scene);
  check(weft_world_create(&def, scene, &made.world));
  weft_joint_def string = weft_default_joint_def();
  string.particle = top_of(scene, &made.balloon);
  string.to[0] = nail.first_particle;
  string.rest_length = 0.5f;
  string.mode = WEFT_LINK_MODE_STRETCH;
  check(weft_world_add_joint(made.world, &string, &made.hook));
  weft_scene_destroy(&scene);
  made.floor = add_floor(made.world);
  return made;
}

/* Plays for a second; prints and returns the balloon's height over its width. */
static double play(castle* c, const char* what) {
  static float places[1024][3];
  float points[POINTS][3], lower[3], upper[3], pressure = 0.0f;
  const weft_selection balloon = weft_range(c->balloon.first_particle, c->balloon.particle_count);
  for (int step = 0; step < SECOND; ++step) {
    c->time += 1.0 / SECOND;
    heave(c->time, points);
    check(weft_world_move_collider_points(c->world, c->floor, POINTS, points[0], 0));
    weft_world_step(c->world, 1);
  }
  check(weft_world_get(c->world, WEFT_ATTRIBUTE_POSITION, balloon, places, 0));
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = upper[axis] = places[0][axis];
    for (uint32_t i = 1; i < balloon.count; ++i) {
      lower[axis] = fminf(lower[axis], places[i][axis]);
      upper[axis] = fmaxf(upper[axis], places[i][axis]);
    }
  }
  check(weft_world_get_pressure(c->world, balloon.first, &pressure));
  printf("%s: the balloon is at %.2f m, %.2f m high, %.2f m wide, %.0f Pa\n", what,
         (double)lower[1], (double)(upper[1] - lower[1]), (double)(upper[0] - lower[0]),
         (double)pressure);
  return (double)((upper[1] - lower[1]) / (upper[0] - lower[0]));
}

int main(void) {
  castle c = new_castle();
  const uint32_t any = c.balloon.first_particle;
  (void)play(&c, "on the hook");
  check(weft_world_remove_joint(c.world, c.hook));
  (void)play(&c, "let go");
  check(weft_world_set_pressure(c.world, any, 1000.0f));
  const double full = play(&c, "pumped up");
  check(weft_world_set_pressure(c.world, any, 5.0f));
  (void)play(&c, "let out");
  float skin[3];
  uint32_t torn = 0;
  check(weft_world_get(c.world, WEFT_ATTRIBUTE_POSITION, weft_range(any, 1), skin, 0));
  check(weft_world_tear_near(c.world, skin, skin, 0.01f, &torn));
  (void)play(&c, "pricked");
  const double flat = play(&c, "a second later");
  weft_world_destroy(&c.world);
  return torn > 0 && full > 0.8 && flat < 0.7 * full ? EXIT_SUCCESS : EXIT_FAILURE;
}
