/* Coulomb's law of friction. */
#ifndef WEFT_BASE_COULOMB_H
#define WEFT_BASE_COULOMB_H

/* Share of a wanted friction of `length` that acts, 0 to 1: all of it up to the static limit, which
 * sticks, then the dynamic one. Limits: coefficient x push, in the unit of the length. */
static inline double weft__friction_share(double static_limit, double dynamic_limit,
                                          double length) {
  return length <= static_limit || length <= dynamic_limit ? 1.0 : dynamic_limit / length;
}

#endif
