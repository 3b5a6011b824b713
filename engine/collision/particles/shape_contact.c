#include "collision/particles/shape_contact.h"

#include <math.h>

#include "collision/particles/pair_table.h"

enum { ROUNDS = 16 };

// of its least half size, a body may be in others by so much for good
#define SLOP 0.002f
// of the half sizes of two: what is nearer than that touches
#define NEAR 1e-6

// ---- bodies ----

void weft__touch_load(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                      uint32_t begin, uint32_t end) {
  const weft__particles* p = stage->particles;
  const float rate = 1.0f / stage->h;
  float most = 0.0f;
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t k = particle_contacts->particle[i];
    const float way[3] = {p->pos_x[k] - p->prev_x[k], p->pos_y[k] - p->prev_y[k],
                          p->pos_z[k] - p->prev_z[k]};
    weft__body_motion* body = &particle_contacts->bodies[i];
    for (int axis = 0; axis < 3; ++axis) {
      particle_contacts->start[i][axis] = body->velocity[axis] = way[axis] * rate;
      particle_contacts->push[i][axis] = 0.0f;
    }
    body->inv_mass = p->inv_mass[k];
    const float square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    if (square > most) most = square;
  }
  weft__raise(&particle_contacts->fastest, most);
}

weft__touch_scale weft__touch_scale_of(const weft__particle_contacts* particle_contacts,
                                       const weft__contact_stage* stage) {
  const float* pull = stage->motion->displacement;
  weft__touch_scale scale = {.h = (double)stage->h, .rate = 1.0 / (double)stage->h};
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    scale.gravity[axis] = (double)pull[axis] * scale.rate;
    square += scale.gravity[axis] * scale.gravity[axis];
  }
  scale.rest = 2.0 * sqrt(square);
  scale.longest = sqrt((double)weft__raised(
      atomic_load_explicit(&particle_contacts->fastest, memory_order_relaxed)));
  return scale;
}

// ---- meeting ----

float weft__touch_bounce(const weft__touch_scale* scale, double closing, double beyond, double pull,
                         double restitution) {
  // velocities are those of half a substep ago
  const double now = closing + 0.5 * pull;
  const double square = now * now - 2.0 * pull * beyond * scale->rate;
  const double met = square > 0.0 ? sqrt(square) : 0.0;
  if (!(met > scale->rest)) return -1.0f;
  const double leaves = restitution * met;
  return (float)(leaves > 0.0 ? leaves + 0.5 * pull : 0.0);
}

// two bodies in this substep
typedef struct meeting {
  weft__pair_function* overlap_of;
  const float* half[2];
  double offset[3];  // from the first to the second, when it began
  double way[3];     // of the second, as the first sees it
  double size;       // metres: the least of all half sizes
} meeting;

static double closing_of(const meeting* m, const weft__overlap* overlap) {
  double closing = 0.0;
  for (int axis = 0; axis < 3; ++axis) closing -= overlap->normal[axis] * m->way[axis];
  return closing;
}

// Where they touch, or where they are nearest to each other; *gap is what they may come nearer from the beginning
// on, and *closing how much they do.
static weft__overlap find_meeting(const meeting* m, double* gap, double* closing) {
  double share = 0.0;
  weft__overlap overlap = m->overlap_of(m->half[0], m->half[1], m->offset);
  *closing = closing_of(m, &overlap);
  for (int round = 0; round < ROUNDS; ++round) {
    const double apart = -overlap.depth;
    if (!(apart > NEAR * m->size) || !(*closing > 0.0)) break;
    const double next = share + apart / *closing;
    // they do not come so far
    if (!(next < 1.0)) break;
    share = next;
    double offset[3];
    for (int axis = 0; axis < 3; ++axis) offset[axis] = m->offset[axis] + share * m->way[axis];
    overlap = m->overlap_of(m->half[0], m->half[1], offset);
    *closing = closing_of(m, &overlap);
  }
  *gap = share * *closing - overlap.depth;
  return overlap;
}

static double least_half(const float a[3], const float b[3]) {
  float least = a[0];
  for (int axis = 0; axis < 3; ++axis) {
    if (a[axis] < least) least = a[axis];
    if (b[axis] < least) least = b[axis];
  }
  return (double)least;
}

static meeting meeting_of(const weft__particles* p, uint32_t a, uint32_t b,
                          const weft__material* first, const weft__material* second) {
  const double was[2][3] = {{(double)p->prev_x[a], (double)p->prev_y[a], (double)p->prev_z[a]},
                            {(double)p->prev_x[b], (double)p->prev_y[b], (double)p->prev_z[b]}};
  const double is[2][3] = {{(double)p->pos_x[a], (double)p->pos_y[a], (double)p->pos_z[a]},
                           {(double)p->pos_x[b], (double)p->pos_y[b], (double)p->pos_z[b]}};
  meeting m = {.overlap_of = weft__pair_function_of(first->shape, second->shape),
               .half = {first->half_size, second->half_size},
               .size = least_half(first->half_size, second->half_size)};
  for (int axis = 0; axis < 3; ++axis) {
    m.offset[axis] = was[1][axis] - was[0][axis];
    m.way[axis] = (is[1][axis] - is[0][axis]) - m.offset[axis];
  }
  return m;
}

// how much faster gravity brings a free body to a pinned one
static double pull_between(const weft__touch_scale* scale, const weft__body_motion* a,
                           const weft__body_motion* b, const double normal[3]) {
  double pull = 0.0;
  for (int axis = 0; axis < 3; ++axis) pull += normal[axis] * scale->gravity[axis];
  return (a->inv_mass > 0.0f ? pull : 0.0) - (b->inv_mass > 0.0f ? pull : 0.0);
}

static void touch_pair(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                       const weft__touch_scale* scale, weft__body_contact* contact) {
  const weft__body_motion* a = &particle_contacts->bodies[contact->a];
  const weft__body_motion* b = &particle_contacts->bodies[contact->b];
  const uint32_t first = particle_contacts->particle[contact->a];
  const uint32_t second = particle_contacts->particle[contact->b];
  const weft__material* of_first = weft__material_of(stage->materials, first);
  const weft__material* of_second = weft__material_of(stage->materials, second);
  const meeting m = meeting_of(stage->particles, first, second, of_first, of_second);
  double gap, closing;
  const weft__overlap overlap = find_meeting(&m, &gap, &closing);
  const float inv_mass = a->inv_mass + b->inv_mass;
  // a blow is none of the next substep's
  if (contact->bounce >= 0.0f) contact->impulse = (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
  // others push them nearer than they come by themselves, but not by much more than anybody goes; and not
  // where something is not a number
  const bool is_near = gap - closing < 0.1 * m.size + 2.0 * scale->longest;
  if (!is_near || !(inv_mass > 0.0f)) {
    contact->mass = 0.0f;
    contact->impulse = (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
    return;
  }

  const weft__surface surface = weft__surface_between(&of_first->surface, &of_second->surface);
  for (int axis = 0; axis < 3; ++axis) contact->normal[axis] = (float)overlap.normal[axis];
  contact->mass = 1.0f / inv_mass;
  contact->static_friction = surface.static_friction;
  contact->dynamic_friction = surface.dynamic_friction;
  contact->gap = (float)gap;
  contact->least_speed = gap > 0.0 ? (float)(-gap * scale->rate) : 0.0f;
  contact->slop = SLOP * (float)m.size;
  contact->bounce = -1.0f;
  if (closing < gap) return;
  const double beyond = closing - (gap > 0.0 ? gap : 0.0);
  const double pull = pull_between(scale, a, b, overlap.normal);
  contact->bounce =
      weft__touch_bounce(scale, closing * scale->rate, beyond, pull, (double)surface.restitution);
}

void weft__touch_pairs(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                       const weft__touch_scale* scale, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    touch_pair(particle_contacts, stage, scale, &particle_contacts->contacts[i]);
  }
}
