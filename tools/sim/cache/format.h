/* Formats of positions over time: tables of functions that write frames. */
#ifndef TOOLS_SIM_CACHE_FORMAT_H
#define TOOLS_SIM_CACHE_FORMAT_H

#include "common/output_file.h"
#include "sim/topology.h"

/* Facts known before the first frame. */
typedef struct sim_cache_plan {
  const char* path;
  const char* title;    /* name of the scene */
  uint32_t frame_count; /* upper limit: a run may be interrupted */
  double fps;           /* frames a second */
  uint32_t particle_count;
  const sim_topology* topology;
  bool is_single; /* one frame, in a file named by the path */
} sim_cache_plan;

typedef struct sim_frame {
  uint32_t number; /* from 0 on */
  /* metres [particle_count][3], in the caller's order; NULL: ranks write them */
  const float* positions;
  const sim_topology* topology;
} sim_frame;

typedef struct sim_cache_format {
  const char* extension;
  bool has_cells; /* false for positions only */
  /* Name of another file written beside `path`, to be freed; NULL = none. */
  char* (*companion)(const char* path);
  /* Error if the plan is too large for the format; may be NULL. */
  bool (*check)(const sim_cache_plan* plan, tool_message* why);
  /* Begins the file; removes it on failure. */
  bool (*open)(const sim_cache_plan* plan, void** state, tool_message* why);
  bool (*add)(void* state, const sim_frame* frame, tool_message* why);
  /* File that ranks write positions to, and the offset of the last frame's; NULL if one process
   * writes all. */
  const char* (*place)(const void* state, uint64_t* offset);
  /* Moves the file of the frames so far to its place if it is kept, else removes it. Frees the
   * state. */
  bool (*close)(void* state, bool is_kept, tool_message* why);
} sim_cache_format;

extern const sim_cache_format sim_pc2, sim_obj, sim_ply, sim_gltf, sim_glb, sim_h5, sim_xdmf;

/* The path with another extension, to be freed. NULL without memory. */
char* sim_cache_path(const char* path, const char* extension);

/* Error if the stream of an output failed. Flushes, so that a full disk shows in the frame that
 * fills it. */
bool sim_cache_flush(const tool_output* output, tool_message* why);

/* Writes a frame as OBJ: particles are vertices; present cells only. */
void sim_write_obj(FILE* out, uint32_t particle_count, const sim_frame* frame);

#endif
