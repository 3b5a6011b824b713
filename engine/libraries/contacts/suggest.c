#include "libraries/contacts/suggest.h"

#include <math.h>

#include "base/check.h"
#include "base/float_mode.h"
#include "base/limits.h"
#include "base/min_max.h"
#include "world/solver_choice.h"
#include "world/world.h"

// circumradius of half a square cell, over its side
#define CELL_RADIUS 0.70710678118654752
// of a thickness: motion in a substep at which contacts find each fold in time
#define MOTION_SHARE 0.5
// Of the substeps that the scene takes anyway: more cost more than CCD, which needs fewer for its
// own cost.
#define MAX_SUBSTEPS 2
#define MAX_CCD_SUBSTEPS 4
#define LINKS_AT_ONCE 64u

weft_result weft__measure_spacing(const weft_scene* scene, const weft_body* body,
                                  weft__spacing* spacing) {
  WEFT__FAIL_IF((uint64_t)body->first_link + body->link_count > weft_scene_link_count(scene),
                WEFT_ERROR_INDEX, "body");
  double sum = 0.0, longest = 0.0;
  uint32_t count = 0;
  for (uint32_t done = 0; done < body->link_count; done += LINKS_AT_ONCE) {
    weft_link_def links[LINKS_AT_ONCE];
    const uint32_t left = body->link_count - done;
    const uint32_t size = left < LINKS_AT_ONCE ? left : LINKS_AT_ONCE;
    WEFT__TRY(weft_scene_get_links(scene, body->first_link + done, size, links));
    for (uint32_t k = 0; k < size; ++k) {
      if (links[k].kind != WEFT_LINK_STRUCTURAL) continue;
      const double length = (double)links[k].rest_length;
      sum += length;
      longest = weft__max(longest, length);
      ++count;
    }
  }
  WEFT__FAIL_IF(count == 0, WEFT_ERROR_DEGENERATE, "body");
  *spacing = (weft__spacing){sum / count, longest};
  return weft__ok();
}

// Radius of the sharpest convex part that faces can wrap; infinite where only particles count.
static double radius_of(const weft_collider_def* collider) {
  if (collider == NULL) return INFINITY;
  switch (collider->shape) {
    case WEFT_COLLIDER_SHAPE_SPHERE:
    case WEFT_COLLIDER_SHAPE_CAPSULE:
      return (double)collider->radius;
    case WEFT_COLLIDER_SHAPE_BOX:
      return 0.0;
    default:
      return INFINITY;
  }
}

// Squared distance of a face's middle from the centre of a sphere that its corners touch.
static double middle_sq(double radius, double thickness, double circumradius) {
  const double corner = radius + thickness;
  return corner * corner - circumradius * circumradius;
}

static void choose(const weft__spacing* s, const weft_collider_def* collider, double speed,
                   const weft_world_def* def, weft_contact_suggestion* out) {
  const double thickness = WEFT__THICKNESS_SHARE * s->mean, step = 1e-9 * (double)def->step_ns;
  const double gap = CELL_RADIUS * s->longest;
  // thicknesses in a step
  const double motion = speed * step / thickness;
  const double needed = ceil(motion / MOTION_SHARE);
  double substeps = (double)def->solver.substeps;
  weft_contact_reason reason = WEFT_CONTACT_REASON_STIFFNESS;
  if (needed > MAX_SUBSTEPS * substeps) {
    substeps = weft__min(weft__max(ceil(motion), substeps), MAX_CCD_SUBSTEPS * substeps);
    reason = WEFT_CONTACT_REASON_TOO_FAST;
  } else if (needed > substeps) {
    substeps = needed;
    reason = WEFT_CONTACT_REASON_SPEED;
  }
  const bool has_gaps = gap > 2.0 * thickness;
  const bool is_exact = has_gaps || reason == WEFT_CONTACT_REASON_TOO_FAST;
  if (has_gaps) reason = WEFT_CONTACT_REASON_GAPS;
  const double radius = radius_of(collider), middle = middle_sq(radius, thickness, gap);
  const bool dips = radius < INFINITY && middle < radius * radius;
  substeps = weft__min(substeps, WEFT__MAX_SUBSTEPS);
  *out = (weft_contact_suggestion){
      .spacing = (float)s->mean,
      .thickness = (float)thickness,
      .substeps = (uint32_t)substeps,
      .collision = is_exact ? WEFT_COLLISION_EXACT : WEFT_COLLISION_SOFT,
      .reason = reason,
      .fastest = (float)(MOTION_SHARE * thickness * substeps / step),
      .dip = dips ? (float)(radius - sqrt(weft__max(middle, 0.0))) : 0.0f};
}

static weft_result suggest(const weft_scene* scene, const weft_body* body,
                           const weft_collider_def* collider, float speed,
                           const weft_world_def* def, weft_contact_suggestion* suggestion) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(body == NULL, WEFT_ERROR_NULL, "body");
  WEFT__FAIL_IF(suggestion == NULL, WEFT_ERROR_NULL, "suggestion");
  WEFT__TRY(weft__check_range(speed, 0.0f, WEFT_MAX_MAGNITUDE, "speed"));
  if (collider != NULL) WEFT__TRY(weft__check_collider(collider));
  weft_world_def chosen = def != NULL ? *def : weft_default_world_def();
  WEFT__TRY(weft__check_def(&weft__world_fields, &chosen));
  weft__solver_choice choice;
  const bool is_chosen = weft__choose_solver(&chosen, scene, &choice);
  weft__solver_choice_free(&choice);
  WEFT__FAIL_IF(!is_chosen, WEFT_ERROR_OUT_OF_MEMORY, "scene");
  weft__spacing s;
  WEFT__TRY(weft__measure_spacing(scene, body, &s));
  choose(&s, collider, (double)speed, &chosen, suggestion);
  return weft__ok();
}

weft_result weft_suggest_contact(const weft_scene* scene, const weft_body* body,
                                 const weft_collider_def* collider, float speed,
                                 const weft_world_def* def, weft_contact_suggestion* suggestion) {
  WEFT__RETURN_COMPUTED(suggest, scene, body, collider, speed, def, suggestion);
}

const char* weft_contact_reason_text(weft_contact_reason reason) {
  switch (reason) {
    case WEFT_CONTACT_REASON_STIFFNESS:
      return "the substeps that cloth takes to keep its length are enough for this speed";
    case WEFT_CONTACT_REASON_SPEED:
      return "layers approach by at most half their thickness in a substep, so that none passes";
    case WEFT_CONTACT_REASON_TOO_FAST:
      return "continuous collision detection costs less than the substeps that this speed takes";
    case WEFT_CONTACT_REASON_GAPS:
      return "particles fit between those of the longest links: continuous collision detection "
             "closes the gaps, and so does a mesh of equal edges";
  }
  return NULL;
}
