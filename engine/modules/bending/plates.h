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
 * no strain. Creases change r at the end of a substep.
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
 * Tears. A triangle with a torn link is gone, and the slopes of its edges are others' border
 * slopes: eliminated from their s. Forces follow at once. Factors K' of the elements before follow
 * a little in each substep, from the leaves up (renewal.h). An implicit step with K' in the place
 * of K is stable, as K' >= K, also while some nodes have newer factors than those above them, and
 * only moves as if more mass hung on the edges of the cut. It is stable in the metric of K', and
 * sweeps of links in the masses': plates of more than a thousand times their masses over h^2
 * explode. So a stiff mesh's elements stay until all its factors are computed again, at most as
 * often as others'.
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
  float rest_jump[WEFT__LANES];      /* |J| at rest, without creases */
  /* K J / (1 - min(turn J^2, max_turn)); set with the factors */
  float turn[WEFT__LANES];
  float max_turn[WEFT__LANES];
} weft__bend_edges;

/* Creases of edges: see weft__hinge. Elastic lanes have an infinite yield. */
typedef struct weft__bend_creases {
  float yield[WEFT__LANES];         /* of |J| */
  float max_rest_jump[WEFT__LANES]; /* of |J| */
} weft__bend_creases;

/* A leaf's. Edge i is opposite corner i. */
typedef struct weft__bend_triangles {
  uint32_t edge[3][WEFT__LANES];     /* group x 16 + lane; an empty lane's at the border */
  float gradient[3][3][WEFT__LANES]; /* g of edge i, corner k; 1/metres */
  float moment[3][3][WEFT__LANES];   /* s times the triangle's share in the jump of edge j; newton
                                        metres, set with the factors and by tears */
  float sign[3][WEFT__LANES];        /* p_i in e_i; 0 at the border */
  uint16_t corner[3][WEFT__LANES];
  uint16_t slope[3][WEFT__LANES];
} weft__bend_triangles;

typedef struct weft__bend_plate {
  double stiffness[3][3]; /* s */
  double gradient[3][3];
  uint32_t edge[3];   /* WEFT__NONE at the border */
  uint32_t corner[3]; /* vertices */
  float sign[3];
  uint32_t leaf, lane; /* in triangles */
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
  uint64_t first_front;    /* doubles: its rows, for the parent, in a front */
} weft__bend_node;

typedef struct weft__bend_mesh {
  uint32_t first_node; /* in order */
  uint32_t node_count;
  uint32_t first_vertex;
  uint32_t vertex_count;
  uint32_t first_hinge;
  uint32_t hinge_count;
  uint64_t work;   /* of a solve: factors */
  bool is_stale;   /* masses may have changed */
  bool is_changed; /* factors are to be computed again, at once */
  bool is_torn;    /* hinges that its factors have are removed, and no renewal lacks them */
  bool is_stiff;   /* forces wait for the factors */
  bool is_held;
} weft__bend_mesh;

/* Factors that lack a hinge. Forces lack all that are not WEFT__HINGE_KEPT, a stiff mesh's those
 * that are gone. */
typedef enum weft__hinge_removal {
  WEFT__HINGE_KEPT,
  WEFT__HINGE_IN_FACTORS,
  WEFT__HINGE_RENEWED, /* the nodes' that have been renewed */
  WEFT__HINGE_GONE,    /* all */
} weft__hinge_removal;

typedef struct weft__mesh_bends {
  uint32_t hinge_count; /* edges of two triangles; 0: there are no columns */
  uint32_t edge_group_count;
  uint32_t crease_group_count; /* edge_group_count, or 0: no hinge yields */
  uint32_t leaf_count;         /* with triangles */
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

  /* factors that are being renewed: renewal.h */
  uint32_t renewed;  /* mesh, or the last one */
  uint32_t renewals; /* its nodes to come; 0: none is renewed */
  uint32_t steps;    /* taken of the next of them */

  weft__bend_edges* edges;         /* [edge_group_count] */
  weft__bend_creases* creases;     /* [crease_group_count] */
  float* rest_jump;                /* |J| at rest with creases [16 x crease_group_count] */
  float* jump[3];                  /* strain part of J in this substep [16 x edge_group_count] */
  weft__hinge* hinges;             /* edges as others see them, solver order [hinge_count] */
  uint32_t* mesh_of_hinge;         /* [hinge_count] */
  uint32_t* first_of;              /* in hinges_of [particle_count + 1] */
  uint32_t* hinges_of;             /* by particle [4 x hinge_count] */
  uint8_t* removed;                /* weft__hinge_removal [hinge_count] */
  uint32_t* plates_of;             /* [2 x hinge_count] */
  weft__bend_triangles* triangles; /* [leaf_count] */
  weft__bend_plate* plates;        /* leaf by leaf [plate_count] */
  weft__bend_node* nodes;          /* parents first, level by level [node_count] */
  uint32_t* order;                 /* nodes, children first, mesh by mesh [node_count] */
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
  double* front;                   /* of whole meshes, then of renewals [2 x front_count] */
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

extern const weft__halo_rows weft__bend_mesh_rows;

static inline weft__mesh_bends* weft__mesh_bends_of(const weft__stage_states* stages) {
  return stages->of[WEFT__STAGE_PLATES];
}

typedef struct weft__plate_kernels {
  void (*measure_edges)(const weft__particles* particles, const weft__mesh_bends* bends,
                        uint32_t begin, uint32_t end);

  /* Plastic flow: the rest jump follows a larger one at the distance of the yield. */
  void (*crease_edges)(const weft__particles* particles, const weft__mesh_bends* bends,
                       uint32_t begin, uint32_t end);

  /* Elimination of pivots from the node's forces, after its children. */
  void (*eliminate)(const weft__mesh_bends* bends, const weft__bend_node* node);

  /* Solution for pivots, after the parent; moves particles. */
  void (*substitute)(weft__particles* particles, const weft__mesh_bends* bends,
                     const weft__bend_node* node);
} weft__plate_kernels;

/* |J| at rest, of each lane of a group of edges. */
static inline const float* weft__rest_jumps(const weft__mesh_bends* bends, uint32_t group) {
  if (bends->crease_group_count == 0) return bends->edges[group].rest_jump;
  return bends->rest_jump + (size_t)group * WEFT__LANES;
}

/* Minimizes the energy of a plate over the slope of an edge. */
void weft__bend_plate_free(double stiffness[3][3], int edge);

bool weft__mesh_bends_list_hinges(weft__mesh_bends* bends);

/* Ends of a torn link, solver order; also removes their triangles' bending. */
void weft__mesh_bends_tear(weft__mesh_bends* bends, uint32_t a, uint32_t b);

/* See weft__hinges_release(). */
void weft__mesh_bends_release(weft__mesh_bends* bends, weft__is_released* lets_go,
                              const void* context);

#endif
