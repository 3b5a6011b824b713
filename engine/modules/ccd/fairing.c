#include "modules/ccd/fairing.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "modules/ccd/ccd_steps.h"

// Age at which fairing begins, its decline with each edge, and the age at which it is given up.
#define FAIRED_AGE 15
#define AGE_PER_EDGE 2
#define MAX_AGE 600
// Crossings, as a multiple of the fewest since there were none, beyond which fairing has failed.
#define MAX_GROWTH 3u
// Rows of particles around faired ones that recover with them.
#define RECOVERING_EDGES 3
// Steps of recovery.
#define RECOVERY_STEPS 30
// Iterations in a substep: displacements are smoothed over some five edges, positions over three.
#define DISPLACEMENT_ITERATIONS 24
#define POSITION_ITERATIONS 12
// Weights of a particle in an iteration sum to this at most: below 1, so that the shortest waves
// decay.
#define WEIGHT_SUM (2.0f / 3.0f)
// Metres per second: of smoothing, of a recovery beyond the own speed, and the speed that links may
// give in any case.
#define MAX_SPEED 1.0
// Edges below this share of their length are not smoothed, from twice that on fully.
#define SHORTEST_EDGE 0.3
// Edge lengths around a particle, as shares of those at rest, between which its displacement is
// smoothed; beyond them links act unhindered.
#define SMOOTH_FROM 0.45f
#define SMOOTH_TO 1.2f
// Particles in a piece of work: some tens of microseconds.
#define ACTIVE_GRAIN WEFT__GRAIN(256u, 8u)
#define PARTICLE_GRAIN WEFT__GRAIN(4096u, 8u)

void weft__fairing_clear(weft__fairing* fairing, uint32_t particle_count) {
  memset(fairing->age, 0, particle_count * sizeof(*fairing->age));
  memset(fairing->recovery, 0, particle_count);
  fairing->count = fairing->fewest = 0;
}

// ---- plan ----

static bool is_faired(uint16_t age) {
  return age >= FAIRED_AGE && age != WEFT__FAIRING_GIVEN_UP;
}

bool weft__fairing_includes(const weft__fairing* fairing, uint32_t particle) {
  return is_faired(fairing->age[particle]);
}

// Oldest age of a particle and its neighbours, less the decline to it; given-up particles have
// none.
static int oldest_age_around(const weft__ccd* ccd, uint32_t particle) {
  const weft__faces* faces = ccd->faces;
  const uint16_t* age = ccd->tangles.fairing.age;
  int oldest = 0;
  for (uint32_t n = faces->first_use[particle]; n < faces->first_use[particle + 1]; ++n) {
    for (int k = 0; k < 3; ++k) {
      const uint16_t other = age[faces->corner[faces->use[n]][k]];
      if (other != WEFT__FAIRING_GIVEN_UP && (int)other > oldest) oldest = (int)other;
    }
  }
  return oldest > AGE_PER_EDGE ? oldest - AGE_PER_EDGE : 0;
}

static void age_particles(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  const weft__ccd_job* job = context;
  const weft__ccd_tangles* t = &job->ccd->tangles;
  const weft__fairing* fairing = &t->fairing;
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    const int around = oldest_age_around(job->ccd, i);
    const int own = fairing->age[i];
    // relaxed: written before this loop
    if (t->crossing_count == 0 || !atomic_load_explicit(&t->is_crossed[i], memory_order_relaxed)) {
      fairing->next_age[i] = (uint16_t)around;
    } else if (own >= MAX_AGE || fairing->has_failed) {
      fairing->next_age[i] = WEFT__FAIRING_GIVEN_UP;
    } else {
      fairing->next_age[i] = (uint16_t)((own > around ? own : around) + 1);
    }
  }
}

static bool is_any_faired(const weft__ccd* ccd) {
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    if (is_faired(ccd->tangles.fairing.age[i])) return true;
  }
  return false;
}

// Compares the crossings with the fewest since there were none.
static void note_progress(weft__fairing* fairing, uint32_t crossings) {
  if (crossings == 0 || fairing->fewest == 0 || crossings < fairing->fewest)
    fairing->fewest = crossings;
  fairing->has_failed = crossings / MAX_GROWTH > fairing->fewest;
}

void weft__fairing_plan(weft__ccd* ccd, weft__step_context* step) {
  weft__fairing* fairing = &ccd->tangles.fairing;
  if (ccd->tangles.crossing_count == 0 && fairing->fewest == 0 && fairing->count == 0) return;
  weft__ccd_job job = {ccd, step};
  note_progress(fairing, ccd->tangles.crossing_count);
  weft__step_for(step, ccd->particle_count, PARTICLE_GRAIN, age_particles, &job);
  memcpy(fairing->age, fairing->next_age, ccd->particle_count * sizeof(*fairing->age));
  fairing->count = 0;
  // particles near a contour recover only where something is faired
  const int recovering_age =
      is_any_faired(ccd) ? FAIRED_AGE - RECOVERING_EDGES * AGE_PER_EDGE : FAIRED_AGE;
  for (uint32_t i = 0; i < ccd->particle_count; ++i) {
    if (fairing->recovery[i] == 0) fairing->is_known[i] = 0;
    if (is_faired(fairing->age[i]) && ccd->tangles.crossing_count > 0)
      ccd->tangles.is_tangled[i] = 1;
    if (fairing->age[i] >= recovering_age && fairing->age[i] != WEFT__FAIRING_GIVEN_UP) {
      fairing->recovery[i] = RECOVERY_STEPS;
    } else if (fairing->recovery[i] > 0) {
      --fairing->recovery[i];
    }
    if (fairing->recovery[i] > 0 && step->particles->inv_mass[i] > 0.0f)
      fairing->active[fairing->count++] = i;
  }
}

// ---- smoothing ----

typedef struct smoothing {
  weft__ccd* ccd;
  weft__step_context* step;
  int from;  // field that the next iteration reads
} smoothing;

static void load_displacements(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  const smoothing* s = context;
  const weft__fairing* fairing = &s->ccd->tangles.fairing;
  weft__particles* p = s->step->particles;
  float* const* prev = p->prev;
  for (int axis = 0; axis < 3; ++axis) {
    const float* pos = p->pos[axis];
    for (uint32_t i = particles.begin; i < particles.end; ++i) {
      fairing->field[0][axis][i] = fairing->field[1][axis][i] = pos[i] - prev[axis][i];
    }
  }
}

static void load_positions(void* context, weft__range particles, uint32_t worker) {
  (void)worker;
  const smoothing* s = context;
  const weft__fairing* fairing = &s->ccd->tangles.fairing;
  const size_t bytes = (particles.end - particles.begin) * sizeof(float);
  for (int axis = 0; axis < 3; ++axis) {
    const float* pos = s->step->particles->pos[axis] + particles.begin;
    for (int n = 0; n < 2; ++n) memcpy(fairing->field[n][axis] + particles.begin, pos, bytes);
  }
}

// Iteration of Jacobi. An edge within the mesh counts twice, once in each of its faces.
static void smooth(void* context, weft__range active, uint32_t worker) {
  (void)worker;
  const smoothing* s = context;
  const weft__fairing* fairing = &s->ccd->tangles.fairing;
  const weft__faces* faces = s->ccd->faces;
  float* const* from = fairing->field[s->from];
  float* const* to = fairing->field[1 - s->from];
  for (uint32_t n = active.begin; n < active.end; ++n) {
    const uint32_t i = fairing->active[n];
    const uint32_t count = weft__face_count_of(faces, i);
    const float at[3] = {from[0][i], from[1][i], from[2][i]};
    float by[3] = {0.0f, 0.0f, 0.0f};
    for (uint32_t use = faces->first_use[i]; use < faces->first_use[i + 1]; ++use) {
      const uint32_t* corner = faces->corner[faces->use[use]];
      for (int k = 0; k < 3; ++k) {
        const uint32_t other_count = weft__face_count_of(faces, corner[k]);
        const float weight = 0.5f * WEIGHT_SUM / (float)(count > other_count ? count : other_count);
        for (int axis = 0; axis < 3; ++axis)
          by[axis] += weight * (from[axis][corner[k]] - at[axis]);
      }
    }
    for (int axis = 0; axis < 3; ++axis) to[axis][i] = at[axis] + by[axis];
  }
}

static void iterate(smoothing* s, int iterations) {
  const uint32_t count = s->ccd->tangles.fairing.count;
  for (int n = 0; n < iterations; ++n) {
    weft__step_for(s->step, count, ACTIVE_GRAIN, smooth, s);
    s->from = 1 - s->from;
  }
}

static double length_of(const double by[3]) {
  return sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
}

// Edges around a particle, as a multiple of their length when the mesh was built.
static void measure_edges(void* context, weft__range active, uint32_t worker) {
  (void)worker;
  const smoothing* s = context;
  const weft__fairing* fairing = &s->ccd->tangles.fairing;
  const weft__faces* faces = s->ccd->faces;
  weft__particles* p = s->step->particles;
  float* const* prev = p->prev;
  for (uint32_t n = active.begin; n < active.end; ++n) {
    const uint32_t i = fairing->active[n];
    double length = 0.0;
    double length_at_rest = 0.0;
    for (uint32_t use = faces->first_use[i]; use < faces->first_use[i + 1]; ++use) {
      const uint32_t* corner = faces->corner[faces->use[use]];
      for (int k = 0; k < 3; ++k) {
        double side[3];
        for (int axis = 0; axis < 3; ++axis) {
          side[axis] = (double)(prev[axis][corner[k]] - prev[axis][corner[(k + 1) % 3]]);
        }
        length += length_of(side);
      }
      length_at_rest += 3.0 * (double)s->ccd->mesh.size[faces->use[use]];
    }
    fairing->length[i] = length_at_rest > 0.0 ? (float)(length / length_at_rest) : 1.0f;
  }
}

// Length of the displacement by only velocity and gravity, metres; at least MAX_SPEED's.
static double free_motion(const smoothing* s, uint32_t particle) {
  const weft__fairing* fairing = &s->ccd->tangles.fairing;
  const double h = (double)s->step->h;
  const float* gravity = weft__step_gravity(s->step, particle);
  double by[3];
  for (int axis = 0; axis < 3; ++axis) {
    by[axis] = (double)fairing->motion[axis][particle] + h * h * (double)gravity[axis];
  }
  return weft__max(length_of(by), MAX_SPEED * h);
}

// Gives faired particles the smoothed displacement, unless links have to shorten it. Speed that
// links add moves a particle without velocity.
static void limit_motion(void* context, weft__range active, uint32_t worker) {
  (void)worker;
  const smoothing* s = context;
  const weft__fairing* fairing = &s->ccd->tangles.fairing;
  weft__particles* p = s->step->particles;
  float* const* pos = p->pos;
  float* const* prev = p->prev;
  for (uint32_t n = active.begin; n < active.end; ++n) {
    const uint32_t i = fairing->active[n];
    const bool is_smooth = is_faired(fairing->age[i]) && fairing->length[i] > SMOOTH_FROM &&
                           fairing->length[i] < SMOOTH_TO;
    double by[3];
    for (int axis = 0; axis < 3; ++axis) {
      by[axis] = is_smooth ? (double)fairing->field[s->from][axis][i]
                           : (double)(pos[axis][i] - prev[axis][i]);
    }
    const double length = length_of(by);
    const double kept = fairing->is_known[i] ? weft__min(length, free_motion(s, i)) : length;
    const double beyond = weft__min(length - kept, MAX_SPEED * (double)s->step->h);
    const double scale = length > 0.0 ? 1.0 / length : 0.0;
    fairing->is_known[i] = 1;
    for (int axis = 0; axis < 3; ++axis) {
      fairing->motion[axis][i] = (float)(scale * kept * by[axis]);
      pos[axis][i] = prev[axis][i] + (float)(scale * (kept + beyond) * by[axis]);
      prev[axis][i] += (float)(scale * beyond * by[axis]);
    }
  }
}

// Moves faired particles to their smoothed positions, without velocity.
static void take_positions(void* context, weft__range active, uint32_t worker) {
  (void)worker;
  const smoothing* s = context;
  const weft__fairing* fairing = &s->ccd->tangles.fairing;
  float* const* to = fairing->field[s->from];
  weft__particles* p = s->step->particles;
  float* const* pos = p->pos;
  float* const* prev = p->prev;
  const double limit = MAX_SPEED * (double)s->step->h;
  for (uint32_t n = active.begin; n < active.end; ++n) {
    const uint32_t i = fairing->active[n];
    if (!is_faired(fairing->age[i])) continue;
    double by[3];
    for (int axis = 0; axis < 3; ++axis) by[axis] = (double)(to[axis][i] - pos[axis][i]);
    const double length = length_of(by);
    const double share = (length > limit ? limit / length : 1.0) *
                         weft__clamp_unit((double)fairing->length[i] / SHORTEST_EDGE - 1.0);
    for (int axis = 0; axis < 3; ++axis) {
      pos[axis][i] += (float)(share * by[axis]);
      prev[axis][i] += (float)(share * by[axis]);
    }
  }
}

void weft__fairing_run(weft__ccd* ccd, weft__step_context* step) {
  const uint32_t count = ccd->tangles.fairing.count;
  if (count == 0) return;
  smoothing s = {ccd, step, 0};
  weft__step_for(step, ccd->particle_count, PARTICLE_GRAIN, load_displacements, &s);
  iterate(&s, DISPLACEMENT_ITERATIONS);
  weft__step_for(step, count, ACTIVE_GRAIN, measure_edges, &s);
  weft__step_for(step, count, ACTIVE_GRAIN, limit_motion, &s);
  weft__step_for(step, ccd->particle_count, PARTICLE_GRAIN, load_positions, &s);
  iterate(&s, POSITION_ITERATIONS);
  weft__step_for(step, count, ACTIVE_GRAIN, take_positions, &s);
}
