/* Contacts between bodies, by sequential impulses (Catto 2005, "Iterative dynamics with temporal
 * coherence"; Catto 2024, "Solver2D"). A body is a particle that carries a sphere, a box or an
 * ellipsoid. Only spheres turn, by friction: the arm is along the normal. See docs/contacts.md.
 *
 *  once a step, and again when a body has left its AABB
 *    broad phase  AABBs of predicted motion in a hierarchical grid       broad_phase.h, grid.h
 *    colouring    pairs of one colour share no free body                 colors.h
 *  every substep, on velocities between prev and pos
 *    narrow phase conservative advancement: a plane and the gap to it    shape_contact.h
 *    walls        the same for bounds and colliders                      walls.h
 *    solve        by colour: impulses, restitution, push out of overlap  solve.h
 *
 * Contacts are found ahead (speculative contacts): the plane in which two bodies will touch, and
 * the gap that limits their approach. Bodies that hit faster than gravity explains separate with
 * restitution, which changes only velocities; overlap beyond the slop is pushed out, which changes
 * only positions. Impulses of pairs that persist are kept for warm starting. */
#ifndef WEFT_MODULES_SPHERES_PARTICLE_CONTACTS_H
#define WEFT_MODULES_SPHERES_PARTICLE_CONTACTS_H

#include <stdatomic.h>

#include "base/aabb.h"
#include "base/archive.h"
#include "base/sort.h"
#include "collision/setup.h"
#include "modules/spheres/contact_tables.h"

/* Penetration that is not pushed out, over the smallest half size: pairs at rest reach it, and
 * equal spheres then overlap by 0.08 % of a diameter. */
#define WEFT__CONTACT_SLOP 0.0016f
/* in contact with one body at a time */
#define WEFT__MAX_BODY_WALLS 4u
/* each a batch; the last holds pairs without a colour, solved one after another */
#define WEFT__PAIR_COLORS 64u
/* box widths, each up to twice the one before */
#define WEFT__GRID_LEVELS 254u

typedef struct weft__grid_cell {
  int32_t at[3];
  uint32_t level;
} weft__grid_cell;

/* Pairs that one body reports at most: several times its neighbours. The rest is dropped, and
 * counts as one lost pair a body: a heap in one point takes time linear in its bodies. */
#define WEFT__MAX_BODY_PAIRS 512u

/* Boxes whose widths differ by less than a factor of two, and the range of their cells. */
typedef struct weft__grid_level {
  uint32_t level; /* float exponent of the median width */
  /* metres of a cell along each axis: the widest box of this level and all finer ones */
  double width[3];
  int32_t lower[3], upper[3];
} weft__grid_level;

typedef struct weft__grid_entry {
  weft__aabb box;
  uint32_t body;
  uint32_t material; /* row of the materials; bit 31 = pinned, see grid.c */
} weft__grid_entry;

/* Pairs, and the part of the list before that a rebuild reads. */
typedef struct weft__pair_list {
  weft__particle_pair* pairs; /* by the body that reports them [pair_capacity] */
  uint32_t* first;            /* prefix offsets, by body [body_capacity + 1] */
} weft__pair_list;

typedef struct weft__particle_contacts {
  bool on;
  uint32_t pair_count;  /* in the last step */
  uint32_t color_count; /* colours in use */
  uint64_t lost;        /* pairs dropped for lack of capacity, in total */
  size_t bytes;

  uint32_t body_capacity, pair_capacity; /* allocated */
  uint32_t roll_capacity;                /* bodies that may turn */
  uint32_t max_pairs;                    /* limit, at most pair_capacity */
  uint32_t version;                      /* materials version at the last listing */
  bool has_rolls;
  bool has_bodies;
  bool is_listed;
  bool has_forgotten;
  uint32_t body_count;

  /* by body */
  uint32_t* particle; /* solver order [body_capacity] */
  weft__aabb* boxes;  /* bounds of motion until the next rebuild; empty = no pairs */
  /* then one pinned body for each wall [body_capacity * (1 + walls)] */
  weft__particle_motion* bodies;
  weft__particle_roll* rolls; /* as bodies; none until one turns */
  float (*start_velocity)[3]; /* metres per second, before the solve */
  float (*push)[3];           /* metres, out of overlaps */
  uint64_t* color_mask;       /* bits of the colours of its pairs */
  uint8_t* active_sweep;      /* last sweep that changed its velocity by more than the threshold */
  uint8_t* wall_count;        /* walls in contact */
  uint8_t* is_forgotten;      /* its impulses are dropped when the next step begins */
  uint32_t* wall_id;          /* 1 to 6 = bounds, then colliders [body_capacity * walls] */

  /* hierarchical grid: see grid.h */
  /* cell number and body; later the number of pairs found [body_capacity] */
  weft__sort_item* cell_order;
  weft__grid_entry* entries; /* in cell order [body_capacity] */
  weft__grid_cell* cells;    /* by body; shares the memory of the entries */
  weft__body_path* paths;    /* by body, of a substep; in the same memory */
  uint32_t finite_count;     /* bodies in the grid, which come first in cell order */
  uint32_t level_count;
  weft__grid_level levels[WEFT__GRID_LEVELS];
  _Atomic uint32_t widest[WEFT__GRID_LEVELS][3]; /* float bits, metres */
  uint32_t cell_bits[3];                         /* bits of a cell number along each axis */

  /* pairs, in order of discovery */
  weft__pair_list list, last_list;
  weft__particle_pair* ends;   /* by contact; in the memory of last_list */
  weft__impulse* kept_impulse; /* impulses of last_list, for warm starting [pair_capacity] */
  uint32_t* contact_of_pair;
  uint8_t* color;

  weft__particle_contact* contacts;      /* by colour [pair_capacity] */
  weft__particle_contact* wall_contacts; /* as wall_id */
  uint32_t color_first[WEFT__PAIR_COLORS + 1];

  _Atomic uint32_t max_displacement_sq; /* float bits, metres squared, of a substep */
  _Atomic uint32_t max_change_sq;       /* float bits, (metres per second) squared, of a sweep */
  _Atomic uint32_t flags;               /* bits: see solve.c */

  void* block; /* the one allocation of all columns */
} weft__particle_contacts;

extern const weft__table weft__particle_contacts_table;

/* Enables the stage if materials need it, by the limits. Out of memory: false, nothing changed. */
bool weft__particle_contacts_prepare(weft__particle_contacts* state,
                                     const weft__contact_setup* setup);

/* Visits the state, with pairs and impulses of warm starting. A check replaces tables of another
 * capacity, and leaves the memory of the former ones to the caller. */
void weft__particle_contacts_visit(weft__particle_contacts* state, weft__archive* archive);

/* Drops the impulses of a particle, in solver order, before the next step. */
void weft__particle_contacts_forget(weft__particle_contacts* state, uint32_t particle);

void weft__particle_contacts_destroy(weft__particle_contacts* state);

/* Broad phase, once a step before its first substep. */
void weft__particle_contacts_find(weft__particle_contacts* state, const weft__step_context* step);

/* Narrow phase and solve at the end of a substep. */
void weft__particle_contacts_solve(weft__particle_contacts* state, weft__step_context* step);

#endif
