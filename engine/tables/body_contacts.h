/* Bodies that touch, as impulses between them are found: records of four floats side by side, as kernels take them. */
#ifndef WEFT_TABLES_BODY_CONTACTS_H
#define WEFT_TABLES_BODY_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct weft__body_pair {
  uint32_t a, b; /* bodies */
} weft__body_pair;

typedef struct weft__impulse {
  float normal;   /* newton seconds */
  float along[3]; /* by friction */
} weft__impulse;

typedef struct weft__body_motion {
  float velocity[3]; /* metres per second */
  float inv_mass;    /* 1/kilograms, 0 = pinned */
} weft__body_motion;

/* Two bodies, or a body and a wall: one cache line of four records. */
typedef struct weft__body_contact {
  float normal[3];   /* of length 1, from a to b */
  float least_speed; /* metres per second along the normal, at which they part at least */

  weft__impulse impulse; /* on b; on a the opposite */

  float mass; /* kilograms: 1 / (1/a + 1/b); 0 = they do not meet in this substep */
  float static_friction, dynamic_friction;
  float bounce; /* metres per second at which they part if they have met; -1 = they stay */

  uint32_t a, b;
  float gap;  /* metres: at first what they may come nearer, then what is left of it */
  float slop; /* metres that they may be in each other */
} weft__body_contact;

/* What a worker knows of its part of a sweep over contacts. */
typedef struct weft__contact_sweep weft__contact_sweep;
struct weft__contact_sweep {
  weft__body_contact* contacts;
  const weft__body_pair* ends; /* of each contact but those of walls, which come last */
  weft__body_motion* bodies;
  uint8_t* stirred; /* of each body: the number of the sweep that has last changed it by enough */
  void (*solve_contacts)(weft__contact_sweep* sweep, uint32_t begin, uint32_t end); /* the kernel */
  float h;        /* seconds of a substep */
  float change;   /* metres per second squared: the largest change of a speed */
  float enough;   /* the same: a larger one stirs bodies */
  uint8_t number; /* of the sweep, the first is 1 */
  bool
      is_whole; /* over all contacts, not only those of bodies that were stirred since they were solved */
};

/* Whether a contact of two is to be solved again: others may have stirred one in this sweep, or in the one before. */
static inline bool weft__is_stirred(const weft__contact_sweep* sweep, weft__body_pair ends) {
  return sweep->is_whole || sweep->stirred[ends.a] + 1 >= sweep->number ||
         sweep->stirred[ends.b] + 1 >= sweep->number;
}

/* Pinned bodies may be shared by those of a colour, and nothing stirs them. */
static inline void weft__stir(const weft__contact_sweep* sweep, const weft__body_contact* c) {
  if (sweep->bodies[c->a].inv_mass > 0.0f) sweep->stirred[c->a] = sweep->number;
  if (sweep->bodies[c->b].inv_mass > 0.0f) sweep->stirred[c->b] = sweep->number;
}

#endif
