#include "sim/file/mesh_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file/mesh_file.h"
#include "sim/cloth.h"

enum { HOLD_TOP };
static const char* const holds[] = {"top", "none", NULL};

static const sim_param params[] = {
    {"hold", "pinned: the upper 2 % of the height, of a mesh that lies flat an edge; or none",
     SIM_CHOICE, HOLD_TOP, 0, 0, holds},
    {"size", "metres of the longest side; 0 = as in the file", SIM_NUMBER, 0, 0, 1000, NULL},
    {"above", "metres of the lowest vertex above the floor", SIM_NUMBER, 0.5, 0, 1000, NULL},
    {"density", "kilograms a square metre", SIM_NUMBER, 0.2, 1e-3, 1000, NULL},
    {"bend", "relaxation of bend links, 0 = there are none", SIM_NUMBER, 0.05, 0, 1, NULL},
    {"tear", "length / rest length at which links tear, above 1; 0 = never", SIM_NUMBER, 0, 0, 1000,
     NULL},
    SIM_FABRIC_PARAM("density and bend, its warp upright"),
    SIM_CLOTH_PARAMS,
    SIM_END_OF_PARAMS,
};

typedef struct mesh_scene {
  char* path;
  weft_particle_shape_def shape;
} mesh_scene;

/* Measured mesh, metres and square metres. */
typedef struct mesh_size {
  float lower[3], upper[3];
  double longest, area, mean_edge;
} mesh_size;

static void measure_box(const tool_mesh* mesh, mesh_size* size) {
  for (int k = 0; k < 3; ++k) {
    size->lower[k] = INFINITY;
    size->upper[k] = -INFINITY;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      const float x = mesh->positions[3 * (size_t)i + (size_t)k];
      size->lower[k] = fminf(size->lower[k], x);
      size->upper[k] = fmaxf(size->upper[k], x);
    }
    size->longest = fmax(size->longest, (double)size->upper[k] - (double)size->lower[k]);
  }
}

static mesh_size measure(const tool_mesh* mesh) {
  mesh_size size = {.longest = 0.0};
  double edges = 0.0;
  measure_box(mesh, &size);
  for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
    const uint32_t* t = mesh->triangles + 3 * (size_t)i;
    double side[3][3], square[3];
    for (int e = 0; e < 3; ++e) {
      const float *a = mesh->positions + 3 * (size_t)t[e],
                  *b = mesh->positions + 3 * (size_t)t[(e + 1) % 3];
      for (int k = 0; k < 3; ++k) side[e][k] = (double)b[k] - (double)a[k];
      square[e] = side[e][0] * side[e][0] + side[e][1] * side[e][1] + side[e][2] * side[e][2];
      edges += sqrt(square[e]);
    }
    double dot = 0.0;
    for (int k = 0; k < 3; ++k) dot += side[0][k] * side[1][k];
    size.area += 0.5 * sqrt(fmax(square[0] * square[1] - dot * dot, 0.0));
  }
  size.mean_edge = edges / (3.0 * fmax((double)mesh->triangle_count, 1.0));
  return size;
}

/* Above the floor, at the requested size. */
static void place_mesh(const sim_values* values, const tool_mesh* mesh) {
  const mesh_size size = measure(mesh);
  const double wanted = sim_number(values, "size");
  const double scale = wanted > 0.0 && size.longest > 0.0 ? wanted / size.longest : 1.0;
  const double above = sim_number(values, "above");
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    float* x = mesh->positions + 3 * (size_t)i;
    x[0] = (float)(scale * (double)x[0]);
    x[1] = (float)(scale * ((double)x[1] - (double)size.lower[1]) + above);
    x[2] = (float)(scale * (double)x[2]);
  }
}

static bool pin_top(const tool_mesh* mesh, const mesh_size* size, weft_scene* scene,
                    tool_message* why) {
  const float height = size->upper[1] - size->lower[1];
  const bool is_flat = (double)height < 0.01 * size->longest;
  const float from = size->upper[1] - 0.02f * height;
  const float edge = size->lower[2] + 0.02f * (size->upper[2] - size->lower[2]);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const float* x = mesh->positions + 3 * (size_t)i;
    const bool is_held = is_flat ? x[2] <= edge : x[1] >= from;
    if (is_held && !sim_check(weft_scene_pin(scene, weft_range(i, 1)), why)) return false;
  }
  return true;
}

/* Upright, or along z of a mesh that lies flat; a little aside, as no triangle may be normal to it.
 */
static void choose_warp(const mesh_size* size, float warp[3]) {
  const bool is_flat = (double)(size->upper[1] - size->lower[1]) < 0.01 * size->longest;
  warp[0] = 0.0123f;
  warp[1] = is_flat ? 0.0f : 1.0f;
  warp[2] = is_flat ? 1.0f : 0.0217f;
}

static bool add_mesh(mesh_scene* self, const sim_values* values, const tool_mesh* mesh,
                     weft_scene* scene, tool_message* why) {
  const mesh_size size = measure(mesh);
  weft_mesh_def def = weft_default_mesh_def();
  tool_message reason;
  def.positions = mesh->positions;
  def.vertex_count = mesh->vertex_count;
  def.triangles = mesh->triangles;
  def.triangle_count = mesh->triangle_count;
  def.particle_mass = (float)(sim_number(values, "density") * size.area / mesh->vertex_count);
  def.bend_relaxation = (float)sim_number(values, "bend");
  def.tear_ratio = (float)sim_number(values, "tear");
  weft_material_def material;
  if (sim_choice(values, "fabric") != 0) {
    sim_fabric(values, true, &material);
    def.material = &material;
    choose_warp(&size, def.warp);
  }
  self->shape = sim_cloth_shape(values, size.mean_edge);
  const bool ok = sim_check(weft_scene_add_mesh(scene, &def, NULL), &reason) &&
                  (sim_choice(values, "hold") != HOLD_TOP || pin_top(mesh, &size, scene, &reason));
  return ok || tool_because(why, "%s: %.200s", self->path, reason.text);
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  mesh_scene* self = *state;
  tool_mesh mesh;
  if (!tool_mesh_load(self->path, &mesh, why)) return false;
  tool_mesh_warn(self->path, &mesh);
  place_mesh(values, &mesh);
  def->damping = 0.5f;
  if (sim_number(values, "tear") > 0.0) def->max_events = 65536;
  const bool ok = add_mesh(self, values, &mesh, scene, why);
  tool_mesh_free(&mesh);
  return ok;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const mesh_scene* self = state;
  (void)def;
  return sim_add_floor(world, (double)self->shape.surface.static_friction, why) &&
         sim_set_cloth_shape(world, &self->shape, why);
}

static void free_mesh(void* state) {
  mesh_scene* self = state;
  free(self->path);
}

bool sim_mesh_open(const char* path, sim_scene* scene, void** state, tool_message* why) {
  mesh_scene* self = calloc(1, sizeof *self);
  *scene = (sim_scene){.name = path,
                       .summary = "a mesh file",
                       .params = params,
                       .seconds = 5.0,
                       .rate = 60.0,
                       .build = build,
                       .start = start,
                       .free = free_mesh};
  *state = self;
  if (self) self->path = strdup(path);
  if (!self || !self->path) return tool_because(why, "%s: no memory to read it", path);
  scene->name = self->path;
  return true;
}
