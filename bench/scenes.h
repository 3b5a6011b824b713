/* The scenes that are measured: a hanging sheet of any size, or a mesh file.
 *
 * A scene lives in three forms, one after the other, so that a cloth of millions of particles is
 * not held more often than it has to be:
 *   described   the library's own description, which worlds are made from
 *   flat        plain arrays in the order of the description, which the baseline is made from
 *   structural  only the links that the strain is taken over */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <stdbool.h>
#include <stdint.h>

#include "message.h"
#include "pin_rule.h"
#include "weft/weft.h"

enum { BENCH_MAX_NAME = 256, BENCH_SHEET_SMALLEST = 2, BENCH_SHEET_LARGEST = 8192 };

typedef struct bench_scene_request {
  const char* mesh_path; /* NULL = a sheet */
  uint32_t sheet_size;   /* particles along each side */
  bench_pin_rule pin;
} bench_scene_request;

typedef struct bench_scene {
  char name[BENCH_MAX_NAME]; /* "sheet" or the mesh file's base name */
  uint32_t size;             /* of a sheet's side, or the particles of a mesh */
  uint32_t particle_count;
  uint32_t link_count;
  weft_scene* description; /* while described, or else NULL */
  float* positions;        /* metres, [particle_count][3], while flat, or else NULL */
  float* inverse_masses;   /* 1/kg, [particle_count], likewise */
  weft_link* links;        /* [link_count] while flat, then [structural_count] */
  uint32_t structural_count;
} bench_scene;

/* Describes the scene: 1 kg of cloth, a sheet 2 m wide hanging from its top row in the plane z = 0,
 * or a mesh as it lies in its file. Warns on stderr of what a mesh file had to lose. */
bool bench_scene_make(const bench_scene_request* request, bench_scene* scene, bench_message* why);

/* Described to flat. */
bool bench_scene_flatten(bench_scene* scene, bench_message* why);

/* Flat to structural. */
void bench_scene_keep_structural(bench_scene* scene);

void bench_scene_free(bench_scene* scene);

/* True when a call into the library went well; or else `why` says what the library said of it. */
bool bench_check_weft(bench_message* why, const char* call, weft_result result);

#endif
