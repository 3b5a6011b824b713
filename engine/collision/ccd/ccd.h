/* Faces, and their edges, that let nothing pass.
 *
 * What is held: at the start of a substep no edge goes through a face. Then links, trees, contacts and walls move
 * particles about, each in its own way, and all that counts is where each ends: between its start and its end a
 * particle is taken to go straight. For the cloth to pass through something, a particle has to go through a face
 * or an edge through an edge (Provot 1997); these pairs are looked at.
 *
 * Where nobody has gone further than a fifth of an edge since a substep began it need not end: the next one is looked at
 * with it, as one. (So cloth at rest is looked at a few times a step.) What keeps particles apart then has come about
 * in several, and changes velocities as if it had come about evenly: see weft__ccd_move(). Below, such a row of
 * substeps is called one.
 *
 *   count the way   how far have the particles of a block moved since it was last asked who is near?
 *   walk            if some block left its skin: which blocks are near it, by a tree of blocks
 *   tell apart      is the cloth between two blocks flat, collision/ccd/flatness.h, or is there a plane between them?
 *   search          if neither: which of their particles and faces, or edges, may meet
 *   decide          judging by ways, which pairs may have met; and which of these do: collision/ccd/toi.h
 *   push            those that do are kept apart by impulses, with friction
 *
 *   join            those that still do move as one for the rest of the substep
 *
 * Pushing takes a few rounds, and may fail; and joining ends after some. So at the very end what still meets is rolled
 * back, with its impact zone, to where it was when the substep began, and is looked at again with what it now meets,
 * until nothing meets; after some rounds all that runs connect with it is rolled back at once.
 *
 *   Theorem. If nothing intersects when a substep begins, nothing intersects when it ends.
 *   Proof. It ends when no pair comes nearer than its gap, which is above 0, on the straight ways from start to
 *   end: so none passed. And it does end: each round rolls back a particle that was not, as pairs of which all
 *   particles are back do not move; at worst all are back, where nothing intersects. []
 *
 * Pairs that are nearer at the start than their gap have a smaller one, 0.9 of what is between them; those that
 * touch, at a distance of 0, are let alone: nobody could tell on which side they are. So are pairs that share a
 * particle. The theorem fails for what is placed by the caller.
 *
 * Crossing at the start. Where an edge goes through a face already, a contour runs over the cloth, and the cloth can
 * come apart only if it moves. It moves through pairs of which an edge and a face cross when the substep begins: these
 * are let pass, and counted. Cloth without crossings has no such pairs, so that the theorem holds for it.
 *
 * Budget. A block has a number of pair tests. Where they are used up, or there is no room for its pairs, the block and
 * all blocks that a run connects with it, which are all that are near it, join one impact zone: it moves by one vector,
 * nothing within it moves against anything, and none of its pairs needs a test. So the promise is held by giving up
 * motion, there and nowhere else, and the work is linear in blocks. Where there is no room for the runs, all blocks
 * are one zone.
 *
 * Why counting ways is enough: no point of a face, or an edge, goes further than the particle of its block that
 * goes furthest. What was found to stay d further apart than its gap, two blocks or a pair of theirs, stays so until
 * the ways of both blocks, added up, are d. So a pile that lies still costs a comparison for each two blocks that
 * are near, and blocks are asked anew only when they have gone further than their skin, by which all boxes are too
 * large; none that might meet is then missing. (the lists of Verlet 1967) Of two that share a particle, for ever, only
 * those ways count that their particles go otherwise than it: what all go brings none nearer to another.
 *
 * (Bridson, Fedkiw, Anderson 2002, "Robust treatment of collisions, contact and friction for cloth animation";
 * Harmon, Vouga, Tamstorf, Grinspun 2008, "Robust treatment of simultaneous collisions") */
#ifndef WEFT_COLLISION_CCD_CCD_H
#define WEFT_COLLISION_CCD_CCD_H

#include "collision/ccd/clusters.h"
#include "collision/ccd/flatness.h"
#include "collision/ccd/moving_aabb.h"
#include "collision/ccd/pairs.h"
#include "collision/ccd/positions.h"
#include "collision/stage.h"

/* Budget of a block, a leaky bucket of pair tests: so many at once, and so many in each substep that is looked at, in
 * the long run; half as many after each substep in which it went over its budget, down to an eighth, and twice as
 * many after each other. A block of a regular cloth has eight particles. */
#define WEFT__CCD_MAX_TESTS 2048u
#define WEFT__CCD_SUBSTEP_TESTS 1024u
#define WEFT__CCD_MAX_HALVINGS 3

/* Levels of the tree, eight children each. */
#define WEFT__CCD_LEVELS 11

/* Two that meet, as they are pushed. */
typedef struct weft__ccd_hit {
  uint32_t particle[4];
  float weight[4];
  float normal[3];
  float goal;   /* metres: what is to be between them along the normal */
  float pushed; /* metres, so far */
  float static_friction, dynamic_friction;
} weft__ccd_hit;

/* What moves as one. */
typedef struct weft__impact_zone {
  double way[3];       /* kilogram metres */
  double mass;         /* kilograms */
  bool is_pinned;      /* way and mass are those of its first pinned particle */
  bool is_rolled_back; /* stays where the substep began */
} weft__impact_zone;

/* How a block takes part in impact zones. */
typedef enum weft__ccd_zoning {
  WEFT__ZONED_NOT = 0,         /* some of its particles may be in one */
  WEFT__ZONED_WHOLE = 1,       /* all are in one: it is near a block that is over its budget */
  WEFT__ZONED_OVER_BUDGET = 2, /* so is all that is near it: its pairs need no tests */
} weft__ccd_zoning;

typedef struct weft__ccd {
  bool on;
  uint32_t pair_count;      /* that might have met, in the last step */
  uint32_t hit_count;       /* that would have passed, in the last step */
  uint64_t stop_count;      /* particles put back to where a substep began, ever */
  uint64_t lost;            /* pairs for which there was no room, ever */
  uint64_t test_count;      /* of pairs, in the last step */
  uint32_t crossed_count;   /* pairs left alone as they cross already, in the last step */
  uint32_t overspent_count; /* blocks that went over their budget, in the last step */
  uint32_t round_count;     /* in which pairs were looked at, in the last step */

  /* what there is */
  const weft__faces* faces;
  weft__face_edges web;
  weft__ccd_clusters blocks;
  uint32_t particle_count;
  uint32_t version; /* of the materials that the blocks were listed by */
  bool is_listed;

  /* where particles are */
  float* start[3]; /* metres: when the substep began [particle_count] */
  weft__ccd_positions places;
  weft__flatness flats;
  uint8_t* is_held;        /* was moved in this substep [particle_count] */
  uint8_t* is_rolled_back; /* its zone is [particle_count] */
  float* path;             /* metres: since all pairs were found [blocks] */
  float* way;              /* metres: of the substep so far, or of the last one [blocks] */
  double* flat_key; /* the bends around it up to which its flat windows stay so [face blocks] */
  double*
      bend; /* by how much derivatives changed, ever: see collision/ccd/flatness.h [face blocks] */
  float* aside; /* metres: by how much its particles moved against each other, ever [face blocks] */
  float* aside_way; /* metres: the same, of the substep so far, or of the last one [face blocks] */
  float* skin;      /* metres: the longest path for which its pairs are all there [blocks] */

  uint8_t* zoning;   /* weft__ccd_zoning [blocks] */
  uint32_t* group;   /* another block connected with it, or itself [blocks] */
  uint8_t* is_moved; /* some of its particles were, since it was last looked at [blocks] */
  uint32_t substep;  /* counts on and on, from 1: those that were looked at */
  uint32_t*
      boxed_in; /* the substep through which its box goes; 0 = it stands where that ended [face blocks] */
  uint32_t* found_at; /* the finding that found its runs [blocks] */
  uint32_t findings;  /* so far */

  /* what may meet */
  weft__moving_aabbs nodes;               /* of blocks, then of eight of these, and so on */
  uint8_t* has_size;                      /* some of its particles are more than points [blocks] */
  uint32_t level_first[WEFT__CCD_LEVELS]; /* in nodes */
  uint32_t level_count[WEFT__CCD_LEVELS];
  uint32_t levels;
  weft__ccd_pairs pairs;
  weft__cluster_pair_list* chain; /* [blocks] */
  weft__ccd_pair* found;          /* room of each worker [worker_count][WEFT__MOST_PAIRS] */
  uint32_t worker_count;
  weft__ccd_hit* hit; /* [hit_capacity] */
  uint32_t hit_capacity;
  uint32_t kept_hits;
  uint32_t* zone_of; /* another particle of the zone, or WEFT__NONE [particle_count] */
  uint32_t* zoned;   /* particles that are in one [zoned_count] */
  uint32_t zoned_count;
  weft__impact_zone* zone; /* by the particle that is its own zone_of [particle_count] */

  uint32_t round;     /* of this substep, from 0 */
  uint32_t last_hits; /* of the last substep that was looked at */
  uint32_t looked_in; /* the substep of this step that was, UINT32_MAX = none yet */

  /* set by any worker, in any order; read and reset by completion steps alone */
  _Atomic bool is_due;        /* the substep has to be looked at */
  _Atomic bool is_stale;      /* all pairs have to be found anew */
  _Atomic uint32_t left;      /* blocks that left their skin */
  _Atomic uint32_t wanted;    /* runs whose pairs have to be found */
  _Atomic uint64_t hits;      /* of a round */
  _Atomic uint64_t tests;     /* of a step */
  _Atomic uint64_t crossed;   /* of a round */
  _Atomic uint64_t overspent; /* of a round */
  bool is_short;              /* there is no room for the runs: all blocks move as one zone */
  bool has_overspent;         /* some block of this substep is over its budget */
  void* block;
  size_t own_bytes;
  size_t bytes;
} weft__ccd;

/* Switches it on where materials want it, and makes room as the limits say. False when memory cannot be had; then
 * all is as before. */
bool weft__ccd_prepare(weft__ccd* ccd, const weft__contact_setup* setup);

void weft__ccd_destroy(weft__ccd* ccd);

/* Once a step, before its first substep: who there is, and where. */
void weft__ccd_find(weft__ccd* ccd, const weft__contact_stage* stage);

/* At the end of a substep, when all else has moved particles: what would have passed through each other since it
 * began does not. Nobody is moved beyond the bounds. */
void weft__ccd_run(weft__ccd* ccd, const weft__contact_stage* stage);

#endif
