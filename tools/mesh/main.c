/* weft-make-mesh: makes the irregular meshes of the bench. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command_line.h"
#include "common/near.h"
#include "common/output_file.h"
#include "mesh.h"
#include "shapes.h"

const char tool_name[] = "weft-make-mesh";

#define MIN_VERTICES 1000 /* fewer do not follow a sleeve's outline */
#define MAX_VERTICES 4000000

typedef struct mesh_settings {
  const char* shape;
  const char* path;
  uint32_t vertex_count;
  uint64_t seed;
  bool is_verbose;
} mesh_settings;

static bool take_seed(void* member, const char* text, tool_message* why) {
  char* end = NULL;
  errno = 0;
  *(uint64_t*)member = strtoull(text, &end, 10);
  // strtoull takes a minus sign and wraps
  if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0) return true;
  return tool_because(why, "--seed: '%s' is not a whole number from 0 to %" PRIu64, text,
                      UINT64_MAX);
}

#define AT(member) offsetof(mesh_settings, member)
static const tool_option options[] = {
    TOOL_OPTION(WORD, "out", "FILE", AT(path), "where to write, as text; .obj or .ply"),
    TOOL_RANGE(COUNT, "vertices", "N", AT(vertex_count), MIN_VERTICES, MAX_VERTICES,
               "about how many vertices, 1000 to 4000000 (default 40000)"),
    TOOL_OWN_OPTION("seed", "S", AT(seed), take_seed,
                    "a number; the same seed gives the same mesh (default 1)"),
    TOOL_OPTION(FLAG, "verbose", NULL, AT(is_verbose), "print what was made"),
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {"Exit status: 0 success, 1 failure, 2 invalid command line.",
                                    NULL};

static bool take_word(void* target, const char* word, tool_message* why) {
  static const char* const shapes[] = {"disc", "garment"};
  mesh_settings* settings = target;
  if (!tool_take_word(&settings->shape, word, why)) return false;
  for (int i = 0; i < 2; ++i) {
    if (strcmp(word, shapes[i]) == 0) return true;
  }
  const char* near = tool_nearest(word, shapes, 2);
  if (near) return tool_because(why, "'%s' is not a mesh (did you mean %s?)", word, near);
  return tool_because(why, "'%s' is not one of disc, garment", word);
}

static bool complete(const mesh_settings* settings, tool_message* why) {
  if (!settings->shape) return tool_because(why, "no mesh: disc or garment");
  if (!settings->path) return tool_because(why, "no file: give --out FILE");
  return mesh_check_format(settings->path, why);
}

static shape_result make_shape(const mesh_settings* settings) {
  random_source source = {settings->seed};
  const uint32_t count = settings->vertex_count;
  return settings->shape[0] == 'd' ? shape_disc(count, &source) : shape_garment(count, &source);
}

static void print_report(const mesh* cloth, const mesh_report* report) {
  printf("vertices      %u\n", cloth->vertex_count);
  printf("triangles     %u\n", cloth->triangle_count);
  printf("edges         %u, %u of them on %u open boundaries\n", report->edge_count,
         report->boundary_edge_count, report->loop_count);
  printf("edge lengths  %.2f to %.2f mm, mean %.2f mm\n", report->shortest_edge * 1e3,
         report->longest_edge * 1e3, report->mean_edge * 1e3);
  printf("least angles  %.1f degrees at worst, %.1f in the median triangle\n",
         report->smallest_angle, report->median_smallest_angle);
}

static const char* check_shape(const shape_result* result, mesh_report* report) {
  const char* fault = mesh_check(&result->cloth, report);
  if (fault) return fault;
  if (report->piece_count != 1) return "the mesh fell into pieces";
  return report->loop_count == result->expected_loops ? NULL : "holes where none should be";
}

static bool make_mesh(const mesh_settings* settings, tool_message* why) {
  if (!tool_can_write(settings->path, why)) return false;
  shape_result result = make_shape(settings);
  if (!result.made) return tool_because(why, "no mesh could be made");
  mesh_report report;
  const char* fault = check_shape(&result, &report);
  const bool ok =
      fault ? tool_because(why, "%s", fault) : mesh_write(&result.cloth, settings->path, why);
  if (ok && settings->is_verbose) print_report(&result.cloth, &report);
  mesh_free(&result.cloth);
  return ok;
}

int main(int argc, char** argv) {
  static const tool_syntax syntax = {
      "",
      "Usage: weft-make-mesh disc|garment --out FILE.obj|FILE.ply [OPTION...]\n",
      "Makes a disc, a round cloth of radius 1 m, or a garment, a T-shirt sewn from two panels.",
      options,
      notes,
      take_word};
  mesh_settings settings = {.vertex_count = 40000, .seed = 1};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return tool_finish_output(outcome, EXIT_FAILURE);
  if (!complete(&settings, &why)) return tool_fail(&why);
  const bool ok = make_mesh(&settings, &why);
  if (!ok) tool_print_error(&why);
  return tool_finish_output(ok ? TOOL_EXIT_OK : EXIT_FAILURE, EXIT_FAILURE);
}
