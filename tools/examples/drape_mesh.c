/* A mesh, such as a garment, falls onto a sphere of 0.25 m with default settings. */
#include <math.h>

#include "common/message.h"
#include "examples/example.h"
#include "mesh_file/mesh_file.h"

const char tool_name[] = "weft_drape_mesh";

#define SPHERE_RADIUS 0.25f
#define CLOTH_RADIUS 0.003f
#define FRICTION 0.5f

/* Loads an upright mesh and lays it flat above the sphere. */
static tool_mesh load(const char* path) {
  tool_mesh mesh;
  tool_message why;
  if (!tool_mesh_load(path, &mesh, &why)) {
    fprintf(stderr, "%s\n", why.text);
    exit(EXIT_FAILURE);
  }
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    float* at = mesh.positions + 3 * (size_t)i;
    const float upright = at[1];
    at[1] = at[2] + SPHERE_RADIUS + 0.1f;
    at[2] = upright - 0.35f;
  }
  return mesh;
}

/* Metres of the nearest particle from the sphere's surface. */
static float least_distance(const weft_world* world, uint32_t count) {
  float least = INFINITY;
  for (uint32_t i = 0; i < count; ++i) {
    float at[3];
    check(weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(i, 1), at, 0));
    least = fminf(least, sqrtf(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) - SPHERE_RADIUS);
  }
  return least;
}

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    print_usage(argc, argv, "MESH\n\nMESH: .obj, .ply, .gltf or .glb, metres, y up");
  }
  tool_mesh file = load(argv[1]);
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = file.positions;
  mesh.vertex_count = file.vertex_count;
  mesh.triangles = file.triangles;
  mesh.triangle_count = file.triangle_count;
  const weft_world_def def = weft_default_world_def();
  weft_collider_def sphere = weft_default_collider_def();
  sphere.radius = SPHERE_RADIUS;
  sphere.surface.static_friction = sphere.surface.dynamic_friction = FRICTION;
  weft_collider collider;
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.half_size[0] = CLOTH_RADIUS;
  shape.surface.static_friction = shape.surface.dynamic_friction = FRICTION;
  check(weft_scene_create(&scene));
  check(weft_scene_add_mesh(scene, &mesh, NULL));
  check(weft_world_create(&def, scene, &world));
  check(weft_world_add_collider(world, &sphere, &collider));
  check(weft_world_set_particle_shape(world, weft_range(0, mesh.vertex_count), &shape));
  weft_scene_destroy(&scene);
  int status = run(world);
  const float least = least_distance(world, mesh.vertex_count);
  printf("nearest particle %.2f mm from the sphere\n", 1000.0 * (double)least);
  // inside the sphere, or slid off
  if (!(least > 0.0f && least < 2.0f * CLOTH_RADIUS)) status = EXIT_FAILURE;
  weft_world_destroy(&world);
  tool_mesh_free(&file);
  return status;
}
