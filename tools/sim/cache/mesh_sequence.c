/* Meshes as OBJ and PLY, a file each frame: name_0000.obj, name_0001.obj .. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cache/format.h"

typedef struct mesh_sequence {
  char* pattern; /* path up to the number */
  char* path;    /* path of the present frame */
  size_t size;   /* bytes of `path` */
  int digits;    /* digits of the number, at least; 0 = the path has none */
  const char* extension;
  uint32_t particle_count;
  void (*write)(FILE* out, uint32_t particle_count, const sim_frame* frame);
} mesh_sequence;

static void write_obj_cells(FILE* out, const sim_cells* cells, sim_cell_kind kind) {
  static const char keywords[SIM_CELL_KINDS] = {'f', 'l', 'p'};
  const uint32_t* corner = cells->corners;
  for (uint32_t i = 0; i < cells->count; ++i, corner += sim_corner_counts[kind]) {
    if (!cells->present[i]) continue;
    fputc(keywords[kind], out);
    for (uint32_t k = 0; k < sim_corner_counts[kind]; ++k) fprintf(out, " %u", corner[k] + 1);
    fputc('\n', out);
  }
}

/* Nine digits read back as the same float. */
void sim_write_obj(FILE* out, uint32_t particle_count, const sim_frame* frame) {
  fputs("# weft-sim: metres\n", out);
  for (uint32_t i = 0; i < particle_count; ++i) {
    const float* p = frame->positions + 3 * (size_t)i;
    fprintf(out, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
  }
  for (sim_cell_kind kind = 0; kind < SIM_CELL_KINDS; ++kind) {
    write_obj_cells(out, &frame->topology->cells[kind], kind);
  }
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "binary files are little-endian");

static void write_ply_cells(FILE* out, const sim_cells* cells, sim_cell_kind kind) {
  const uint32_t corner_count = sim_corner_counts[kind];
  const uint32_t* corner = cells->corners;
  for (uint32_t i = 0; i < cells->count; ++i, corner += corner_count) {
    if (!cells->present[i]) continue;
    if (kind == SIM_FACES) fputc((int)corner_count, out);
    fwrite(corner, sizeof *corner, corner_count, out);
  }
}

/* Points are vertices without faces. Readers reject elements without rows. */
static void write_ply(FILE* out, uint32_t particle_count, const sim_frame* frame) {
  const sim_cells* faces = &frame->topology->cells[SIM_FACES];
  const sim_cells* lines = &frame->topology->cells[SIM_LINES];
  fprintf(out,
          "ply\nformat binary_little_endian 1.0\ncomment weft-sim: metres\n"
          "element vertex %" PRIu32 "\nproperty float x\nproperty float y\nproperty float z\n",
          particle_count);
  if (faces->present_count > 0) {
    fprintf(out, "element face %" PRIu32 "\nproperty list uchar int vertex_indices\n",
            faces->present_count);
  }
  if (lines->present_count > 0) {
    fprintf(out, "element edge %" PRIu32 "\nproperty int vertex1\nproperty int vertex2\n",
            lines->present_count);
  }
  fputs("end_header\n", out);
  fwrite(frame->positions, 3 * sizeof(float), particle_count, out);
  write_ply_cells(out, faces, SIM_FACES);
  write_ply_cells(out, lines, SIM_LINES);
}

static int count_digits(uint32_t number) {
  int digits = 4;
  for (uint32_t rest = number / 10000; rest > 0; rest /= 10) ++digits;
  return digits;
}

static bool close_sequence(void* state, bool is_kept, tool_message* why) {
  mesh_sequence* sequence = state;
  (void)is_kept, (void)why;
  free(sequence->pattern);
  free(sequence->path);
  free(sequence);
  return true;
}

static bool open_sequence(const sim_cache_plan* plan, const char* extension, void** state,
                          tool_message* why) {
  mesh_sequence* sequence = calloc(1, sizeof *sequence);
  if (!sequence) return tool_because(why, "no memory for '%s'", plan->path);
  sequence->particle_count = plan->particle_count;
  sequence->size = strlen(plan->path) + 16;
  sequence->pattern = strdup(plan->path);
  sequence->path = malloc(sequence->size);
  *state = sequence;
  if (sequence->pattern && sequence->path) {
    char* dot = strrchr(sequence->pattern, '.');
    sequence->extension = plan->path + (dot - sequence->pattern);
    *dot = '\0';
    if (!plan->is_single) sequence->digits = count_digits(plan->frame_count - 1);
    sequence->write = strcmp(extension, "obj") == 0 ? sim_write_obj : write_ply;
    return true;
  }
  (void)close_sequence(sequence, false, why);
  return tool_because(why, "no memory for '%s'", plan->path);
}

static bool open_obj(const sim_cache_plan* plan, void** state, tool_message* why) {
  return open_sequence(plan, "obj", state, why);
}

static bool open_ply(const sim_cache_plan* plan, void** state, tool_message* why) {
  return open_sequence(plan, "ply", state, why);
}

static bool add_mesh(void* state, const sim_frame* frame, tool_message* why) {
  mesh_sequence* sequence = state;
  tool_output output;
  if (sequence->digits == 0) {
    snprintf(sequence->path, sequence->size, "%s%s", sequence->pattern, sequence->extension);
  } else {
    snprintf(sequence->path, sequence->size, "%s_%0*" PRIu32 "%s", sequence->pattern,
             sequence->digits, frame->number, sequence->extension);
  }
  if (!tool_output_open(sequence->path, &output, why)) return false;
  sequence->write(output.stream, sequence->particle_count, frame);
  return tool_output_close(&output, true, why);
}

const sim_cache_format sim_obj = {.extension = "obj",
                                  .has_cells = true,
                                  .open = open_obj,
                                  .add = add_mesh,
                                  .close = close_sequence};

const sim_cache_format sim_ply = {.extension = "ply",
                                  .has_cells = true,
                                  .open = open_ply,
                                  .add = add_mesh,
                                  .close = close_sequence};
