/* Scenes of contacts that more than one program runs: one description, so that what is looked at
 * and what is measured are the same.
 *
 *   drape-sphere   a sheet, level at first, that falls onto a sphere, which stands still
 *   drop-folds     a sheet that stands upright, leans a little, and falls in folds onto a floor and
 *                  itself
 *   particles      a cube of small spheres that falls as a heap onto a floor between four walls
 *   discs          a square of small discs in a plane that falls as a heap between two walls
 *   rectangles     the same of squares with their sides along the axes
 *
 * Nothing in them is drawn by chance, or computed by what may differ between machines.
 *
 * A scene of `times` has so many times as many particles, as far apart, on as much more floor, at
 * the same height: a sheet so many times as long, over as many spheres in a row; a heap in a box as
 * long, and in space as wide, as makes it nearest to a square. Away from their ends, what happens
 * to a particle is the same. */
#ifndef TOOLS_COMMON_CONTACT_SCENES_H
#define TOOLS_COMMON_CONTACT_SCENES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/message.h"
#include "weft/weft.h"

typedef enum tool_contact_kind {
  TOOL_DRAPE_SPHERE = 0,
  TOOL_DROP_FOLDS = 1,
  TOOL_PARTICLES = 2,
  TOOL_DISCS = 3,
  TOOL_RECTANGLES = 4,
} tool_contact_kind;

enum { TOOL_CONTACT_KINDS = 5 };

typedef struct tool_contact_scene {
  tool_contact_kind kind;
  uint32_t size;    /* particles along each side of the sheet; of a heap: how many there are */
  uint32_t times;   /* floor area in units of that scene: see below */
  double width;     /* metres of the sheet's side; of the box that a heap falls into */
  double thickness; /* radius of a contact, in spacings of the sheet or of the particles */
  double friction;  /* static and dynamic */
  double radius;    /* metres, of the sphere that is draped */
  bool self;        /* the sheet meets itself */
  bool ccd;         /* the sheet's faces let nothing pass */
  bool surfaces;    /* the sheet meets itself along its surface; needs weft_world_def.faces */
} tool_contact_scene;

/* "drape-sphere", "drop-folds", "particles" .. */
const char* tool_contact_name(tool_contact_kind kind);

/* All of them, for messages. */
#define TOOL_CONTACT_NAMES "drape-sphere, drop-folds, particles, discs, rectangles"

/* True if bodies fall as a heap, false if a sheet falls. */
static inline bool tool_contact_is_heap(tool_contact_kind kind) {
  return kind >= TOOL_PARTICLES;
}

/* The scene as it usually is, of this size. */
tool_contact_scene tool_usual_contact_scene(tool_contact_kind kind, uint32_t size);

/* Columns of a sheet; each has `size` particles. */
uint32_t tool_contact_columns(const tool_contact_scene* scene);

/* Particle count. */
uint64_t tool_contact_particle_count(const tool_contact_scene* scene);

/* Substeps of its world, which tool_describe_contacts() sets, at the steps of a def. */
uint32_t tool_contact_substeps(const tool_contact_scene* scene, const weft_world_def* def);

/* Adds the sheet or the particles to a scene, and sets in the def what matters to it: substeps,
 * iterations, damping and faces. */
bool tool_describe_contacts(const tool_contact_scene* scene, weft_scene* description,
                            weft_world_def* def, tool_message* why);

/* Before the first step: what moves at first, and, unless there are to be none, contacts and
 * colliders. */
bool tool_start_contacts(const tool_contact_scene* scene, weft_world* world, bool with_contacts,
                         tool_message* why);

#endif
