#include "forces/spin.h"

#include "base/vec3.h"

// each squares the error, and rotations are some hundredths of a radian
#define NEWTON_STEPS 3
// radians: larger rotations are not corrected
#define MAX_ROTATION 0.5

typedef struct matrix {
  weft__vec3 row[3];
} matrix;

static matrix times(const matrix* a, const matrix* b) {
  matrix c;
  for (int i = 0; i < 3; ++i) {
    const weft__vec3 r = a->row[i];
    c.row[i] = weft__plus(weft__plus(weft__scaled(r.x, b->row[0]), weft__scaled(r.y, b->row[1])),
                          weft__scaled(r.z, b->row[2]));
  }
  return c;
}

static weft__vec3 applied(const matrix* a, weft__vec3 v) {
  return (weft__vec3){weft__dot(a->row[0], v), weft__dot(a->row[1], v), weft__dot(a->row[2], v)};
}

// False if a particle is pinned.
static bool compute_center(const weft__pressures* pressures, const weft__pressure* body,
                           const weft__particles* p, weft__vec3* center) {
  double mass = 0.0;
  weft__vec3 sum = {0.0, 0.0, 0.0};
  for (uint32_t k = body->first_particle; k < body->end_particle; ++k) {
    const uint32_t i = pressures->particles[k];
    if (!(p->inv_mass[i] > 0.0f)) return false;
    const double m = 1.0 / (double)p->inv_mass[i];
    mass += m;
    sum = weft__plus(sum, weft__scaled(m, weft__vec3_at(p->pos, i)));
  }
  *center = weft__scaled(1.0 / mass, sum);
  return true;
}

// B of spin.h.
static matrix compute_moments(const weft__pressures* pressures, const weft__pressure* body,
                              const weft__particles* p, weft__vec3 center) {
  matrix b = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
  for (uint32_t k = body->first_particle; k < body->end_particle; ++k) {
    const uint32_t i = pressures->particles[k];
    const double m = 1.0 / (double)p->inv_mass[i];
    const weft__vec3 r = weft__scaled(m, weft__minus(weft__vec3_at(p->pos, i), center));
    const weft__vec3 o = weft__minus(weft__vec3_at(p->prev, i), center);
    b.row[0] = weft__plus(b.row[0], weft__scaled(r.x, o));
    b.row[1] = weft__plus(b.row[1], weft__scaled(r.y, o));
    b.row[2] = weft__plus(b.row[2], weft__scaled(r.z, o));
  }
  return b;
}

// Times the substep: kilogram square metres.
static weft__vec3 spin_of(const matrix* b) {
  return (weft__vec3){b->row[2].y - b->row[1].z, b->row[0].z - b->row[2].x,
                      b->row[1].x - b->row[0].y};
}

// (tr(B) - B) t = missing by Cramer's rule. False without a small solution.
static bool solve_rotation_vector(const matrix* b, weft__vec3 missing,
                                  weft__vec3* rotation_vector) {
  const double trace = b->row[0].x + b->row[1].y + b->row[2].z;
  const weft__vec3 x = {trace - b->row[0].x, -b->row[1].x, -b->row[2].x};
  const weft__vec3 y = {-b->row[0].y, trace - b->row[1].y, -b->row[2].y};
  const weft__vec3 z = {-b->row[0].z, -b->row[1].z, trace - b->row[2].z};
  const weft__vec3 yz = weft__cross(y, z);
  const double inverse = 1.0 / weft__dot(x, yz);
  *rotation_vector = (weft__vec3){inverse * weft__dot(missing, yz),
                                  inverse * weft__dot(missing, weft__cross(z, x)),
                                  inverse * weft__dot(missing, weft__cross(x, y))};
  return weft__dot(*rotation_vector, *rotation_vector) < MAX_ROTATION * MAX_ROTATION;
}

static matrix rotation_by(weft__vec3 rotation_vector) {
  const weft__vec3 q = weft__scaled(0.5, rotation_vector);
  const double s = 2.0 / (1.0 + weft__dot(q, q));
  return (matrix){
      {{1.0 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.z), s * (q.x * q.z + q.y)},
       {s * (q.x * q.y + q.z), 1.0 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.x)},
       {s * (q.x * q.z - q.y), s * (q.y * q.z + q.x), 1.0 - s * (q.x * q.x + q.y * q.y)}}};
}

static bool find_rotation(matrix moments, weft__vec3 spin, matrix* rotation) {
  *rotation = rotation_by((weft__vec3){0.0, 0.0, 0.0});
  for (int step = 0; step < NEWTON_STEPS; ++step) {
    weft__vec3 rotation_vector;
    if (!solve_rotation_vector(&moments, weft__minus(spin, spin_of(&moments)), &rotation_vector))
      return false;
    const matrix by = rotation_by(rotation_vector);
    moments = times(&by, &moments);
    *rotation = times(&by, rotation);
  }
  return true;
}

static void rotate(const weft__pressures* pressures, const weft__pressure* body, weft__particles* p,
                   weft__vec3 center, const matrix* rotation) {
  for (uint32_t k = body->first_particle; k < body->end_particle; ++k) {
    const uint32_t i = pressures->particles[k];
    const weft__vec3 r = weft__minus(weft__vec3_at(p->pos, i), center);
    weft__vec3_set(p->pos, i, weft__plus(center, applied(rotation, r)));
  }
}

typedef struct spin_args {
  const weft__pressures* pressures;
  weft__particles* particles;
  const weft__step_context* step;
} spin_args;

static bool is_solved(const spin_args* args, uint32_t body) {
  const weft__pressures* pressures = args->pressures;
  return weft__pressures_solves(pressures, body) &&
         !weft__step_skips(args->step,
                           pressures->particles[pressures->pressures[body].first_particle]);
}

static void record_bodies(void* context, weft__range bodies, uint32_t worker) {
  (void)worker;
  const spin_args* args = context;
  for (uint32_t g = bodies.begin; g < bodies.end; ++g) {
    weft__pressure* body = &args->pressures->pressures[g];
    weft__vec3 center;
    if (!is_solved(args, g)) continue;
    body->conserves_spin = !body->is_linked && !body->has_leaked &&
                           compute_center(args->pressures, body, args->particles, &center);
    if (!body->conserves_spin) continue;
    const matrix moments = compute_moments(args->pressures, body, args->particles, center);
    body->spin = spin_of(&moments);
  }
}

static void restore_bodies(void* context, weft__range bodies, uint32_t worker) {
  (void)worker;
  const spin_args* args = context;
  for (uint32_t g = bodies.begin; g < bodies.end; ++g) {
    const weft__pressure* body = &args->pressures->pressures[g];
    weft__vec3 center;
    if (!is_solved(args, g)) continue;
    if (!body->conserves_spin || !compute_center(args->pressures, body, args->particles, &center)) {
      continue;
    }
    const matrix moments = compute_moments(args->pressures, body, args->particles, center);
    matrix rotation;
    if (!find_rotation(moments, body->spin, &rotation)) continue;
    rotate(args->pressures, body, args->particles, center, &rotation);
  }
}

void weft__pressures_record_spin(const weft__pressures* pressures, weft__step_context* step) {
  spin_args args = {pressures, step->particles, step};
  weft__domain_read(step->domain, &weft__pressure_read, step->particles);
  weft__step_for(step, pressures->count, 1, record_bodies, &args);
}

void weft__pressures_restore_spin(const weft__pressures* pressures, weft__step_context* step) {
  spin_args args = {pressures, step->particles, step};
  weft__domain_read(step->domain, &weft__pressure_read, step->particles);
  weft__step_for(step, pressures->count, 1, restore_bodies, &args);
}
