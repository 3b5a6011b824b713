#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { RINGS = 9, COLUMNS = 65, FRAMES = 120 };

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_cloth_def cloth = weft_default_cloth_def();
  cloth.width = 2.0f;
  cloth.height = 1.5f;
  cloth.columns = COLUMNS;
  cloth.hooks = RINGS;
  weft_world_def def = weft_default_world_def();
  check(weft_scene_create(&scene));
  check(weft_scene_add_cloth(scene, &cloth, NULL));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);

  // rings slide to half of the width in two seconds
  uint32_t rings[RINGS];
  float targets[RINGS][3] = {{0}};
  for (uint32_t r = 0; r < RINGS; ++r) rings[r] = r * (COLUMNS - 1) / (RINGS - 1);
  for (int frame = 1; frame <= FRAMES; ++frame) {
    const float share = 1.0f - 0.5f * (float)frame / FRAMES;
    for (uint32_t r = 0; r < RINGS; ++r)
      targets[r][0] = share * cloth.width * (float)r / (RINGS - 1);
    check(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_list(rings, RINGS), targets, 0));
    weft_world_step(world, 1);
  }
  weft_world_step(world, 300);

  weft_measures now;
  check(weft_world_measure(world, &now));
  printf("folds %.0f cm deep, stretched by %.2f %%\n",
         100.0 * (double)(now.upper[2] - now.lower[2]), 100.0 * now.mean_strain);
  weft_world_destroy(&world);
}
