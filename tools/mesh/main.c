/* weft-make-mesh: makes the irregular meshes that the bench runs on. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"
#include "shapes.h"

const char tool_name[] = "weft-make-mesh";

#define USAGE_ERROR 2
#define MIN_VERTICES 1000 /* fewer do not follow a sleeve's outline */
#define MAX_VERTICES 4000000

static const char help[] =
    "usage: weft-make-mesh disc|garment --out FILE.obj|FILE.ply [options]\n"
    "\n"
    "  disc            a round cloth of radius 1 m\n"
    "  garment         a T-shirt, sewn from two panels\n"
    "\n"
    "  --out FILE      where to write, as text; .obj or .ply\n"
    "  --vertices N    about how many vertices, 1000 to 4000000; default 40000\n"
    "  --seed S        a number; the same seed gives the same mesh; default 1\n"
    "  --verbose       print what was made\n"
    "  --help          print this text\n";

typedef struct options {
  const char* shape;
  const char* path;
  uint32_t vertex_count;
  uint64_t seed;
  bool is_verbose;
  const char* word; /* last one read, for the fault */
} options;

static _Noreturn void refuse(const char* what, const char* value) {
  fprintf(stderr, "weft-make-mesh: %s%s\nTry weft-make-mesh --help.\n", what, value);
  exit(USAGE_ERROR);
}

/* The exit status, unless what was printed did not arrive. */
static int finish(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  perror("weft-make-mesh: standard output");
  return EXIT_FAILURE;
}

static uint64_t parse_number(const char* text, uint64_t low, uint64_t high, const char* fault) {
  char* end = NULL;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  // strtoull takes a minus sign and wraps
  bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
  if (!is_number || number < low || number > high) refuse(fault, text);
  return number;
}

static void parse_option(int option, options* chosen) {
  switch (option) {
    case 'o':
      chosen->path = optarg;
      break;
    case 'n':
      chosen->vertex_count = (uint32_t)parse_number(optarg, MIN_VERTICES, MAX_VERTICES,
                                                    "--vertices wants 1000 to 4000000, not ");
      break;
    case 's':
      chosen->seed = parse_number(optarg, 0, UINT64_MAX, "--seed wants a number, not ");
      break;
    case 'v':
      chosen->is_verbose = true;
      break;
    case 'h':
      fputs(help, stdout);
      exit(finish(EXIT_SUCCESS));
    default:
      refuse("unknown option, or one without its value: ", chosen->word);
  }
}

static options parse_options(int count, char** words) {
  static const struct option known[] = {
      {"out", required_argument, NULL, 'o'},  {"vertices", required_argument, NULL, 'n'},
      {"seed", required_argument, NULL, 's'}, {"verbose", no_argument, NULL, 'v'},
      {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0},
  };
  options chosen = {.vertex_count = 40000, .seed = 1};
  int option;
  opterr = 0;
  while ((option = getopt_long(count, words, "", known, NULL)) != -1) {
    chosen.word = words[optind - 1];
    parse_option(option, &chosen);
  }
  if (optind == count) refuse("say which mesh to make: disc or garment", "");
  if (optind + 1 < count) refuse("one mesh at a time, but there is also ", words[optind + 1]);
  if (!chosen.path) refuse("say where to write with --out", "");
  chosen.shape = words[optind];
  return chosen;
}

static shape_result make_shape(const options* chosen) {
  random_source source = {chosen->seed};
  if (strcmp(chosen->shape, "disc") == 0) return shape_disc(chosen->vertex_count, &source);
  if (strcmp(chosen->shape, "garment") == 0) return shape_garment(chosen->vertex_count, &source);
  refuse("no such mesh: ", chosen->shape);
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

int main(int argument_count, char** arguments) {
  options chosen = parse_options(argument_count, arguments);
  tool_message why;
  if (!mesh_can_write(chosen.path, &why)) return tool_print_error(&why), EXIT_FAILURE;
  shape_result result = make_shape(&chosen);
  if (!result.made) return EXIT_FAILURE;

  mesh_report report;
  const char* fault = check_shape(&result, &report);
  const bool ok =
      fault ? tool_because(&why, "%s", fault) : mesh_write(&result.cloth, chosen.path, &why);
  if (!ok) tool_print_error(&why);
  if (ok && chosen.is_verbose) print_report(&result.cloth, &report);
  mesh_free(&result.cloth);
  return finish(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
