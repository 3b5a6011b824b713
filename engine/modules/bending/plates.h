/* Bending of triangle meshes, solved directly: all bend elements of one at once.
 *
 * Each triangle of a mesh is a plate of constant curvature, by the element of Morley (1968, "The
 * triangular equilibrium element in the solution of plate bending problems"). Its unknowns are the
 * positions of its corners and the slope of each of its edges, a vector p across the edge, which
 * the edge's other triangle shares with the opposite sign:
 *
 *            / \             u_i = sum g_ik x_k   derivative of the flat triangle's positions along
 *       p_1 /   \ p_0                             the outward normal n_i of edge i at rest
 *          /     \           e_i = p_i - u_i
 *         /_______\          curvature = sum l_i e_i n_i n_i^T / A
 *            p_2             energy    = (A B / 2) |curvature|^2 = sum s_ij e_i . e_j / 2
 *
 * with s_ij = B l_i l_j (n_i . n_j)^2 / A. Its stiffness does not depend on the way in which a mesh
 * is cut into triangles, as a quarter of edge elements' does. Slopes of border edges are eliminated
 * from s.
 *
 * The energy is quadratic in positions and slopes, the same for x, y and z, and has one matrix for
 * good (Bergou et al. 2006, "A quadratic bending model for inextensible surfaces"). A substep
 * solves the implicit step, with the masses over h^2 on the diagonal of the positions, by block
 * elimination in the order of a nested dissection (dissection.h). A mesh that is not flat at rest
 * has edges whose jump u + u' of slopes is r long: that part of it, in its predicted direction, is
 * no strain.
 *
 * Forces follow the law of larger jumps, the matrix holds for small ones. A fold of angle t has a
 * jump |J| = 2 sin(t / 2) long and the curvature 2 tan(t / 2) times the length of its edge (Bergou,
 * Wardetzky, Robinson, Audoly, Grinspun 2008, "Discrete elastic rods"): the energy of the latter,
 * -4 ln cos(t / 2) in the place of t^2 / 2, has the force J / (1 - J^2 / 4). Next to a triangle
 * that is held an edge is the middle of a fold that goes on behind it, the mirror image, so that
 * its force is J / (1 - J^2 / 2).
 *
 * The plate is softer than that chain where curvature varies from cell to cell. With the shares a
 * and b of the jumps at both rows of a right-angled cell that is bent along them, a chain has the
 * energy B (a^2 + b^2) / h for a width of 1, and the plate, whose slope at the diagonal gives way,
 *
 *     B (a^2 + b^2 - (a - b)^2 / 6) / h
 *
 * Heavy strips then sag too much in large cells: the quotients are 1.4 times as large, 0.35 and 0.7
 * (docs/notes/constants.md).
 *
 *     node   the unknowns that separate two parts of a mesh, its pivots; its rows are the unknowns
 *            of nodes above it, its ancestors, that its part touches
 *     leaf   a part of at most 16 triangles, one a SIMD lane
 *     level  nodes of the same depth, which are solved in parallel
 *
 * With K = [S R^T; R T] of a node once its children are eliminated, G = R S^-1: forward, from the
 * leaves, f_rows -= G f; backward, x = S^-1 f - G^T x_rows. Both are dense products, in tiles of 16
 * rows. They depend only on masses, removed elements and the substep.
 *
 * Rejected: edge elements, 20 % soft to 30 % stiff on right-angled meshes; curvatures from the mean
 * slope of both triangles at each edge (Onate and Cervera 1993), 6 to 30 % too stiff; from a fitted
 * quadric, 20 % too soft. */
#ifndef WEFT_MODULES_BENDING_PLATES_H
#define WEFT_MODULES_BENDING_PLATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/columns.h"
#include "step/stage.h"
#include "tables/hinge_schedule.h"
#include "tables/hinges.h"

/* Edges that two triangles share: J = sum c_i x_i is the jump of the slopes. */
typedef struct weft__bend_edges {
  uint32_t particle[4][WEFT__LANES]; /* solver order; 0 in empty lanes */
  float coefficient[4][WEFT__LANES]; /* 1/metres; 0 in empty lanes */
  float rest_jump[WEFT__LANES];      /* |J| at rest */
  /* K J / (1 - min(turn J^2, max_turn)); set with the factors */
  float turn[WEFT__LANES];
  float max_turn[WEFT__LANES];
} weft__bend_edges;

/* A leaf's. Edge i is opposite corner i. */
typedef struct weft__bend_triangles {
  uint32_t edge[3][WEFT__LANES];     /* group x 16 + lane; an empty lane's at the border */
  float gradient[3][3][WEFT__LANES]; /* g of edge i, corner k; 1/metres */
  float moment[3][3][WEFT__LANES];   /* s times the triangle's share in the jump of edge j; newton
                                        metres, set with the factors */
  float sign[3][WEFT__LANES];        /* p_i in e_i; 0 at the border */
  uint16_t corner[3][WEFT__LANES];
  uint16_t slope[3][WEFT__LANES];
} weft__bend_triangles;

typedef struct weft__bend_plate {
  double stiffness[3][3]; /* s */
  double gradient[3][3];
  uint32_t edge[3];   /* WEFT__NONE at the border */
  uint32_t corner[3]; /* solver order */
  float sign[3];
} weft__bend_plate;

typedef struct weft__bend_node {
  uint32_t mesh;
  uint32_t parent;
  uint32_t child[2];
  uint32_t leaf;          /* triangles, or WEFT__NONE */
  uint32_t first_element; /* a leaf's plates */
  uint32_t element_count;
  uint32_t first_pivot; /* in pivot_unknown */
  uint32_t pivot_count;
  uint32_t first_row; /* in row_unknown */
  uint32_t row_count;
  uint64_t first_local;    /* in local: pivots, rows, solution, each in whole tiles */
  uint64_t first_forward;  /* G in tiles of 16 rows */
  uint64_t first_backward; /* S^-1, then -G^T, in tiles of 16 pivots */
} weft__bend_node;

typedef struct weft__bend_mesh {
  uint32_t root;
  uint32_t first_vertex;
  uint32_t vertex_count;
  bool is_stale;   /* masses may have changed */
  bool is_changed; /* factors are to be computed again */
  bool is_held;
} weft__bend_mesh;

typedef struct weft__mesh_bends {
  uint32_t hinge_count; /* edges of two triangles; 0: there are no columns */
  uint32_t edge_group_count;
  uint32_t leaf_count; /* with triangles */
  uint32_t plate_count;
  uint32_t node_count;
  uint32_t mesh_count;
  uint32_t level_count;
  uint32_t unknown_count; /* vertices, then edges */
  uint32_t vertex_count;
  uint32_t row_count;
  uint32_t particle_count;
  const uint8_t* solves; /* in clusters: of this process; NULL: all [mesh_count] */
  float rate_squared;    /* 1/seconds^2: 1 / substep^2 of the factors */

  weft__bend_edges* edges;         /* [edge_group_count] */
  float* jump[3];                  /* strain part of J in this substep [16 x edge_group_count] */
  weft__hinge* hinges;             /* edges as others see them, solver order [hinge_count] */
  uint32_t* mesh_of_hinge;         /* [hinge_count] */
  uint32_t* first_of;              /* in hinges_of [particle_count + 1] */
  uint32_t* hinges_of;             /* by particle [4 x hinge_count] */
  uint8_t* removed;                /* [hinge_count] */
  weft__bend_triangles* triangles; /* [leaf_count] */
  weft__bend_plate* plates;        /* leaf by leaf [plate_count] */
  weft__bend_node* nodes;          /* parents first, level by level [node_count] */
  weft__bend_mesh* meshes;         /* [mesh_count] */
  uint32_t* level_first;           /* first node [level_count + 1] */
  uint32_t* pivot_unknown;         /* [unknown_count] */
  uint32_t* row_unknown;           /* [row_count] */
  uint32_t* row_of_parent;         /* among the parent's locals [row_count] */
  uint32_t* particle;              /* vertices', solver order [vertex_count] */
  uint32_t* local_of;              /* scratch [unknown_count] */
  float* inv_mass;                 /* in the factors [vertex_count] */
  float* local[3];                 /* [local_count] */
  float* forward;                  /* [forward_count] */
  float* backward;                 /* [backward_count] */
  double* front;
  uint64_t local_count, forward_count, backward_count, front_count;
  size_t bytes;
} weft__mesh_bends;

extern const weft__table weft__mesh_bends_table;

#define WEFT__MESH_BEND_FACTORS WEFT__GROUP(1)

static inline uint32_t weft__whole_tiles(uint32_t count) {
  return (count + WEFT__LANES - 1) / WEFT__LANES * WEFT__LANES;
}

static inline bool weft__mesh_bends_solves(const weft__mesh_bends* bends, uint32_t mesh) {
  return bends->solves == NULL || bends->solves[mesh] != 0;
}

/* Marks the hinges of meshes: see weft__bend_elements_find(). is_taken: [hinges->count] */
bool weft__mesh_bends_create(weft__mesh_bends* bends, const weft__schedule* schedule,
                             const weft_scene* scene, bool* is_taken);

static inline weft__mesh_bends* weft__mesh_bends_of(const weft__stage_states* stages) {
  return stages->of[WEFT__STAGE_PLATES];
}

typedef struct weft__plate_kernels {
  void (*measure_edges)(const weft__particles* particles, const weft__mesh_bends* bends,
                        uint32_t begin, uint32_t end);

  /* Elimination of pivots from the node's forces, after its children. */
  void (*eliminate)(const weft__mesh_bends* bends, const weft__bend_node* node);

  /* Solution for pivots, after the parent; moves particles. */
  void (*substitute)(weft__particles* particles, const weft__mesh_bends* bends,
                     const weft__bend_node* node);
} weft__plate_kernels;

void weft__mesh_bends_set_stale(const weft__mesh_bends* bends);

void weft__mesh_bends_set_rate(weft__mesh_bends* bends, float rate_squared);

bool weft__mesh_bends_list_hinges(weft__mesh_bends* bends);

/* Ends of a torn link, solver order; also removes their triangles' bending. */
void weft__mesh_bends_tear(const weft__mesh_bends* bends, uint32_t a, uint32_t b);

/* See weft__hinges_release(). */
void weft__mesh_bends_release(const weft__mesh_bends* bends, weft__is_released* lets_go,
                              const void* context);

#endif
