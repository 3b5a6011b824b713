#include "baseline/serial.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* x' = x + (x - previous x) * kept + g * dt^2; pinned particles stay. */
static void integrate(baseline_cloth* cloth) {
  const float kept = expf(-cloth->damping * cloth->dt);
  const float dt_sq = cloth->dt * cloth->dt;
  const float fall_x = cloth->gravity[0] * dt_sq;
  const float fall_y = cloth->gravity[1] * dt_sq;
  const float fall_z = cloth->gravity[2] * dt_sq;
  for (uint32_t i = 0; i < cloth->particle_count; ++i) {
    baseline_particle* p = &cloth->particles[i];
    if (p->inverse_mass == 0.0f) continue;
    const float x = p->x, y = p->y, z = p->z;
    p->x = x + (x - p->prev_x) * kept + fall_x;
    p->y = y + (y - p->prev_y) * kept + fall_y;
    p->z = z + (z - p->prev_z) * kept + fall_z;
    p->prev_x = x, p->prev_y = y, p->prev_z = z;
  }
}

static void pull_back(baseline_particle* p, const baseline_particle* anchor, float reach) {
  const float dx = p->x - anchor->x, dy = p->y - anchor->y, dz = p->z - anchor->z;
  const float length_sq = dx * dx + dy * dy + dz * dz;
  if (!(length_sq > reach * reach)) return;
  const float share = reach / sqrtf(length_sq);
  p->x = anchor->x + share * dx, p->y = anchor->y + share * dy, p->z = anchor->z + share * dz;
}

static void solve_link(baseline_particle* a, baseline_particle* b, const baseline_link* link) {
  const float dx = b->x - a->x, dy = b->y - a->y, dz = b->z - a->z;
  const float length = sqrtf(dx * dx + dy * dy + dz * dz);
  const float weight = length * (a->inverse_mass + b->inverse_mass);
  // both ends pinned, or on one spot without a direction
  if (!(weight > 0.0f)) return;
  const float scale = link->stiffness * (length - link->rest_length) / weight;
  const float scale_a = scale * a->inverse_mass, scale_b = scale * b->inverse_mass;
  a->x += scale_a * dx, a->y += scale_a * dy, a->z += scale_a * dz;
  b->x -= scale_b * dx, b->y -= scale_b * dy, b->z -= scale_b * dz;
}

void baseline_step(baseline_cloth* cloth) {
  integrate(cloth);
  baseline_particle* particles = cloth->particles;
  for (uint32_t i = 0; i < cloth->attachment_count; ++i) {
    const baseline_attachment* to = &cloth->attachments[i];
    pull_back(&particles[to->particle], &particles[to->anchor], to->reach);
  }
  for (uint32_t sweep = 0; sweep < cloth->iterations; ++sweep) {
    for (uint32_t i = 0; i < cloth->link_count; ++i) {
      const baseline_link* link = &cloth->links[i];
      solve_link(&particles[link->a], &particles[link->b], link);
    }
  }
}

static uint64_t hash_float(uint64_t hash, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int byte = 0; byte < 4; ++byte) {
    hash = (hash ^ ((bits >> (8 * byte)) & 0xffu)) * UINT64_C(0x100000001b3);
  }
  return hash;
}

uint64_t baseline_hash(const baseline_cloth* cloth) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (uint32_t i = 0; i < cloth->particle_count; ++i) {
    const baseline_particle* p = &cloth->particles[i];
    const float state[6] = {p->x, p->y, p->z, p->prev_x, p->prev_y, p->prev_z};
    for (size_t k = 0; k < 6; ++k) hash = hash_float(hash, state[k]);
  }
  return hash;
}
