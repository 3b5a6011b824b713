/* Bend elements of sheets, as lines: chains of hinges d_k = x_(k-1) - 2 x_k + x_(k+1) along a row
 * or a column. Their multipliers m solve
 *
 *     (A W A^T + a) m = d      A: rows (1 -2 1),  W: inverse masses,  a: compliance / substep^2
 *
 * with a pentadiagonal matrix, the same for x, y and z: a direct solve costs about as much as one
 * Gauss-Seidel sweep, at any resolution and stiffness. The factors L D L^T, L of two subdiagonals,
 * depend only on masses, compliances and the substep.
 *
 * In the place of d stands d (1 + 2 s^2 / 5), s = |d| / 2h the sine of half the angle t of a fold
 * between two links of length h, up to s^2 = 0.19. Without it a fold has the torque sin t of a
 * chord, and a ring of links is too soft by a 6th of t^2; with 2 s^2 / 3 it has the torque t of an
 * arc up to the fourth order, and the ring is exact, but heavy strips clamped in the middle of a
 * cell are too stiff: docs/notes/constants.md.
 *
 * The twist elements of the cells between two columns of a sheet, t_k = r_k - r_(k+1) with the
 * rungs r_k = x_k - y_k across them, are a line too, with a tridiagonal matrix: A has the rows
 * (1 -1), and W the sums of the inverse masses of a rung's two particles.
 *
 *  color    lines that share no particle: rows, columns, cells between even, odd columns
 *   block   up to 16 lines side by side, one a SIMD lane, all of one sheet or patch
 *    row    one particle of each line of a block, and the hinge about it;
 *           or one rung of each, and the cell between it and the next one
 *
 * A line may end before the last row of its block. Torn hinges lose their lane in hinge_mask. */
#ifndef WEFT_MODULES_BENDING_LINES_H
#define WEFT_MODULES_BENDING_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/columns.h"
#include "scene/scene.h"
#include "step/stage.h"
#include "tables/hinge_schedule.h"
#include "tables/hinges.h"
#include "tables/schedule.h"

#define WEFT__LINE_COLORS 4u
#define WEFT__FIRST_TWIST_COLOR 2u

typedef enum weft__line_access {
  WEFT__LINE_GATHER, /* any */
  WEFT__LINE_WINDOW, /* 16 lanes, consecutive particles */
  /* 16 lanes, each of which has four consecutive particles: in this row, the one after next, ... */
  WEFT__LINE_QUAD,
  WEFT__LINE_IN_QUAD, /* in an earlier row's quad */
} weft__line_access;

typedef struct weft__line_block {
  uint32_t first_row;
  uint32_t row_count; /* at least 3; of twist elements 2 */
  uint32_t stride;    /* short substeps in the one that factors are of */
  bool is_twist;
  bool is_stale;   /* factors are to be computed again */
  bool is_held;    /* no particle is free; set with the factors */
  bool is_uniform; /* all lanes have the factors in uniform_factors; set with them */
} weft__line_block;

/* 0 in lanes without a hinge. */
typedef struct weft__line_factors {
  float inv_mass[WEFT__LANES];
  float lower[WEFT__LANES]; /* L next to the diagonal */
  union {
    float lower_far[WEFT__LANES];      /* L one further left */
    float other_inv_mass[WEFT__LANES]; /* a rung's other particle */
  };
  float inv_pivot[WEFT__LANES];
} weft__line_factors;

typedef struct weft__uniform_factors {
  float inv_mass, lower;
  union {
    float lower_far, other_inv_mass;
  };
  float inv_pivot;
} weft__uniform_factors;

typedef struct weft__bend_lines {
  uint32_t hinge_count; /* 0: there are no columns */
  uint32_t block_count;
  uint32_t row_count;
  uint32_t particle_count;
  uint32_t max_rows;                           /* per block */
  uint32_t color_first[WEFT__LINE_COLORS + 1]; /* first block */
  float rate_squared;                          /* 1/seconds^2: 1 / substep^2 of the factors */

  const uint8_t* solves;             /* in clusters: this process's; NULL: all [block_count] */
  weft__line_block* blocks;          /* [block_count] */
  uint32_t (*particle)[WEFT__LANES]; /* another lane's where there is none [row_count] */
  uint32_t (*other)[WEFT__LANES];    /* at the other end of a rung [row_count] */
  uint16_t* present;
  uint8_t* access;                        /* weft__line_access [row_count] */
  uint16_t* hinge_mask;                   /* lanes with an element [row_count] */
  float (*compliance)[WEFT__LANES];       /* metres per newton [row_count] */
  weft__line_factors* factors;            /* [row_count] */
  weft__uniform_factors* uniform_factors; /* [row_count] */
  uint32_t* slot[WEFT__LINE_COLORS];      /* row x 16 + lane, or WEFT__NONE [particle_count] */
  weft__hinge_multiplier* multiplier;     /* the last substep's; NULL unless tracked [row_count] */
  float* scratch; /* positions and multipliers of a block [workers x scratch_floats] */
  size_t scratch_floats;
  size_t bytes;
} weft__bend_lines;

extern const weft__table weft__bend_lines_table;

/* Particles of the blocks of a colour that a process solves. */
extern const weft__halo_rows weft__line_rows;

/* Lines of a sheet's unmarked hinges that follow each other in the scene; marks them. is_taken:
 * [hinges->count] */
bool weft__bend_lines_create(weft__bend_lines* lines, const weft__schedule* schedule,
                             const weft_scene* scene, bool* is_taken);

bool weft__bend_lines_allocate(weft__bend_lines* lines);

bool weft__bend_lines_start(weft__bend_lines* lines, uint32_t worker_count);

void weft__bend_lines_destroy(weft__bend_lines* lines);

static inline weft__bend_lines* weft__bend_lines_of(const weft__stage_states* stages) {
  return stages->of[WEFT__STAGE_LINES];
}

typedef float weft__line_positions[3][WEFT__LANES];

/* See weft__hinge. A hinge's fourth particle is WEFT__NONE. */
typedef struct weft__line_element {
  uint32_t particle[4];
  float coefficient[4];
} weft__line_element;

weft__line_element weft__bend_lines_element(const weft__bend_lines* lines,
                                            const weft__line_block* block, uint32_t row,
                                            uint32_t lane);

void weft__bend_lines_set_stale(const weft__bend_lines* lines);

void weft__bend_lines_set_rate(weft__bend_lines* lines, float rate_squared);

bool weft__bend_lines_track(weft__bend_lines* lines);

/* Removes elements with both ends, in solver order, of a torn link. */
void weft__bend_lines_tear(const weft__bend_lines* lines, uint32_t a, uint32_t b);

/* Blocks of a colour: rows of a sheet, then columns, then cells between even and odd pairs of
 * columns; exact along each line, once a substep, after integration. Errors that later lines and
 * links cause in earlier ones are left to the next substep. */
void weft__bend_lines_solve(const weft__bend_lines* lines, uint32_t color,
                            weft__step_context* step);

typedef struct weft__line_kernels {
  void (*factor)(const weft__particles* particles, const weft__bend_lines* lines, uint32_t block);

  /* Multipliers of a block, one a row, by factors that are up to date. positions: scratch, one a
   * row */
  void (*solve)(weft__particles* particles, const weft__bend_lines* lines, uint32_t block,
                weft__line_positions* positions, weft__hinge_multiplier* multipliers);
} weft__line_kernels;

/* See weft__hinges_release(). */
void weft__bend_lines_release(const weft__bend_lines* lines, weft__is_released* lets_go,
                              const void* context);

#endif
