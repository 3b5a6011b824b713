/* What touches is moved apart.
 *
 * A pair that is nearer than its radii r goes apart along the line between both, each end by its share. The shares
 * are those of mass splitting (Tonge, Benevolenski, Voroshilov 2012): an end with n contacts is n ends of a n-th of
 * its mass each, and is moved by the mean of what these are moved. With w for 1/mass, end i of a pair with j takes
 *
 *     w_i / (n_i w_i + n_j w_j)
 *
 * of the correction, so what both take is equal and opposite by mass, and no number of contacts overshoots; and a
 * heavy body on which much cloth lies moves it, and not the other way round.
 *
 * Contacts do not bounce. The part of an overlap that came about in this substep is taken back from the position
 * alone, and with it the speed at which both approached. What was there before is moved out of with where the
 * particles came from, at most by a tenth of a second's worth of r, so that it makes no speed of its own: cloth that
 * starts within itself does not burst.
 *
 * Those that have gone through each other's middle in this substep are sent back to the side they came from. */
#ifndef WEFT_CLOTH_APART_H
#define WEFT_CLOTH_APART_H

#include "cloth/cloth.h"

/* Called by all workers, with lists that are good. They have to meet after it. */
void weft__cloth_part(const weft__cloth* cloth, const weft__contact_stage* stage);

#endif
