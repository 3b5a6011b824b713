#include "step/link_query.h"

#include <float.h>
#include <string.h>

#include "base/float_mode.h"

typedef struct search {
  weft__constraint_tables* tables;
  const weft__link_query* query;
  weft__records all;
  float* records; /* positions of the particles that the patch's fans touch */
} search;

typedef struct position {
  float axis[3];
} position;

static position position_of(const weft__particles* p, uint32_t i) {
  position at;
  weft__load3(p->pos, i, at.axis);
  return at;
}

// Loads positions in the layout of the kernels' records, by which fans index their ends.
static void load_records(const search* l, uint32_t patch) {
  const weft__schedule* schedule = l->tables->schedule;
  float* record = l->records;
  const uint32_t end = schedule->patch_first_segment[patch + 1];
  for (uint32_t s = schedule->patch_first_segment[patch]; s < end; ++s) {
    const weft__segment* segment = &schedule->segments[s];
    for (uint32_t i = 0; i < segment->count; ++i, record += 4) {
      const position here = position_of(l->tables->particles, segment->first + i);
      memcpy(record, here.axis, sizeof(here.axis));
    }
  }
}

static position lane_end(const search* l, const weft__run* run, uint32_t lane, bool second) {
  const weft__schedule* schedule = l->tables->schedule;
  const weft__particles* particles = l->tables->particles;
  position record;
  switch ((weft__run_kind)run->kind) {
    case WEFT__RUN_CONTIGUOUS:
      return position_of(particles, (second ? run->b : run->a) + lane);
    case WEFT__RUN_INDEXED:
      return position_of(particles,
                         (second ? schedule->index_b : schedule->index_a)[run->index + lane]);
    case WEFT__RUN_FAN:
      break;
  }
  const uint32_t index = schedule->index_local[(second ? run->index : run->a) + lane];
  memcpy(record.axis, l->records + (size_t)2 * index, sizeof(record.axis));
  return record;
}

// False for NaN and infinite positions.
static bool overlaps_box(const weft__link_query* query, const position* a, const position* b) {
  for (int k = 0; k < 3; ++k) {
    const float low = a->axis[k] < b->axis[k] ? a->axis[k] : b->axis[k];
    const float high = a->axis[k] < b->axis[k] ? b->axis[k] : a->axis[k];
    if (!((double)high >= query->lower[k] && (double)low <= query->upper[k])) return false;
    if (!(low >= -FLT_MAX && high <= FLT_MAX)) return false;
  }
  return true;
}

static bool test_run(const search* l, const weft__run* run) {
  const weft__schedule* schedule = l->tables->schedule;
  const weft__link_query* query = l->query;
  uint32_t any = 0;
  for (uint32_t g = 0; g < run->group_count; ++g) {
    uint32_t found = 0;
    for (uint32_t left = schedule->links.lane_mask[run->first_group + g]; left != 0;
         left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      const position a = lane_end(l, run, g * WEFT__LANES + lane, false);
      const position b = lane_end(l, run, g * WEFT__LANES + lane, true);
      if (!overlaps_box(query, &a, &b)) continue;
      if (query->touches(query->shape, weft__vec3_of(a.axis), weft__vec3_of(b.axis)))
        found |= 1u << lane;
    }
    schedule->links.torn[run->first_group + g] = (uint16_t)found;
    any |= found;
  }
  return any != 0;
}

static void test_patches(void* context, weft__range patches, uint32_t worker) {
  search l = *(const search*)context;
  const weft__schedule* schedule = l.tables->schedule;
  l.records = weft__records_of(l.all, worker);
  for (uint32_t p = patches.begin; p < patches.end; ++p) {
    load_records(&l, p);
    bool any = false;
    const uint32_t end = weft__patch_end_run(schedule, p);
    for (uint32_t r = weft__patch_first_run(schedule, p); r < end; ++r) {
      any |= test_run(&l, &schedule->runs[r]);
    }
    l.tables->torn->in_patch[p] = any;
  }
}

void weft__mark_links(weft__constraint_tables* tables, weft__records records,
                      weft__worker_pool* pool, const weft__link_query* query) {
  search l = {.tables = tables, .query = query, .all = records};
  const weft__float_mode mode = weft__float_mode_enter();
  weft__worker_pool_begin(pool);
  weft__worker_pool_for(pool, tables->schedule->patch_count, 1, test_patches, &l);
  weft__worker_pool_end(pool);
  weft__float_mode_leave(&mode);
}
