/* PC2, the point cache of 3ds Max, played by Blender's Mesh Cache modifier: positions of a fixed
 * number of vertices. The mesh lies beside it, name.obj: the cells of the first frame.
 *
 *     char[12] "POINTCACHE2", int32 version 1, int32 points, float start, float rate, int32 samples
 *     float [samples][points][3] */
#include <stdlib.h>
#include <string.h>

#include "sim/cache/format.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is little-endian");

typedef struct pc2_header {
  char signature[12];
  int32_t version;
  int32_t point_count;
  float start, rate; /* frame of the first sample, and frames from sample to sample */
  int32_t sample_count;
} pc2_header;

_Static_assert(sizeof(pc2_header) == 32, "the header has no padding");

typedef struct pc2_file {
  tool_output samples;
  tool_output mesh;
  char* mesh_path;
  pc2_header header;
} pc2_file;

static char* mesh_beside(const char* path) {
  return sim_cache_path(path, "obj");
}

static bool write_header(const pc2_file* file) {
  return fwrite(&file->header, sizeof file->header, 1, file->samples.stream) == 1;
}

static bool close_pc2(void* state, bool is_kept, tool_message* why) {
  pc2_file* file = state;
  const bool written =
      is_kept && fseek(file->samples.stream, 0, SEEK_SET) == 0 && write_header(file);
  tool_message unused;
  bool ok = tool_output_close(&file->samples, written, is_kept ? why : &unused);
  ok = tool_output_close(&file->mesh, ok, ok ? why : &unused);
  free(file->mesh_path);
  free(file);
  return ok || !is_kept;
}

static bool open_files(pc2_file* file, const sim_cache_plan* plan, tool_message* why) {
  tool_message unused;
  file->mesh_path = mesh_beside(plan->path);
  if (!file->mesh_path) return tool_because(why, "no memory for '%s'", plan->path);
  if (!tool_output_open(plan->path, &file->samples, why)) return false;
  if (tool_output_open(file->mesh_path, &file->mesh, why)) return true;
  (void)tool_output_close(&file->samples, false, &unused);
  return false;
}

static bool open_pc2(const sim_cache_plan* plan, void** state, tool_message* why) {
  pc2_file* file = calloc(1, sizeof *file);
  if (!file) return tool_because(why, "no memory for '%s'", plan->path);
  file->header = (pc2_header){"POINTCACHE2", 1, (int32_t)plan->particle_count, 0.0f, 1.0f, 0};
  if (!open_files(file, plan, why)) {
    free(file->mesh_path);
    free(file);
    return false;
  }
  (void)write_header(file);
  *state = file;
  return true;
}

static bool add_samples(void* state, const sim_frame* frame, tool_message* why) {
  pc2_file* file = state;
  const uint32_t particle_count = (uint32_t)file->header.point_count;
  if (frame->number == 0) sim_write_obj(file->mesh.stream, particle_count, frame);
  fwrite(frame->positions, 3 * sizeof(float), particle_count, file->samples.stream);
  ++file->header.sample_count;
  return sim_cache_flush(&file->samples, why) && sim_cache_flush(&file->mesh, why);
}

const sim_cache_format sim_pc2 = {.extension = "pc2",
                                  .companion = mesh_beside,
                                  .open = open_pc2,
                                  .add = add_samples,
                                  .close = close_pc2};
