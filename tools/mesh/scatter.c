/* Points scattered evenly but without pattern (Bridson, "Fast Poisson Disk Sampling in Arbitrary
 * Dimensions", SIGGRAPH 2007 sketches): an active point tries places in the ring around it and
 * keeps the first that is far enough from all other points; a point around which nothing fits is
 * done. A grid with at most one point a cell makes "far enough" a search of 25 cells. It starts
 * from the cut edge, so that rows next to it are as regular as the rest, without a gap for another
 * edge point: every triangle angle but a few is above 25 degrees.
 *
 *      +----+----+----+----+----+      cell side = distance / sqrt(2)
 *      |    | .  |    |  . |    |      * the place being tried
 *      +----+----+----+----+----+
 *      |  . |    | *  |    |.   |
 *      +----+----+----+----+----+
 *
 * Places are drawn from the ring's bounding square and rejected outside of the ring, which needs no
 * cos(), whose last bit differs from machine to machine. */
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "panel.h"

#define TRIES 30

typedef struct scatter {
  panel* piece;
  random_source* source;
  double distance;
  double low_x, low_y; /* metres, corner of the grid */
  double inv_cell;     /* 1 / metres */
  uint32_t columns, rows;
  uint32_t* cells;  /* point number + 1, 0 = empty [columns * rows] */
  uint32_t* active; /* points that may have room around them [active_count] */
  uint32_t active_count, active_capacity;
} scatter;

static uint32_t column_of(const scatter* job, double x) {
  return (uint32_t)((x - job->low_x) * job->inv_cell);
}

static uint32_t row_of(const scatter* job, double y) {
  return (uint32_t)((y - job->low_y) * job->inv_cell);
}

/* A margin of three cells keeps searches of neighbours within the grid. */
static void make_grid(scatter* job) {
  const panel* piece = job->piece;
  panel_point low = piece->points[0], high = low;
  for (uint32_t i = 1; i < piece->loop_count; ++i) {
    low.x = fmin(low.x, piece->points[i].x);
    low.y = fmin(low.y, piece->points[i].y);
    high.x = fmax(high.x, piece->points[i].x);
    high.y = fmax(high.y, piece->points[i].y);
  }
  job->inv_cell = sqrt(2.0) / job->distance;
  job->low_x = low.x - 3 / job->inv_cell;
  job->low_y = low.y - 3 / job->inv_cell;
  job->columns = column_of(job, high.x) + 4;
  job->rows = row_of(job, high.y) + 4;
  job->cells = zeroed_array((size_t)job->columns * job->rows, sizeof *job->cells);
}

/* Enters a point into the grid and the active list. Two points of the cut edge may fall into one
 * cell at a sharp corner; the grid keeps the later one. */
static void enter(scatter* job, uint32_t point) {
  panel_point at = job->piece->points[point];
  job->cells[(size_t)row_of(job, at.y) * job->columns + column_of(job, at.x)] = point + 1;
  if (job->active_count == job->active_capacity) {
    job->active_capacity = job->active_capacity > 0 ? 2 * job->active_capacity : 1024;
    job->active = resize_array(job->active, job->active_capacity, sizeof *job->active);
  }
  job->active[job->active_count++] = point;
}

static bool is_free(const scatter* job, double x, double y) {
  uint32_t column = column_of(job, x), row = row_of(job, y);
  double distance_sq = job->distance * job->distance;
  for (uint32_t r = row - 2; r <= row + 2; ++r) {
    for (uint32_t c = column - 2; c <= column + 2; ++c) {
      uint32_t entry = job->cells[(size_t)r * job->columns + c];
      if (entry == 0) continue;
      double dx = job->piece->points[entry - 1].x - x, dy = job->piece->points[entry - 1].y - y;
      if (dx * dx + dy * dy < distance_sq) return false;
    }
  }
  return true;
}

/* A place in the ring from `distance` to twice `distance` around a point. */
static panel_point draw_around(scatter* job, panel_point center) {
  double inner = job->distance, outer = 2 * job->distance;
  for (;;) {
    double dx = random_between(job->source, -outer, outer);
    double dy = random_between(job->source, -outer, outer);
    double dist_sq = dx * dx + dy * dy;
    if (dist_sq < inner * inner || dist_sq > outer * outer) continue;
    return (panel_point){center.x + dx, center.y + dy};
  }
}

static bool in_grid(const scatter* job, panel_point at) {
  double x = (at.x - job->low_x) * job->inv_cell, y = (at.y - job->low_y) * job->inv_cell;
  return x >= 2 && y >= 2 && x < job->columns - 2 && y < job->rows - 2;
}

/* Tries to place a new point around a point. */
static bool grow(scatter* job, uint32_t point) {
  for (int i = 0; i < TRIES; ++i) {
    panel_point at = draw_around(job, job->piece->points[point]);
    if (!in_grid(job, at) || !is_free(job, at.x, at.y)) continue;
    if (!panel_holds(job->piece, at.x, at.y)) continue;
    panel_add_point(job->piece, at.x, at.y);
    enter(job, job->piece->point_count - 1);
    return true;
  }
  return false;
}

void panel_scatter(panel* piece, double distance, random_source* source) {
  scatter job = {.piece = piece, .source = source, .distance = distance};
  make_grid(&job);
  for (uint32_t i = 0; i < piece->loop_count; ++i) enter(&job, i);
  while (job.active_count > 0) {
    uint32_t pick = random_below(source, job.active_count);
    if (!grow(&job, job.active[pick])) job.active[pick] = job.active[--job.active_count];
  }
  free(job.cells);
  free(job.active);
}
