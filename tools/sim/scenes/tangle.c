/* A garment of two layers, front and back, that have passed through each other in some regions. */
#include <math.h>
#include <stdlib.h>

#include "mesh_file/mesh_file.h"
#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/path.h"
#include "sim/scene.h"

static const char* const no_mesh[] = {"", NULL};

static const sim_param params[] = {
    {"mesh", "file of a garment with its front at z > 0; without one a sheet folded in two",
     SIM_TEXT, 0, 0, 0, no_mesh},
    {"size", "particles along each side of the sheet", SIM_COUNT, 257, 5, 2048, NULL},
    {"width", "metres along each side", SIM_NUMBER, 2.56, 0.01, 1000, NULL},
    {"apart", "distance of the layers of the sheet, as a share of that at which they touch",
     SIM_NUMBER, 1.2, 0.1, 100, NULL},
    {"flat", "share of its depth along z that a garment from a file keeps", SIM_NUMBER, 0.2, 1e-3,
     1, NULL},
    {"regions", "regions in which the layers have changed places", SIM_COUNT, 8, 0, 10000, NULL},
    {"smallest", "smallest radius of a region, as a multiple of the particles' spacing", SIM_NUMBER,
     3, 1, 1000, NULL},
    {"largest", "largest radius of a region, likewise", SIM_NUMBER, 10, 1, 1000, NULL},
    {"seed", "of the regions", SIM_COUNT, 1, 0, 4294967295, NULL},
    {"every", "steps between two counts of crossings", SIM_COUNT, 6, 1, 1e6, NULL},
    SIM_CLOTH_PARAMS,
    SIM_END_OF_PARAMS,
};

typedef struct tangle {
  double spacing;
  uint32_t every, count;
  float (*positions)[3]; /* initial [count] */
  weft_particle_shape_def shape;
  sim_cloth_watch watch;
  double first_crossings, most_crossings;
  double free_at; /* second from which on at most 5 % are left; NaN = more are */
} tangle;

/* Between 0 and 1, by a hash of the counter (Steele, Lea, Flood 2014, "Fast splittable pseudorandom
 * number generators"). */
static double draw(uint64_t* counter) {
  uint64_t z = *counter += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Mirrors z within a circle, and turns it around in a ring of half its radius about that. */
static void swap_layers(const tangle* self, const double center[2], double radius, double* share) {
  for (uint32_t i = 0; i < self->count; ++i) {
    const double x = (double)self->positions[i][0] - center[0];
    const double y = (double)self->positions[i][1] - center[1];
    const double t = fmin(fmax(2.0 * (1.0 - sqrt(x * x + y * y) / radius), 0.0), 1.0);
    share[i] = fmax(share[i], t * t * (3.0 - 2.0 * t));
  }
}

static bool swap_regions(const tangle* self, const sim_values* values, tool_message* why) {
  double lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
  const double smallest = sim_number(values, "smallest"), largest = sim_number(values, "largest");
  uint64_t counter = sim_count(values, "seed");
  double* share = calloc(self->count, sizeof *share);
  if (!share) return tool_because(why, "no memory for %u particles", self->count);
  for (uint32_t i = 0; i < self->count; ++i) {
    for (int axis = 0; axis < 2; ++axis) {
      lower[axis] = fmin(lower[axis], (double)self->positions[i][axis]);
      upper[axis] = fmax(upper[axis], (double)self->positions[i][axis]);
    }
  }
  for (uint32_t n = 0; n < sim_count(values, "regions"); ++n) {
    double center[2];
    const double radius =
        self->spacing * (smallest + (fmax(largest, smallest) - smallest) * draw(&counter));
    for (int axis = 0; axis < 2; ++axis) {
      center[axis] = lower[axis] + (upper[axis] - lower[axis]) * draw(&counter);
    }
    swap_layers(self, center, radius, share);
  }
  for (uint32_t i = 0; i < self->count; ++i) {
    self->positions[i][2] *= (float)(1.0 - 2.0 * share[i]);
    // no two edges lie exactly across each other
    for (int axis = 0; axis < 3; ++axis) {
      self->positions[i][axis] += (float)(0.02 * self->spacing * (draw(&counter) - 0.5));
    }
  }
  free(share);
  return true;
}

static void fold_sheet(const tangle* self, uint32_t size, double radius) {
  const double arc = 3.141592653589793 * radius, length = self->spacing * (size - 1);
  for (uint32_t row = 0; row < size; ++row) {
    const double s = self->spacing * row - 0.5 * length; /* along the sheet, from the fold */
    const double z = s < 0.0 ? -radius : radius;
    double sine, cosine;
    sim_sine_of_turns(fmin(fmax(s / (2.0 * arc), -0.25), 0.25), &sine, &cosine);
    const double down = fmax(fabs(s) - 0.5 * arc, 0.0);
    for (uint32_t column = 0; column < size; ++column) {
      float* place = self->positions[row * size + column];
      place[0] = (float)(self->spacing * (column - 0.5 * (size - 1)));
      place[1] = (float)(radius * (cosine - 1.0) - down);
      place[2] = (float)(down > 0.0 ? z : radius * sine);
    }
  }
}

static bool make_sheet(tangle* self, const sim_values* values, tool_mesh* mesh, tool_message* why) {
  const uint32_t size = sim_count(values, "size"), cells = (size - 1) * (size - 1);
  *mesh = (tool_mesh){.vertex_count = size * size, .triangle_count = 2 * cells};
  mesh->positions = calloc(mesh->vertex_count, sizeof(float[3]));
  mesh->triangles = calloc(mesh->triangle_count, sizeof(uint32_t[3]));
  if (!mesh->positions || !mesh->triangles) return tool_because(why, "no memory for a sheet");
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const uint32_t h = cell / (size - 1) * size + cell % (size - 1);
    const uint32_t pair[6] = {h, h + size, h + 1, h + 1, h + size, h + size + 1};
    for (int k = 0; k < 6; ++k) mesh->triangles[(size_t)6 * cell + (size_t)k] = pair[k];
  }
  self->spacing = sim_number(values, "width") / (size - 1);
  self->shape = sim_cloth_shape(values, self->spacing);
  self->positions = (float(*)[3])mesh->positions;
  fold_sheet(self, size, (double)self->shape.half_size[0] * sim_number(values, "apart"));
  return true;
}

static double mean_edge(const tool_mesh* mesh) {
  double sum = 0.0;
  for (size_t i = 0; i < (size_t)3 * mesh->triangle_count; ++i) {
    const float* a = mesh->positions + (size_t)3 * mesh->triangles[i];
    const float* b = mesh->positions + (size_t)3 * mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
      square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    }
    sum += sqrt(square);
  }
  return sum / (3.0 * fmax((double)mesh->triangle_count, 1.0));
}

static bool load_mesh(tangle* self, const sim_values* values, tool_mesh* mesh, tool_message* why) {
  if (!tool_mesh_load(sim_text(values, "mesh"), mesh, why)) return false;
  self->positions = (float(*)[3])mesh->positions;
  self->spacing = mean_edge(mesh);
  self->shape = sim_cloth_shape(values, self->spacing);
  return true;
}

/* Pins the upper hundredth of a garment, or the fold of the sheet. */
static bool pin_top(const tangle* self, bool is_sheet, weft_scene* scene, tool_message* why) {
  float top = -INFINITY, bottom = INFINITY;
  for (uint32_t i = 0; i < self->count; ++i) {
    top = fmaxf(top, self->positions[i][1]);
    bottom = fminf(bottom, self->positions[i][1]);
  }
  const float height = is_sheet ? (float)(0.1 * self->spacing) : 0.01f * (top - bottom);
  for (uint32_t i = 0; i < self->count; ++i) {
    if (self->positions[i][1] > top - height &&
        !sim_check(weft_scene_pin(scene, weft_range(i, 1)), why)) {
      return false;
    }
  }
  return true;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  tangle* self = calloc(1, sizeof *self);
  tool_mesh mesh = {.positions = NULL};
  if (!self) return tool_because(why, "no memory for a tangle");
  *state = self;
  self->every = sim_count(values, "every");
  self->free_at = NAN;
  const bool is_sheet = sim_text(values, "mesh")[0] == '\0';
  const bool is_made =
      is_sheet ? make_sheet(self, values, &mesh, why) : load_mesh(self, values, &mesh, why);
  weft_mesh_def garment = weft_default_mesh_def();
  garment.positions = mesh.positions;
  garment.vertex_count = self->count = mesh.vertex_count;
  garment.triangles = mesh.triangles;
  garment.triangle_count = mesh.triangle_count;
  garment.particle_mass = (float)(0.2 * self->spacing * self->spacing);
  garment.bend_relaxation = 0.02f;
  sim_cloth_solver(def, 8);
  const bool ok = is_made && sim_check(weft_scene_add_mesh(scene, &garment, NULL), why) &&
                  pin_top(self, is_sheet, scene, why);
  if (!is_sheet) {
    for (uint32_t i = 0; i < self->count; ++i) {
      self->positions[i][2] *= (float)sim_number(values, "flat");
    }
  }
  free(mesh.triangles);
  return ok && swap_regions(self, values, why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const tangle* self = state;
  (void)def;
  return sim_set(world, WEFT_ATTRIBUTE_POSITION, 0, self->count, self->positions[0], 0, why) &&
         sim_set_cloth_shape(world, &self->shape, why);
}

static void count_crossings(tangle* self, const weft_world* world, double time) {
  const double crossings = sim_count_crossings(world);
  if (time == 0.0) self->first_crossings = crossings;
  if (!(crossings <= self->most_crossings)) self->most_crossings = crossings;
  if (!(crossings <= 0.05 * self->first_crossings)) {
    self->free_at = NAN;
  } else if (isnan(self->free_at)) {
    self->free_at = time;
  }
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  tangle* self = state;
  (void)why;
  if (sim_watch_cloth(&self->watch, world, moment->step) && moment->step % self->every == 0) {
    count_crossings(self, world, moment->time);
  }
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  tangle* self = state;
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "first_crossings", self->first_crossings);
  sim_add_result(results, "most_crossings", self->most_crossings);
  sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_add_result(results, "free_at", self->free_at);
  sim_report_lost(world, results);
}

static void keep(void* state, sim_keep* kept) {
  tangle* self = state;
  SIM_KEEP(kept, self->first_crossings);
  SIM_KEEP(kept, self->watch);
}

static void free_tangle(void* state) {
  tangle* self = state;
  free(self->positions);
}

const sim_scene sim_scene_tangle = {
    .name = "tangle",
    .summary = "two layers of cloth that have passed through each other",
    .params = params,
    .seconds = 2.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
    .keep = keep,
    .free = free_tangle,
};
