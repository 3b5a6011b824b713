/* Lanes: the time of a worker in a step, from its spans and those of the caller. */
#include "common/lanes.h"
#include "support/test.h"

// A span of a job; times are nanoseconds of a step from 0 to 100.
static weft_span span_of(weft_span_kind kind, uint32_t job, int64_t begin_ns, int64_t end_ns) {
  return (weft_span){.begin_ns = begin_ns,
                     .end_ns = end_ns,
                     .name = "task",
                     .kind = kind,
                     .job = job,
                     .patch = WEFT_SPAN_NONE,
                     .worker = WEFT_SPAN_NONE};
}

enum { MOST = 16 };

typedef struct lane {
  weft_span items[MOST];
  uint32_t count;
  double ns[TOOL_LANE_KINDS];
  int64_t end_ns; /* of the parts so far */
} lane;

static void add(lane* l, weft_span_kind kind, uint32_t job, int64_t begin_ns, int64_t end_ns) {
  l->items[l->count++] = span_of(kind, job, begin_ns, end_ns);
}

static void take(void* context, const tool_lane_part* part) {
  lane* l = context;
  require(part->begin_ns == l->end_ns && part->end_ns > part->begin_ns);
  l->end_ns = part->end_ns;
  l->ns[part->kind] += (double)(part->end_ns - part->begin_ns);
}

static void walk(const lane* caller, lane* own, uint32_t worker) {
  const weft_spans of_caller = {caller->items, caller->count, 0};
  const weft_spans of_own = {own->items, own->count, 0};
  tool_walk_lane(&of_caller, &of_own, worker, take, own);
  ck_assert_int_eq(own->end_ns, 100);
}

static void expect(const lane* l, tool_lane_kind kind, double ns) {
  ck_assert_msg(l->ns[kind] == ns, "%s: %g, not %g", tool_lane_name(kind), l->ns[kind], ns);
}

// A loop from 10 to 40, a wavefront from 50 to 90.
static lane new_caller(void) {
  lane caller = {.count = 0};
  add(&caller, WEFT_SPAN_STAGE, 0, 0, 45);
  add(&caller, WEFT_SPAN_LOOP, 0, 10, 40);
  add(&caller, WEFT_SPAN_PIECE, 0, 11, 30);
  add(&caller, WEFT_SPAN_WAIT, 0, 31, 39);
  caller.items[3].worker = 1;
  add(&caller, WEFT_SPAN_STAGE, 1, 45, 100);
  add(&caller, WEFT_SPAN_WAVEFRONT, 1, 50, 90);
  add(&caller, WEFT_SPAN_PHASE, 1, 50, 80);
  add(&caller, WEFT_SPAN_WAIT, 1, 80, 85);
  caller.items[7].patch = 3;
  add(&caller, WEFT_SPAN_PHASE, 1, 85, 90);
  return caller;
}

TEST(the_caller_works_waits_and_is_alone_outside_of_jobs) {
  lane caller = new_caller();
  walk(&caller, &caller, 0);
  expect(&caller, TOOL_LANE_WORK, 54.0);
  expect(&caller, TOOL_LANE_SEARCH, 3.0);
  expect(&caller, TOOL_LANE_NEIGHBORS, 5.0);
  expect(&caller, TOOL_LANE_JOB_END, 8.0);
  expect(&caller, TOOL_LANE_ABSENT, 0.0);
  expect(&caller, TOOL_LANE_SERIAL, 30.0);
}

TEST(a_worker_is_late_has_finished_or_has_left) {
  const lane caller = new_caller();
  lane own = {.count = 0};
  add(&own, WEFT_SPAN_PIECE, 0, 15, 35);
  add(&own, WEFT_SPAN_PHASE, 1, 52, 60);
  add(&own, WEFT_SPAN_WAIT, 1, 62, 70);
  walk(&caller, &own, 1);
  expect(&own, TOOL_LANE_WORK, 28.0);
  expect(&own, TOOL_LANE_SEARCH, 2.0);
  expect(&own, TOOL_LANE_NEIGHBORS, 8.0);
  expect(&own, TOOL_LANE_JOB_END, 5.0);  // of the loop
  expect(&own, TOOL_LANE_ABSENT, 27.0);  // before both, and from the end of its wait
  expect(&own, TOOL_LANE_SERIAL, 30.0);
}

TEST(a_worker_without_spans_is_absent_from_jobs) {
  const lane caller = new_caller();
  lane own = {.count = 0};
  walk(&caller, &own, 2);
  expect(&own, TOOL_LANE_ABSENT, 70.0);
  expect(&own, TOOL_LANE_SERIAL, 30.0);
}
