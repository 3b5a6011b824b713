#include "base/sort.h"
#include "world/world.h"

static weft_result find(const weft_world* world, uint32_t particle, weft__body_data** body) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(particle >= world->stepper.particles.count, WEFT_ERROR_INDEX, "particle");
  const uint32_t last = weft__find_last_of(&world->bodies->first_particle, sizeof(*world->bodies),
                                           (uint32_t)world->body_count, particle);
  *body = &world->bodies[last];
  return weft__ok();
}

weft_result weft_world_set_body_user_data(weft_world* world, uint32_t particle, void* user_data) {
  weft__body_data* body = NULL;
  WEFT__TRY(find(world, particle, &body));
  body->user_data = user_data;
  return weft__ok();
}

weft_result weft_world_get_body_user_data(const weft_world* world, uint32_t particle,
                                          void** user_data) {
  weft__body_data* body = NULL;
  WEFT__FAIL_IF(user_data == NULL, WEFT_ERROR_NULL, "user_data");
  WEFT__TRY(find(world, particle, &body));
  *user_data = body->user_data;
  return weft__ok();
}
