/* Conservative advancement: first contact of two moving bodies, one pair a lane.
 *
 * A plane between the two separates them until a time that their motion along its normal gives, by
 * one division. Time advances to there, the next plane is found, and so on: never beyond the
 * contact. Of convex bodies on straight paths the distance is a convex function of time, and these
 * are the steps of Newton's method from the left of its first root:
 *
 *      distance
 *      |\                 a tangent lies below the function, so where it crosses the axis
 *      | \ .              the bodies do not touch yet; each step lands nearer, and doubles
 *      |  \  '  .         the number of right digits, or nearly; at a grazing contact it
 *      +---\-----'-o----- halves the rest
 *                     time
 *
 * (Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems") */
#include "base/dwide.h"

/* Time until which planes found at `time` separate the active pairs: `time` for pairs that touch,
 * infinite for pairs that do not approach. */
typedef dwide separated_until(void* pairs, dwide time, dwide_mask active);

// Steps from which on a pair counts as touching.
#define MAX_ADVANCES 64
// Largest time below 1, the end of the motion.
#define BEFORE_END (1.0 - 0.5 * DBL_EPSILON)

// Time at which a gap is 0: infinite if it does not close, `time` if it is at most `touching`.
SPECIALIZED dwide closes_at(dwide time, dwide gap, dwide touching, dwide closing) {
  const dwide next = dwide_select(time + gap / closing, dwide_splat(INFINITY),
                                  dwide_above(closing, dwide_splat(0.0)));
  return dwide_select(next, time, dwide_above(gap, touching));
}

// Active pairs that touch between time 0 and `end`; NaN touches.
SPECIALIZED dwide_mask advance_to_contact(separated_until* until, void* pairs, dwide_mask active,
                                          dwide end, int max_steps) {
  dwide_mask hits = dwide_from_mask(0);
  dwide time = dwide_splat(0.0);
  for (int step = 0; step < max_steps && dwide_any(active); ++step) {
    const dwide next = until(pairs, time, active);
    const dwide_mask misses = dwide_above(next, end);
    const dwide_mask touches = dwide_not(dwide_above(next, time * (1.0 + DBL_EPSILON)));
    hits |= active & touches & dwide_not(misses);
    active &= dwide_not(touches | misses);
    time = dwide_select(next, time, active);
  }
  return hits | active;
}
