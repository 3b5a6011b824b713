/* Scenes that are measured: hanging sheets of any size, or a mesh file. A scene takes three forms,
 * one after the other, so that millions of particles are held as rarely as possible:
 *   described   the library's own description, which worlds are made from
 *   flat        plain arrays in the order of the description, which the baseline is made from
 *   structural  only the links that the strain is taken over */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/message.h"
#include "sim/scene.h"
#include "weft/weft.h"

enum {
  BENCH_MAX_NAME = 256,
  BENCH_MAX_TITLE = BENCH_MAX_NAME + 32,
  BENCH_SHEET_SMALLEST = 2,
  BENCH_SHEET_LARGEST = 8192,
  BENCH_MOST_ROWS = 1 << 20,
  BENCH_MOST_SHEETS = 100000,
};

typedef enum bench_pin_kind {
  BENCH_PIN_DEFAULT = 0, /* a sheet's top row, the top 2 % of a mesh */
  BENCH_PIN_NONE,
  BENCH_PIN_TOP_ROW, /* the top row of a sheet */
  BENCH_PIN_CORNERS, /* the two upper ones of a sheet; not a word of --pin */
  BENCH_PIN_SIDE,    /* the given share of the scene's extent, from one side */
} bench_pin_kind;

typedef struct bench_pin_rule {
  bench_pin_kind kind;
  int axis;     /* 0 1 2 = x y z */
  bool highest; /* from the side of the highest coordinate, or else the lowest */
  double share; /* 0 to 1 of the extent along the axis */
} bench_pin_rule;

typedef struct bench_scene_request {
  const char* mesh_path; /* NULL = a sheet */
  uint32_t sheet_size;   /* particles along each side */
  uint32_t sheet_rows;   /* from the top down; 0 = as many as columns */
  uint32_t count;        /* copies of the sheet, side by side and not linked; 1 for a mesh */
  bench_pin_rule pin;
  const char* integrator; /* NULL, or sheets of springs of 20 N/m, part of the name */
} bench_scene_request;

typedef struct bench_scene {
  char name[BENCH_MAX_NAME]; /* "sheet" or the mesh file's base name */
  uint32_t size;             /* particles along a sheet's side, or of a mesh */
  uint32_t count;            /* copies of the sheet, or 1 */
  uint32_t particle_count;
  uint32_t link_count;
  weft_scene* description; /* while described, or else NULL */
  float* positions;        /* metres, [particle_count][3], while flat, or else NULL */
  float* inverse_masses;   /* 1/kg, [particle_count], while flat, or else NULL */
  weft_link_def* links;    /* [link_count] while flat, then [structural_count] */
  uint32_t structural_count;
} bench_scene;

/* Describes the scene: 1 kg of cloth, a sheet 2 m wide hanging from its top row in the plane z = 0,
 * or a mesh as in its file. Copies of a sheet weigh 1 kg each, stand in a square seen from above,
 * and are pinned alike. Warns on stderr of losses of a mesh file. */
bool bench_scene_make(const bench_scene_request* request, bench_scene* scene, tool_message* why);

weft_sheet_def bench_sheet_def(uint32_t columns, uint32_t rows);

/* Described to described and flat. */
bool bench_scene_add_flat(bench_scene* scene, tool_message* why);

/* Flat to structural. */
void bench_scene_keep_structural(bench_scene* scene);

void bench_scene_free(bench_scene* scene);

/* Base name of a mesh file. */
const char* bench_mesh_name(const char* path);

/* "none", "top-row", or SIDE:SHARE with a side of top, bottom (y), right, left (x), front, back
 * (z). `rule` is a bench_pin_rule. */
bool bench_parse_pin(void* rule, const char* text, tool_message* why);

/* "sheet 32", "1000 sheets 32 x 32", "dress.obj 40000". */
void bench_scene_title(const char* name, uint32_t size, uint32_t count,
                       char title[BENCH_MAX_TITLE]);

/* Makes a world of a described scene; Ctrl-C ends the program meanwhile. */
bool bench_make_world(const weft_world_def* def, const weft_scene* description, weft_world** world,
                      tool_message* why);

/* ---- scenes of contacts ---------------------------------------------------------------------- */

/* Scenes of weft-sim: drape-sphere, drop-folds, and heap of spheres, discs or squares. */
typedef enum bench_contact_kind {
  BENCH_DRAPE_SPHERE = 0,
  BENCH_DROP_FOLDS,
  BENCH_SPHERES,
  BENCH_DISCS,
  BENCH_RECTANGLES,
  BENCH_CONTACT_KINDS,
} bench_contact_kind;

/* A scene of `times` has so many times the particles, as far apart, on as much more floor, at the
 * same height: a sheet so many times as long over as many spheres in a row, or a heap in a longer
 * box that is nearest to a square. Away from their ends, particles behave the same. */
typedef struct bench_contact_scene {
  bench_contact_kind kind;
  uint32_t size;  /* along each side of the sheet, or in the heap */
  uint32_t times; /* floor area in units of that scene */
} bench_contact_scene;

/* sheet, then the kinds of bench_contact_kind. */
enum { BENCH_SCENE_NAMES = 1 + BENCH_CONTACT_KINDS };
extern const char* const bench_scene_names[BENCH_SCENE_NAMES];

const char* bench_contact_name(bench_contact_kind kind);

static inline bool bench_contact_is_heap(bench_contact_kind kind) {
  return kind >= BENCH_SPHERES;
}

/* Scene of weft-sim and its state, while described and started. */
typedef struct bench_contact_source {
  sim_scene scene;
  sim_values values;
  void* state;
} bench_contact_source;

/* Describes a scene in an empty description and sets its members of the def. The caller closes the
 * source either way. */
bool bench_describe_contacts(const bench_contact_scene* scene, bool with_contacts,
                             weft_scene* description, weft_world_def* def,
                             bench_contact_source* source, tool_message* why);
bool bench_start_contacts(const bench_contact_source* source, const weft_world_def* def,
                          weft_world* world, tool_message* why);
void bench_close_contacts(bench_contact_source* source);

/* Substeps of its world. */
bool bench_contact_substeps(const bench_contact_scene* scene, uint32_t* substeps,
                            tool_message* why);

/* Makes and starts a world of contacts. Iterations and substeps of 0 are the scene's own; the def
 * has those in use afterwards. */
bool bench_make_contact_world(const bench_contact_scene* scene, bool with_contacts,
                              uint32_t iterations, uint32_t substeps, weft_world_def* def,
                              weft_world** world, tool_message* why);

weft_world_stats bench_stats_of(const weft_world* world);

bool bench_check_weft(tool_message* why, const char* call, weft_result result);

#endif
