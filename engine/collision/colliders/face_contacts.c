#include "collision/colliders/face_contacts.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/aabb.h"
#include "base/grain_size.h"
#include "base/min_max.h"
#include "collision/colliders/face_chunks.h"
#include "collision/colliders/face_shape.h"
#include "collision/colliders/loads.h"
#include "collision/colliders/particle_time_of_impact.h"

#define CULL_GRAIN WEFT__GRAIN(8u, 1u)
#define SOLVE_GRAIN WEFT__GRAIN(2u, 1u)
// Fewer near faces of a colour are solved by the leader: a job costs as much as some.
#define MIN_JOB_FACES WEFT__GRAIN(16u, 2u)
// A second pass resolves contacts that corrections of neighbouring faces have undone.
#define PASSES 2
// Least mass-weighted share of a contact, relative to the lightest corner: bounds corrections
// beside pinned corners.
#define MIN_SHARE (1.0 / 16.0)
// depth of a face in a collider from which it is tested, over its range
#define DIP_SHARE 0.1f

static void lay_out(weft__face_contacts* contacts, weft__arena* arena, uint32_t particle_count) {
  const size_t faces = contacts->faces->count;
  contacts->face = weft__arena_alloc(arena, faces, sizeof(*contacts->face));
  contacts->color = weft__arena_alloc(arena, faces, sizeof(*contacts->color));
  // a chunk has a face, and a colour a chunk
  contacts->chunk_first = weft__arena_alloc(arena, faces + 1, sizeof(*contacts->chunk_first));
  contacts->color_first = weft__arena_alloc(arena, faces + 2, sizeof(*contacts->color_first));
  contacts->chunk_sizes = weft__arena_alloc(arena, faces, sizeof(*contacts->chunk_sizes));
  contacts->near = weft__arena_alloc(arena, faces, sizeof(*contacts->near));
  contacts->stretched = weft__arena_alloc(arena, faces, sizeof(*contacts->stretched));
  for (int k = 0; k < 3; ++k) {
    contacts->corner[k] = weft__arena_alloc(arena, faces, sizeof(*contacts->corner[k]));
  }
  weft__first_fit_lay_out(&contacts->coloring, arena, particle_count, 3 * faces);
}

static bool meets_faces(const weft__collider* c) {
  return c->row != NULL && weft__meets_faces(c->shape.kind);
}

// Stretched faces of cloth meet more than faces of points.
static bool any_meets(const weft__contact_setup* setup) {
  const uint32_t* shape_count = setup->materials->shape_count;
  const bool has_cloth = shape_count[WEFT_PARTICLE_SHAPE_CLOTH] > 0;
  if (!has_cloth && shape_count[WEFT_PARTICLE_SHAPE_POINT] == 0) return false;
  for (uint32_t n = 0; n < setup->colliders->end; ++n) {
    const weft__collider* c = &setup->colliders->list[n];
    if (has_cloth ? weft__collider_is_curved(c) : meets_faces(c)) return true;
  }
  return false;
}

bool weft__face_contacts_prepare(weft__face_contacts* contacts, const weft__contact_setup* setup) {
  contacts->on = setup->faces->count > 0 && any_meets(setup);
  if (!contacts->on || contacts->block != NULL) return true;
  weft__face_contacts made = {.on = true, .faces = setup->faces};
  for (uint32_t f = 0; f < setup->faces->count; ++f)
    made.longest_range = weft__maxf(made.longest_range, weft__stretched_range(setup->faces, f));
  for (weft__arena arena = {0}; weft__arena_next(&arena, &made.block, &made.bytes);) {
    lay_out(&made, &arena, setup->particles->count);
  }
  if (made.block != NULL) *contacts = made;
  return made.block != NULL;
}

void weft__face_contacts_visit(weft__face_contacts* contacts, weft__archive* archive,
                               const weft__contact_setup* setup) {
  if (weft__archive_is_checking(archive)) {
    (void)weft__archive_allocated(archive, weft__face_contacts_prepare(contacts, setup));
    contacts->is_classified = false;
  }
  WEFT__ARCHIVE_VALUE(archive, contacts->contact_count);
}

void weft__face_contacts_destroy(weft__face_contacts* contacts) {
  weft__free(contacts->block);
  *contacts = (weft__face_contacts){0};
}

// Faces whose corners stay out of a collider enter it: one that moves by more than the cloth is
// thick comes between the corners, and in a round one that is thin enough the middle of a face is
// inside by more than DIP_SHARE of its range. Edges of slow boxes are left out: contacts of faces
// with them and of particles undo each other, and a grip by two boxes creeps.
static bool may_enter(const weft__face_sizes* sizes, const weft__collider* c) {
  if (!meets_faces(c)) return false;
  if (c->moves && c->travel > (double)sizes->thinnest) return true;
  if (c->shape.kind == WEFT_COLLIDER_SHAPE_BOX) return false;
  const float radius = (float)c->shape.radius;
  const float corner = radius + sizes->thinnest;
  const float inside = weft__maxf(radius - DIP_SHARE * sizes->range, 0.0f);
  return corner * corner - sizes->range * sizes->range < inside * inside;
}

bool weft__face_contacts_may_act(const weft__face_contacts* contacts,
                                 const weft__materials* materials,
                                 const weft__colliders* colliders) {
  if (!contacts->on) return false;
  weft__face_sizes sizes = {.range = contacts->longest_range, .thinnest = INFINITY};
  for (uint32_t row = 1; row < materials->row_count; ++row)
    sizes.thinnest = weft__minf(sizes.thinnest, materials->rows[row].half_size[0]);
  for (uint32_t n = 0; n < colliders->end; ++n) {
    const weft__collider* c = &colliders->list[n];
    if (meets_faces(c) && (weft__collider_moves(c) || may_enter(&sizes, c))) return true;
  }
  return false;
}

typedef struct stretch_job {
  weft__face_contacts* contacts;
  const weft__step_context* step;
  _Atomic bool any;  // relaxed: read after the loop
} stretch_job;

static inline float longest_edge_sq(const weft__particles* p, const weft__face_contacts* contacts,
                                    uint32_t n) {
  const uint32_t i = contacts->corner[0][n], j = contacts->corner[1][n], k = contacts->corner[2][n];
  float edge_sq[3] = {0.0f, 0.0f, 0.0f};
  for (int axis = 0; axis < 3; ++axis) {
    const float a = p->pos[axis][i], b = p->pos[axis][j], c = p->pos[axis][k];
    edge_sq[0] += (b - a) * (b - a);
    edge_sq[1] += (c - b) * (c - b);
    edge_sq[2] += (a - c) * (a - c);
  }
  return weft__maxf(weft__maxf(edge_sq[0], edge_sq[1]), edge_sq[2]);
}

// Faces that are longer than the largest of the chunk at rest, stretched by a quarter.
static void mark_stretched(void* context, weft__range chunks, uint32_t worker) {
  (void)worker;
  stretch_job* job = context;
  weft__face_contacts* contacts = job->contacts;
  const weft__particles p = *job->step->particles;  // in registers
  for (uint32_t chunk = chunks.begin; chunk < chunks.end; ++chunk) {
    const float diameter = 2.0f * contacts->chunk_sizes[chunk].range;
    const uint32_t first = contacts->chunk_first[chunk];
    const uint32_t count = contacts->chunk_first[chunk + 1] - first;
    uint64_t stretched = 0;
    for (uint32_t k = 0; k < count; ++k) {
      const float edge_sq = longest_edge_sq(&p, contacts, first + k);
      stretched |= (uint64_t)(edge_sq > diameter * diameter) << k;
    }
    contacts->stretched[chunk] = stretched;
    if (stretched != 0) atomic_store_explicit(&job->any, true, memory_order_relaxed);
  }
}

void weft__face_contacts_begin_step(weft__face_contacts* contacts, weft__step_context* step) {
  weft__face_chunks_classify(contacts, step->materials);
  contacts->any_stretched = false;
  if (step->materials->shape_count[WEFT_PARTICLE_SHAPE_CLOTH] == 0) return;
  stretch_job job = {.contacts = contacts, .step = step};
  weft__step_for(step, contacts->chunk_count, CULL_GRAIN, mark_stretched, &job);
  contacts->any_stretched = job.any;
}

// Chunks of a colour, or of all.
typedef struct face_job {
  weft__face_contacts* contacts;
  const weft__colliders* colliders;
  weft__step_context* step;
  uint32_t first_chunk;
  bool is_recorded;
  bool any_may_enter;
  atomic_uint contact_count;
} face_job;

typedef struct world_face {
  const uint32_t* particle;
  const weft__material* material;  // the first corner's
  double reach;                    // metres, from colliders
} world_face;

// Around the corners, without the reach.
static weft__aabb box_of(const weft__particles* p, const uint32_t* particle) {
  weft__aabb box = weft__aabb_empty();
  for (int k = 0; k < 3; ++k) {
    const uint32_t i = particle[k];
    weft__aabb_add_point(&box, (float[3]){p->pos_x[i], p->pos_y[i], p->pos_z[i]});
  }
  return box;
}

static bool is_near(const weft__aabb* box, double reach, const weft__collider* c) {
  return (double)box->lower[0] - reach <= c->swept_upper.x &&
         (double)box->upper[0] + reach >= c->swept_lower.x &&
         (double)box->lower[1] - reach <= c->swept_upper.y &&
         (double)box->upper[1] + reach >= c->swept_lower.y &&
         (double)box->lower[2] - reach <= c->swept_upper.z &&
         (double)box->upper[2] + reach >= c->swept_lower.z;
}

static void corners_in(const weft__step_context* step, const weft__collider* c,
                       const uint32_t* particle, weft__local_face* local) {
  const weft__particles* p = step->particles;
  for (int k = 0; k < 3; ++k)
    local->corner[k] = weft__frame_in(&c->end, weft__vec3_at(p->pos, particle[k]));
}

static void previous_in(const weft__step_context* step, const weft__collider* c,
                        const uint32_t* particle, weft__local_face* local) {
  const weft__particles* p = step->particles;
  for (int k = 0; k < 3; ++k)
    local->previous[k] = weft__frame_in(&c->begin, weft__vec3_at(p->prev, particle[k]));
}

// Distance to the inner box within which a face may have a contact; rounding as in candidates.c.
static float near_distance(const weft__collider* c, const weft__face_batch* batch, double reach) {
  double largest = c->magnitude + WEFT__MIN_COORDINATE;
  for (int axis = 0; axis < 3; ++axis) {
    largest = weft__max(
        largest, weft__max(fabs((double)batch->lower[axis]), fabs((double)batch->upper[axis])));
  }
  return (float)(1.0001 * ((double)c->bounds.radius + reach + 0x1p-18 * largest));
}

static uint64_t stretched_of(const weft__face_contacts* contacts, uint32_t chunk) {
  return contacts->any_stretched ? contacts->stretched[chunk] : 0;
}

static void load_chunk(const weft__face_contacts* contacts, const weft__step_context* step,
                       uint32_t chunk, weft__face_batch* batch) {
  const uint32_t first = contacts->chunk_first[chunk];
  const uint32_t* corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = contacts->corner[k] + first;
  step->kernels->load_faces(step->particles, corner, contacts->chunk_first[chunk + 1] - first,
                            batch);
}

static void cull_chunk(const face_job* job, uint32_t chunk) {
  weft__face_contacts* contacts = job->contacts;
  const weft__step_context* step = job->step;
  const weft__face_sizes* sizes = &contacts->chunk_sizes[chunk];
  const double reach = (double)sizes->reach;
  const uint64_t stretched = stretched_of(contacts, chunk);
  contacts->near[chunk] = 0;
  if (!job->any_may_enter && stretched == 0) return;
  weft__face_batch batch;
  load_chunk(contacts, step, chunk, &batch);
  weft__aabb box;
  memcpy(box.lower, batch.lower, sizeof(box.lower));
  memcpy(box.upper, batch.upper, sizeof(box.upper));
  uint64_t near = 0;
  for (uint32_t n = 0; n < job->colliders->end; ++n) {
    const weft__collider* c = &job->colliders->list[n];
    const uint64_t wanted = may_enter(sizes, c)           ? UINT64_MAX
                            : weft__collider_is_curved(c) ? stretched
                                                          : 0;
    if (wanted == 0 || !is_near(&box, reach, c)) continue;
    near |= wanted &
            step->kernels->find_near_faces(&batch, &c->bounds, near_distance(c, &batch, reach));
  }
  contacts->near[chunk] = near;
}

static void cull_chunks(void* context, weft__range chunks, uint32_t worker) {
  (void)worker;
  const face_job* job = context;
  for (uint32_t chunk = chunks.begin; chunk < chunks.end; ++chunk) cull_chunk(job, chunk);
}

// Displacements of the contact point and of its previous position.
static void displace(weft__particles* p, const uint32_t* particle, const double share[3],
                     weft__vec3 pos, weft__vec3 prev) {
  double sum = 0.0;
  double lightest = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double inv_mass = (double)p->inv_mass[particle[k]];
    sum += inv_mass * share[k] * share[k];
    lightest = weft__max(lightest, inv_mass);
  }
  if (!(lightest > 0.0)) return;
  sum = weft__max(sum, MIN_SHARE * lightest);
  for (int k = 0; k < 3; ++k) {
    const uint32_t i = particle[k];
    const double part = (double)p->inv_mass[i] * share[k] / sum;
    if (!(part > 0.0)) continue;
    weft__vec3_set(p->pos, i, weft__plus(weft__vec3_at(p->pos, i), weft__scaled(part, pos)));
    weft__vec3_set(p->prev, i, weft__plus(weft__vec3_at(p->prev, i), weft__scaled(part, prev)));
  }
}

// Point of a face, as a particle that its corners carry.
static weft__moving_particle particle_at(const face_job* job, const world_face* f,
                                         const double share[3]) {
  const weft__particles* p = job->step->particles;
  const double radius = (double)f->material->half_size[0];
  weft__vec3 pos[3], prev[3];
  for (int k = 0; k < 3; ++k) {
    pos[k] = weft__vec3_at(p->pos, f->particle[k]);
    prev[k] = weft__vec3_at(p->prev, f->particle[k]);
  }
  weft__moving_particle t = {.pos = weft__blend(pos, share),
                             .prev = weft__blend(prev, share),
                             .material = f->material,
                             .between = &job->step->materials->between,
                             .support_share = radius > 0.0 ? f->reach / radius : 0.0,
                             .inner_radius = f->reach,
                             .outer_radius = f->reach,
                             .prev_is_origin = true};
  t.origin = t.prev;
  return t;
}

static weft__vec3 gravity_of(const face_job* job, const world_face* f) {
  return weft__vec3_of(weft__step_motion(job->step, f->particle[0])->displacement);
}

// Moves the corners as the contact has moved their point, and records the change of each.
static void carry(const face_job* job, uint32_t worker, const weft__collider* c,
                  const world_face* f, const double share[3], const weft__moving_particle* from,
                  const weft__moving_particle* to) {
  weft__particles* p = job->step->particles;
  weft__vec3 before[3];
  for (int k = 0; k < 3; ++k) before[k] = weft__displacement_of(p, f->particle[k]);
  displace(p, f->particle, share, weft__minus(to->pos, from->pos),
           weft__minus(to->prev, from->prev));
  const weft__vec3 out = weft__scaled(f->reach, to->contact_normal);
  for (int k = 0; job->is_recorded && k < 3; ++k) {
    const uint32_t i = f->particle[k];
    const weft__vec3 change = weft__minus(weft__displacement_of(p, i), before[k]);
    if (!(p->inv_mass[i] > 0.0f) || weft__dot(change, change) == 0.0) continue;
    const weft__collider_contact recorded = {
        .particle = i,
        .number = (uint32_t)(c - job->colliders->list),
        .impulse = weft__impulse_of_change(job->step, i, change),
        .normal = to->contact_normal,
        .point = weft__minus(to->pos, out),
    };
    weft__collider_contact_record(job->step, worker, &recorded);
  }
}

// Contact of the face with a sphere, a capsule or a box; true if there is one.
static bool solve_contact(const face_job* job, uint32_t worker, const weft__collider* c,
                          const world_face* f) {
  weft__local_face local;
  weft__face_contact contact;
  corners_in(job->step, c, f->particle, &local);
  if (weft__face_is_apart(&c->shape, local.corner, f->reach)) return false;
  previous_in(job->step, c, f->particle, &local);
  if (!weft__face_find_contact(&c->shape, &local, f->reach, &contact)) return false;
  const weft__moving_particle from = particle_at(job, f, contact.share);
  weft__moving_particle to = from;
  if (!weft__collider_press(c, gravity_of(job, f), contact.point, contact.normal, &to))
    return false;
  carry(job, worker, c, f, contact.share, &from, &to);
  return true;
}

static bool solve_middle(const face_job* job, uint32_t worker, const weft__collider* c,
                         const world_face* f, int edge) {
  double share[3] = {0.5, 0.5, 0.5};
  share[(edge + 2) % 3] = 0.0;
  weft__triangle_list list = {.number = (uint32_t)(c - job->colliders->list),
                              .generation = c->generation};
  weft__moving_particle from = particle_at(job, f, share);
  from.list = c->shape.moving != NULL ? &list : NULL;
  weft__moving_particle to = from;
  if (weft__misses_swept_box(&to, c) || !weft__collider_resolve(c, gravity_of(job, f), true, &to))
    return false;
  carry(job, worker, c, f, share, &from, &to);
  return true;
}

// Returns true if the face has a contact.
static bool solve_face(const face_job* job, uint32_t worker, uint32_t face, bool is_stretched) {
  if (weft__face_is_torn(job->contacts->faces, job->step->schedule, face)) return false;
  const uint32_t* corner = job->contacts->faces->corner[face];
  const weft__face_sizes sizes = weft__face_sizes_of(job->contacts, job->step->materials, face);
  const world_face f = {corner, weft__material_of(job->step->materials, corner[0]),
                        (double)sizes.reach};
  const bool has_middles = is_stretched && f.material->shape == WEFT_PARTICLE_SHAPE_CLOTH;
  bool has_contact = false;
  for (uint32_t n = 0; n < job->colliders->end; ++n) {
    const weft__collider* c = &job->colliders->list[n];
    const bool enters = may_enter(&sizes, c);
    const bool may_meet = enters || (has_middles && weft__collider_is_curved(c));
    if (!may_meet || !weft__surfaces_collide(&c->surface, &f.material->surface)) continue;
    // contacts with others have moved it
    const weft__aabb box = box_of(job->step->particles, corner);
    if (!is_near(&box, f.reach, c)) continue;
    if (enters) {
      has_contact |= solve_contact(job, worker, c, &f);
    } else {
      for (int k = 0; k < 3; ++k) has_contact |= solve_middle(job, worker, c, &f, k);
    }
  }
  return has_contact;
}

static void solve_chunks(void* context, weft__range chunks, uint32_t worker) {
  face_job* job = context;
  const weft__face_contacts* contacts = job->contacts;
  uint32_t found = 0;
  for (uint32_t n = chunks.begin; n < chunks.end; ++n) {
    const uint32_t chunk = job->first_chunk + n;
    const uint32_t first = contacts->chunk_first[chunk];
    for (uint64_t left = contacts->near[chunk]; left != 0; left &= left - 1) {
      const uint32_t k = (uint32_t)__builtin_ctzll(left);
      const bool is_stretched = (stretched_of(contacts, chunk) >> k & 1) != 0;
      found += solve_face(job, worker, contacts->face[first + k], is_stretched);
    }
  }
  // relaxed: read after the loop
  atomic_fetch_add_explicit(&job->contact_count, found, memory_order_relaxed);
}

static void solve_color(face_job* job, uint32_t color) {
  const weft__face_contacts* contacts = job->contacts;
  const uint32_t end = contacts->color_first[color + 1];
  job->first_chunk = contacts->color_first[color];
  uint32_t near = 0;
  for (uint32_t c = job->first_chunk; c < end; ++c) {
    near += (uint32_t)__builtin_popcountll(contacts->near[c]);
  }
  if (near == 0) return;
  const weft__range all = {0, end - job->first_chunk};
  if (near < MIN_JOB_FACES) {
    solve_chunks(job, all, 0);
  } else {
    weft__step_for(job->step, all.end, SOLVE_GRAIN, solve_chunks, job);
  }
}

void weft__face_contacts_solve(weft__face_contacts* contacts, weft__step_context* step) {
  face_job job = {.contacts = contacts,
                  .colliders = step->colliders,
                  .step = step,
                  .is_recorded = weft__collider_contacts_are_recorded(step)};
  for (uint32_t n = 0; n < job.colliders->end; ++n)
    job.any_may_enter |= may_enter(&contacts->sizes, &job.colliders->list[n]);
  contacts->contact_count = 0;
  if (!job.any_may_enter && !contacts->any_stretched) return;
  weft__step_for(step, contacts->chunk_count, CULL_GRAIN, cull_chunks, &job);
  for (int pass = 0; pass < PASSES; ++pass) {
    atomic_store_explicit(&job.contact_count, 0, memory_order_relaxed);
    for (uint32_t c = 0; c < contacts->color_count; ++c) solve_color(&job, c);
    if (pass == 0) contacts->contact_count = job.contact_count;
    if (job.contact_count == 0) break;
  }
}
