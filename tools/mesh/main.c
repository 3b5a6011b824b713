/* weft-make-mesh: makes the irregular meshes that the bench runs on. */
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

enum { OPTION_OUT = TOOL_OPTION_OWN, OPTION_VERTICES, OPTION_SEED, OPTION_VERBOSE };

static const struct option options[] = {
    {"out", required_argument, NULL, OPTION_OUT},
    {"vertices", required_argument, NULL, OPTION_VERTICES},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"verbose", no_argument, NULL, OPTION_VERBOSE},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-make-mesh disc|garment --out FILE.obj|FILE.ply [OPTION...]\n"
    "\n"
    "  disc            a round cloth of radius 1 m\n"
    "  garment         a T-shirt, sewn from two panels\n"
    "\n"
    "  --out FILE      where to write, as text; .obj or .ply\n"
    "  --vertices N    about how many vertices, 1000 to 4000000 (default 40000)\n"
    "  --seed S        a number; the same seed gives the same mesh (default 1)\n"
    "  --verbose       print what was made\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 success, 1 failure, 2 invalid command line.\n",
    NULL,
};

typedef struct mesh_settings {
  const char* shape;
  const char* path;
  uint64_t vertex_count, seed;
  bool is_verbose;
} mesh_settings;

static bool parse_number(const char* option, const char* text, uint64_t low, uint64_t high,
                         uint64_t* number, tool_message* why) {
  char* end = NULL;
  errno = 0;
  *number = strtoull(text, &end, 10);
  // strtoull takes a minus sign and wraps
  if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *number >= low &&
      *number <= high) {
    return true;
  }
  return tool_because(why, "%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, option,
                      text, low, high);
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  mesh_settings* settings = target;
  switch (option) {
    case OPTION_OUT:
      return settings->path = value, true;
    case OPTION_VERTICES:
      return parse_number("--vertices", value, MIN_VERTICES, MAX_VERTICES, &settings->vertex_count,
                          why);
    case OPTION_SEED:
      return parse_number("--seed", value, 0, UINT64_MAX, &settings->seed, why);
    default:
      return settings->is_verbose = true;
  }
}

static bool take_word(void* target, const char* word, tool_message* why) {
  static const char* const shapes[] = {"disc", "garment"};
  mesh_settings* settings = target;
  if (settings->shape) return tool_because(why, "unexpected argument '%s'", word);
  settings->shape = word;
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
  const uint32_t count = (uint32_t)settings->vertex_count;
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
  const tool_syntax syntax = {"", help, options, take, take_word};
  mesh_settings settings = {.vertex_count = 40000, .seed = 1};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return tool_finish_output(outcome, EXIT_FAILURE);
  if (!complete(&settings, &why)) return tool_fail(&why);
  const bool ok = make_mesh(&settings, &why);
  if (!ok) tool_print_error(&why);
  return tool_finish_output(ok ? TOOL_EXIT_OK : EXIT_FAILURE, EXIT_FAILURE);
}
