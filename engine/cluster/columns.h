/* Columns: bend elements along the columns of a sheet of which each rank has some rows.
 *
 * A column is one system of equations (tables/bend_lines.h), and crosses all ranks. Each rank
 * solves some columns, for which it gets the positions of all rows after the rows are solved; they
 * go back before the sweeps.
 *
 *     rows of ranks       columns of ranks
 *     0 0 0 0 0 0         0 0 1 1 2 2
 *     1 1 1 1 1 1   <->   0 0 1 1 2 2
 *     2 2 2 2 2 2         0 0 1 1 2 2
 *
 * Twist elements couple a column with the next one. Two columns more on either side are solved
 * along with own ones: the adjacent ones are right when their twist elements are solved. The first
 * column of a rank is even, so that pairs of columns have the colours of the whole sheet. */
#ifndef WEFT_CLUSTER_COLUMNS_H
#define WEFT_CLUSTER_COLUMNS_H

#include "cluster/mailbox.h"
#include "parallel/step_context.h"
#include "weft/weft.h"

struct weft_cluster;

typedef struct weft__strip_columns {
  weft__schedule schedule;   /* bend lines of the built columns, and the order of particles */
  weft__particles particles; /* only pos and inv_mass */
  weft__range built;         /* own columns, and the ones beside them */
  uint32_t column_count, row_count; /* the sheet's */
  uint32_t* first_column;           /* a rank's first one, and the end [rank_count + 1] */
  const uint32_t* first_row;        /* the cluster's */
  weft__channel channel;
  bool has_new_masses; /* own rows have other masses than in the last exchange */
  unsigned char* packed;
  float* scratch;
  size_t scratch_floats; /* a worker's */
  size_t bytes;
} weft__strip_columns;

/* Creates the columns of a rank, unless the sheet has no bend elements or there is one rank. False
 * if out of memory; the caller destroys the columns either way. */
bool weft__strip_columns_create(struct weft_cluster* cluster, const weft_sheet_def* sheet);
void weft__strip_columns_destroy(weft__strip_columns* columns);

/* Solves the columns and the cells between them: see step/domain.h. */
void weft__strip_columns_solve(void* context, const weft__step_context* step);

/* Removes the bend elements over a torn link, by the caller's numbers in the sheet. */
void weft__strip_columns_tear(const struct weft_cluster* cluster, uint32_t a, uint32_t b);

#endif
