/* Bits are equal on all machines: C libraries differ in the last one. */
#ifndef WEFT_LIBRARIES_BODIES_TURN_H
#define WEFT_LIBRARIES_BODIES_TURN_H

#define WEFT__PI 3.14159265358979323846

typedef struct weft__turn {
  double cosine;
  double sine;
} weft__turn;

/* Radians, a few thousand at most. */
weft__turn weft__turn_by(double angle);

/* Part / whole of a full turn: exact for quarters. */
weft__turn weft__turn_of(double part, double whole);

#endif
