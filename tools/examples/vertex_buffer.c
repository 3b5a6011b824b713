/* A flag in the wind, read into a renderer's vertex buffer each frame: positions between two steps,
 * normals and tangents, interleaved with texture coordinates. */
#include <math.h>

#include "examples/example.h"

#define COLUMNS 49u
#define ROWS 33u
#define COUNT (COLUMNS * ROWS)
#define FRAMES 120u

typedef struct vertex {
  float position[3], normal[3], tangent[4], uv[2];
} vertex;

static vertex vertices[COUNT];

static weft_world* new_flag(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = COLUMNS;
  sheet.rows = ROWS;
  weft_world_def def = weft_default_world_def();
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = 6.0f;
  wind.velocity[2] = 3.0f;
  wind.gust = 0.5f;
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  for (uint32_t row = 0; row < ROWS; ++row)
    check(weft_scene_pin(scene, weft_range(row * COLUMNS, 1)));
  check(weft_world_create(&def, scene, &world));
  check(weft_world_set_wind(world, &wind));
  weft_scene_destroy(&scene);
  return world;
}

int main(void) {
  for (uint32_t i = 0; i < COUNT; ++i) {
    vertices[i].uv[0] = (float)(i % COLUMNS) / (COLUMNS - 1);
    vertices[i].uv[1] = 1.0f - (float)(i / COLUMNS) / (ROWS - 1);
  }
  const weft_attribute_array arrays[] = {
      {WEFT_ATTRIBUTE_POSITION, vertices[0].position, sizeof(vertex)},
      {WEFT_ATTRIBUTE_NORMAL, vertices[0].normal, sizeof(vertex)},
      {WEFT_ATTRIBUTE_TANGENT, vertices[0].tangent, sizeof(vertex)},
  };
  weft_vertices_def read = weft_default_vertices_def();
  read.selection = weft_range(0, COUNT);
  read.arrays = arrays;
  read.array_count = 3;
  // the texture coordinates lie in the same buffer
  read.uvs = vertices[0].uv;
  read.uv_stride = sizeof(vertex);
  weft_world* world = new_flag();
  for (uint32_t frame = 0; frame < FRAMES; ++frame) {
    weft_advance advanced;
    // 144 frames a second, 60 steps a second
    check(weft_world_advance(world, 1000000000 / 144, &advanced));
    read.interpolation = advanced.interpolation;
    check(weft_world_read_vertices(world, &read));
    // draw(vertices, COUNT);
  }
  weft_world_destroy(&world);
  float worst = 0.0f;
  for (uint32_t i = 0; i < COUNT; ++i) {
    const float* n = vertices[i].normal;
    const float* t = vertices[i].tangent;
    worst = fmaxf(worst, fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0f));
    worst = fmaxf(worst, fabsf(n[0] * t[0] + n[1] * t[1] + n[2] * t[2]));
  }
  const vertex* corner = &vertices[COUNT - 1];
  printf("corner at %.2f %.2f %.2f m, normal %.2f %.2f %.2f; worst error of the frames %.1e\n",
         (double)corner->position[0], (double)corner->position[1], (double)corner->position[2],
         (double)corner->normal[0], (double)corner->normal[1], (double)corner->normal[2],
         (double)worst);
  return worst < 1e-5f ? EXIT_SUCCESS : EXIT_FAILURE;
}
