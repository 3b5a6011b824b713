/* Lists of which cloth is near which, and of the bodies near it.
 *
 * The lists of cloth are made by going through the cells around each particle. A worker finds those of one particle
 * after another in memory of its own, and puts them where the next free entries are: where a list stands depends on
 * the workers, what is in it does not.
 *
 * A bucket of more particles than WEFT__CLOTH_WINDOW is too full, or what made it so is: of two buckets only such
 * pairs are looked at whose ranks within them are less than that apart. So everything takes time in proportion to
 * the number of particles, however they lie, and what is not looked at counts as lost.
 *
 * Where the entries do not suffice, each pair belongs to its cloth of the lower number, and pairs are left out from the
 * first owner on whose own find no room. That goes through the cells a second time. */
#ifndef WEFT_CLOTH_NEAR_H
#define WEFT_CLOTH_NEAR_H

#include "cloth/cloth.h"

#define WEFT__CLOTH_WINDOW 64u
/* entries of the longest list of one of a cloth: 27 buckets, and some bodies */
#define WEFT__CLOTH_MOST_NEAR 4096u
/* a worker's lists that wait to be put in their place */
#define WEFT__CLOTH_SCRATCH (4u * WEFT__CLOTH_MOST_NEAR)

/* Makes the lists anew. Called by all workers, which have met again when it returns. */
void weft__cloth_list(weft__cloth* cloth, const weft__contact_stage* stage);

#endif
