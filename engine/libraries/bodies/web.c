/* Spider's web: radials from the hub to pins, and rings or one spiral across them.
 *
 * Crossing `turn` x `radial` lies at the share (1 + turn) / (1 + rings) of the radius; on a spiral,
 * which gains one such step a turn, at (1 + turn + radial / radials) / (1 + rings). */

#include "base/float_mode.h"
#include "base/memory.h"
#include "libraries/bodies/draft.h"
#include "libraries/bodies/turn.h"

#define MAX_CROSSINGS 1000000u

static weft_result check_def(const weft_web_def* def) {
  WEFT__TRY(weft__check_def(&weft__web_fields, def));
  WEFT__FAIL_IF((uint64_t)def->radials * def->rings > MAX_CROSSINGS, WEFT_ERROR_TOO_MANY,
                "weft_web_def.rings");
  return weft__ok();
}

static void place_particles(weft__draft* draft, const weft_web_def* def) {
  const double step = (double)def->radius / ((double)def->rings + 1.0);
  (void)weft__draft_add_particle(draft, 0.0, 0.0, 0.0, 0.0);
  for (uint32_t ring = 0; ring <= def->rings; ++ring) {
    for (uint32_t r = 0; r < def->radials; ++r) {
      const weft__turn turn = weft__turn_of((double)r, (double)def->radials);
      const bool is_spiral = def->spiral && ring < def->rings;
      const double spiral_offset = is_spiral ? (double)r / (double)def->radials : 0.0;
      const double radius = step * ((double)ring + 1.0 + spiral_offset);
      (void)weft__draft_add_particle(draft, radius * turn.cosine, radius * turn.sine, 0.0, 0.0);
    }
  }
}

// Half of the mass is on each end.
static void add_thread(weft__draft* draft, const weft_web_def* def, uint32_t a, uint32_t b,
                       double* masses) {
  const double length = weft__draft_distance(draft, a, b) * (1.0 - (double)def->tension);
  const weft_link_def thread = {
      .relaxation = 1.0f,
      .tear_ratio = def->tear_ratio,
      .compliance = (float)((double)def->compliance * length),
      .mode = WEFT_LINK_MODE_STRETCH,
  };
  weft__draft_link_with_length(draft, &thread, a, b, length);
  masses[a] += 0.5 * length * (double)def->mass_per_metre;
  masses[b] += 0.5 * length * (double)def->mass_per_metre;
}

static uint64_t count_links(const weft_web_def* def) {
  const uint64_t crossings = (uint64_t)def->radials * def->rings;
  return crossings + def->radials + crossings - (def->spiral ? 1 : 0);
}

static void add_threads(weft__draft* draft, const weft_web_def* def, double* masses) {
  const uint32_t radials = def->radials;
  const uint32_t crossings = radials * def->rings;
  for (uint32_t r = 0; r < radials; ++r) {
    add_thread(draft, def, 0, 1 + r, masses);
    for (uint32_t ring = 0; ring < def->rings; ++ring) {
      add_thread(draft, def, 1 + ring * radials + r, 1 + (ring + 1) * radials + r, masses);
    }
  }
  for (uint32_t i = 0; i < crossings; ++i) {
    const bool closes = !def->spiral && i % radials == radials - 1;
    if (def->spiral && i + 1 == crossings) break;
    add_thread(draft, def, 1 + i, closes ? 2 + i - radials : 2 + i, masses);
  }
}

static bool draw(weft__draft* draft, const weft_web_def* def) {
  double* masses = weft__alloc_zeroed(draft->particle_capacity, sizeof(*masses));
  if (masses == NULL) return false;
  place_particles(draft, def);
  add_threads(draft, def, masses);
  // particles after the crossings stay pinned
  for (uint32_t i = 0; i <= def->radials * def->rings; ++i) {
    draft->inverse_masses[i] = (float)(1.0 / masses[i]);
  }
  weft__free(masses);
  return true;
}

static weft_result add_web(weft_scene* scene, const weft_web_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_web_def");
  WEFT__TRY(check_def(def));
  const uint64_t particles = 1 + (uint64_t)def->radials * ((uint64_t)def->rings + 1);
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, particles, count_links(def)));
  if (!draw(&draft, def)) {
    weft__draft_discard(&draft);
    return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "scene");
  }
  return weft__draft_close(&draft, scene, &frame, "weft_web_def.mass_per_metre",
                           "weft_web_def.radius", body);
}

weft_result weft_scene_add_web(weft_scene* scene, const weft_web_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_web, scene, def, body);
}
