/* Contacts of strands by thickness: links of ropes and nets with `ccd` are capsules, of the radii
 * that their particles have in self-collision. Spheres would leave notches, into which a loaded
 * rope is drawn.
 *
 *   pair list   pairs of strands whose boxes overlap, by a BVH. A box covers the motion that a
 *               strand would have until the end of the step, a margin and a skin; the list is kept
 *               while each strand is in its box                             pair_list.c
 *   solve       pairs with friction, then the links that they stretch, in several sweeps, in the
 *               order of the list                                            solve.c
 *
 * A pair keeps the closest points of its axes a sum of radii apart. Pairs within the margin at the
 * start or at the end of the substep take part; the age of the list does not show.
 *
 * Strands that share a particle, or whose ends are joined by a path of links and joints of at most
 * 1.5 sums of their radii, have no contact. Two particles of strands with thickness, neither of a
 * face, have no contact as spheres; strands and cloth have.
 *
 * (Kugelstadt, Schoemer 2016, "Position and orientation based Cosserat rods"; Mueller,
 * Heidelberger, Hennix, Ratcliff 2007, "Position based dynamics") */
#ifndef WEFT_COLLISION_STRANDS_STRANDS_H
#define WEFT_COLLISION_STRANDS_STRANDS_H

#include "base/archive.h"
#include "collision/self/exclusions.h"
#include "collision/setup.h"
#include "geometry/bvh.h"

/* Pair within the margin. */
typedef struct weft__strand_contact {
  uint32_t particle[4]; /* ends of the first, then of the second strand */
  float weight[4];      /* barycentric, of the second side negative */
  float normal[3];      /* unit, towards the first strand */
  float start;          /* metres: distance at the start of the substep */
  bool is_near;         /* takes part in this substep */
} weft__strand_contact;

/* Strands longer than they may be, in a substep. */
typedef struct weft__strand_lengths {
  uint8_t* is_stretched; /* [count] */
  uint32_t* stretched;   /* strands [count] */
  float* limit;          /* metres [count] */
  uint32_t stretched_count;
} weft__strand_lengths;

typedef struct weft__strands {
  bool on;
  uint64_t lost; /* pairs dropped for lack of capacity, in total */
  size_t bytes;

  const weft__faces* faces;           /* topology: the last faces of CCD */
  const weft__exclusions* exclusions; /* self-collision's */
  uint32_t first, count;
  uint32_t particle_count; /* strands' */
  uint32_t* particle;      /* ascending [particle_count] */

  uint32_t version, joints_version;
  bool is_classified;
  uint8_t* is_thick;    /* both ends have a radius and CCD [count] */
  uint8_t* is_own;      /* particle of a thick strand and of no face [particles of the world] */
  float longest_radius; /* metres */

  bool is_listed; /* completely */
  uint32_t pair_count, pair_limit;
  uint32_t pair_capacity; /* the largest limit so far */
  uint64_t* pair;         /* first strand in the upper half; ascending [pair_capacity] */
  weft__aabb* box;        /* when listed [count] */
  weft__bvh tree;
  uint32_t refits_left; /* 0: to be built */

  /* scratch: boxes of the motion in a step, a binary tree from node 1 [2 * leaf_count] */
  weft__aabb* path;
  uint32_t leaf_count; /* power of 2: strand k is node leaf_count + k */

  weft__strand_contact*
      contact;       /* scratch, by pair, then the ones that take part [pair_capacity] */
  uint8_t* is_moved; /* scratch, by particle of the world */
  uint32_t* moved;   /* scratch: particles [particle_count] */
  uint32_t moved_count;
  weft__strand_lengths lengths;
  void* block; /* without the tree */
} weft__strands;

/* Turns the stage on if there are strands and materials need it. faces: CCD's table, strands last;
 * NULL: none. False, with nothing changed, if out of memory. */
bool weft__strands_prepare(weft__strands* strands, const weft__contact_setup* setup,
                           const weft__faces* faces);

/* Visits the state: no list is, as its age does not show. A check prepares for the stream, and
 * leaves the memory of former tables to the caller. */
void weft__strands_visit(weft__strands* strands, weft__archive* archive,
                         const weft__contact_setup* setup, const weft__faces* faces);

void weft__strands_destroy(weft__strands* strands);

/* Classifies strands when materials have changed. Called once a step, before self-collision is. */
void weft__strands_classify(weft__strands* strands, const weft__step_context* step);

/* True for strands that never touch: joined, filtered, or of two environments. */
bool weft__strands_are_excluded(const weft__strands* strands, const weft__step_context* step,
                                uint32_t one, uint32_t other);

/* Makes the pair list valid for this substep. */
void weft__strands_find_pairs(weft__strands* strands, weft__step_context* step);

/* Measures a pair: closest points and normal at the start of the substep. True if it takes part. */
bool weft__strands_measure(const weft__strands* strands, weft__step_context* step, uint64_t pair,
                           weft__strand_contact* contact);

/* Separates strands at the end of a substep. */
void weft__strands_solve(weft__strands* strands, weft__step_context* step);

static inline const uint32_t* weft__strand_ends(const weft__strands* strands, uint32_t strand) {
  return strands->faces->corner[strands->first + strand];
}

/* Distance of pairs that take part, in sums of radii. */
#define WEFT__STRAND_MARGIN 1.25f

#endif
