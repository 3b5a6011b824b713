#include <stdio.h>
#include <stdlib.h>
#include <weft/query.h>

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_world_def def = weft_default_world_def();
  sheet.origin[0] = sheet.origin[2] = -0.775f;  // 32 x 32, 5 cm apart, level
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  check(weft_world_create(&def, scene, &world));
  weft_world_step(world, 1);
  check(weft_world_build_index(world));  // optional: makes the queries below fast

  // first element under the mouse
  weft_query_def query = weft_default_query_def();
  weft_query_hit hit;
  uint32_t found = 0;
  query.kind = WEFT_QUERY_RAY;
  query.point[0] = 0.1f;  // the eye, 2 m above
  query.point[1] = 2.0f;
  query.to[1] = -1.0f;  // the direction: down
  query.links = false;
  check(weft_world_query(world, &query, 1, &hit, &found));
  if (found > 0 && hit.kind == WEFT_ELEMENT_FACE) {
    printf("face %u is %.1f m away\n", (unsigned)hit.index, (double)hit.distance);
  }

  // elements within 20 cm of the hit
  weft_query_hit near[100];
  uint32_t count = 0;  // all of them; `near` has the first 100
  query.kind = WEFT_QUERY_SPHERE;
  for (int axis = 0; axis < 3; ++axis) query.point[axis] = hit.point[axis];
  query.radius = 0.2f;
  check(weft_world_query(world, &query, 100, near, &count));
  printf("%u particles and faces are near\n", (unsigned)count);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
