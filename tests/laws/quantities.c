/* Energy, momentum, strain and crossings of a trial, from positions and velocities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "laws/trial.h"

static void subtract(const float* a, const double* b, double difference[3]) {
  for (int axis = 0; axis < 3; ++axis) difference[axis] = (double)a[axis] - b[axis];
}

static void cross(const double* a, const double* b, double product[3]) {
  product[0] = a[1] * b[2] - a[2] * b[1];
  product[1] = a[2] * b[0] - a[0] * b[2];
  product[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// position at the time of the velocities
static void position_then(const law_trial* trial, uint32_t i, double at[3]) {
  for (uint32_t axis = 0; axis < 3; ++axis) {
    at[axis] = (double)trial->positions[3 * i + axis] -
               trial->lag * (double)trial->velocities[3 * i + axis];
  }
}

double trial_mass(const law_trial* trial) {
  double sum = 0.0;
  for (uint32_t i = 0; i < trial->count; ++i) sum += trial->mass[i];
  return sum;
}

double trial_kinetic(const law_trial* trial) {
  double sum = 0.0;
  for (uint32_t i = 0; i < 3 * trial->count; ++i) {
    const double speed = (double)trial->velocities[i];
    sum += 0.5 * trial->mass[i / 3] * speed * speed;
  }
  return sum;
}

double trial_potential(const law_trial* trial) {
  double sum = 0.0;
  for (uint32_t i = 0; i < trial->count; ++i) {
    double at[3];
    position_then(trial, i, at);
    for (int axis = 0; axis < 3; ++axis) {
      sum -= trial->mass[i] * (double)trial->def.gravity[axis] * at[axis];
    }
  }
  return sum;
}

static double length_of(const law_trial* trial, const weft_link_def* link) {
  double a[3], b[3], d[3];
  position_then(trial, link->a, a), position_then(trial, link->b, b);
  for (int axis = 0; axis < 3; ++axis) d[axis] = a[axis] - b[axis];
  return sqrt(dot(d, d));
}

// length error that a link resists
static double error_of(const weft_link_def* link, double length) {
  const double error = length - (double)link->rest_length;
  switch (link->mode) {
    case WEFT_LINK_MODE_STRETCH:
      return fmax(0.0, error);
    case WEFT_LINK_MODE_COMPRESS:
      return fmin(0.0, error);
    case WEFT_LINK_MODE_RANGE:
      return fmin(0.0, error) + fmax(0.0, length - (double)link->max_length);
    default:
      return error;
  }
}

static double volume_of(const law_trial* trial) {
  double sum = 0.0;
  for (uint32_t f = 0; f < trial->face_count; ++f) {
    double corners[3][3], product[3];
    for (int k = 0; k < 3; ++k) position_then(trial, trial->faces[3 * f + (uint32_t)k], corners[k]);
    cross(corners[1], corners[2], product);
    sum += dot(corners[0], product) / 6.0;
  }
  return sum;
}

void trial_begin_gas(law_trial* trial) {
  float pressure = 0.0f;
  const weft_result result =
      weft_world_get_pressure(trial->world, trial->range.first_particle, &pressure);
  // a body without gas
  if (result.error == WEFT_ERROR_DISABLED) return;
  must(result);
  if (pressure > 0.0f) trial->gas_constant = (double)pressure * volume_of(trial);
}

double trial_gas(const law_trial* trial) {
  return trial->gas_constant > 0.0 ? -trial->gas_constant * log(volume_of(trial)) : 0.0;
}

double trial_elastic(const law_trial* trial) {
  double sum = 0.0;
  // no formula here for bends, membranes and rods
  if (!(trial->body->traits & TRAIT_LINKS)) {
    weft_measures measures;
    must(weft_world_measure(trial->world, &measures));
    return measures.elastic;
  }
  for (uint32_t i = 0; i < trial->link_count; ++i) {
    const weft_link_def* link = &trial->links[i];
    if (link->compliance == 0.0f || link->relaxation == 0.0f) continue;
    const double error = error_of(link, length_of(trial, link));
    sum += 0.5 * error * error / (double)link->compliance;
  }
  return sum;
}

void trial_center(const law_trial* trial, double center[3]) {
  const double mass = trial_mass(trial);
  memset(center, 0, 3 * sizeof(double));
  for (uint32_t i = 0; i < 3 * trial->count; ++i) {
    center[i % 3] += trial->mass[i / 3] * (double)trial->positions[i] / mass;
  }
}

void trial_momentum(const law_trial* trial, double momentum[3]) {
  memset(momentum, 0, 3 * sizeof(double));
  for (uint32_t i = 0; i < 3 * trial->count; ++i) {
    momentum[i % 3] += trial->mass[i / 3] * (double)trial->velocities[i];
  }
}

void trial_pivot(const law_trial* trial, double pivot[3]) {
  trial_center(trial, pivot);
  for (uint32_t i = 0; i < trial->count && !(trial->body->traits & TRAIT_FREE); ++i) {
    if (trial->mass[i] > 0.0) continue;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      pivot[axis] = (double)trial->positions[3 * i + axis];
    }
    return;
  }
}

void trial_angular_momentum(const law_trial* trial, double momentum[3], double* inertia) {
  double pivot[3];
  trial_pivot(trial, pivot);
  memset(momentum, 0, 3 * sizeof(double));
  *inertia = 0.0;
  for (uint32_t i = 0; i < trial->count; ++i) {
    double at[3], velocity[3], product[3];
    subtract(trial->positions + 3 * i, pivot, at);
    for (uint32_t axis = 0; axis < 3; ++axis) {
      velocity[axis] = (double)trial->velocities[3 * i + axis];
    }
    cross(at, velocity, product);
    for (int axis = 0; axis < 3; ++axis) momentum[axis] += trial->mass[i] * product[axis];
    *inertia += 2.0 / 3.0 * trial->mass[i] * dot(at, at);
  }
}

double trial_rms_speed(const law_trial* trial) {
  return sqrt(2.0 * trial_kinetic(trial) / trial_mass(trial));
}

double trial_max_speed(const law_trial* trial) {
  double most = 0.0;
  for (uint32_t i = 0; i < trial->count; ++i) {
    const float* v = trial->velocities + 3 * i;
    const double speed = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                              (double)v[2] * (double)v[2]);
    if (!(speed <= most)) most = speed;
  }
  return most;
}

double trial_max_strain(const law_trial* trial, bool rigid) {
  double most = 0.0;
  for (uint32_t i = 0; i < trial->link_count; ++i) {
    const weft_link_def* link = &trial->links[i];
    if (link->kind != WEFT_LINK_STRUCTURAL || (rigid && link->compliance > 0.0f)) continue;
    const double strain = error_of(link, length_of(trial, link)) / (double)link->rest_length;
    if (!(fabs(strain) <= most)) most = fabs(strain);
  }
  return most;
}

double trial_extent(const law_trial* trial) {
  double most = 0.0, center[3];
  trial_pivot(trial, center);
  for (uint32_t i = 0; i < trial->count; ++i) {
    double arm[3];
    subtract(trial->positions + 3 * i, center, arm);
    most = fmax(most, sqrt(dot(arm, arm)));
  }
  return most;
}

// six times the signed volume of a tetrahedron; long double, as positions are exact in double
static long double volume(const float* a, const float* b, const float* c, const float* d) {
  long double m[3][3];
  const float* corners[3] = {a, b, c};
  for (int row = 0; row < 3; ++row) {
    for (int axis = 0; axis < 3; ++axis) {
      m[row][axis] = (long double)corners[row][axis] - (long double)d[axis];
    }
  }
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static bool boxes_meet(const float* p, const float* q, const float* const corners[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const float low = fminf(corners[0][axis], fminf(corners[1][axis], corners[2][axis]));
    const float high = fmaxf(corners[0][axis], fmaxf(corners[1][axis], corners[2][axis]));
    if (fmaxf(p[axis], q[axis]) < low || fminf(p[axis], q[axis]) > high) return false;
  }
  return true;
}

static bool crosses(const float* p, const float* q, const float* const corners[3]) {
  if (!boxes_meet(p, q, corners)) return false;
  const long double from = volume(corners[0], corners[1], corners[2], p);
  const long double to = volume(corners[0], corners[1], corners[2], q);
  if (!((from > 0 && to < 0) || (from < 0 && to > 0))) return false;
  const long double u = volume(p, q, corners[0], corners[1]);
  const long double v = volume(p, q, corners[1], corners[2]);
  const long double w = volume(p, q, corners[2], corners[0]);
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

// crossings of an edge with the faces from `first` on
static uint32_t count_edge(const law_trial* trial, uint32_t a, uint32_t b) {
  uint32_t count = 0;
  const float *p = trial->positions + 3 * a, *q = trial->positions + 3 * b;
  for (uint32_t f = 0; f < trial->face_count; ++f) {
    const uint32_t* face = trial->faces + 3 * f;
    const float* corners[3];
    // pinned parts beneath the body do not cross themselves
    bool shared = a >= trial->count && b >= trial->count && face[0] >= trial->count;
    for (int k = 0; k < 3; ++k) {
      corners[k] = trial->positions + 3 * face[k];
      shared = shared || face[k] == a || face[k] == b;
    }
    count += !shared && crosses(p, q, corners);
  }
  return count;
}

uint32_t trial_crossings(const law_trial* trial) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < trial->scene_link_count; ++i) {
    const weft_link_def* link = &trial->links[i];
    if (link->kind == WEFT_LINK_STRUCTURAL) count += count_edge(trial, link->a, link->b);
  }
  return count;
}
