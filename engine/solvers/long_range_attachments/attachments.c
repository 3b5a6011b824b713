#include "solvers/long_range_attachments/attachments.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "solvers/long_range_attachments/anchors.h"

static const weft__column columns[] = {
    WEFT__MEMBER(weft__attachments, is_cut),
    WEFT__COLUMN_TIMES(weft__attachments, patch_first_group, 1, patch_count, 1, WEFT__DERIVED),
    WEFT__COLUMN(weft__attachments, kind, slot_group_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__attachments, anchor, count, WEFT__DERIVED),
    WEFT__COLUMN(weft__attachments, reach, count, WEFT__STATE),
    WEFT__COLUMN(weft__attachments, from, count, WEFT__DERIVED),
    WEFT__COLUMN(weft__attachments, anchor_particle, anchor_count, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__attachments, anchor_x, 1, anchor_count, WEFT__LANES, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__attachments, anchor_y, 1, anchor_count, WEFT__LANES, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__attachments, anchor_z, 1, anchor_count, WEFT__LANES, WEFT__DERIVED),
};

const weft__table weft__attachments_table = WEFT__TABLE(columns);

static uint32_t groups_of(const weft__schedule* schedule, uint32_t patch) {
  return (schedule->patch_first[patch + 1] - schedule->patch_first[patch]) / WEFT__LANES;
}

// Solver order makes neighbours' anchors mostly consecutive. number_of: scratch [particle_count]
static bool list_anchors(weft__anchor_list* list, const weft__anchors* anchors,
                         const weft__schedule* schedule, uint32_t* number_of) {
  const uint32_t particle_count = schedule->particle_count;
  memset(number_of, 0, particle_count * sizeof(*number_of));
  for (uint32_t p = 0; p < particle_count; ++p) {
    const weft__tie* ties = anchors->ties + (size_t)p * anchors->capacity;
    for (uint32_t k = 0; k < anchors->count[p]; ++k) number_of[ties[k].anchor] = 1;
  }
  for (uint32_t i = 0; i < particle_count; ++i) {
    uint32_t* number = &number_of[schedule->user_of[i]];
    *number = *number > 0 ? list->count++ : UINT32_MAX;
  }
  list->anchor = weft__alloc(list->count, sizeof(*list->anchor));
  list->number = weft__alloc(list->count, sizeof(*list->number));
  if (list->anchor == NULL || list->number == NULL) return false;
  for (uint32_t p = 0, n = 0; p < particle_count; ++p) {
    if (number_of[p] == UINT32_MAX) continue;
    list->anchor[n] = p;
    list->number[n++] = number_of[p];
  }
  return true;
}

void weft__anchor_list_destroy(weft__anchor_list* list) {
  weft__free(list->anchor);
  weft__free(list->number);
  *list = (weft__anchor_list){0};
}

static uint32_t number_of_anchor(const weft__anchor_list* list, uint32_t anchor) {
  return list->number[weft__find_last(list->anchor, list->count, anchor)];
}

static void place_anchors(weft__attachments* t, const weft__schedule* schedule,
                          const weft__anchors* anchors, const weft__anchor_list* list) {
  for (uint32_t n = 0; n < list->count; ++n) {
    const uint32_t user = list->anchor[n] - anchors->first;
    t->anchor_particle[list->number[n]] =
        user < t->particle_count ? schedule->solver_of[user] : WEFT__NO_PARTICLE;
  }
}

// Lanes without an attachment get the anchor of a regular group.
static weft__attachment_kind classify_group(uint32_t* anchor, const float* reach) {
  uint32_t first = 0;
  while (first < WEFT__LANES && isinf(reach[first])) ++first;
  if (first == WEFT__LANES) return WEFT__ATTACHMENT_NONE;
  bool shared = true;
  bool consecutive = anchor[first] >= first;
  for (uint32_t lane = first; lane < WEFT__LANES; ++lane) {
    if (isinf(reach[lane])) continue;
    shared = shared && anchor[lane] == anchor[first];
    consecutive = consecutive && anchor[lane] == anchor[first] + (lane - first);
  }
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    if (!isinf(reach[lane])) continue;
    anchor[lane] = consecutive && !shared ? anchor[first] + lane - first : anchor[first];
  }
  if (shared) return WEFT__ATTACHMENT_SHARED;
  return consecutive ? WEFT__ATTACHMENT_CONSECUTIVE : WEFT__ATTACHMENT_MIXED;
}

static void fill_slot(weft__attachments* t, uint32_t slot, const weft__schedule* schedule) {
  uint32_t* anchor = t->anchor + (size_t)slot * t->particle_count;
  const float* reach = t->reach + (size_t)slot * t->particle_count;
  uint8_t* kind = t->kind + (size_t)slot * t->group_count;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    const uint32_t first = schedule->patch_first[patch];
    for (uint32_t g = 0; g < groups_of(schedule, patch); ++g) {
      const size_t at = (size_t)first + (size_t)g * WEFT__LANES;
      *kind++ = (uint8_t)classify_group(anchor + at, reach + at);
    }
  }
}

static uint32_t previous_attachment(const weft__attachments* t, const weft__schedule* schedule,
                                    const weft__anchors* anchors, const weft__tie* tie) {
  if (tie->from == tie->anchor - anchors->first) return WEFT__NO_ATTACHMENT;
  const weft__tie* ties = anchors->ties + (size_t)tie->from * anchors->capacity;
  const weft__tie* previous = weft__anchors_find_tie(anchors, tie->from, tie->island);
  if (previous == NULL) return WEFT__NO_ATTACHMENT;
  const uint32_t slot = (uint32_t)(previous - ties);
  return slot * t->particle_count + schedule->solver_of[tie->from];
}

static void fill(weft__attachments* t, const weft_scene* scene, const weft__schedule* schedule,
                 const weft__anchors* anchors, const weft__anchor_list* list) {
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    t->patch_first_group[patch + 1] = t->patch_first_group[patch] + groups_of(schedule, patch);
  }
  place_anchors(t, schedule, anchors, list);
  for (uint32_t slot = 0; slot < t->slot_count; ++slot) {
    for (uint32_t i = 0; i < t->particle_count; ++i) {
      const size_t at = (size_t)slot * t->particle_count + i;
      const uint32_t user = schedule->user_of[i];
      t->reach[at] = INFINITY;
      if (slot >= anchors->count[user]) continue;
      const weft__tie* tie = &anchors->ties[(size_t)user * anchors->capacity + slot];
      t->anchor[at] = number_of_anchor(list, tie->anchor);
      t->reach[at] = weft__tie_reach(tie, anchors, scene, user);
      t->from[at] = previous_attachment(t, schedule, anchors, tie);
    }
    fill_slot(t, slot, schedule);
  }
}

static uint32_t slots_in_use(const weft__anchors* anchors, uint32_t particle_count) {
  uint32_t largest = 0;
  for (uint32_t p = 0; p < particle_count; ++p) {
    if (anchors->count[p] > largest) largest = anchors->count[p];
  }
  return largest;
}

bool weft__attachments_create_from(weft__attachments* t, const weft_scene* scene,
                                   const weft__schedule* schedule, const weft__anchors* anchors,
                                   const weft__anchor_list* list) {
  *t = (weft__attachments){.particle_count = schedule->particle_count,
                           .patch_count = schedule->patch_count};
  t->slot_count = slots_in_use(anchors, t->particle_count);
  if (t->slot_count == 0) return true;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    t->group_count += groups_of(schedule, patch);
  }
  t->anchor_count = list->count;
  t->count = t->slot_count * t->particle_count;
  t->slot_group_count = t->slot_count * t->group_count;
  if (!weft__columns_create(t, &weft__attachments_table, 0, &t->block, &t->bytes)) return false;
  fill(t, scene, schedule, anchors, list);
  return true;
}

bool weft__attachments_create(weft__attachments* attachments, const weft_scene* scene,
                              const weft__schedule* schedule, uint32_t slot_count) {
  *attachments = (weft__attachments){0};
  weft__anchors anchors = {0};
  weft__anchor_list list = {0};
  uint32_t* number_of = weft__alloc(schedule->particle_count, sizeof(*number_of));
  const bool done = number_of != NULL && weft__anchors_find(&anchors, scene, slot_count) &&
                    list_anchors(&list, &anchors, schedule, number_of) &&
                    weft__attachments_create_from(attachments, scene, schedule, &anchors, &list);
  weft__anchors_destroy(&anchors);
  weft__anchor_list_destroy(&list);
  weft__free(number_of);
  return done;
}

void weft__attachments_destroy(weft__attachments* attachments) {
  weft__free(attachments->block);
  *attachments = (weft__attachments){0};
}

// Attachments whose paths come from `other`.
static void drop_from(weft__attachments* t, uint32_t particle, uint32_t other) {
  for (uint32_t slot = 0; slot < t->slot_count; ++slot) {
    const size_t at = (size_t)slot * t->particle_count + particle;
    if (isinf(t->reach[at])) continue;
    const uint32_t from = t->from[at];
    const uint32_t before =
        from == WEFT__NO_ATTACHMENT ? t->anchor_particle[t->anchor[at]] : from % t->particle_count;
    if (before != other) continue;
    t->reach[at] = INFINITY;
    t->is_cut = true;
  }
}

void weft__attachments_tear(weft__attachments* attachments, uint32_t a, uint32_t b) {
  drop_from(attachments, a, b);
  drop_from(attachments, b, a);
}

void weft__attachments_release(weft__attachments* attachments, uint32_t particle) {
  for (uint32_t slot = 0; slot < attachments->slot_count; ++slot) {
    attachments->reach[(size_t)slot * attachments->particle_count + particle] = INFINITY;
    attachments->is_cut = true;
  }
}

// Negative reaches mark intact attachments.
static bool is_checked(float reach) {
  return signbit(reach) != 0 || isinf(reach);
}

// An attachment and all that its path passes over.
static void check_path(const weft__attachments* t, uint32_t at) {
  uint32_t end = at;
  while (end != WEFT__NO_ATTACHMENT && !is_checked(t->reach[end])) end = t->from[end];
  const bool good = end == WEFT__NO_ATTACHMENT || !isinf(t->reach[end]);
  while (at != end) {
    t->reach[at] = good ? -t->reach[at] : INFINITY;
    at = t->from[at];
  }
}

void weft__attachments_propagate_cuts(weft__attachments* attachments) {
  const uint32_t count = attachments->is_cut ? attachments->count : 0;
  for (uint32_t at = 0; at < count; ++at) check_path(attachments, at);
  for (uint32_t at = 0; at < count; ++at) attachments->reach[at] = fabsf(attachments->reach[at]);
  attachments->is_cut = false;
}

void weft__attachments_update_anchors(const weft__attachments* attachments,
                                      const weft__particles* particles) {
  for (uint32_t a = 0; a < attachments->anchor_count; ++a) {
    const uint32_t i = attachments->anchor_particle[a];
    if (i == WEFT__NO_PARTICLE) continue;
    const bool pinned = particles->inv_mass[i] == 0.0f;
    attachments->anchor_x[a] = pinned ? particles->pos_x[i] : NAN;
    attachments->anchor_y[a] = pinned ? particles->pos_y[i] : NAN;
    attachments->anchor_z[a] = pinned ? particles->pos_z[i] : NAN;
  }
}
