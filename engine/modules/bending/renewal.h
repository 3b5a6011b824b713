/* Renewal of factors. Masses, the length of the substep and a load change all of a mesh's at once.
 * Removed hinges, which tears may bring in every step, do so a little in each substep, node by
 * node, children first, one mesh after another:
 *
 *     order    [ renewed: lack hinges RENEWED and GONE | before: lack those GONE ]
 *                                                        ^ `renewals` nodes, `steps` of the first
 *
 * A stiff mesh's are computed at once, as many substeps apart as this would take.
 *
 * The work of a substep follows from that of its solves: no clock and no worker has a part in it.
 * A load finds this place, the removal of hinges, and the masses and the rate of the factors, and
 * computes them again. */
#ifndef WEFT_MODULES_BENDING_RENEWAL_H
#define WEFT_MODULES_BENDING_RENEWAL_H

#include "modules/bending/plates.h"
#include "tables/particles.h"

void weft__mesh_bends_set_stale(const weft__mesh_bends* bends);

void weft__mesh_bends_set_rate(weft__mesh_bends* bends, float rate_squared);

/* Removes a hinge from forces. */
void weft__mesh_bends_remove(weft__mesh_bends* bends, uint32_t hinge);

/* Masses, moments and factors of a mesh, unless they fit. */
void weft__mesh_bends_update(weft__mesh_bends* bends, uint32_t mesh,
                             const weft__particles* particles);

/* Renews factors; `work`: weft__bend_mesh.work of the meshes that act. */
void weft__mesh_bends_renew(weft__mesh_bends* bends, uint64_t work);

/* After a load. */
void weft__mesh_bends_loaded(void* table);

bool weft__mesh_bends_is_sound(const void* table);

#endif
