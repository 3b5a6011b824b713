/* Domain: the part of a world that this process computes, in a world that several processes
 * compute. Each has the tables of all, and the state of its own patches, which are consecutive on
 * every level.
 *
 * Stages over patches and particles are restricted to own ones. A stage that reads other processes'
 * results names them in an exchange before it. Sweeps exchange by themselves: see weft__ghosts. The
 * other side of this interface is engine/libraries/cluster. */
#ifndef WEFT_STEP_DOMAIN_H
#define WEFT_STEP_DOMAIN_H

#include "base/range.h"
#include "parallel/step_context.h"
#include "solvers/multigrid/levels.h"

/* Data of other processes that a stage reads. */
typedef enum weft__exchange {
  WEFT__EXCHANGE_FACES,      /* corners of the faces of own particles, now and before */
  WEFT__EXCHANGE_TOUCHED,    /* particles that own patches touch */
  WEFT__EXCHANGE_BLOCKS,     /* particles that share a block of colliders with own ones, likewise */
  WEFT__EXCHANGE_CONTACTS,   /* all particles, likewise, where `solves_all_contacts` */
  WEFT__EXCHANGE_ANCHORS,    /* pinned particles that own ones are attached to */
  WEFT__EXCHANGE_TREES,      /* particles of the trees that have own ones, now and before */
  WEFT__EXCHANGE_MESHES,     /* particles of the meshes that bend directly and have own ones */
  WEFT__EXCHANGE_BODIES,     /* particles of the closed bodies that have own ones, now and before */
  WEFT__EXCHANGE_JOINTS,     /* particles of the joints at own ones, and of joints at these */
  WEFT__EXCHANGE_RESIDUAL,   /* sums of patches */
  WEFT__EXCHANGE_LINES,      /* particles of own bend lines of a colour; `index`: the colour */
  WEFT__EXCHANGE_LINES_BACK, /* the same, from the process that has solved their line */
  /* displacements of the level finer than level `index`; for level 0 also of the cloth particles at
   * the coarse particles of all levels */
  WEFT__EXCHANGE_DISPLACEMENTS,
  WEFT__EXCHANGE_CORRECTIONS /* corrections, and multipliers, of level `index` for the finer one */
} weft__exchange;

typedef struct weft__domain {
  weft__range patches, particles; /* own, of the cloth */
  bool solves_all_contacts;       /* contacts and bounds of all particles, as every process */
  /* Restriction runs of each level with a particle that own patches touch: other processes' are
   * restricted here, too, as a message would take longer. NULL: all, as each process has the
   * level */
  const uint32_t* restricted[WEFT__MAX_LEVELS];
  uint32_t restricted_count[WEFT__MAX_LEVELS];
  const uint8_t* solves_lines; /* for each block of bend lines; NULL without any */
  void* context;
  void (*exchange)(void* context, weft__exchange kind, uint32_t index);
  /* Marks the links that other processes have found torn, and their patches. */
  void (*share_torn)(void* context);
  /* Solves bend lines that no process has the tables of, after the rows'; NULL without any. */
  void (*solve_columns)(void* context, const weft__step_context* step);
} weft__domain;

/* Exchange in a world of several processes. */
static inline void weft__domain_exchange(const weft__domain* domain, weft__exchange kind,
                                         uint32_t index) {
  if (domain != NULL) domain->exchange(domain->context, kind, index);
}

#endif
