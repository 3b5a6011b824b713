#include <math.h>

#include "base/float_mode.h"
#include "base/min_max.h"
#include "libraries/bodies/body_contact.h"
#include "libraries/bodies/draft.h"
#include "libraries/bodies/turn.h"
#include "libraries/contacts/suggest.h"

// Kilograms per cubic metre: laid manila of 12 mm has 0.1 kg/m.
#define ROPE_DENSITY 900.0

// metres from the first point
static void point_of(const weft_rope_def* def, uint32_t i, double point[3]) {
  const double part = (double)i / (double)def->segments;
  for (int axis = 0; axis < 3; ++axis) {
    const double from = (double)(def->points == NULL ? def->origin : def->points)[axis];
    point[axis] = def->points == NULL ? part * ((double)def->end[axis] - from)
                                      : (double)def->points[3 * (size_t)i + (size_t)axis] - from;
  }
}

static double distance_of(const weft_rope_def* def, uint32_t a, uint32_t b) {
  double points[2][3];
  double squared = 0.0;
  point_of(def, a, points[0]);
  point_of(def, b, points[1]);
  for (int axis = 0; axis < 3; ++axis) {
    const double difference = points[1][axis] - points[0][axis];
    squared += difference * difference;
  }
  return sqrt(squared);
}

static weft_result check_line(const weft_rope_def* def) {
  WEFT__TRY(WEFT__CHECK_FIELD(rope, def, origin));
  WEFT__TRY(WEFT__CHECK_FIELD(rope, def, end));
  WEFT__TRY(WEFT__CHECK_FIELD(rope, def, segments));
  WEFT__FAIL_IF(distance_of(def, 0, def->segments) == 0.0, WEFT_ERROR_DEGENERATE,
                "weft_rope_def.end");
  return weft__ok();
}

static weft_result check_points(const weft_rope_def* def) {
  WEFT__TRY(WEFT__CHECK_FIELD(rope, def, point_count));
  WEFT__TRY(
      weft__check_magnitude(def->points, (size_t)3 * def->point_count, 3, "weft_rope_def.points"));
  for (uint32_t i = 1; i < def->point_count; ++i) {
    if (distance_of(def, i - 1, i) > 0.0) continue;
    return weft__fail_at(WEFT_ERROR_DEGENERATE, "weft_rope_def.points", i);
  }
  return weft__ok();
}

static weft_result check_def(const weft_rope_def* def) {
  WEFT__TRY(weft__check_def(&weft__rope_fields, def));
  return def->points == NULL ? check_line(def) : check_points(def);
}

// At rest, before a point; 0 at either end of the rope.
static double segment_before(const weft_rope_def* def, uint32_t i) {
  if (i == 0 || i > def->segments) return 0.0;
  const double slack = 1.0 + (double)def->slack;
  if (def->points != NULL) return distance_of(def, i - 1, i) * slack;
  return distance_of(def, 0, def->segments) * slack / (double)def->segments;
}

static void draw(weft__draft* draft, const weft_rope_def* def) {
  weft_link_def kind = {
      .relaxation = def->relaxation, .tear_ratio = def->tear_ratio, .mode = def->mode};
  for (uint32_t i = 0; i <= def->segments; ++i) {
    const double before = segment_before(def, i);
    const double mass = 0.5 * (before + segment_before(def, i + 1)) * (double)def->mass_per_metre;
    const bool pinned = (i == 0 && def->pin_origin) || (i == def->segments && def->pin_end);
    double position[3];
    point_of(def, i, position);
    (void)weft__draft_add_particle(draft, position[0], position[1], position[2],
                                   pinned ? 0.0 : mass);
    kind.compliance = (float)((double)def->compliance * before);
    if (i > 0) weft__draft_link_with_length(draft, &kind, i - 1, i, before);
  }
}

static weft_rope_def counted(const weft_rope_def* given) {
  weft_rope_def def = *given;
  if (def.points != NULL) def.segments = def.point_count - 1;
  return def;
}

weft_result weft__rope_longest_link(const weft_rope_def* given, double* length) {
  WEFT__TRY(check_def(given));
  const weft_rope_def def = counted(given);
  *length = 0.0;
  for (uint32_t i = 1; i <= def.segments; ++i)
    *length = weft__max(*length, segment_before(&def, i));
  return weft__ok();
}

// Radius of laid rope of this mass, metres.
static double radius_by_mass(const weft_rope_def* def) {
  return sqrt((double)def->mass_per_metre / (ROPE_DENSITY * WEFT__PI));
}

static weft_result set_contact(weft_scene* scene, const weft_rope_def* def, double radius,
                               const weft_body* body) {
  weft__spacing spacing;
  WEFT__TRY(weft__measure_spacing(scene, body, &spacing));
  const double wanted = radius > 0.0 ? radius : radius_by_mass(def);
  const weft__body_contact contact = {
      .thickness = def->thickness,
      .usual = weft__min(wanted, WEFT__THICKNESS_SHARE * spacing.mean),
      .friction = def->friction,
      .collision = def->collision,
      .in_air = def->in_air,
  };
  return weft__set_body_contact(scene, body, &contact);
}

weft_result weft__add_rope(weft_scene* scene, const weft_rope_def* given, double radius,
                           weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(given == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(check_def(given));
  static const float x[3] = {1.0f, 0.0f, 0.0f};
  static const float y[3] = {0.0f, 1.0f, 0.0f};
  const bool is_line = given->points == NULL;
  const weft_rope_def def = counted(given);
  const weft__draft_frame frame = {is_line ? def.origin : def.points, x, y, "weft_rope_def.origin"};
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, (uint64_t)def.segments + 1, def.segments));
  draw(&draft, &def);
  const weft__scene_mark before = weft__scene_get_mark(scene);
  weft_body made;
  WEFT__TRY(weft__draft_close(&draft, scene, &frame, "weft_rope_def.mass_per_metre",
                              is_line ? "weft_rope_def.end" : "weft_rope_def.points", &made));
  const weft_result result = set_contact(scene, &def, radius, &made);
  if (result.error != WEFT_OK) weft__scene_roll_back(scene, &before);
  if (result.error == WEFT_OK && body != NULL) *body = made;
  return result;
}

static weft_result add_rope(weft_scene* scene, const weft_rope_def* def, weft_body* body) {
  return weft__add_rope(scene, def, 0.0, body);
}

weft_result weft_scene_add_rope(weft_scene* scene, const weft_rope_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_rope, scene, def, body);
}
