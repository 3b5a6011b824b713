/* Torn links, on all levels. */
#ifndef WEFT_COARSE_TEARS_H
#define WEFT_COARSE_TEARS_H

#include "coarse/levels.h"

/* Tears what stands for a torn link between particles a and b of the cloth, in solver order: on each
 * level the links between parents of its ends. The ends of all these go their own way from then on, so
 * that nothing pulls them across the tear. Only where the scene had links that can break. */
void weft__levels_tear(const weft__levels* levels, const weft__schedule* cloth, uint32_t a,
                       uint32_t b);

#endif
