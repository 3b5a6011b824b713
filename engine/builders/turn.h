/* Sines and cosines that are the same on all machines: those of C libraries differ in the last bit. */
#ifndef WEFT_BUILDERS_TURN_H
#define WEFT_BUILDERS_TURN_H

#define WEFT__PI 3.14159265358979323846

typedef struct weft__turn {
  double cosine;
  double sine;
} weft__turn;

/* The turn by an angle in radians, of at most some thousand. */
weft__turn weft__turn_by(double angle);

/* The turn by a share of a whole one: exact in quarters. */
weft__turn weft__turn_of(double part, double whole);

#endif
