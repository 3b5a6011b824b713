#include "sim/cache/cache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/cache/format.h"
#include "sim/ranks/ranks.h"

struct sim_cache {
  const sim_cache_format* format;
  void* state; /* state of the format */
  sim_topology* topology;
  double steps_per_frame;
  double fps;
  uint32_t frame_count, next_frame;
  uint32_t* numbers;    /* own particles, where ranks share the file, ascending [particle_count] */
  sim_ranks_file* file; /* its file for them */
  uint32_t particle_count;
  float *earlier, *present; /* positions before and after the last step */
  float* between;
};

static const sim_cache_format* const formats[] = {&sim_pc2, &sim_obj, &sim_ply, &sim_gltf,
                                                  &sim_glb, &sim_h5,  &sim_xdmf};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

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

/* Positions of the particles that this process writes. */
static bool get_positions(const sim_cache* cache, const weft_world* world, float* positions,
                          tool_message* why) {
  weft_view view;
  if (!cache->numbers) {
    return sim_get(world, WEFT_ATTRIBUTE_POSITION, 0, cache->particle_count, positions, why);
  }
  if (!sim_check(weft_world_get_view(world, &view), why)) return false;
  for (uint32_t k = 0; k < cache->particle_count; ++k) {
    const uint32_t i = view.index_of[cache->numbers[k]];
    for (uint32_t axis = 0; axis < 3; ++axis) positions[3 * k + axis] = view.position[axis][i];
  }
  return true;
}

/* Writes a frame of these positions and the present cells. */
static bool write_frame(sim_cache* cache, const float* positions, tool_message* why) {
  const float* whole = cache->numbers ? NULL : positions;
  const sim_frame frame = {cache->next_frame, whole, cache->topology};
  uint64_t offset = 0;
  ++cache->next_frame;
  bool ok = !cache->state || cache->format->add(cache->state, &frame, why);
  if (!cache->numbers) return ok;
  if (!sim_ranks_agree(ok, why)) return false;
  if (cache->state) (void)cache->format->place(cache->state, &offset);
  return sim_ranks_write(cache->file, offset, positions, why);
}

/* Steps from the start of the run to a frame. Whole numbers of steps are exact. */
static double steps_until(const sim_cache* cache, uint32_t frame) {
  const double steps = frame * cache->steps_per_frame;
  return fabs(steps - round(steps)) < 1e-6 ? round(steps) : steps;
}

/* Linear: weft_world_read_vertices() goes back by the last substep's velocities, to another
 * place than the step's begin. */
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
  if (!get_positions(cache, world, cache->present, why)) return false;
  if (!sim_topology_update(cache->topology, world, why)) return false;
  while (cache->next_frame < cache->frame_count) {
    const double due = steps_until(cache, cache->next_frame);
    if (due > step) break;
    if (due < step) interpolate(cache, (float)(due - (step - 1.0)));
    if (!write_frame(cache, due < step ? cache->between : cache->present, why)) return false;
  }
  return true;
}

static void free_positions(sim_cache* cache) {
  free(cache->numbers);
  free(cache->earlier);
  free(cache->present);
  free(cache->between);
  cache->numbers = NULL;
  cache->earlier = cache->present = cache->between = NULL;
}

static void free_cache(sim_cache** cache) {
  free_positions(*cache);
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

static int compare_numbers(const void* a, const void* b) {
  const uint32_t first = *(const uint32_t*)a, second = *(const uint32_t*)b;
  return (first > second) - (first < second);
}

bool sim_cache_is_shared(const char* path, const sim_run* run) {
  const sim_cache_format* format = find_format(path);
  return format && format->place && sim_run_ranks(run) > 1;
}

static bool list_own(sim_cache* cache, const sim_run* run, tool_message* why) {
  weft_cluster_stats stats;
  weft_view view;
  if (!sim_check(weft_cluster_get_stats(sim_run_cluster(run), &stats), why) ||
      !sim_check(weft_world_get_view(sim_run_world(run), &view), why)) {
    return false;
  }
  cache->particle_count = stats.particle_count;
  cache->numbers = malloc(((size_t)stats.particle_count + 1) * sizeof *cache->numbers);
  if (!cache->numbers) return tool_because(why, "no memory for a cache");
  for (uint32_t k = 0; k < stats.particle_count; ++k) {
    cache->numbers[k] = view.number_of[stats.first_particle + k];
  }
  qsort(cache->numbers, stats.particle_count, sizeof *cache->numbers, compare_numbers);
  return true;
}

/* Only the first rank opens the file of a format. */
static bool open_format(sim_cache* cache, const sim_cache_plan* plan, tool_message* why) {
  if (cache->format->check && !cache->format->check(plan, why)) return false;
  if (!sim_ranks_is_first() || cache->format->open(plan, &cache->state, why)) return true;
  cache->state = NULL;  // destroyed by open()
  return false;
}

static bool share_file(sim_cache* cache, bool ok, tool_message* why) {
  uint64_t offset;
  if (!sim_ranks_agree(ok, why)) return false;
  const char* path = cache->state ? cache->format->place(cache->state, &offset) : NULL;
  return sim_ranks_open_file(path, cache->numbers, cache->particle_count, &cache->file, why);
}

/* Opens the file and writes the present state as first frame. */
static bool begin(sim_cache* cache, const char* path, bool is_single, const sim_run* run,
                  tool_message* why) {
  const weft_world* world = sim_run_world(run);
  const bool is_shared = !is_single && sim_cache_is_shared(path, run);
  cache->format = find_format(path);
  cache->topology = sim_run_topology(run);
  cache->particle_count = cache->topology->particle_count;
  const sim_cache_plan plan = {path,       sim_run_name(run),     cache->frame_count,
                               cache->fps, cache->particle_count, cache->topology,
                               is_single};
  bool ok = (!is_shared || list_own(cache, run, why)) && allocate_positions(cache, why) &&
            get_positions(cache, world, cache->present, why) &&
            sim_topology_update(cache->topology, world, why) && open_format(cache, &plan, why);
  if (is_shared) ok = share_file(cache, ok, why);
  if (ok && write_frame(cache, cache->present, why)) return true;
  tool_message unused;
  sim_ranks_close_file(&cache->file);
  if (cache->state) (void)cache->format->close(cache->state, false, &unused);
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

bool sim_cache_redistribute(sim_cache* cache, const sim_run* run, tool_message* why) {
  if (!cache->numbers) return true;
  free_positions(cache);
  const bool ok = list_own(cache, run, why) && allocate_positions(cache, why) &&
                  get_positions(cache, sim_run_world(run), cache->present, why);
  return sim_ranks_agree(ok, why) &&
         sim_ranks_share_file(cache->file, cache->numbers, cache->particle_count, why);
}

bool sim_cache_close(sim_cache** cache, bool is_kept, tool_message* why) {
  sim_ranks_close_file(&(*cache)->file);
  const bool ok = !(*cache)->state || (*cache)->format->close((*cache)->state, is_kept, why);
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
