/* Particles that carry a sphere, a box or an ellipsoid collide by impulses.
 *
 *   once a step, and again when somebody has left its box
 *     list    boxes around where bodies will be, in cells of their size: pairs whose boxes meet     near.h, cells.h
 *     colour  pairs of one colour share no free body                                              colors.h
 *   every substep, on velocities between prev and pos
 *     touch   when and how each pair meets within the substep: a plane, and the gap to it          touch.h
 *     walls   the same for the walls that come after this stage                                    walls.h
 *     solve   colour after colour: impulses, then bounces, then what lies in each other apart       solve.h
 *
 * What a body does in a substep is known when this stage begins, so that a contact is found before it is: the
 * plane in which two will touch, and how fast they may come nearer for that and no more. Impulses do that
 * with the friction that they bear; where two have met faster than gravity makes them, they part again by
 * their restitution, which changes velocities alone; and what is deeper in each other than it should be is moved
 * apart, which changes positions alone. Impulses are kept from one substep to the next for pairs that persist, and so
 * a stack stands. (Catto 2005, "Iterative dynamics with temporal coherence"; Catto 2024, "Solver2D") */
#ifndef WEFT_COLLISION_PARTICLES_PARTICLE_CONTACTS_H
#define WEFT_COLLISION_PARTICLES_PARTICLE_CONTACTS_H

#include <stdatomic.h>

#include "base/aabb.h"
#include "base/sort.h"
#include "collision/stage.h"
#include "tables/body_contacts.h"

/* Walls that one body is held by at a time. */
#define WEFT__BODY_WALLS 4u
/* Batches; what finds no place in another is in the last one, which one worker solves. */
#define WEFT__PAIR_COLORS 64u
/* Widths of boxes, each up to twice as wide as the one before. */
#define WEFT__CELL_LEVELS 254u

/* The cell that the middle of a box is in. */
typedef struct weft__near_cell {
  int32_t at[3];
  uint32_t level;
} weft__near_cell;

/* Pairs that one body finds at most: several times what lies around it where bodies do not lie in each other. The
 * rest is lost, and counted as one pair for each such body: so a heap in one point takes time for its bodies, not
 * for their square. */
#define WEFT__BODY_PAIRS 512u

/* Boxes of one width within a factor of two, and the cells that they are in. */
typedef struct weft__cell_level {
  uint32_t level; /* the exponent of their width, the middle one of three, as a float has it */
  double width
      [3]; /* metres of a cell: of the widest box along each axis, of this level and all finer ones */
  int32_t least[3], most[3];
} weft__cell_level;

/* What is asked of a body by those near it. */
typedef struct weft__near_entry {
  weft__box box;
  uint32_t body;
  uint32_t material; /* its row, and whether it is pinned: see cells.c */
} weft__near_entry;

/* What only a rebuilt list needs of the one before. */
typedef struct weft__pair_list {
  weft__body_pair* pairs; /* by the body that has found them [pair_room] */
  uint32_t* first;        /* of each body [body_room + 1] */
} weft__pair_list;

typedef struct weft__particle_contacts {
  bool on;
  uint32_t pair_count;  /* that were near, in the last step */
  uint32_t color_count; /* batches that these were solved in */
  uint64_t lost;        /* pairs for which there was no room, ever */
  size_t bytes;

  uint32_t body_room, pair_room; /* that there is memory for */
  uint32_t max_pairs;            /* at most pair_room */
  bool is_small;                 /* so few bodies that one worker takes all */
  uint32_t version;              /* of the materials that bodies are listed by */
  bool is_sorted;                /* bodies are listed */
  bool is_listed;                /* pairs are, with boxes that hold */
  uint32_t body_count;

  /* of each body */
  uint32_t* particle; /* solver order [body_room] */
  weft__box*
      boxes; /* that they will not leave until pairs are listed anew; empty = it meets nobody */
  weft__body_motion* bodies; /* and as many more, pinned, for walls [body_room * (1 + walls)] */
  float (*start)[3];         /* metres per second before a solve */
  float (*push)[3];          /* metres */
  uint64_t* color_mask;      /* colours that its pairs have */
  _Atomic uint64_t* least;   /* the first of its pairs that wants a colour */
  uint8_t* stirred;          /* the sweep that has last changed it by enough to matter */
  uint8_t* wall_count;       /* walls that are near */
  uint32_t* wall_key;        /* which these are [body_room * walls] */

  /* bodies by cell: see cells.h */
  weft__keyed*
      order; /* by the number of the cell, the body; later how many it has found [body_room] */
  weft__near_entry* entries; /* in this order [body_room] */
  weft__near_cell* cells;    /* of each body, in the room of the entries until they are made */
  uint32_t somewhere;        /* bodies that are not nowhere, which are the first */
  uint32_t level_count;
  weft__cell_level levels[WEFT__CELL_LEVELS];
  _Atomic uint32_t widest[WEFT__CELL_LEVELS][3]; /* the bits of metres: boxes of this list */
  uint32_t cell_bits[3];                         /* of the number of a cell along each axis */

  /* pairs, as they are found */
  weft__pair_list list, last_list;
  weft__body_pair* ends; /* of contacts, in the room of last_list when that is needed no more */
  weft__impulse* kept;   /* impulses of last_list [pair_room] */
  uint32_t* place;       /* of each pair among contacts */
  uint32_t* event_ring;  /* pairs without a colour */
  uint8_t* color;

  /* by colour, walls after all pairs [pair_room + body_room * walls] */
  weft__body_contact* contacts;
  uint32_t color_first[WEFT__PAIR_COLORS + 1];
  _Atomic uint32_t left; /* pairs that wait for a colour, 0 between rounds */

  _Atomic uint32_t has_left; /* somebody is out of its box */
  _Atomic uint32_t fastest;  /* the bits of metres squared: the longest way of a substep */
  _Atomic uint32_t change;   /* the same of a speed: the largest change of a sweep */
  _Atomic uint32_t found;    /* bits: some have met another, some overlap too deep */

  void* block; /* the one allocation behind all */
} weft__particle_contacts;

/* Switches it on where materials want it, and makes room as the limits say. False when memory cannot be had; then
 * all is as before. */
bool weft__particle_contacts_prepare(weft__particle_contacts* particle_contacts,
                                     const weft__contact_setup* setup);

void weft__particle_contacts_destroy(weft__particle_contacts* particle_contacts);

/* Once a step, before its first substep: which may come near each other. */
void weft__particle_contacts_find(weft__particle_contacts* particle_contacts,
                                  const weft__contact_stage* stage);

/* At the end of a substep: impulses, and what lies in each other is moved apart. */
void weft__particle_contacts_solve(weft__particle_contacts* particle_contacts,
                                   const weft__contact_stage* stage);

#endif
