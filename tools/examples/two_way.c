/* A box, a rigid body of this program, drops on a trampoline: it takes the impulses of the cloth on
 * its collider, which follows it. At rest the cloth bears its weight, to 1 %. */
#include <math.h>
#include <string.h>

#include "examples/example.h"

#define SIDE 33u
#define COUNT (SIDE * SIDE)
#define STEP 0.004f
#define DRAG 2.0f /* 1/s, so that the box comes to rest */

/* A cube: mass in kg, moment of inertia about any axis in kg m^2, unit quaternion x y z w. */
typedef struct rigid_box {
  float mass, inertia;
  float position[3], rotation[4], velocity[3], spin[3];
} rigid_box;

static void move_box(rigid_box* box, const weft_collider_load* load) {
  for (int axis = 0; axis < 3; ++axis) {
    box->velocity[axis] += load->impulse[axis] / box->mass - (axis == 1 ? 9.81f * STEP : 0.0f);
    box->spin[axis] += load->angular_impulse[axis] / box->inertia;
    box->velocity[axis] *= 1.0f - DRAG * STEP;
    box->spin[axis] *= 1.0f - DRAG * STEP;
    box->position[axis] += box->velocity[axis] * STEP;
  }
  // q' = q + h / 2 * spin q, normalised
  const float half = 0.5f * STEP;
  const float x = half * box->spin[0], y = half * box->spin[1], z = half * box->spin[2];
  const float* q = box->rotation;
  const float turned[4] = {
      q[0] + x * q[3] + y * q[2] - z * q[1], q[1] + y * q[3] + z * q[0] - x * q[2],
      q[2] + z * q[3] + x * q[1] - y * q[0], q[3] - x * q[0] - y * q[1] - z * q[2]};
  const float length = sqrtf(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] +
                             turned[3] * turned[3]);
  for (int k = 0; k < 4; ++k) box->rotation[k] = turned[k] / length;
}

/* An elastic sheet of 1 m x 1 m about the origin, pinned at its border. */
static weft_world* new_trampoline(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  const weft_material_def rubber = weft_default_material_def();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = SIDE;
  sheet.spacing = 1.0f / (SIDE - 1);
  sheet.origin[0] = sheet.origin[2] = -0.5f;
  memcpy(sheet.down, (float[3]){0.0f, 0.0f, 1.0f}, sizeof(sheet.down));
  sheet.material = &rubber;
  weft_world_def def = weft_default_world_def();
  def.loads = true;
  def.damping = 3.0f;
  def.step_ns = 4000000;
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  for (uint32_t i = 0; i < COUNT; ++i) {
    const bool is_inside = i >= SIDE && i < COUNT - SIDE && i % SIDE > 0 && i % SIDE < SIDE - 1;
    if (!is_inside) check(weft_scene_pin(scene, weft_range(i, 1)));
  }
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.half_size[0] = 0.005f;
  shape.surface.static_friction = shape.surface.dynamic_friction = 0.5f;
  check(weft_world_set_particle_shape(world, weft_range(0, COUNT), &shape));
  return world;
}

enum { ALL_STEPS = 4000, MEAN_STEPS = 1000 };

int main(void) {
  rigid_box box = {.mass = 2.0f, .inertia = 2.0f * 0.3f * 0.3f / 6.0f, .position[1] = 0.5f};
  memcpy(box.rotation, (float[4]){0.1f, 0.0f, 0.05f, 0.9937f}, sizeof(box.rotation));
  weft_collider_def def = weft_default_collider_def();
  def.shape = WEFT_COLLIDER_SHAPE_BOX;
  for (int axis = 0; axis < 3; ++axis) def.half_size[axis] = 0.15f;
  memcpy(def.position, box.position, sizeof(def.position));
  memcpy(def.rotation, box.rotation, sizeof(def.rotation));
  weft_world* world = new_trampoline();
  weft_collider collider;
  weft_collider_load load = {0};
  static float reactions[COUNT][3];
  check(weft_world_add_collider(world, &def, &collider));
  // the box sways: means over the last four seconds
  double on_pins = 0.0, on_box = 0.0;
  for (uint32_t step = 0; step < ALL_STEPS; ++step) {
    move_box(&box, &load);
    check(weft_world_move_collider(world, collider, box.position, box.rotation));
    weft_world_step(world, 1);
    check(weft_world_get_collider_loads(world, &collider, 1, &load));
    if (step < ALL_STEPS - MEAN_STEPS) continue;
    check(weft_world_get(world, WEFT_ATTRIBUTE_REACTION, weft_range(0, COUNT), reactions[0], 0));
    on_box += (double)load.impulse[1] / (double)STEP / MEAN_STEPS;
    for (uint32_t i = 0; i < COUNT; ++i) on_pins -= (double)reactions[i][1] / MEAN_STEPS;
  }
  weft_measures cloth;
  check(weft_world_measure(world, &cloth));
  const double weight = 2.0 * 9.81, all = weight + cloth.mass * 9.81;
  printf("box at %.3f m, borne by %.2f N of %.2f N; pins bear %.2f N of %.2f N\n",
         (double)box.position[1], on_box, weight, on_pins, all);
  weft_world_destroy(&world);
  return fabs(on_box - weight) + fabs(on_pins - all) < 0.01 * weight ? 0 : EXIT_FAILURE;
}
