/* A curtain on rings: every fourth particle of the top row is pinned, and the rings move to half
 * the width in two seconds, so that it hangs in folds. */
#include "examples/example.h"

#define COLUMNS 65u
#define ROWS 49u
#define RINGS (COLUMNS / 4 + 1)
#define FRAMES 120u

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_material_def cotton = weft_default_material_def();
  cotton.bend_stiffness = 2e-5f;
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = COLUMNS;
  sheet.rows = ROWS;
  sheet.spacing = 0.03f;
  sheet.material = &cotton;
  const weft_world_def def = weft_default_world_def();
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  uint32_t rings[RINGS];
  for (uint32_t r = 0; r < RINGS; ++r) {
    rings[r] = 4 * r;
    check(weft_scene_pin(scene, weft_range(rings[r], 1)));
  }
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);

  float targets[RINGS][3] = {{0.0f}};
  for (uint32_t frame = 1; frame <= FRAMES; ++frame) {
    const float share = 1.0f - 0.5f * (float)frame / FRAMES;
    for (uint32_t r = 0; r < RINGS; ++r) {
      targets[r][0] = share * sheet.spacing * (float)rings[r];
      // rings alternate a little, as on a track, and give folds a direction
      targets[r][2] = (1.0f - share) * (r % 2 == 0 ? 0.04f : -0.04f);
    }
    check(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_list(rings, RINGS), targets, 0));
    weft_world_step(world, 1);
  }
  weft_world_step(world, FRAMES);
  weft_measures measures;
  check(weft_world_measure(world, &measures));
  const double width = (double)measures.upper[0] - (double)measures.lower[0];
  const double depth = (double)measures.upper[2] - (double)measures.lower[2];
  printf("width %.2f m, folds %.2f m deep, mean strain %.2f %%\n", width, depth,
         100.0 * measures.mean_strain);
  weft_world_destroy(&world);
  return width < 1.2 && depth > 0.08 ? EXIT_SUCCESS : EXIT_FAILURE;
}
