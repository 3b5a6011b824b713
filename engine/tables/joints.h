/* Joints of a world, added and removed between steps.
 *
 * Joints of a colour share no particle and are solved in parallel. A joint keeps the lowest colour
 * unused at its particles when it was added. A particle's joints are found in a hash table of all
 * ends: lists by particle would waste memory.
 *
 *    first_end   |  o  |     |  o  |     |      a bucket holds the ends whose particles hash
 *                   |           |               alike; an end is WEFT__JOINT_ENDS times its joint's
 *                 end 12      end 5             slot plus its index in the joint, and each joint
 *                   |                           links to the next one of its own
 *                 end 3
 *
 * Records, not columns: a joint is read and written as a whole. Free records form a list.
 *
 * Contacts take joints for links, and welds, of length 0, for shared particles: particles that they
 * hold together do not collide. `version` tells stages that they have to find these anew. */
#ifndef WEFT_TABLES_JOINTS_H
#define WEFT_TABLES_JOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/slot.h"
#include "tables/particles.h"
#include "weft/weft.h"

/* The held particle and the anchor point's. */
#define WEFT__JOINT_ENDS 4u
#define WEFT__NO_JOINT UINT32_MAX

typedef enum weft__joint_state {
  WEFT__JOINT_FREE,
  WEFT__JOINT_WHOLE,
  WEFT__JOINT_BROKEN
} weft__joint_state;

typedef struct weft__joint {
  uint32_t end_count;
  /* in solver order: held, then the anchor point's */
  uint32_t particle[WEFT__JOINT_ENDS];
  float weight[WEFT__JOINT_ENDS]; /* 1, then the anchor point's, which sum to 1 */
  float rest_length;              /* metres, 0: welded */
  float compliance;               /* metres per newton */
  float break_force;              /* newtons, 0: unbreakable */
  float closing_speed;            /* metres per second at which `excess` falls */
  uint8_t mode;                   /* weft_link_mode */
  uint8_t state;                  /* weft__joint_state */
  uint8_t is_parted;              /* broken, and its particles collide again */
  uint8_t unused;                 /* 0: see weft__archive_value() */
  float excess;                   /* metres added to the rest length until the joint has closed */
  float force;                    /* newtons in the last substep in which it was whole */
  /* Lagrange multiplier of this substep, kilogram metres: by axis if welded, else the first, along
   * the direction from anchor point to particle. */
  double multiplier[3];

  uint32_t generation; /* see base/slot.h */
  uint32_t color;
  /* next end in the bucket; in a free record the first is the next free slot */
  uint32_t next_end[WEFT__JOINT_ENDS];
} weft__joint;

/* Metres from the anchor point to the held particle. */
static inline void weft__joint_offset(const weft__joint* joint, const weft__particles* p,
                                      double offset[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    offset[axis] = (double)p->pos[axis][joint->particle[0]];
    for (uint32_t e = 1; e < joint->end_count; ++e)
      offset[axis] -= (double)joint->weight[e] * (double)p->pos[axis][joint->particle[e]];
  }
}

/* Holds its particles together: they do not collide. */
static inline bool weft__joint_binds(const weft__joint* joint) {
  return joint->state == WEFT__JOINT_WHOLE && joint->mode != WEFT_LINK_MODE_COMPRESS;
}

/* Holds them at one place, as soon as it has closed. */
static inline bool weft__joint_is_weld(const weft__joint* joint) {
  return weft__joint_binds(joint) && joint->rest_length == 0.0f;
}

/* The host's; apart from the record, which is saved. */
typedef struct weft__joint_data {
  uint32_t generation; /* the joint's: another one's has no data */
  void* user_data;
} weft__joint_data;

typedef struct weft__joints {
  uint32_t capacity;
  uint32_t count;
  uint32_t version;       /* raised as joints are added, removed or parted */
  bool any_broke;         /* joints have broken that are not parted yet: derived */
  uint32_t end;           /* one past the highest slot ever used */
  uint32_t first_free;    /* most recent */
  weft__joint* joints;    /* [capacity] */
  weft__joint_data* data; /* [capacity] */
  const uint8_t* solves;  /* in clusters: of this process; NULL: all [end] */

  uint32_t bucket_count; /* power of two */
  uint32_t* first_end;   /* [bucket_count] */
  uint64_t* seen;        /* value of `now` when a colour was last marked [capacity] */
  uint64_t now;

  /* after weft__joints_sort() */
  bool sorted;
  uint32_t color_count;
  uint32_t* color_first; /* into order [capacity + 2] */
  uint32_t* order;       /* slots, ascending within a colour [capacity] */

  size_t bytes;
} weft__joints;

extern const weft__table weft__joints_table;

bool weft__joints_create(weft__joints* joints, uint32_t capacity);
void weft__joints_destroy(weft__joints* joints);

/* There must be room. */
weft_joint weft__joints_add(weft__joints* joints, const weft__joint* joint);

/* NULL if stale. */
static inline weft__joint* weft__joints_find(const weft__joints* joints, weft_joint handle) {
  if (handle.index >= joints->end) return NULL;
  weft__joint* joint = &joints->joints[handle.index];
  return weft__slot_matches(joint->generation, handle.generation) ? joint : NULL;
}

void weft__joints_remove(weft__joints* joints, uint32_t index);

/* Ends at a particle, each WEFT__JOINT_ENDS times the slot plus the index in the joint; up to
 * WEFT__NO_JOINT. */
uint32_t weft__joints_first_end(const weft__joints* joints, uint32_t particle);
uint32_t weft__joints_next_end(const weft__joints* joints, uint32_t particle, uint32_t end);

/* True if a weld holds both particles, as its particle and one of its anchor's; or a chain of welds
 * between single particles. */
bool weft__joints_weld(const weft__joints* joints, uint32_t a, uint32_t b);

void weft__joints_sort(weft__joints* joints);

/* Sets any_broke, where records have come from elsewhere. */
void weft__joints_find_broken(weft__joints* joints);

uint32_t weft__joints_count_whole(const weft__joints* joints);

#endif
