#include "tables/joints.h"

#include <string.h>

#include "base/host.h"
#include "base/sort.h"

static const weft__column columns[] = {
    WEFT__MEMBER(weft__joints, count),
    WEFT__MEMBER(weft__joints, version),
    WEFT__MEMBER(weft__joints, end),
    WEFT__MEMBER(weft__joints, first_free),
    WEFT__MEMBER(weft__joints, now),
    WEFT__LIST(weft__joints, joints, end, capacity, WEFT__STATE),
    WEFT__COLUMN(weft__joints, first_end, bucket_count, WEFT__STATE),
    WEFT__COLUMN(weft__joints, data, capacity, 0),
    WEFT__COLUMN(weft__joints, seen, capacity, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__joints, color_first, 1, capacity, 2, WEFT__DERIVED),
    WEFT__COLUMN(weft__joints, order, capacity, WEFT__DERIVED),
};

void weft__joints_find_broken(weft__joints* joints) {
  joints->any_broke = false;
  for (uint32_t i = 0; i < joints->end; ++i)
    joints->any_broke |=
        joints->joints[i].state == WEFT__JOINT_BROKEN && !joints->joints[i].is_parted;
}

static void outdate(void* table) {
  weft__joints* joints = table;
  weft__joints_find_broken(joints);
  // marks of colours may be later than `now`
  if (joints->capacity > 0) memset(joints->seen, 0, joints->capacity * sizeof(*joints->seen));
  joints->sorted = false;
}

const weft__table weft__joints_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = outdate};

bool weft__joints_create(weft__joints* joints, uint32_t capacity) {
  uint32_t buckets = 1;
  while (buckets < WEFT__JOINT_ENDS * capacity) buckets *= 2;
  *joints =
      (weft__joints){.capacity = capacity, .first_free = WEFT__NO_JOINT, .bucket_count = buckets};
  if (!weft__columns_add(joints, &weft__joints_table, 0, &joints->bytes)) return false;
  memset(joints->first_end, 0xff, buckets * sizeof(*joints->first_end));
  return true;
}

void weft__joints_destroy(weft__joints* joints) {
  weft__columns_free(joints, &weft__joints_table);
  *joints = (weft__joints){0};
}

// Multiplicative hashing (Knuth 1973, "The Art of Computer Programming 3", section 6.4).
static uint32_t* bucket_of(const weft__joints* joints, uint32_t particle) {
  const uint32_t hash = particle * 2654435769u;
  return &joints->first_end[(hash ^ hash >> 16) & (joints->bucket_count - 1)];
}

static uint32_t* next_of(const weft__joints* joints, uint32_t end) {
  return &joints->joints[end / WEFT__JOINT_ENDS].next_end[end % WEFT__JOINT_ENDS];
}

static uint32_t find_end(const weft__joints* joints, uint32_t particle, uint32_t end) {
  while (end != WEFT__NO_JOINT &&
         joints->joints[end / WEFT__JOINT_ENDS].particle[end % WEFT__JOINT_ENDS] != particle) {
    end = *next_of(joints, end);
  }
  return end;
}

uint32_t weft__joints_first_end(const weft__joints* joints, uint32_t particle) {
  return find_end(joints, particle, *bucket_of(joints, particle));
}

uint32_t weft__joints_next_end(const weft__joints* joints, uint32_t particle, uint32_t end) {
  return find_end(joints, particle, *next_of(joints, end));
}

static void mark_colors(const weft__joints* joints, uint32_t particle) {
  for (uint32_t end = weft__joints_first_end(joints, particle); end != WEFT__NO_JOINT;
       end = weft__joints_next_end(joints, particle, end)) {
    joints->seen[joints->joints[end / WEFT__JOINT_ENDS].color] = joints->now;
  }
}

static uint32_t choose_color(weft__joints* joints, const weft__joint* joint) {
  ++joints->now;
  for (uint32_t e = 0; e < joint->end_count; ++e) mark_colors(joints, joint->particle[e]);
  // terminates: each used colour belongs to another joint
  uint32_t color = 0;
  while (joints->seen[color] == joints->now) ++color;
  return color;
}

static void insert_end(weft__joints* joints, uint32_t end, uint32_t particle) {
  uint32_t* first = bucket_of(joints, particle);
  *next_of(joints, end) = *first;
  *first = end;
}

static void remove_end(weft__joints* joints, uint32_t end, uint32_t particle) {
  uint32_t* at = bucket_of(joints, particle);
  while (*at != end) at = next_of(joints, *at);
  *at = *next_of(joints, end);
}

static uint32_t allocate_slot(weft__joints* joints) {
  const uint32_t index = joints->first_free;
  if (index == WEFT__NO_JOINT) return joints->end++;
  joints->first_free = joints->joints[index].next_end[0];
  return index;
}

weft_joint weft__joints_add(weft__joints* joints, const weft__joint* joint) {
  WEFT__ASSERT(joints->count < joints->capacity);
  const uint32_t color = choose_color(joints, joint);
  const uint32_t index = allocate_slot(joints);
  weft__joint* added = &joints->joints[index];
  const uint32_t generation = added->generation + 1;
  *added = *joint;
  added->generation = generation;
  added->state = WEFT__JOINT_WHOLE;
  added->is_parted = 0;
  added->color = color;
  for (uint32_t e = 0; e < added->end_count; ++e) {
    insert_end(joints, index * WEFT__JOINT_ENDS + e, added->particle[e]);
  }
  ++joints->count;
  ++joints->version;
  joints->sorted = false;
  return (weft_joint){index, generation};
}

void weft__joints_remove(weft__joints* joints, uint32_t index) {
  weft__joint* joint = &joints->joints[index];
  WEFT__ASSERT(weft__slot_is_used(joint->generation));
  for (uint32_t e = 0; e < joint->end_count; ++e) {
    remove_end(joints, index * WEFT__JOINT_ENDS + e, joint->particle[e]);
  }
  joint->state = WEFT__JOINT_FREE;
  ++joint->generation;
  joint->next_end[0] = joints->first_free;
  joints->first_free = index;
  --joints->count;
  ++joints->version;
  joints->sorted = false;
}

// Particles at one place, by chains of welds; further ones are left out.
enum { MAX_WELDED = 16 };

typedef struct welded {
  uint32_t particle[MAX_WELDED];
  uint32_t count;
} welded;

static void add_welded(welded* at, uint32_t particle) {
  for (uint32_t n = 0; n < at->count; ++n) {
    if (at->particle[n] == particle) return;
  }
  if (at->count < MAX_WELDED) at->particle[at->count++] = particle;
}

// Adds the other end of a weld of two particles; true if any weld leads to `b`.
static bool follow_weld(welded* at, const weft__joint* joint, uint32_t e, uint32_t b) {
  if (!weft__joint_is_weld(joint)) return false;
  if (joint->end_count == 2) add_welded(at, joint->particle[1 - e]);
  if (e > 0) return joint->particle[0] == b;
  for (uint32_t other = 1; other < joint->end_count; ++other) {
    if (joint->particle[other] == b) return true;
  }
  return false;
}

static bool welds_lead(const weft__joints* joints, uint32_t a, uint32_t b) {
  welded at = {{a}, 1};
  for (uint32_t n = 0; n < at.count; ++n) {
    for (uint32_t end = weft__joints_first_end(joints, at.particle[n]); end != WEFT__NO_JOINT;
         end = weft__joints_next_end(joints, at.particle[n], end)) {
      const weft__joint* joint = &joints->joints[end / WEFT__JOINT_ENDS];
      if (follow_weld(&at, joint, end % WEFT__JOINT_ENDS, b)) return true;
    }
  }
  return false;
}

// From either: chains end at an anchor of several particles.
bool weft__joints_weld(const weft__joints* joints, uint32_t a, uint32_t b) {
  if (weft__joints_first_end(joints, a) == WEFT__NO_JOINT ||
      weft__joints_first_end(joints, b) == WEFT__NO_JOINT) {
    return false;
  }
  return welds_lead(joints, a, b) || welds_lead(joints, b, a);
}

void weft__joints_sort(weft__joints* joints) {
  if (joints->sorted) return;
  joints->color_count = 0;
  memset(joints->color_first, 0, ((size_t)joints->capacity + 2) * sizeof(*joints->color_first));
  for (uint32_t i = 0; i < joints->end; ++i) {
    if (joints->joints[i].state == WEFT__JOINT_FREE) continue;
    const uint32_t color = joints->joints[i].color;
    ++joints->color_first[color + 2];
    if (color >= joints->color_count) joints->color_count = color + 1;
  }
  (void)weft__sum_buckets(joints->color_first, joints->color_count);
  for (uint32_t i = 0; i < joints->end; ++i) {
    if (joints->joints[i].state == WEFT__JOINT_FREE) continue;
    joints->order[joints->color_first[joints->joints[i].color + 1]++] = i;
  }
  joints->sorted = true;
}

uint32_t weft__joints_count_whole(const weft__joints* joints) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < joints->end; ++i) {
    count += joints->joints[i].state == WEFT__JOINT_WHOLE ? 1 : 0;
  }
  return count;
}
