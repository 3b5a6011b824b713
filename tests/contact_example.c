#include <stdio.h>
#include <stdlib.h>
#include <weft/contact.h>

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  const weft_world_def def = weft_default_world_def();
  weft_body cloth;
  sheet.origin[0] = sheet.origin[2] = -0.775f;  // 32 x 32, 5 cm apart, level, a metre up
  sheet.origin[1] = 1.0f;
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, &cloth));
  check(weft_world_create(&def, scene, &world));

  // how the cloth meets others: itself too, and nothing passes through it
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  contact.half_size[0] = 0.55f * sheet.spacing;
  contact.surface.static_friction = contact.surface.dynamic_friction = 0.3f;
  contact.collision = WEFT_COLLISION_EXACT;
  check(weft_world_set_particle_shape(world, weft_range(cloth.first_particle, cloth.particle_count),
                                      &contact));

  // what it meets
  weft_collider_def ball = weft_default_collider_def();
  weft_collider collider;
  ball.radius = 0.5f;
  check(weft_world_add_collider(world, &ball, &collider));

  // events are told where there is room for them
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_events = 4096;
  check(weft_world_set_contact_limits(world, &limits));

  weft_contact_event event;
  uint32_t count = 0;
  while (count == 0) {
    weft_world_step(world, 1);
    check(weft_world_take_contact_events(world, 1, &event, &count));
  }
  printf("particle %u touches first, in step %d\n", (unsigned)event.particle, (int)event.step);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
