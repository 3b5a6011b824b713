/* The bend elements of a scene, called hinges, as columns in the order in which bodies brought them.
 *
 * A hinge pulls on up to four particles, so that the vector d = c0 x0 + c1 x1 + c2 x2 + c3 x3 gets its
 * rest length r: its energy is (|d| - r)^2 / (2 compliance). The coefficients sum to 0, so that moving
 * all of the cloth does not change d. */
#ifndef WEFT_TABLES_HINGES_H
#define WEFT_TABLES_HINGES_H

#include <stdbool.h>
#include <stdint.h>

/* In the place of the fourth particle of a hinge that has three; its coefficient is 0. */
#define WEFT__NO_PARTICLE UINT32_MAX

typedef struct weft__hinge {
  uint32_t particle[4];
  float coefficient[4];
  float rest_length; /* metres */
  float compliance;  /* metres per newton */
} weft__hinge;

typedef struct weft__hinges {
  uint32_t count;
  uint32_t capacity;
  uint32_t (*particle)[4];
  float (*coefficient)[4];
  float* rest_length; /* metres, 0 where the cloth is flat at rest [count] */
  float* compliance;  /* metres per newton [count] */
} weft__hinges;

/* Makes room for `count` hinges in all. False, and nothing lost, when memory cannot be had. */
bool weft__hinges_reserve(weft__hinges* hinges, uint32_t count);

/* Appends a hinge; room must have been reserved. */
void weft__hinges_push(weft__hinges* hinges, const weft__hinge* hinge);

weft__hinge weft__hinges_get(const weft__hinges* hinges, uint32_t index);
void weft__hinges_destroy(weft__hinges* hinges);

#endif
