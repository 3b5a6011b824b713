#include "forces/link_drag.h"

#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/vec3.h"

#define CYLINDER_DRAG 1.2

static bool has_faces(const weft__faces* faces, uint32_t particle) {
  return faces->count > 0 && weft__face_count_of(faces, particle) > 0;
}

static bool any_without_faces(const weft__faces* faces, uint32_t particle_count) {
  for (uint32_t i = 0; i < particle_count; ++i) {
    if (!has_faces(faces, i)) return true;
  }
  return false;
}

// Structural links that have an end without faces.
typedef void visit_link(void* context, const weft__lane* lane, uint32_t link);

static void visit_links(const weft__faces* faces, const weft__schedule* schedule, visit_link* visit,
                        void* context) {
  for (uint32_t link = 0; link < schedule->links.link_count; ++link) {
    const uint32_t slot = schedule->links.slot_of_link[link];
    if (!weft__is_marked(schedule->links.structural, slot)) continue;
    const weft__lane lane = weft__schedule_lane(schedule, slot);
    if (!has_faces(faces, lane.a) || !has_faces(faces, lane.b)) visit(context, &lane, link);
  }
}

typedef struct build {
  weft__link_drag* drag;
  const weft__faces* faces;
  uint32_t* first_use; /* prefix offsets by particle, one more to build them */
} build;

static void count_uses(void* context, const weft__lane* lane, uint32_t link) {
  (void)link;
  const build* b = context;
  if (!has_faces(b->faces, lane->a)) ++b->first_use[lane->a + 2];
  if (!has_faces(b->faces, lane->b)) ++b->first_use[lane->b + 2];
}

static void push(const build* b, uint32_t end, uint32_t other, uint32_t link) {
  if (has_faces(b->faces, end)) return;
  const uint32_t use = b->first_use[end + 1]++;
  b->drag->other[use] = other;
  b->drag->link[use] = link;
}

static void push_uses(void* context, const weft__lane* lane, uint32_t link) {
  push(context, lane->a, lane->b, link);
  push(context, lane->b, lane->a, link);
}

static void sum_uses(const build* b, uint32_t particle_count) {
  for (uint32_t i = 0; i < particle_count; ++i) {
    b->drag->count += b->first_use[i + 2] > 0;
    b->first_use[i + 2] += b->first_use[i + 1];
  }
  b->drag->use_count = b->first_use[particle_count + 1];
}

static void lay_out(weft__link_drag* drag, weft__arena* arena) {
  drag->particle = weft__arena_alloc(arena, drag->count, sizeof(*drag->particle));
  drag->radius = weft__arena_alloc(arena, drag->count, sizeof(*drag->radius));
  drag->first = weft__arena_alloc(arena, (size_t)drag->count + 1, sizeof(*drag->first));
  drag->other = weft__arena_alloc(arena, drag->use_count, sizeof(*drag->other));
  drag->link = weft__arena_alloc(arena, drag->use_count, sizeof(*drag->link));
}

static void list_ends(const build* b, uint32_t particle_count) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < particle_count; ++i) {
    if (b->first_use[i + 1] == b->first_use[i]) continue;
    b->drag->particle[n] = i;
    b->drag->first[n++] = b->first_use[i];
  }
  b->drag->first[n] = b->drag->use_count;
}

static bool fill(weft__link_drag* drag, const weft__faces* faces, const weft__schedule* schedule,
                 uint32_t* first_use) {
  build b = {drag, faces, first_use};
  visit_links(faces, schedule, count_uses, &b);
  sum_uses(&b, schedule->particle_count);
  if (drag->use_count == 0) return true;
  for (weft__arena arena = {0}; weft__arena_next(&arena, &drag->block, &drag->bytes);)
    lay_out(drag, &arena);
  if (drag->block == NULL) return false;
  visit_links(faces, schedule, push_uses, &b);
  list_ends(&b, schedule->particle_count);
  return true;
}

bool weft__link_drag_create(weft__link_drag* drag, const weft__faces* faces,
                            const weft__schedule* schedule) {
  *drag = (weft__link_drag){0};
  const uint32_t count = schedule->particle_count;
  if (schedule->links.link_count == 0 || !any_without_faces(faces, count)) return true;
  uint32_t* first_use = weft__alloc_zeroed((size_t)count + 2, sizeof(*first_use));
  const bool good = first_use != NULL && fill(drag, faces, schedule, first_use);
  weft__free(first_use);
  if (!good) *drag = (weft__link_drag){0};
  return good;
}

void weft__link_drag_destroy(weft__link_drag* drag) {
  weft__free(drag->block);
  *drag = (weft__link_drag){0};
}

static void mark_other_ends(const void* table, const weft__domain* domain, uint8_t* marks) {
  const weft__link_drag* drag = table;
  for (uint32_t n = 0; n < drag->count; ++n) {
    if (drag->particle[n] < domain->particles.begin || drag->particle[n] >= domain->particles.end)
      continue;
    for (uint32_t u = drag->first[n]; u < drag->first[n + 1]; ++u) marks[drag->other[u]] = 1;
  }
}

const weft__halo_rows weft__link_drag_rows = {.mark = mark_other_ends};

void weft__link_drag_load(const weft__link_drag* drag, uint32_t n, const weft__link_air* air,
                          const weft__schedule* schedule, weft__particles* particles) {
  const uint32_t i = drag->particle[n];
  const float inv_mass = particles->inv_mass[i];
  if (!(drag->radius[n] > 0.0f && inv_mass > 0.0f)) return;
  float velocity[3];
  weft__particles_velocity(particles, i, air->velocity_rate, velocity);
  const weft__vec3 relative = weft__minus(weft__vec3_of(air->velocity), weft__vec3_of(velocity));
  const weft__vec3 here = weft__vec3_at(particles->pos, i);
  // of half a link, for each metre of the whole and metre per second
  const double density = (double)air->half_density * CYLINDER_DRAG * (double)drag->radius[n];
  const double limit = (double)air->step_rate / (double)inv_mass;
  weft__vec3 force = {0.0, 0.0, 0.0};
  double sum = 0.0;
  for (uint32_t u = drag->first[n]; u < drag->first[n + 1]; ++u) {
    if (weft__link_is_gone(&schedule->links, drag->link[u])) continue;
    const weft__vec3 along = weft__minus(weft__vec3_at(particles->pos, drag->other[u]), here);
    const double length = weft__length(along);
    if (!(length > 0.0)) continue;
    const double share = weft__dot(relative, along) / (length * length);
    const weft__vec3 across = weft__minus(relative, weft__scaled(share, along));
    const double wanted = density * length * (weft__length(across) + (double)air->unsteady_speed);
    const double c = wanted < limit ? wanted : limit;
    force = weft__plus(force, weft__scaled(c, across));
    sum += c;
  }
  if (sum > limit) force = weft__scaled(limit / sum, force);
  particles->force[0][i] += (float)force.x;
  particles->force[1][i] += (float)force.y;
  particles->force[2][i] += (float)force.z;
}
