/* The links of a scene, as columns in the caller's order.
 *
 * What few scenes have is not there, NULL, until a link needs it: weft__links_need(). */
#ifndef WEFT_TABLES_LINKS_H
#define WEFT_TABLES_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

/* metres per newton: even divided by the square of the shortest substep it is a float */
#define WEFT__MAX_COMPLIANCE 1e12f
/* newton seconds per metre */
#define WEFT__MAX_SPRING_DAMPING 1e12f

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
  /* NULL where all links are WEFT_LINK_BOTH */
  uint8_t* mode;      /* weft_link_mode [count] */
  float* max_length;  /* metres, of ranges, else 0 [count] */
  float* slack_below; /* metres by which it may be shorter than rest_length, freely [count] */
  float* slack_above; /* metres by which it may be longer; either may be infinite [count] */
  /* NULL where no link has any */
  float* spring_damping; /* newton seconds per metre [count] */
} weft__links;

/* Makes room for `count` links in all. False, and nothing lost, when memory cannot be had. */
bool weft__links_reserve(weft__links* links, uint32_t count);

/* Makes the columns, up to the capacity, that one of `count` links needs and that are not there. False, and
 * nothing lost, when memory cannot be had. */
bool weft__links_need(weft__links* links, const weft_link* list, uint32_t count);

/* Appends a link that is known to be good; room must have been reserved, and what it needs be there. */
void weft__links_push(weft__links* links, weft_link link);

static inline weft_link_mode weft__links_mode(const weft__links* links, uint32_t index) {
  return links->mode == NULL ? WEFT_LINK_BOTH : (weft_link_mode)links->mode[index];
}

/* Whether a body hangs by a link: it bears being pulled as soon as it is longer than its rest length, and
 * is no mere support. */
static inline bool weft__links_carry(const weft__links* links, uint32_t index) {
  return links->kind[index] != WEFT_LINK_SUPPORT &&
         weft__links_mode(links, index) <= WEFT_LINK_STRETCH;
}

weft_link weft__links_get(const weft__links* links, uint32_t index);
void weft__links_destroy(weft__links* links);

#endif
