#include "laws/laws.h"

#include <math.h>
#include <string.h>

#include "laws/measures.h"

#define MOTION "laws_of_motion"
#define CONTACT "laws_of_contact"
#define STATE "laws_of_state"

// clang-format off
const law laws[] = {
  {"poke", "a body at rest that is poked by 1 mm/s gains no energy", "J/kg", 1e-6,
   TRAIT_ALOFT, TRAIT_GAINS | TRAIT_TENSE, MOTION, measure_poke},
  {"energy", "without a drive energy does not rise", "of the exchange", 1e-3,
   0, TRAIT_GAINS | TRAIT_DRIVE, MOTION, measure_energy},
  {"momentum", "without an outer force momentum stays", "m/s", 1e-3,
   TRAIT_FREE | TRAIT_LEVEL, TRAIT_DRIVE, MOTION, measure_momentum},
  {"angular-momentum", "without an outer torque angular momentum stays", "rad/s", 0.01,
   TRAIT_LEVEL, TRAIT_DRIVE | TRAIT_HELD, MOTION, measure_angular_momentum},
  {"rest", "with damping everything comes to rest in 20 s", "m/s rms", 1e-3,
   TRAIT_FLOOR, TRAIT_DRIVE | TRAIT_GAINS, MOTION, measure_rest},
  {"loads", "loads of colliders are the change of momentum", "of the weight", 1e-3,
   TRAIT_FREE | TRAIT_LOADS, TRAIT_GAINS | TRAIT_COARSE, CONTACT, measure_loads},
  {"events", "impulses of events are the change of momentum", "of the weight", 1e-3,
   TRAIT_FREE | TRAIT_LOADS, TRAIT_GAINS | TRAIT_COARSE, CONTACT, measure_events},
  {"holds", "friction above the slope holds", "of a free slide", 0.02,
   TRAIT_SLOPE | TRAIT_LIES, TRAIT_GAINS | TRAIT_ROUGH, CONTACT, measure_holds},
  {"slides", "friction below the slope slides with g (sin - mu cos)", "of it", 0.02,
   TRAIT_SLOPE | TRAIT_LIES, TRAIT_GAINS | TRAIT_ROUGH, CONTACT, measure_slides},
  {"grips", "two pads with friction hold what is between them", "of a free fall", 0.02,
   TRAIT_GRIP, TRAIT_GAINS | TRAIT_ROUGH, CONTACT, measure_grips},
  {"passes", "nothing passes where collision detection is continuous", "crossings", 0.0,
   TRAIT_EXACT | TRAIT_FACES, TRAIT_GAINS, CONTACT, measure_passes},
  {"way-out", "what begins in an impossible place leaves it slowly", "of 2 m/s, strain 0.5", 1.0,
   0, TRAIT_ALOFT | TRAIT_INNER | TRAIT_GAINS | TRAIT_JERKS, CONTACT, measure_way_out},
  {"stretch", "links without a compliance keep their lengths", "strain", 0.05,
   TRAIT_FLOOR, TRAIT_GAINS | TRAIT_ROUGH | TRAIT_PASSES, CONTACT, measure_stretch},
  {"steps", "uneven steps are no faster than fixed ones", "of the speed", 1.05,
   0, TRAIT_DRIVE | TRAIT_GAINS, STATE, measure_steps},
  {"order", "numbers of particles and links, mirror and turn do not matter", "of the motion", 0.01,
   TRAIT_LINKS | TRAIT_ALOFT, TRAIT_GAINS, STATE, measure_order},
  {"place", "100 m from the origin a body moves as at the origin", "of the motion", 0.01,
   TRAIT_ALOFT, TRAIT_GAINS, STATE, measure_place},
  {"company", "another body in the world does not matter", "of the extent", 1e-4,
   0, 0, STATE, measure_company},
  {"company-cost", "another body does not make this one dearer", "times", 1.1,
   TRAIT_ALOFT, 0, STATE, measure_company_cost},
  {"state", "a snapshot goes on like the run, in a fresh world", "edits", 0.0,
   0, 0, STATE, measure_state},
  {"clones", "an environment is a world of its own", "of 2 runs", 0.0,
   TRAIT_ALOFT, TRAIT_UNTIL, STATE, measure_clones},
  {"ranks", "two ranks of a cluster are one world", "ranks", 0.0, 0, TRAIT_DRIVE, STATE,
   measure_ranks},
  {"asleep", "sleep leaves nothing behind", "of the extent", 1e-4,
   TRAIT_ALOFT, TRAIT_TENSE, STATE, measure_asleep},
  {"teleport", "a body that is shifted is one made there", "of the extent", 1e-4,
   TRAIT_FREE | TRAIT_ALOFT, 0, STATE, measure_teleport},
};
// clang-format on

const uint32_t law_count = sizeof(laws) / sizeof(laws[0]);

static bool fits(uint32_t traits, uint32_t needs, uint32_t excludes) {
  return (traits & needs) == needs && (traits & excludes) == 0;
}

bool law_applies(const law_case* c) {
  const law_body* body = &law_bodies[c->body];
  const law_path* path = &law_paths[c->path];
  const law_setting* setting = &law_settings[c->setting];
  const uint32_t rows = body->traits | path->traits;
  return fits(body->traits, path->needs, path->excludes) &&
         fits(rows, setting->needs, setting->excludes) &&
         fits(rows | setting->traits, laws[c->law].needs, laws[c->law].excludes);
}

double law_measure(const law_case* c) {
  const double figure = laws[c->law].measure(c);
  return isfinite(figure) ? figure : INFINITY;
}

uint32_t law_find_name(const char* name, const void* rows, uint32_t count, size_t size) {
  for (uint32_t i = 0; i < count; ++i) {
    // a row begins with its name
    const void* row = (const char*)rows + i * size;
    if (strcmp(*(const char* const*)row, name) == 0) return i;
  }
  return UINT32_MAX;
}
