/* A T-shirt: two flat panels, cut along one outline but for the neck, sewn along the seams (s) and
 * left open at neck, hem and cuffs (o).
 *
 *                 shoulder
 *             s s o     o s s
 *          s       o o o       s  sleeve top
 *        s        s     s        s
 *       o   s   s         s   s   o  cuff
 *         o  s s           s s  o
 *              s           s  side
 *              s           s
 *              s o o o o o s
 *                   hem
 *
 * Points on the seams belong to both panels, inner points are scattered for each. Sewn, the front
 * bulges to +z and the back to -z, by the distance from the seams. */
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "panel.h"
#include "shapes.h"

#define FRONT_NECK 0.09 /* metres of neck below its corners */
#define BACK_NECK 0.025
#define BULGE 0.06 /* metres, at most */
#define REACH 0.15 /* metres from the seams to the full bulge */

typedef enum path_kind { OPEN, SEAM } path_kind;

typedef struct corner {
  double x, y;      /* metres */
  path_kind onward; /* path from here to the next corner */
} corner;

static const corner outline[] = {
    {-0.25, 0.00, OPEN}, {0.25, 0.00, SEAM},  {0.24, 0.46, SEAM},   {0.34, 0.385, OPEN},
    {0.42, 0.49, SEAM},  {0.22, 0.66, SEAM},  {0.09, 0.70, OPEN},   {-0.09, 0.70, SEAM},
    {-0.22, 0.66, SEAM}, {-0.42, 0.49, OPEN}, {-0.34, 0.385, SEAM}, {-0.24, 0.46, SEAM},
};

enum { CORNERS = sizeof outline / sizeof outline[0], NECK = 6 };

/* One panel with its seams. */
typedef struct side {
  panel piece;
  bool* is_sewn; /* [piece.loop_count] */
} side;

/* The point at a share of a path of the outline. The neck is a parabola. */
static panel_point point_along(int path, double share, double neck_depth) {
  const corner *from = &outline[path], *to = &outline[(path + 1) % CORNERS];
  panel_point at = {from->x + (to->x - from->x) * share, from->y + (to->y - from->y) * share};
  if (path == NECK) at.y -= 4 * neck_depth * share * (1 - share);
  return at;
}

enum { PIECES = 256 }; /* chords of a path's measurement */

/* Fills in the length up to the end of each piece; returns the path's length. */
static double measure_path(int path, double neck_depth, double* lengths) {
  lengths[0] = 0;
  panel_point from = point_along(path, 0, neck_depth);
  for (int i = 1; i <= PIECES; ++i) {
    panel_point to = point_along(path, (double)i / PIECES, neck_depth);
    double dx = to.x - from.x, dy = to.y - from.y;
    lengths[i] = lengths[i - 1] + sqrt(dx * dx + dy * dy);
    from = to;
  }
  return lengths[PIECES];
}

/* Adds a path's points at equal steps of length, without the last, which the next path begins with.
 */
static void add_path(panel* piece, int path, double step, double neck_depth) {
  double lengths[PIECES + 1];
  double length = measure_path(path, neck_depth, lengths);
  uint32_t count = (uint32_t)ceil(length / step);
  int next = 1;
  for (uint32_t i = 0; i < count; ++i) {
    double wanted = length * i / count;
    while (lengths[next] < wanted) ++next;
    double rest = (wanted - lengths[next - 1]) / (lengths[next] - lengths[next - 1]);
    panel_point at = point_along(path, (next - 1 + rest) / PIECES, neck_depth);
    panel_add_point(piece, at.x, at.y);
  }
}

/* Ends of every open path are ends of a seam, and sewn too. */
static side cut_side(double step, double neck_depth) {
  side cut = {0};
  for (int path = 0; path < CORNERS; ++path) {
    uint32_t first = cut.piece.point_count;
    add_path(&cut.piece, path, step, neck_depth);
    cut.is_sewn = resize_array(cut.is_sewn, cut.piece.point_count, sizeof *cut.is_sewn);
    for (uint32_t i = first; i < cut.piece.point_count; ++i) {
      cut.is_sewn[i] = i == first || outline[path].onward == SEAM;
    }
  }
  cut.piece.loop_count = cut.piece.point_count;
  return cut;
}

static void free_side(side* cut) {
  panel_free(&cut->piece);
  free(cut->is_sewn);
}

/* Spacing for a number of vertices. Sewn, a seam counts like any inner line. */
static double spacing_for(uint32_t vertex_count) {
  double area = 0, open_length = 0, lengths[PIECES + 1];
  const double necks[] = {FRONT_NECK, BACK_NECK};
  for (int i = 0; i < 2; ++i) {
    side cut = cut_side(0.01, necks[i]);
    area += panel_area(&cut.piece);
    free_side(&cut);
    for (int path = 0; path < CORNERS; ++path) {
      if (outline[path].onward == OPEN) open_length += measure_path(path, necks[i], lengths);
    }
  }
  return shape_spacing(area, open_length, vertex_count);
}

static double distance_sq_to_path(int path, double x, double y) {
  const corner *from = &outline[path], *to = &outline[(path + 1) % CORNERS];
  double along_x = to->x - from->x, along_y = to->y - from->y;
  double share =
      ((x - from->x) * along_x + (y - from->y) * along_y) / (along_x * along_x + along_y * along_y);
  share = fmax(0, fmin(1, share));
  double dx = from->x + share * along_x - x, dy = from->y + share * along_y - y;
  return dx * dx + dy * dy;
}

/* Bulge of a point, metres. Distances to the seams are blended, 1 / d^2 = sum of 1 / d_i^2: their
 * minimum would put creases into the cloth. */
static double bulge_at(double x, double y) {
  double inv_dist_sq = 0;
  for (int path = 0; path < CORNERS; ++path) {
    if (outline[path].onward == SEAM) inv_dist_sq += 1 / distance_sq_to_path(path, x, y);
  }
  double reached = fmin(1, sqrt(1 / inv_dist_sq) / REACH);
  return BULGE * reached * (2 - reached);
}

/* Numbers a side's points in the mesh and places them. The front's sewn points go on the list
 * `sewn`; the back's are the same vertices in the same order. */
static uint32_t* place_side(mesh* cloth, const side* cut, double facing, uint32_t* sewn) {
  bool is_front = facing > 0;
  uint32_t* numbers = resize_array(NULL, cut->piece.point_count, sizeof *numbers);
  uint32_t sewn_count = 0;
  for (uint32_t i = 0; i < cut->piece.point_count; ++i) {
    bool is_sewn = i < cut->piece.loop_count && cut->is_sewn[i];
    if (is_sewn && !is_front) {
      numbers[i] = sewn[sewn_count++];
      continue;
    }
    numbers[i] = cloth->vertex_count++;
    if (is_sewn) sewn[sewn_count++] = numbers[i];
    panel_point at = cut->piece.points[i];
    float* position = cloth->positions[numbers[i]];
    position[0] = (float)at.x;
    position[1] = (float)at.y;
    position[2] = is_sewn ? 0 : (float)(facing * bulge_at(at.x, at.y));
  }
  return numbers;
}

/* Copies a side's triangles; the back's are reversed, to face outwards. */
static void place_triangles(mesh* cloth, const side* cut, double facing, const uint32_t* numbers) {
  for (uint32_t i = 0; i < cut->piece.triangle_count; ++i) {
    const uint32_t* from = cut->piece.triangles + (size_t)i * 3;
    uint32_t* to = cloth->triangles[cloth->triangle_count++];
    to[0] = numbers[from[0]];
    to[1] = numbers[from[facing > 0 ? 1 : 2]];
    to[2] = numbers[from[facing > 0 ? 2 : 1]];
  }
}

static mesh sew(const side* front, const side* back) {
  mesh cloth = {0};
  size_t point_count = (size_t)front->piece.point_count + back->piece.point_count;
  size_t triangle_count = (size_t)front->piece.triangle_count + back->piece.triangle_count;
  cloth.positions = resize_array(NULL, point_count, sizeof *cloth.positions);
  cloth.triangles = resize_array(NULL, triangle_count, sizeof *cloth.triangles);
  uint32_t* sewn = resize_array(NULL, front->piece.loop_count, sizeof *sewn);
  uint32_t* front_numbers = place_side(&cloth, front, 1, sewn);
  uint32_t* back_numbers = place_side(&cloth, back, -1, sewn);
  place_triangles(&cloth, front, 1, front_numbers);
  place_triangles(&cloth, back, -1, back_numbers);
  free(sewn);
  free(front_numbers);
  free(back_numbers);
  return cloth;
}

shape_result shape_garment(uint32_t vertex_count, random_source* source) {
  shape_result result = {.expected_loops = 4};
  double spacing = spacing_for(vertex_count);
  side front = cut_side(SHAPE_EDGE_STEP * spacing, FRONT_NECK);
  side back = cut_side(SHAPE_EDGE_STEP * spacing, BACK_NECK);
  panel_scatter(&front.piece, spacing, source);
  panel_scatter(&back.piece, spacing, source);
  result.made = panel_triangulate(&front.piece) && panel_triangulate(&back.piece);
  if (result.made) result.cloth = sew(&front, &back);
  free_side(&front);
  free_side(&back);
  return result;
}
