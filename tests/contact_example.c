#include <stdio.h>
#include <weft/contact.h>

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_world_def def = weft_default_world_def();
  weft_body cloth;
  sheet.origin[0] = sheet.origin[2] = -0.775f;  // 32 x 32, 5 cm apart, level, a metre up
  sheet.origin[1] = 1.0f;
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  def.substeps = 4;
  def.faces = true;  // `exact` needs them
  weft_scene_create(&scene);
  weft_scene_add_sheet(scene, &sheet, &cloth);
  weft_world_create(&def, scene, &world);

  // how the cloth meets others: itself too, and nothing passes through it
  weft_contact contact = weft_default_contact();
  contact.shape = WEFT_CONTACT_CLOTH;
  contact.half_size[0] = 0.55f * sheet.spacing;
  contact.static_friction = contact.dynamic_friction = 0.3f;
  contact.exact = true;
  weft_world_set_contact(world, cloth.first_particle, cloth.particle_count, &contact);

  // what it meets
  weft_collider_def ball = weft_default_collider_def();
  uint32_t number;
  ball.radius = 0.5f;
  weft_world_add_collider(world, &ball, &number);

  // events are told where there is room for them
  weft_contact_limits limits = weft_default_contact_limits();
  limits.max_events = 4096;
  weft_world_set_contact_limits(world, &limits);

  weft_contact_event event;
  uint32_t count = 0;
  while (count == 0) {
    weft_world_step(world, 1);
    weft_world_take_contacts(world, 1, &event, &count);
  }
  printf("particle %u touches first, in step %d\n", (unsigned)event.particle, (int)event.step);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
