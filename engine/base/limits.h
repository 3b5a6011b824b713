/* Limits that the rows of base/defs.c share with other code. */
#ifndef WEFT_BASE_LIMITS_H
#define WEFT_BASE_LIMITS_H

/* metres per newton: a float even when divided by the square of the shortest substep */
#define WEFT__MAX_COMPLIANCE 1e12f

/* radians: pi, rounded up to a float */
#define WEFT__MAX_ANGLE 0x1.921fb6p1f

#define WEFT__MAX_ATTACHMENTS 4u
#define WEFT__MAX_SUBSTEPS 1000u

/* nanoseconds of a step */
#define WEFT__MIN_STEP_NS 1000

#endif
