/* The links of a scene, as columns in the caller's order. */
#ifndef WEFT_TABLES_LINKS_H
#define WEFT_TABLES_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

/* metres per newton: even divided by the square of the shortest substep it is a float */
#define WEFT__MAX_COMPLIANCE 1e12f

typedef struct weft__links {
  uint32_t count;
  uint32_t capacity;
  uint32_t* end_a;    /* particle [count] */
  uint32_t* end_b;    /* particle [count] */
  float* rest_length; /* metres [count] */
  float* stiffness;   /* 0 to 1 [count] */
  float* tear_ratio;  /* length / rest_length at which the link breaks, 0 = never [count] */
  float* compliance;  /* metres per newton [count] */
  uint8_t* kind;      /* weft_link_kind [count] */
} weft__links;

/* Makes room for `count` links in all. False, and nothing lost, when memory cannot be had. */
bool weft__links_reserve(weft__links* links, uint32_t count);

/* Appends a link that is known to be good; room must have been reserved. */
void weft__links_push(weft__links* links, weft_link link);

weft_link weft__links_get(const weft__links* links, uint32_t index);
void weft__links_destroy(weft__links* links);

#endif
