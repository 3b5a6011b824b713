/* Columns: bend elements along the columns of a sheet of which each rank has some rows.
 *
 * A column is one system of equations (modules/bending/lines.h), and crosses all ranks. Each rank
 * solves some: it gets their positions after rows are solved, and sends them back before the
 * sweeps.
 *
 *     rows of ranks       columns of ranks
 *     0 0 0 0 0 0         0 0 1 1 2 2
 *     1 1 1 1 1 1   <->   0 0 1 1 2 2
 *     2 2 2 2 2 2         0 0 1 1 2 2
 *
 * Twist elements couple a column with the next: two more columns on either side are solved along. A
 * rank's first column is even, so that pairs of columns have the whole sheet's colours. */
#ifndef WEFT_LIBRARIES_CLUSTER_COLUMNS_H
#define WEFT_LIBRARIES_CLUSTER_COLUMNS_H

#include "libraries/cluster/mailbox.h"
#include "parallel/step_context.h"
#include "step/stage.h"
#include "weft/weft.h"

struct weft_cluster;

typedef struct weft__strip_columns {
  weft__schedule schedule;          /* order of particles of built columns */
  weft__stage_states stages;        /* their bend lines */
  weft__particles particles;        /* only pos and inv_mass */
  weft__range built;                /* own columns, and the ones beside them */
  uint32_t column_count, row_count; /* the sheet's */
  uint32_t* first_column;           /* by rank, and the end [rank_count + 1] */
  const uint32_t* first_row;        /* the cluster's */
  weft__channel channel;
  bool has_new_masses; /* own masses differ from the last exchange's */
  unsigned char* packed;
  size_t bytes;
} weft__strip_columns;

/* Unless the sheet has no bend elements or there is one rank. */
bool weft__strip_columns_create(struct weft_cluster* cluster, const weft_sheet_def* sheet);
void weft__strip_columns_destroy(weft__strip_columns* columns);

/* Columns and cells between them, after own rows. */
void weft__strip_columns_solve(struct weft_cluster* cluster, weft__step_context* step);

void weft__strip_columns_tear(const struct weft_cluster* cluster, uint32_t a, uint32_t b);

#endif
