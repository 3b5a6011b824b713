/* The joints of a world, which come and go between steps.
 *
 * They are solved colour by colour: no two of a colour share a particle, so that those of one can be solved
 * side by side, by any number of workers. A joint gets the lowest colour that no joint at its particles has
 * when it is added, and keeps it. Which joints those are is found in a table of all ends, hashed by their
 * particles: a list for every particle would take memory that most worlds have no use for.
 *
 *     first_end   |  o  |     |  o  |     |      a bucket holds the ends whose particles hash alike; an end
 *                    |           |                is WEFT__JOINT_ENDS times its joint's number and its place
 *                  end 12      end 5              in the joint, and each joint has the next one of its own
 *                    |
 *                  end 3
 *
 * A joint is read and written as a whole, by itself: that is why each is one record, not a row of columns.
 * Records that are free hang one after the other too. */
#ifndef WEFT_TABLES_JOINTS_H
#define WEFT_TABLES_JOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft/weft.h"

/* The particle and those of the point that it is held at. */
#define WEFT__JOINT_ENDS 4u
#define WEFT__NO_JOINT UINT32_MAX

typedef enum weft__joint_state {
  WEFT__JOINT_FREE, /* there is none of this number */
  WEFT__JOINT_WHOLE,
  WEFT__JOINT_BROKEN
} weft__joint_state;

typedef struct weft__joint {
  uint32_t end_count;                  /* 2 to WEFT__JOINT_ENDS */
  uint32_t particle[WEFT__JOINT_ENDS]; /* in solver order: the one that is held, then the point's */
  float weight[WEFT__JOINT_ENDS];      /* 1, then those of the point, whose sum is 1 */
  float rest_length;                   /* metres, 0 = welded */
  float compliance;                    /* metres per newton */
  float break_force;                   /* newtons, 0 = never */
  uint8_t mode;                        /* weft_link_mode */
  /* written by steps */
  uint8_t state; /* weft__joint_state */
  float force;   /* newtons in the last substep in which it was whole */
  /* What it has pulled in this substep, in kilogram metres: along each axis where it is welded, else along
   * the way from the point to the particle, the first of these. */
  double multiplier[3];

  uint32_t color;
  uint32_t next_end[WEFT__JOINT_ENDS]; /* of the same bucket; the first one's: of free numbers */
} weft__joint;

typedef struct weft__joints {
  uint32_t capacity;
  uint32_t count;      /* whole and broken */
  uint32_t end;        /* no number from here on has been used yet */
  uint32_t first_free; /* the number that was given up last */
  weft__joint* joints; /* [capacity] */

  uint32_t bucket_count; /* a power of two */
  uint32_t* first_end;   /* [bucket_count] */
  uint64_t* seen;        /* when a colour was last found at a particle of a new joint [capacity] */
  uint64_t now;          /* counts the joints that were added */

  /* by colour, once weft__joints_sort() has run */
  bool sorted;
  uint32_t color_count;
  uint32_t* color_first; /* in order [capacity + 1] */
  uint32_t* order;       /* numbers, ascending within a colour [capacity] */

  size_t bytes;
} weft__joints;

/* Makes room for so many joints. False when memory cannot be had; the caller destroys the table either way. */
bool weft__joints_create(weft__joints* joints, uint32_t capacity);
void weft__joints_destroy(weft__joints* joints);

/* Adds a joint, whose ends, weights and limits are given, and returns its number; there must be room. */
uint32_t weft__joints_add(weft__joints* joints, const weft__joint* joint);

/* Whether there is a joint of this number. */
static inline bool weft__joints_has(const weft__joints* joints, uint32_t number) {
  return number < joints->end && joints->joints[number].state != WEFT__JOINT_FREE;
}

/* Removes a joint that is there. */
void weft__joints_remove(weft__joints* joints, uint32_t number);

/* Lists the joints by colour, unless nothing has changed since they were last listed. */
void weft__joints_sort(weft__joints* joints);

/* How many are not broken. */
uint32_t weft__joints_count_whole(const weft__joints* joints);

#endif
