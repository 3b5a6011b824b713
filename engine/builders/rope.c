/* Line of particles: rods, which are solved directly, or threads. */
#include <math.h>

#include "base/float_mode.h"
#include "builders/draft.h"

#define COOKIE 0x40becafeu
#define MAX_SEGMENTS 1000000u

weft_rope_def weft_default_rope_def(void) {
  return (weft_rope_def){
      .end = {0.0f, -1.0f, 0.0f},
      .segments = 16,
      .mass_per_metre = 0.1f,
      .relaxation = 1.0f,
      .cookie = COOKIE,
  };
}

static double distance_of(const weft_rope_def* def) {
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double difference = (double)def->end[axis] - (double)def->origin[axis];
    squared += difference * difference;
  }
  return sqrt(squared);
}

static weft_result check_def(const weft_rope_def* def) {
  WEFT__FAIL_IF(def->cookie != COOKIE, WEFT_ERROR_DEF, "weft_rope_def");
  WEFT__TRY(weft__check_magnitude(def->origin, 3, 1, "weft_rope_def.origin"));
  WEFT__TRY(weft__check_magnitude(def->end, 3, 1, "weft_rope_def.end"));
  WEFT__TRY(weft__check_count(def->segments, 1, MAX_SEGMENTS, "weft_rope_def.segments"));
  WEFT__TRY(weft__check_range(def->slack, -0.9f, 100.0f, "weft_rope_def.slack"));
  WEFT__TRY(weft__check_range(def->mass_per_metre, 1e-9f, 1e9f, "weft_rope_def.mass_per_metre"));
  const bool two_ways = def->mode == WEFT_LINK_MODE_BOTH || def->mode == WEFT_LINK_MODE_STRETCH;
  WEFT__FAIL_IF(!two_ways, WEFT_ERROR_RANGE, "weft_rope_def.mode");
  WEFT__TRY(weft__check_range(def->relaxation, WEFT__MIN_RELAXATION, WEFT__MAX_RELAXATION,
                              "weft_rope_def.relaxation"));
  WEFT__TRY(weft__check_range(def->compliance, 0.0f, 1e6f, "weft_rope_def.compliance"));
  WEFT__TRY(weft__check_tear_ratio(def->tear_ratio, "weft_rope_def.tear_ratio"));
  WEFT__FAIL_IF(distance_of(def) == 0.0, WEFT_ERROR_DEGENERATE, "weft_rope_def.end");
  return weft__ok();
}

static void draw(weft__draft* draft, const weft_rope_def* def, double segment) {
  const weft_link_def kind = {
      .relaxation = def->relaxation,
      .tear_ratio = def->tear_ratio,
      .compliance = (float)((double)def->compliance * segment),
      .mode = def->mode,
  };
  const double mass = (double)def->mass_per_metre * segment;
  for (uint32_t i = 0; i <= def->segments; ++i) {
    const double part = (double)i / (double)def->segments;
    double position[3];
    for (int axis = 0; axis < 3; ++axis) {
      position[axis] = part * ((double)def->end[axis] - (double)def->origin[axis]);
    }
    const bool pinned = (i == 0 && def->pin_origin) || (i == def->segments && def->pin_end);
    const double share = i == 0 || i == def->segments ? 0.5 : 1.0;
    (void)weft__draft_add_particle(draft, position[0], position[1], position[2],
                                   pinned ? 0.0 : share * mass);
    if (i > 0) weft__draft_link_with_length(draft, &kind, i - 1, i, segment);
  }
}

static weft_result add_rope(weft_scene* scene, const weft_rope_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(check_def(def));
  static const float x[3] = {1.0f, 0.0f, 0.0f};
  static const float y[3] = {0.0f, 1.0f, 0.0f};
  const weft__draft_frame frame = {def->origin, x, y, "weft_rope_def.origin", "", ""};
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, (uint64_t)def->segments + 1, def->segments));
  draw(&draft, def, distance_of(def) * (1.0 + (double)def->slack) / (double)def->segments);
  return weft__draft_close(&draft, scene, &frame, "weft_rope_def.mass_per_metre",
                           "weft_rope_def.end", body);
}

weft_result weft_scene_add_rope(weft_scene* scene, const weft_rope_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_rope, scene, def, body);
}
