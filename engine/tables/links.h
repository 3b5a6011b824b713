/* Links of a scene, as columns in the caller's order.
 *
 * Optional columns are NULL until a link needs them: weft__links_add_columns(). */
#ifndef WEFT_TABLES_LINKS_H
#define WEFT_TABLES_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "weft/weft.h"

/* Solver of a link. A lane of the schedule keeps each link: its bit is clear once the link is torn
 * or switched off, whatever its solver. */
typedef enum weft__solver {
  WEFT__SOLVER_SWEEP,
  WEFT__SOLVER_DIRECT, /* a compliant link of a tree: a sweep would apply its load a second time */
  WEFT__SOLVER_SPRING, /* a force: nothing is built on it */
  WEFT__SOLVER_ROD,    /* a segment of a rod: nothing is built on it either */
} weft__solver;

typedef struct weft__links {
  uint32_t count;
  uint32_t capacity;
  uint32_t* end_a;    /* particle [count] */
  uint32_t* end_b;    /* particle [count] */
  float* rest_length; /* metres [count] */
  float* relaxation;  /* 0 to 1 [count] */
  float* tear_ratio;  /* length / rest_length at which the link breaks, 0 = never [count] */
  float* compliance;  /* metres per newton [count] */
  uint8_t* kind;      /* weft_link_kind [count] */
  /* NULL if all links are WEFT_LINK_MODE_BOTH */
  uint8_t* mode;      /* weft_link_mode [count] */
  float* max_length;  /* metres, of ranges, else 0 [count] */
  float* slack_below; /* metres by which it may be shorter than rest_length without force [count] */
  float* slack_above; /* metres by which it may be longer; either may be infinite [count] */
  /* each NULL if no link has any */
  float* spring_damping; /* newton seconds per metre [count] */
  uint32_t* force_curve; /* number of a curve of the scene, 0 = none [count] */
  /* chosen by a world for its view of a scene, and not the table's; NULL: all are swept */
  const uint8_t* solver; /* weft__solver [count] */
} weft__links;

/* Reserves room for `count` links in total. False if out of memory, with nothing lost. */
bool weft__links_reserve(weft__links* links, uint32_t count);

/* Allocates the missing columns, up to the capacity, that one of `count` links needs. False if out
 * of memory, with nothing lost. */
bool weft__links_add_columns(weft__links* links, const weft_link_def* list, uint32_t count);

/* Appends a checked link; room must be reserved and the columns it needs must exist. */
void weft__links_push(weft__links* links, weft_link_def link);

static inline weft_link_mode weft__links_mode(const weft__links* links, uint32_t index) {
  return links->mode == NULL ? WEFT_LINK_MODE_BOTH : (weft_link_mode)links->mode[index];
}

static inline weft__solver weft__links_solver(const weft__links* links, uint32_t index) {
  return links->solver == NULL ? WEFT__SOLVER_SWEEP : (weft__solver)links->solver[index];
}

/* True if a link carries load as a constraint: it resists stretch beyond its rest length, and is
 * neither a mere support, nor a spring, nor a segment of a rod. */
static inline bool weft__links_carry(const weft__links* links, uint32_t index) {
  return links->kind[index] != WEFT_LINK_SUPPORT &&
         weft__links_mode(links, index) <= WEFT_LINK_MODE_STRETCH &&
         weft__links_solver(links, index) < WEFT__SOLVER_SPRING;
}

weft_link_def weft__links_get(const weft__links* links, uint32_t index);
void weft__links_destroy(weft__links* links);

#endif
