#include "sim/cache/cache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/cache/format.h"

struct sim_cache {
  const sim_cache_format* format;
  void* state; /* the format's own */
  sim_topology* topology;
  double steps_per_frame;
  double fps;
  uint32_t frame_count, next_frame;
  uint32_t particle_count;
  float *earlier, *present; /* positions before and after the last step */
  float* between;
};

static const sim_cache_format* const formats[] = {&sim_pc2, &sim_obj, &sim_ply, &sim_gltf,
                                                  &sim_glb, &sim_h5,  &sim_xdmf};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

// ---- paths ----

static const char* extension_of(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  const char* dot = strrchr(name, '.');
  return dot && dot != name ? dot : name + strlen(name);
}

char* sim_cache_path(const char* path, const char* extension) {
  const int stem = (int)(extension_of(path) - path);
  const size_t size = strlen(path) + strlen(extension) + 2;
  char* made = malloc(size);
  if (made) snprintf(made, size, "%.*s.%s", stem, path, extension);
  return made;
}

static const sim_cache_format* find_format(const char* path) {
  const char* extension = extension_of(path);
  for (size_t i = 0; i < FORMAT_COUNT; ++i) {
    if (*extension && strcasecmp(extension + 1, formats[i]->extension) == 0) return formats[i];
  }
  return NULL;
}

bool sim_cache_check(const char* option, const char* path, bool is_mesh, bool* misused,
                     tool_message* why) {
  const sim_cache_format* format = find_format(path);
  *misused = !format || (is_mesh && !format->has_cells);
  if (*misused) {
    return tool_because(why, "%s: '%s' is not a file of %s", option, path,
                        is_mesh ? ".obj, .ply, .gltf, .glb, .h5, .xdmf"
                                : ".pc2, .obj, .ply, .gltf, .glb, .h5, .xdmf");
  }
  if (!tool_can_write(path, why)) return false;
  if (!format->companion) return true;
  char* companion = format->companion(path);
  if (!companion) return tool_because(why, "no memory for '%s'", path);
  const bool ok = tool_can_write(companion, why);
  free(companion);
  return ok;
}

bool sim_cache_flush(const tool_output* output, tool_message* why) {
  return (fflush(output->stream) == 0 && !ferror(output->stream)) ||
         tool_because(why, "cannot write '%s': %s", output->path, strerror(errno));
}

// ---- frames ----

static bool get_positions(const weft_world* world, uint32_t count, float* positions,
                          tool_message* why) {
  return sim_check(weft_world_get_positions(world, 0, count, positions), why);
}

/* Writes a frame of these positions and of the cells that are present now. */
static bool write_frame(sim_cache* cache, const float* positions, tool_message* why) {
  const sim_frame frame = {cache->next_frame, positions, cache->topology};
  ++cache->next_frame;
  return cache->format->add(cache->state, &frame, why);
}

/* Steps from the start of the run to a frame. Whole numbers of steps are exact. */
static double steps_until(const sim_cache* cache, uint32_t frame) {
  const double steps = frame * cache->steps_per_frame;
  return fabs(steps - round(steps)) < 1e-6 ? round(steps) : steps;
}

/* Linear: weft_world_get_interpolated() goes back from the velocities of the last substep, which
 * does not end where the step began. */
static void interpolate(sim_cache* cache, float share) {
  for (size_t i = 0; i < 3 * (size_t)cache->particle_count; ++i) {
    cache->between[i] = cache->earlier[i] + share * (cache->present[i] - cache->earlier[i]);
  }
}

bool sim_cache_step(sim_cache* cache, const sim_run* run, tool_message* why) {
  const double step = (double)sim_run_moment(run).step;
  const weft_world* world = sim_run_world(run);
  if (cache->next_frame == cache->frame_count) return true;
  // frames that begin within the next step need the state before it
  if (steps_until(cache, cache->next_frame) >= step + 1.0) return true;
  float* last = cache->earlier;
  cache->earlier = cache->present;
  cache->present = last;
  if (!get_positions(world, cache->particle_count, cache->present, why)) return false;
  if (!sim_topology_update(cache->topology, world, why)) return false;
  while (cache->next_frame < cache->frame_count) {
    const double due = steps_until(cache, cache->next_frame);
    if (due > step) break;
    if (due < step) interpolate(cache, (float)(due - (step - 1.0)));
    if (!write_frame(cache, due < step ? cache->between : cache->present, why)) return false;
  }
  return true;
}

// ---- opening and closing ----

static void free_cache(sim_cache** cache) {
  free((*cache)->earlier);
  free((*cache)->present);
  free((*cache)->between);
  free(*cache);
  *cache = NULL;
}

static bool allocate_positions(sim_cache* cache, tool_message* why) {
  const size_t size = ((size_t)cache->particle_count + 1) * 3 * sizeof(float);
  cache->earlier = malloc(size);
  cache->present = malloc(size);
  cache->between = malloc(size);
  return (cache->earlier && cache->present && cache->between) ||
         tool_because(why, "no memory for the positions of a frame");
}

static bool plan_frames(sim_cache* cache, const sim_run* run, double fps, tool_message* why) {
  const double steps_per_frame = sim_run_rate(run) * sim_run_time_scale(run) / fps;
  const double count = floor((double)sim_run_length(run) / steps_per_frame + 1e-6) + 1.0;
  if (count > 1e9) return tool_because(why, "a cache of %.3g frames is too long", count);
  cache->fps = fps;
  cache->steps_per_frame = steps_per_frame;
  cache->frame_count = (uint32_t)count;
  return true;
}

/* Opens the file and writes the first frame: the present state. */
static bool begin(sim_cache* cache, const char* path, bool is_single, const sim_run* run,
                  tool_message* why) {
  cache->format = find_format(path);
  cache->topology = sim_run_topology(run);
  cache->particle_count = cache->topology->particle_count;
  const sim_cache_plan plan = {path,       sim_run_name(run),     cache->frame_count,
                               cache->fps, cache->particle_count, cache->topology,
                               is_single};
  const weft_world* world = sim_run_world(run);
  if (!allocate_positions(cache, why) ||
      !get_positions(world, cache->particle_count, cache->present, why) ||
      !sim_topology_update(cache->topology, world, why) ||
      (cache->format->check && !cache->format->check(&plan, why)) ||
      !cache->format->open(&plan, &cache->state, why)) {
    return false;
  }
  if (write_frame(cache, cache->present, why)) return true;
  tool_message unused;
  (void)cache->format->close(cache->state, false, &unused);
  return false;
}

bool sim_cache_open(const char* path, double fps, const sim_run* run, sim_cache** cache,
                    tool_message* why) {
  *cache = calloc(1, sizeof **cache);
  if (!*cache) return tool_because(why, "no memory for a cache");
  if (plan_frames(*cache, run, fps, why) && begin(*cache, path, false, run, why)) return true;
  free_cache(cache);
  return false;
}

bool sim_cache_close(sim_cache** cache, bool is_kept, tool_message* why) {
  const bool ok = (*cache)->format->close((*cache)->state, is_kept, why);
  free_cache(cache);
  return ok;
}

bool sim_mesh_write(const char* path, const sim_run* run, tool_message* why) {
  sim_cache* mesh = calloc(1, sizeof *mesh);
  if (!mesh) return tool_because(why, "no memory for a mesh");
  mesh->fps = 1.0;
  mesh->frame_count = 1;
  if (begin(mesh, path, true, run, why)) return sim_cache_close(&mesh, true, why);
  free_cache(&mesh);
  return false;
}
