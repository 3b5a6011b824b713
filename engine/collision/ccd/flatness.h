/* Cloth that is flat enough not to meet itself.
 *
 * A window is some blocks that lie side by side: those that are covered by the convex hull of two of them, as they
 * lay at first, in the plane of two axes; or some quarters of blocks. Where a particle is now is a function of where it was in that plane,
 * linear on each face.
 *
 *   Theorem. Let P be a linear map from space to the plane. If the symmetric part of P D is positive definite for
 *   the derivative D on each face of a window, then no two points of the hull are at the same place.
 *   Proof. Along the straight way from a point x to a point y, which is in the hull, P f changes by P D (y - x) each
 *   time, so that (y - x) . (P f(y) - P f(x)) > 0, and f(x) is not f(y). []
 *
 * What is so when a substep begins and when it ends is so all the time in between, as derivatives go straight from
 * the one to the other, and positive definite matrices are a convex cone. So most of a cloth needs nothing else to
 * be known not to pass through its neighbours. P is the inverse, by least squares, of the mean derivative. */
#ifndef WEFT_COLLISION_CCD_FLATNESS_H
#define WEFT_COLLISION_CCD_FLATNESS_H

#include "base/arena.h"
#include "collision/ccd/clusters.h"
#include "collision/ccd/positions.h"

/* Of one part with itself and with those after it that share a particle with it. */
#define WEFT__PART_WINDOWS 8u
#define WEFT__WINDOW_PARTS 10u
/* Of all windows of a block. */
#define WEFT__MOST_AROUND 16u

/* The mean derivative of a part's faces. */
typedef struct weft__ccd_frame {
  float mean[2][3]; /* by the first and by the second axis of its plane */
} weft__ccd_frame;

typedef struct weft__flat_region {
  double key; /* flat as long as the bends of its parts add up to no more */
  uint32_t other;
  uint32_t count;
  uint32_t part[WEFT__WINDOW_PARTS];
} weft__flat_region;

/* Blocks, or quarters. */
typedef struct weft__flatness_level {
  uint32_t face_count;    /* of each */
  weft__ccd_frame* start; /* by parts: when the substep began */
  weft__ccd_frame* now;
  float* rate; /* by parts, 1 / metre: by how much derivatives change at most, as particles move */
  uint8_t* window_count; /* by parts */
  weft__flat_region (*window)[WEFT__PART_WINDOWS];
} weft__flatness_level;

typedef struct weft__flatness {
  uint8_t* axis;     /* across the plane, by blocks */
  float* inverse[4]; /* of the two edges in the plane, by faces */
  /* by faces, up to whole blocks: of each axis by the first axis of the plane, and by the second */
  float* start[2][3]; /* when the substep began */
  float* now[2][3];
  /* by blocks: by how much its derivatives may differ from those that stand here */
  float* start_debt;
  float* now_debt;
  uint8_t* is_wanted; /* by blocks: its derivatives are to be taken over */
  uint8_t* is_new;    /* by blocks: they were, since the substep began */
  weft__flatness_level blocks, quarters;
  /* by blocks: all that are parts of its windows; none where there are too many */
  uint8_t* around_count;
  uint32_t (*around)[WEFT__MOST_AROUND];
} weft__flatness;

void weft__flatness_take(weft__flatness* flats, size_t faces, weft__arena* arena);

/* Lays a block into the plane. */
void weft__flatness_lay(const weft__flatness* flats, const weft__ccd_clusters* blocks,
                        const weft__face_edges* web, const weft__faces* faces, uint32_t block);

/* Lists the windows of a block and of its quarters, when all blocks are laid. Whoever has none is not known to be
 * flat. */
void weft__flatness_open(const weft__flatness* flats, const weft__ccd_clusters* blocks,
                         const weft__face_edges* web, const weft__faces* faces, uint32_t block);

/* Takes over how a block and its quarters lie now, `at` columns of places, after ways of its particles aside; returns by how much the derivative
 * of a face has changed since then, at most. After short ways this is all that is done. */
float weft__flatness_look(const weft__flatness* flats, const weft__ccd_clusters* blocks,
                          float* const* at, uint32_t block, float way);

/* What was now is the start of a substep. */
void weft__flatness_begin(const weft__flatness* flats, uint32_t block);

/* NULL where there is none. */
weft__flat_region* weft__flatness_region(const weft__flatness_level* parts, uint32_t a, uint32_t b);

/* Whether nothing in a window meets in this substep. Then it is so as long as no derivative changes by more than
 * `slack`. */
bool weft__flat_holds(const weft__flatness* flats, const weft__flatness_level* parts,
                      const weft__flat_region* window, float* slack);

#endif
