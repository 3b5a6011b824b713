#include "baseline/serial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parameters of the paper; penalties are in units of mass / dt^2, the stiffness of inertia. With
 * alpha 0, multipliers diverge below 100 iterations. */
static const float alpha = 0.95f;  // share of the initial elongation that a step leaves
static const float kept = 0.99f;   // share of multipliers and penalties, step to step
static const float least_penalty = 1.0f;
static const float most_penalty = 1e6f;
static const float growth = 100.0f;  // growth of the penalty at a strain of 1, an iteration

static uint32_t lowest_free(uint64_t taken) {
  return taken == UINT64_MAX ? 63 : (uint32_t)__builtin_ctzll(~taken);
}

/* First fit. Beyond 63 neighbours of other colours the last colour is shared: still Gauss-Seidel in
 * a fixed order. */
static void color_vertices(const baseline_blocks* b, const uint32_t* vertex_of, uint8_t* color) {
  for (uint32_t v = 0; v < b->vertex_count; ++v) {
    uint64_t taken = 0;
    for (uint32_t e = b->first_end[v]; e < b->first_end[v + 1]; ++e) {
      const uint32_t other = vertex_of[b->ends[e].other];
      if (other < v) taken |= UINT64_C(1) << color[other];
    }
    color[v] = (uint8_t)lowest_free(taken);
  }
}

static void list_ends(const baseline_cloth* cloth, const uint32_t* vertex_of, baseline_blocks* b) {
  uint32_t* first = b->first_end;
  memset(first, 0, (b->vertex_count + 1) * sizeof *first);
  for (uint32_t i = 0; i < cloth->link_count; ++i) {
    const uint32_t a = vertex_of[cloth->links[i].a], c = vertex_of[cloth->links[i].b];
    if (a != UINT32_MAX) ++first[a];
    if (c != UINT32_MAX) ++first[c];
  }
  for (uint32_t v = 0, sum = 0; v <= b->vertex_count; ++v) {
    sum += v < b->vertex_count ? first[v] : 0;
    first[v] = sum;  // ends of ranges, which the loop below moves to their starts
  }
  for (uint32_t i = cloth->link_count; i-- > 0;) {
    const baseline_link* link = &cloth->links[i];
    const uint32_t a = vertex_of[link->a], c = vertex_of[link->b];
    if (a != UINT32_MAX) b->ends[--first[a]] = (baseline_block_end){link->b, i};
    if (c != UINT32_MAX) b->ends[--first[c]] = (baseline_block_end){link->a, i};
  }
}

/* Numbers the free particles in their order, or by colour if colours are given. */
static void number_vertices(const baseline_cloth* cloth, const uint8_t* color, uint32_t* vertex_of,
                            baseline_blocks* b) {
  uint32_t next[64] = {0}, sum = 0;
  for (uint32_t v = 0; color && v < b->vertex_count; ++v) ++next[color[v]];
  for (int c = 0; c < 64; ++c) {
    const uint32_t count = next[c];
    next[c] = sum;
    sum += count;
  }
  uint32_t natural = 0;
  for (uint32_t i = 0; i < cloth->particle_count; ++i) {
    vertex_of[i] = UINT32_MAX;
    if (cloth->particles[i].inverse_mass == 0.0f) continue;
    vertex_of[i] = color ? next[color[natural]]++ : natural;
    b->order[vertex_of[i]] = i;
    ++natural;
  }
  b->vertex_count = natural;
}

/* Vertices by colour; colours are chosen in natural order. */
static void order_vertices(const baseline_cloth* cloth, uint32_t* vertex_of, uint8_t* color,
                           baseline_blocks* b) {
  number_vertices(cloth, NULL, vertex_of, b);
  list_ends(cloth, vertex_of, b);
  color_vertices(b, vertex_of, color);
  number_vertices(cloth, color, vertex_of, b);
  list_ends(cloth, vertex_of, b);
}

static void set_links(const baseline_cloth* cloth, baseline_blocks* b) {
  for (uint32_t i = 0; i < cloth->link_count; ++i) {
    b->links[i] = (baseline_block_link){.rest_length = cloth->links[i].rest_length};
  }
}

static float mean_mass(const baseline_cloth* cloth, const baseline_blocks* b) {
  double mass = 0.0;
  for (uint32_t v = 0; v < b->vertex_count; ++v) {
    mass += 1.0 / (double)cloth->particles[b->order[v]].inverse_mass;
  }
  return b->vertex_count > 0 ? (float)(mass / b->vertex_count) : 1.0f;
}

bool baseline_blocks_make(const baseline_cloth* cloth, baseline_blocks* b) {
  const size_t particles = cloth->particle_count + 1u, links = cloth->link_count + 1u;
  *b = (baseline_blocks){.order = malloc(particles * sizeof *b->order),
                         .first_end = malloc(particles * sizeof *b->first_end),
                         .ends = malloc(2 * links * sizeof *b->ends),
                         .links = malloc(links * sizeof *b->links),
                         .target = malloc(3 * particles * sizeof *b->target)};
  uint32_t* vertex_of = malloc(particles * sizeof *vertex_of);
  uint8_t* color = malloc(particles);
  const bool ok =
      b->order && b->first_end && b->ends && b->links && b->target && vertex_of && color;
  if (ok) {
    order_vertices(cloth, vertex_of, color, b);
    set_links(cloth, b);
    b->mass = mean_mass(cloth, b);
  }
  free(vertex_of);
  free(color);
  return ok;
}

void baseline_blocks_free(baseline_blocks* b) {
  free(b->order);
  free(b->first_end);
  free(b->ends);
  free(b->links);
  free(b->target);
  *b = (baseline_blocks){0};
}

static float elongation(const baseline_cloth* cloth, uint32_t i) {
  const baseline_particle* a = &cloth->particles[cloth->links[i].a];
  const baseline_particle* b = &cloth->particles[cloth->links[i].b];
  const float dx = b->x - a->x, dy = b->y - a->y, dz = b->z - a->z;
  return sqrtf(dx * dx + dy * dy + dz * dz) - cloth->links[i].rest_length;
}

/* Warm start: multipliers and penalties of the last step, a little less. */
static void start_links(const baseline_cloth* cloth, baseline_blocks* b, float unit) {
  for (uint32_t i = 0; i < cloth->link_count; ++i) {
    baseline_block_link* link = &b->links[i];
    link->start_elongation = elongation(cloth, i);
    link->multiplier *= alpha * kept;
    link->penalty = fminf(fmaxf(link->penalty * kept, least_penalty * unit), most_penalty * unit);
  }
}

/* The target, and first guess, of inertia and gravity. */
static void integrate(baseline_cloth* cloth, baseline_blocks* b) {
  const float damping = expf(-cloth->damping * cloth->dt), dt_sq = cloth->dt * cloth->dt;
  for (uint32_t v = 0; v < b->vertex_count; ++v) {
    baseline_particle* p = &cloth->particles[b->order[v]];
    const float x = p->x, y = p->y, z = p->z;
    p->x = x + (x - p->prev_x) * damping + cloth->gravity[0] * dt_sq;
    p->y = y + (y - p->prev_y) * damping + cloth->gravity[1] * dt_sq;
    p->z = z + (z - p->prev_z) * damping + cloth->gravity[2] * dt_sq;
    p->prev_x = x, p->prev_y = y, p->prev_z = z;
    float* target = b->target + 3 * (size_t)v;
    target[0] = p->x, target[1] = p->y, target[2] = p->z;
  }
}

typedef struct block_system {
  float xx, xy, xz, yy, yz, zz;
  float fx, fy, fz;
} block_system;

/* The Hessian's geometric part takes the force's magnitude: positive in compression. */
static void add_link(block_system* s, const baseline_particle* p, const baseline_particle* other,
                     const baseline_block_link* link) {
  const float dx = p->x - other->x, dy = p->y - other->y, dz = p->z - other->z;
  const float length_sq = dx * dx + dy * dy + dz * dz;
  if (!(length_sq > 0.0f)) return;
  const float inverse = 1.0f / sqrtf(length_sq), length = length_sq * inverse;
  const float nx = dx * inverse, ny = dy * inverse, nz = dz * inverse;
  const float left = length - link->rest_length - alpha * link->start_elongation;
  const float force = link->penalty * left + link->multiplier;
  const float across = fabsf(force) * inverse, along = link->penalty - across;
  s->xx += along * nx * nx + across, s->yy += along * ny * ny + across;
  s->zz += along * nz * nz + across;
  s->xy += along * nx * ny, s->xz += along * nx * nz, s->yz += along * ny * nz;
  s->fx -= force * nx, s->fy -= force * ny, s->fz -= force * nz;
}

/* Cholesky in the form L D L^T. */
static void move(baseline_particle* p, const block_system* s) {
  const float l21 = s->xy / s->xx, l31 = s->xz / s->xx;
  const float d2 = s->yy - l21 * s->xy;
  const float u32 = s->yz - l21 * s->xz;
  const float l32 = u32 / d2;
  const float d3 = s->zz - l31 * s->xz - l32 * u32;
  const float y1 = s->fx, y2 = s->fy - l21 * y1, y3 = s->fz - l31 * y1 - l32 * y2;
  const float z = y3 / d3, y = y2 / d2 - l32 * z, x = y1 / s->xx - l21 * y - l31 * z;
  p->x += x, p->y += y, p->z += z;
}

static void descend(baseline_cloth* cloth, const baseline_blocks* b, float inverse_dt_sq) {
  for (uint32_t v = 0; v < b->vertex_count; ++v) {
    baseline_particle* p = &cloth->particles[b->order[v]];
    const float* target = b->target + 3 * (size_t)v;
    const float inertia = inverse_dt_sq / p->inverse_mass;
    block_system s = {inertia,
                      0.0f,
                      0.0f,
                      inertia,
                      0.0f,
                      inertia,
                      inertia * (target[0] - p->x),
                      inertia * (target[1] - p->y),
                      inertia * (target[2] - p->z)};
    for (uint32_t e = b->first_end[v]; e < b->first_end[v + 1]; ++e) {
      add_link(&s, p, &cloth->particles[b->ends[e].other], &b->links[b->ends[e].link]);
    }
    move(p, &s);
  }
}

static void ascend(const baseline_cloth* cloth, baseline_blocks* b, float unit) {
  for (uint32_t i = 0; i < cloth->link_count; ++i) {
    baseline_block_link* link = &b->links[i];
    const float left = elongation(cloth, i) - alpha * link->start_elongation;
    link->multiplier += link->penalty * left;
    link->penalty =
        fminf(link->penalty + growth * unit * fabsf(left) / link->rest_length, most_penalty * unit);
  }
}

void baseline_blocks_step(baseline_cloth* cloth, baseline_blocks* b) {
  const float inverse_dt_sq = 1.0f / (cloth->dt * cloth->dt), unit = b->mass * inverse_dt_sq;
  start_links(cloth, b, unit);
  integrate(cloth, b);
  for (uint32_t i = 0; i < cloth->iterations; ++i) {
    descend(cloth, b, inverse_dt_sq);
    ascend(cloth, b, unit);
  }
}
