#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

typedef struct vertex {
  float position[3], normal[3];
} vertex;

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

int main(void) {
  // when the level is loaded
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_body flag;
  weft_cloth_def cloth = weft_default_cloth_def();
  cloth.across[0] = 0.0f;  // its first row, all hooks, is the pole
  cloth.across[1] = -1.0f;
  cloth.down[0] = 1.0f;
  cloth.down[1] = 0.0f;
  cloth.columns = cloth.hooks = 25;
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = 5.0f;
  wind.gust = 0.4f;
  weft_world_def def = weft_default_world_def();
  def.solver.quality = WEFT_QUALITY_DRAFT;
  def.worker_count = 2;
  check(weft_scene_create(&scene));
  check(weft_scene_add_cloth(scene, &cloth, &flag));
  check(weft_scene_set_wind(scene, &wind));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);

  uint32_t triangle_count = 0;
  check(weft_world_get_faces(world, 0, NULL, &triangle_count));
  uint32_t* indices = malloc(triangle_count * sizeof(uint32_t[3]));
  vertex* vertices = malloc(flag.particle_count * sizeof(vertex));
  if (indices == NULL || vertices == NULL) return EXIT_FAILURE;
  check(weft_world_get_faces(world, triangle_count, indices, &triangle_count));

  // each frame: time goes on by what has elapsed, and the vertex buffer is filled
  const weft_attribute_array arrays[] = {
      {WEFT_ATTRIBUTE_POSITION, vertices[0].position, sizeof(vertex)},
      {WEFT_ATTRIBUTE_NORMAL, vertices[0].normal, sizeof(vertex)},
  };
  weft_vertices_def read = weft_default_vertices_def();
  read.selection = weft_range(flag.first_particle, flag.particle_count);
  read.arrays = arrays;
  read.array_count = 2;
  for (int frame = 0; frame < 288; ++frame) {
    const int64_t elapsed_ns = 1000000000 / 144;
    weft_advance advance;
    check(weft_world_advance(world, elapsed_ns, &advance));
    read.interpolation = advance.interpolation;
    check(weft_world_read_vertices(world, &read));
    // draw(vertices, indices)
  }

  const float* corner = vertices[flag.particle_count - 1].position;
  printf("%u triangles, the lower corner at %.2f %.2f %.2f m\n", triangle_count, (double)corner[0],
         (double)corner[1], (double)corner[2]);
  free(vertices);
  free(indices);
  weft_world_destroy(&world);
}
