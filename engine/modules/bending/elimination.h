/* Multifrontal elimination of a mesh's bending, in double precision (Duff and Reid 1983): each node
 * adds up its children's Schur complements, and eliminates its pivots. See plates.h. */
#ifndef WEFT_MODULES_BENDING_ELIMINATION_H
#define WEFT_MODULES_BENDING_ELIMINATION_H

#include "base/range.h"
#include "modules/bending/plates.h"

/* Moments of a plate, without hinges of at least that removal. */
void weft__bend_plate_set_moments(const weft__mesh_bends* bends, uint32_t plate, uint8_t removal);

/* By the masses and the rate of the factors. */
bool weft__mesh_bends_is_stiff(const weft__mesh_bends* bends, uint32_t mesh);

/* Shares and limits of the turns of a mesh's edges, by its whole plates. */
void weft__mesh_bends_set_edges(const weft__mesh_bends* bends, uint32_t mesh);

/* Steps of a node's elimination, of about the same work each. */
uint32_t weft__bend_node_steps(const weft__bend_node* node);

/* Multiplications and additions of one, about. */
uint64_t weft__bend_step_work(const weft__bend_node* node);

/* Takes steps of a node, in their order, without hinges of at least that removal; `front` as its
 * children and its steps before have left it. The last one stores its factors, and leaves the Schur
 * complement of its rows. */
void weft__bend_node_factor(const weft__mesh_bends* bends, uint32_t node, uint8_t removal,
                            weft__range steps, double* front);

#endif
