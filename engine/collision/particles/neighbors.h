/* Which bodies may meet: those whose boxes do.
 *
 * The box of a body is around all of its way, and a little wider. It is put into a cell of the size of such boxes:
 * twice as large a body, cells twice as wide. So a body looks for others in the 27 cells around it of its own
 * width, and in as many of every larger width that there is: what is larger is found by what is smaller, and sizes may
 * differ as they like. As long as nobody leaves its box the list holds, and so do its colours. What is not finite
 * meets nobody.
 *
 * Rejected: a grid of one width, in which one large body lies in a million cells; to sweep and prune, which is
 * linear in practice as long as bodies do not lie in rows; and cells in buckets by a hash, each of which is somewhere
 * else in memory. */
#ifndef WEFT_COLLISION_PARTICLES_NEIGHBORS_H
#define WEFT_COLLISION_PARTICLES_NEIGHBORS_H

#include "collision/particles/particle_contacts.h"
#include "collision/particles/team.h"

/* What a box is around: the way that a body will go in so many substeps by the velocity that it has and, where it
 * has gone a substep already, that one's. */
typedef struct weft__near_way {
  uint32_t substeps;
  bool has_begun;
} weft__near_way;

/* Sets has_left if any body is out of its box, or will be. All meet before it returns. */
void weft__near_check(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                      const weft__team* team, weft__near_way way);

/* Lists all pairs anew. All meet before it returns. */
void weft__near_list(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                     const weft__team* team, weft__near_way way);

#endif
