/* Cloth meets itself, other cloth, and bodies: spheres around its particles that stay clear of each other.
 *
 *   near    which pairs may touch is listed, for each particle, up to a skin beyond where they do. The list is good
 *           for as long as no two particles have moved by more than the skin against each other, which the box
 *           around all ways since then tells: what falls as one, and what is at rest, lists nothing anew. That is
 *           looked at in each substep, so that none is overlooked. See cloth/near.h.
 *   apart   what touches is moved apart, as Jacobi does: all pairs go by the same positions, and each particle
 *           gathers what its pairs do to it. Nothing is written by two, and momentum is kept. See cloth/apart.h.
 *
 * Both ends of a pair list it. Everything is kept by the particle's own number, as solver order is as good as the
 * order of cells: neighbours are near each other in memory. (To sort all of it into cells makes a list faster to
 * make and slower to use, and lists are used more often.)
 *
 * Cells of the grid are as large as the largest radius of cloth demands, so cloth of very different radii costs
 * more; and so do bodies of very different sizes. */
#ifndef WEFT_CLOTH_CLOTH_H
#define WEFT_CLOTH_CLOTH_H

#include <stdatomic.h>

#include "cloth/kin.h"
#include "contact/grid.h"
#include "contact/stage.h"

/* What a particle is to cloth. */
typedef enum weft__cloth_kind {
  WEFT__CLOTH_NONE = 0,
  WEFT__CLOTH_SPHERE = 1, /* one of a cloth, or a body that is a sphere */
  WEFT__CLOTH_BODY = 2,   /* a box or an ellipsoid */
} weft__cloth_kind;

/* Four numbers of a particle side by side, so that what a pair needs of the other end is one cache line. */
typedef struct weft__cloth_place {
  float x, y, z; /* metres */
  float extra;   /* radius in those of positions, 1/mass in those of where it was */
} weft__cloth_place;

/* What a round goes by. */
typedef struct weft__cloth_turn {
  weft__cloth_place* at; /* `extra` is the radius [particle_count] */
  weft__cloth_place*
      from; /* where they were when the substep began; `extra` is 1/mass [particle_count] */
} weft__cloth_turn;

/* What each worker finds for itself. */
typedef struct weft__cloth_share {
  _Alignas(WEFT__CACHE_LINE) float least[3]; /* the box around ways since the lists were made */
  float most[3];
  uint64_t lost; /* pairs that were not looked at, at both their ends */
} weft__cloth_share;

typedef struct weft__cloth {
  bool on;
  uint32_t pair_count; /* that were near, in the last step */
  uint64_t lost;       /* pairs for which there was no room, ever */
  size_t bytes;

  uint32_t particle_count; /* there is room for, 0 = none yet */
  uint32_t worker_count;
  uint32_t entry_capacity; /* of `entries` */
  uint32_t entry_limit;    /* that may be used */
  weft__kin kin;

  /* made anew when materials change */
  bool is_sorted;       /* by the materials of this version */
  uint32_t version;     /* of the materials */
  uint32_t cloth_count; /* the first in `members`, ascending */
  uint32_t body_count;  /* the next, ascending */
  uint32_t* members;    /* [cloth_count + body_count] */
  uint8_t* kind;        /* weft__cloth_kind [particle_count] */
  float* radius;        /* metres: of a sphere around all of it [particle_count] */
  float most_radius;    /* of cloth */
  float most_body;      /* of bodies */
  float skin;           /* metres */

  /* made anew when particles have moved */
  bool is_listed; /* there are lists, and they are those of `built` */
  float* built_x; /* where particles were then [particle_count] */
  float* built_y;
  float* built_z;
  weft__grid grid;      /* of cloth */
  weft__grid body_grid; /* capacity 0 until there are bodies */
  weft__cloth_place*
      cells; /* in the order of the grid's items, `extra` the radius [particle_count] */
  atomic_uchar* near_body;           /* cloth that a body is near [particle_count] */
  uint32_t* first;                   /* in entries [particle_count] */
  uint32_t* count;                   /* [particle_count] */
  uint32_t* entries;                 /* the other ends [entry_capacity] */
  atomic_uint_least64_t entry_count; /* that were found, room or not */
  uint32_t* owned;    /* entries that are bodies or have higher numbers [particle_count] */
  uint32_t owner_end; /* pairs of owners from this number on find no room */

  /* what each substep does */
  uint32_t* touching; /* the first of its entries, that touch [particle_count] */
  float* weight;      /* how many contacts each of its touching ones counts for [particle_count] */
  weft__cloth_turn turns[2]; /* what rounds read and write by turns */
  weft__cloth_place*
      support; /* which way what holds it pushes, metres: see cloth/apart.h [particle_count] */
  weft__cloth_place* carried; /* the part of the next one's that contacts find [particle_count] */
  weft__cloth_place* left;    /* where this stage has left it [particle_count] */
  uint32_t* left_in;          /* and in which substep [particle_count] */
  uint32_t substep;           /* counts on and on, from 1 */

  weft__cloth_share* shares; /* [worker_count] */
  uint32_t* scratch;         /* [worker_count x WEFT__CLOTH_SCRATCH] */
  void* block;               /* behind all columns but entries */
} weft__cloth;

/* Switches it on where materials want it, and makes room as the limits say. False when memory cannot be had; then
 * all is as before. */
bool weft__cloth_prepare(weft__cloth* cloth, const weft__contact_setup* setup);

void weft__cloth_destroy(weft__cloth* cloth);

/* Once a step, before its first substep: looks which particles are cloth where that has changed. Lists of who is
 * near are made when the substep's positions are known: by then they need to be good for that substep alone. */
void weft__cloth_find(weft__cloth* cloth, const weft__contact_stage* stage);

/* At the end of a substep: moves those apart that are too near. */
void weft__cloth_hold(weft__cloth* cloth, const weft__contact_stage* stage);

static inline uint32_t weft__cloth_member_count(const weft__cloth* cloth) {
  return cloth->cloth_count + cloth->body_count;
}

#endif
