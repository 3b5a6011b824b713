#include "step/broad_phase.h"

#include <float.h>
#include <string.h>

#include "base/float_mode.h"

// what one worker looks for, and in which patch
typedef struct look {
  const weft__stepper* stepper;
  const weft__finder* finder;
  float* records; /* of the patch: places of the particles that its fans touch */
} look;

typedef struct place {
  float axis[3];
} place;

static place place_of(const weft__particles* p, uint32_t i) {
  return (place){{p->pos_x[i], p->pos_y[i], p->pos_z[i]}};
}

// as the kernels' records, so that a fan's ends need not be looked up one by one
static void load_records(const look* l, uint32_t patch) {
  const weft__schedule* schedule = &l->stepper->schedule;
  float* record = l->records;
  const uint32_t end = schedule->patch_first_segment[patch + 1];
  for (uint32_t s = schedule->patch_first_segment[patch]; s < end; ++s) {
    const weft__segment* segment = &schedule->segments[s];
    for (uint32_t i = 0; i < segment->count; ++i, record += 4) {
      const place here = place_of(&l->stepper->particles, segment->first + i);
      memcpy(record, here.axis, sizeof(here.axis));
    }
  }
}

// of a lane of a run, counted through its groups
static place end_of(const look* l, const weft__run* run, uint32_t lane, bool second) {
  const weft__schedule* schedule = &l->stepper->schedule;
  const weft__particles* particles = &l->stepper->particles;
  place record;
  switch ((weft__run_kind)run->kind) {
    case WEFT__RUN_CONTIGUOUS:
      return place_of(particles, (second ? run->b : run->a) + lane);
    case WEFT__RUN_INDEXED:
      return place_of(particles,
                      (second ? schedule->index_b : schedule->index_a)[run->index + lane]);
    case WEFT__RUN_FAN:
      break;
  }
  const uint32_t index = schedule->index_local[(second ? run->index : run->a) + lane];
  memcpy(record.axis, l->records + (size_t)2 * index, sizeof(record.axis));
  return record;
}

// false for what is no number, and for what is infinitely far away
static bool is_near(const weft__finder* finder, const place* a, const place* b) {
  for (int k = 0; k < 3; ++k) {
    const float low = a->axis[k] < b->axis[k] ? a->axis[k] : b->axis[k];
    const float high = a->axis[k] < b->axis[k] ? b->axis[k] : a->axis[k];
    if (!((double)high >= finder->least[k] && (double)low <= finder->most[k])) return false;
    if (!(low >= -FLT_MAX && high <= FLT_MAX)) return false;
  }
  return true;
}

static weft__vec3 vector_of(const place* p) {
  return (weft__vec3){(double)p->axis[0], (double)p->axis[1], (double)p->axis[2]};
}

static bool find_in_run(const look* l, const weft__run* run) {
  const weft__schedule* schedule = &l->stepper->schedule;
  const weft__finder* finder = l->finder;
  uint32_t any = 0;
  for (uint32_t g = 0; g < run->group_count; ++g) {
    uint32_t found = 0;
    for (uint32_t left = schedule->lane_mask[run->first_group + g]; left != 0; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      const place a = end_of(l, run, g * WEFT__LANES + lane, false);
      const place b = end_of(l, run, g * WEFT__LANES + lane, true);
      if (!is_near(finder, &a, &b)) continue;
      if (finder->touches(finder->shape, vector_of(&a), vector_of(&b))) found |= 1u << lane;
    }
    schedule->torn[run->first_group + g] = (uint16_t)found;
    any |= found;
  }
  return any != 0;
}

static void find_in_patches(void* context, uint32_t worker) {
  look l = *(const look*)context;
  const weft__stepper* stepper = l.stepper;
  const weft__schedule* schedule = &stepper->schedule;
  const weft__float_mode mode = weft__float_mode_enter();
  l.records = stepper->records + worker * stepper->record_floats;
  for (uint32_t p = stepper->wavefront.first_patch[worker];
       p < stepper->wavefront.first_patch[worker + 1]; ++p) {
    load_records(&l, p);
    bool any = false;
    const uint32_t end = weft__patch_end_run(schedule, p);
    for (uint32_t r = weft__patch_first_run(schedule, p); r < end; ++r) {
      any |= find_in_run(&l, &schedule->runs[r]);
    }
    stepper->has_torn[p] = any;
  }
  weft__float_mode_leave(&mode);
}

void weft__find_links(weft__stepper* stepper, const weft__finder* finder) {
  look l = {.stepper = stepper, .finder = finder};
  weft__worker_pool_run(stepper->pool, find_in_patches, &l);
}
