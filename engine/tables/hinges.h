/* Bend elements of a scene, in the bodies' order: d = c0 x0 + c1 x1 + c2 x2 + c3 x3 is driven to
 * length r, with energy (|d| - r)^2 / (2 compliance). Coefficients sum to 0. */
#ifndef WEFT_TABLES_HINGES_H
#define WEFT_TABLES_HINGES_H

#include <stdbool.h>
#include <stdint.h>

/* Fourth particle of a three-particle hinge, of coefficient 0. */
#define WEFT__NO_PARTICLE UINT32_MAX

typedef struct weft__hinge {
  uint32_t particle[4];
  float coefficient[4];
  float rest_length; /* metres */
  float compliance;  /* metres per newton */
  /* metres of |d| from the rest length before that follows; 0: never */
  float yield;
  float max_rest_length; /* metres up to which it follows */
  /* two triangles on edge 0-1, at rest: metres 01, 02, 12, 03, 13; 0 if none */
  float side[5];
  float bend_stiffness; /* newton metres, of the plate */
} weft__hinge;

typedef struct weft__hinges {
  uint32_t count;
  uint32_t capacity;
  uint32_t (*particle)[4];
  float (*coefficient)[4];
  float* rest_length;     /* metres, 0 in flat cloth [count] */
  float* compliance;      /* metres per newton [count] */
  float* yield;           /* metres, 0: elastic [count] */
  float* max_rest_length; /* metres [count] */
  float (*side)[5];       /* metres [count] */
  float* bend_stiffness;  /* newton metres [count] */
} weft__hinges;

/* Room for `count` in total. Nothing is lost if it fails. */
bool weft__hinges_reserve(weft__hinges* hinges, uint32_t count);

void weft__hinges_push(weft__hinges* hinges, const weft__hinge* hinge);

weft__hinge weft__hinges_get(const weft__hinges* hinges, uint32_t index);
void weft__hinges_destroy(weft__hinges* hinges);

#endif
