/* Vertex stars: the faces about each particle, side by side for 16 consecutive particles. The
 * vector area of a particle at x, a third of its faces', points along its normal:
 *
 *     a = sum over its faces of (next - x) x (last - x) / 6     corners in the face's order
 *
 * so that gas of pressure p pushes it by p a, as it would the corners of the faces, and so that
 * particles need no other one's results.
 *
 *   group   16 consecutive particles, the last one fewer
 *    row    a face of each, of those that have as many */
#ifndef WEFT_TABLES_STARS_H
#define WEFT_TABLES_STARS_H

#include "base/columns.h"
#include "tables/faces.h"

/* Corners of a row that are consecutive particles. */
enum { WEFT__STAR_NEXT_RUN = 1, WEFT__STAR_LAST_RUN = 2 };

typedef struct weft__stars {
  uint32_t group_count; /* 0: not made yet */
  uint32_t row_count;
  uint32_t link_group_count;
  uint32_t* first_row;           /* [group_count + 1] */
  uint32_t (*next)[WEFT__LANES]; /* solver order; any in empty lanes [row_count] */
  uint32_t (*last)[WEFT__LANES]; /* [row_count] */
  uint16_t* present;             /* lanes with an intact face [row_count] */
  uint8_t* runs;                 /* [row_count] */
  bool has_seen;                 /* `seen_links` is valid */
  uint16_t* seen_links;          /* lane_mask of links by which faces are intact */
  size_t bytes;
} weft__stars;

bool weft__stars_create(weft__stars* stars, const weft__faces* faces,
                        const weft__schedule* schedule);

void weft__stars_destroy(weft__stars* stars);

/* Leaves out faces of which a link is gone. */
void weft__stars_update(weft__stars* stars, const weft__faces* faces,
                        const weft__schedule* schedule);

#endif
