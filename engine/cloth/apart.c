#include "cloth/apart.h"

#include <math.h>

#include "cloth/gap.h"

// Three sheets that fall on a floor at 60 steps a second, of 5 cm spacing: two are pressed to 93 % of their distance
// by 2 rounds and by 4. The third hits at 2 metres per second, and goes to 46 % with 2, 78 % with 3, 83 % with 4; in
// steps a quarter as long all give 99 %.
#define ROUNDS 3
// contacts that push the same way from all around count for at least this
#define LEAST_WEIGHT 1.0f
// of the radii, each second: how fast those move apart that have overlapped before
#define PUSH_RATE 3.0f
// the square of the least cosine between a push and what holds against it
#define LEAST_SUPPORT 0.1f
// of the radii: those that have passed each other nearer than this have gone through each other
#define THROUGH 0.3f

typedef struct vector {
  float x, y, z;
} vector;

static inline vector minus(const weft__cloth_place* a, const weft__cloth_place* b) {
  return (vector){a->x - b->x, a->y - b->y, a->z - b->z};
}

static inline float dot(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector scaled(float s, vector a) {
  return (vector){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline vector moved(vector a, float s, vector b) {
  return (vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

// what a round is given
typedef struct turn {
  const weft__cloth* cloth;
  const weft__materials* materials;
  const weft__cloth_place* at;
  const weft__cloth_place* from;
  const weft__cloth_turn* next;  // what is written
  float push;                    // the most by which old overlaps get less, as a share of the radii
} turn;

// how two lie to each other
typedef struct contact {
  vector normal;  // from the other one to this one
  float depth;    // metres by which they overlap, 0 or less where they do not
  float fresh;    // of that, what came about in this substep
} contact;

// ---- spheres ----

// for those in the very same place: any direction, as long as both take the same one
static vector direction_of(uint32_t a, uint32_t b) {
  const uint32_t low = a < b ? a : b;
  const uint32_t high = a < b ? b : a;
  uint32_t bits = (low * 2654435761u) ^ (high * 2246822519u);
  bits ^= bits >> 15;
  const float sign = a < b ? 1.0f : -1.0f;
  const vector axes[3] = {{sign, 0.0f, 0.0f}, {0.0f, sign, 0.0f}, {0.0f, 0.0f, sign}};
  return axes[bits % 3];
}

// whether they went through each other on the way from `before` to `now`
static bool went_through(vector now, vector before, float reach) {
  if (!(dot(now, before) < 0.0f)) return false;
  const vector way = moved(now, -1.0f, before);
  const vector nearest = moved(before, -dot(before, way) / dot(way, way), way);
  return dot(nearest, nearest) < THROUGH * THROUGH * reach * reach;
}

static contact between_spheres(const turn* r, uint32_t a, uint32_t b, vector now, vector before) {
  const float reach = r->at[a].extra + r->at[b].extra;
  const float least = 1e-12f * reach * reach;
  const float now_squared = dot(now, now);
  if (now_squared >= reach * reach) return (contact){.depth = 0.0f};
  const float before_squared = dot(before, before);
  contact c;
  if (before_squared > least && (now_squared <= least || went_through(now, before, reach))) {
    c.normal = scaled(1.0f / sqrtf(before_squared), before);
  } else if (now_squared > least) {
    c.normal = scaled(1.0f / sqrtf(now_squared), now);
  } else {
    c.normal = direction_of(a, b);
  }
  const float distance = dot(now, c.normal);
  c.depth = reach - distance;
  c.fresh = dot(before, c.normal) - distance;
  return c;
}

// ---- bodies ----

static contact with_body(const turn* r, uint32_t a, uint32_t b, vector now, vector before) {
  const bool is_first = r->cloth->kind[a] == WEFT__CLOTH_BODY;
  const float sign = is_first ? -1.0f : 1.0f;
  const vector o = scaled(sign, now);
  const weft__gap gap = weft__gap_to_body(weft__material_of(r->materials, is_first ? a : b),
                                          (const float[]){o.x, o.y, o.z});
  const vector outwards = {gap.normal[0], gap.normal[1], gap.normal[2]};
  contact c = {.normal = scaled(sign, outwards)};
  c.depth = r->at[is_first ? b : a].extra - gap.distance;
  c.fresh = dot(moved(before, -1.0f, now), c.normal);
  return c;
}

static inline contact contact_of(const turn* r, uint32_t a, uint32_t b, vector now, vector before) {
  const uint8_t* kind = r->cloth->kind;
  if (kind[a] == WEFT__CLOTH_BODY || kind[b] == WEFT__CLOTH_BODY) {
    return with_body(r, a, b, now, before);
  }
  return between_spheres(r, a, b, now, before);
}

// ---- one round ----

// what a particle is moved by
typedef struct gathered {
  vector to;       // where it is
  vector from;     // and where it came from
  vector support;  // of the former, what is due to others that stay where they are
} gathered;

// Whether what holds a particle pushes it this way.
static inline bool is_held(const turn* r, uint32_t particle, vector way) {
  const weft__cloth_place* s = &r->cloth->support[particle];
  const vector support = {s->x, s->y, s->z};
  const float along = dot(support, way);
  return along > 0.0f && along * along > LEAST_SUPPORT * dot(support, support);
}

// How much of what one moves along the other friction takes back: all of it, or what it can.
static float rub(const turn* r, uint32_t a, uint32_t b, float pressed, float slid_squared) {
  const weft__surface* of_a = &weft__material_of(r->materials, a)->surface;
  const weft__surface* of_b = &weft__material_of(r->materials, b)->surface;
  if (of_a->static_friction == 0.0f && of_b->static_friction == 0.0f) return 0.0f;
  const weft__surface both = weft__surface_between(of_a, of_b);
  const float holds = both.static_friction * pressed;
  if (slid_squared <= holds * holds) return 1.0f;
  return both.dynamic_friction * pressed / sqrtf(slid_squared);
}

static inline void add_pair(const turn* r, uint32_t a, uint32_t b, gathered* sum) {
  // only where a list had no room for it
  if (r->cloth->touching[b] == 0) return;
  const vector now = minus(&r->at[a], &r->at[b]);
  const vector before = minus(&r->from[a], &r->from[b]);
  const contact c = contact_of(r, a, b, now, before);
  if (!(c.depth > 0.0f)) return;
  const float w_a = r->from[a].extra;
  const float w_b = r->from[b].extra;
  const float n_a = r->cloth->weight[a];
  const float share = w_a / (n_a * w_a + r->cloth->weight[b] * w_b);
  // along the normal, an end that is held stays
  const bool a_is_held = is_held(r, a, scaled(-1.0f, c.normal));
  const bool b_is_held = !(w_b > 0.0f) || is_held(r, b, c.normal);
  const float push_share = a_is_held == b_is_held ? share : b_is_held ? 1.0f / n_a : 0.0f;
  const float radii = r->at[a].extra < r->at[b].extra ? r->at[a].extra : r->at[b].extra;
  const float fresh = c.fresh < 0.0f ? 0.0f : c.fresh < c.depth ? c.fresh : c.depth;
  const float most = 2.0f * r->push * radii;
  const float old = c.depth - fresh < most ? c.depth - fresh : most;
  sum->from = moved(sum->from, push_share * old, c.normal);
  sum->to = moved(sum->to, push_share * (old + fresh), c.normal);
  if (b_is_held) sum->support = moved(sum->support, push_share * (old + fresh), c.normal);
  if (!(fresh > 0.0f)) return;
  const vector way = moved(now, -1.0f, before);
  const vector slid = moved(way, -dot(way, c.normal), c.normal);
  const float back = rub(r, a, b, fresh, dot(slid, slid));
  sum->to = moved(sum->to, -share * (back < 1.0f ? back : 1.0f), slid);
}

static gathered gather(const turn* r, uint32_t particle) {
  gathered sum = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
  const weft__cloth* cloth = r->cloth;
  if (!(r->from[particle].extra > 0.0f)) return sum;
  const uint32_t first = cloth->first[particle];
  for (uint32_t e = 0; e < cloth->touching[particle]; ++e) {
    add_pair(r, particle, cloth->entries[first + e], &sum);
  }
  return sum;
}

// ---- how much a contact counts ----

static inline contact contact_with(const turn* r, uint32_t a, uint32_t b) {
  return contact_of(r, a, b, minus(&r->at[a], &r->at[b]), minus(&r->from[a], &r->from[b]));
}

static float weigh(const turn* r, uint32_t particle) {
  const weft__cloth* cloth = r->cloth;
  const uint32_t* others = cloth->entries + cloth->first[particle];
  const uint32_t count = cloth->touching[particle];
  if (count == 1) return 1.0f;
  vector sum = {0.0f, 0.0f, 0.0f};
  for (uint32_t e = 0; e < count; ++e) {
    const contact c = contact_with(r, particle, others[e]);
    if (c.depth > 0.0f) sum = moved(sum, c.depth, c.normal);
  }
  float along = 0.0f;
  for (uint32_t e = 0; e < count; ++e) {
    const contact c = contact_with(r, particle, others[e]);
    const float part = dot(c.normal, sum);
    if (c.depth > 0.0f) along += part * part;
  }
  const float weight = along / dot(sum, sum);
  return weight > LEAST_WEIGHT ? weight < (float)count ? weight : (float)count : LEAST_WEIGHT;
}

static void weigh_all(const turn* r, const weft__contact_stage* stage) {
  const weft__cloth* cloth = r->cloth;
  const weft__range own =
      weft__share(weft__cloth_member_count(cloth), stage->worker, stage->worker_count);
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t i = cloth->members[m];
    if (cloth->touching[i] > 0) cloth->weight[i] = weigh(r, i);
  }
}

// ---- all rounds ----

static weft__cloth_place add(const weft__cloth_place* place, vector by) {
  return (weft__cloth_place){place->x + by.x, place->y + by.y, place->z + by.z, place->extra};
}

static weft__range own_members(const weft__cloth* cloth, const weft__contact_stage* stage) {
  return weft__share(weft__cloth_member_count(cloth), stage->worker, stage->worker_count);
}

static void take_round(const turn* r, const weft__contact_stage* stage) {
  const weft__cloth* cloth = r->cloth;
  const weft__range own = own_members(cloth, stage);
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t i = cloth->members[m];
    if (cloth->touching[i] == 0) continue;
    const gathered sum = gather(r, i);
    r->next->at[i] = add(&r->at[i], sum.to);
    r->next->from[i] = add(&r->from[i], sum.from);
    cloth->carried[i] = add(&cloth->carried[i], sum.support);
  }
}

static void take_last_round(const turn* r, const weft__contact_stage* stage) {
  const weft__particles* p = stage->particles;
  const weft__cloth* cloth = r->cloth;
  const weft__range own = own_members(cloth, stage);
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t i = cloth->members[m];
    if (cloth->touching[i] == 0 || !(p->inv_mass[i] > 0.0f)) continue;
    const gathered sum = gather(r, i);
    const weft__cloth_place at = add(&r->at[i], sum.to);
    const weft__cloth_place from = add(&r->from[i], sum.from);
    p->pos_x[i] = at.x;
    p->pos_y[i] = at.y;
    p->pos_z[i] = at.z;
    p->prev_x[i] = from.x;
    p->prev_y[i] = from.y;
    p->prev_z[i] = from.z;
    cloth->carried[i] = add(&cloth->carried[i], sum.support);
    cloth->left[i] = at;
  }
}

// ---- what touches ----

static inline bool touches(const weft__cloth* cloth, const weft__contact_stage* stage, uint32_t a,
                           uint32_t b) {
  const weft__particles* p = stage->particles;
  const float x = p->pos_x[a] - p->pos_x[b];
  const float y = p->pos_y[a] - p->pos_y[b];
  const float z = p->pos_z[a] - p->pos_z[b];
  const float reach = cloth->radius[a] + cloth->radius[b];
  if (!(x * x + y * y + z * z < reach * reach)) return false;
  if (cloth->body_count == 0) return true;
  const bool a_is_body = cloth->kind[a] == WEFT__CLOTH_BODY;
  if (!a_is_body && cloth->kind[b] != WEFT__CLOTH_BODY) return true;
  // from the body's middle, whoever asks
  const float sign = a_is_body ? -1.0f : 1.0f;
  const float o[3] = {sign * x, sign * y, sign * z};
  const weft__material* body = weft__material_of(stage->materials, a_is_body ? a : b);
  return weft__gap_to_body(body, o).distance < cloth->radius[a_is_body ? b : a];
}

// brings those of its list that touch to the front of it
static uint32_t find_touching(const weft__cloth* cloth, const weft__contact_stage* stage,
                              uint32_t particle) {
  uint32_t* entries = cloth->entries + cloth->first[particle];
  const uint32_t count = cloth->count[particle];
  uint32_t touching = 0;
  for (uint32_t e = 0; e < count; ++e) {
    const uint32_t other = entries[e];
    if (!touches(cloth, stage, particle, other)) continue;
    entries[e] = entries[touching];
    entries[touching++] = other;
  }
  return touching;
}

// What has pushed it since this stage left it, and what it lay on then.
static weft__cloth_place support_of(const weft__cloth* cloth, uint32_t particle,
                                    const weft__cloth_place* from) {
  if (cloth->left_in[particle] + 1 != cloth->substep) return (weft__cloth_place){0};
  const vector pushed = minus(from, &cloth->left[particle]);
  return add(&cloth->carried[particle], pushed);
}

static void ready(const weft__cloth* cloth, uint32_t particle, const weft__cloth_place* at,
                  const weft__cloth_place* from) {
  cloth->turns[0].at[particle] = *at;
  cloth->turns[0].from[particle] = *from;
  cloth->support[particle] = support_of(cloth, particle, from);
  cloth->carried[particle] = (weft__cloth_place){0};
}

static void find_all_touching(const weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__particles* p = stage->particles;
  const weft__range own = own_members(cloth, stage);
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t i = cloth->members[m];
    if (cloth->count[i] == 0) {
      cloth->touching[i] = 0;
      continue;
    }
    cloth->touching[i] = find_touching(cloth, stage, i);
    const weft__cloth_place at = {p->pos_x[i], p->pos_y[i], p->pos_z[i], cloth->radius[i]};
    const weft__cloth_place from = {p->prev_x[i], p->prev_y[i], p->prev_z[i], p->inv_mass[i]};
    if (cloth->touching[i] > 0) {
      ready(cloth, i, &at, &from);
    } else {
      cloth->carried[i] = (weft__cloth_place){0};
    }
    cloth->left[i] = at;
    cloth->left_in[i] = cloth->substep;
  }
}

void weft__cloth_part(weft__cloth* cloth, const weft__contact_stage* stage) {
  find_all_touching(cloth, stage);
  weft__worker_pool_meet(stage->pool);
  if (stage->worker == 0) ++cloth->substep;
  turn r = {.cloth = cloth,
            .materials = stage->materials,
            .at = cloth->turns[0].at,
            .from = cloth->turns[0].from,
            .next = &cloth->turns[1],
            .push = PUSH_RATE * stage->h / (float)ROUNDS};
  if (!(r.push < 1.0f)) r.push = 1.0f;
  weigh_all(&r, stage);
  weft__worker_pool_meet(stage->pool);
  for (int k = 1; k < ROUNDS; ++k) {
    take_round(&r, stage);
    weft__worker_pool_meet(stage->pool);
    r.at = cloth->turns[k % 2].at;
    r.from = cloth->turns[k % 2].from;
    r.next = &cloth->turns[(k + 1) % 2];
  }
  take_last_round(&r, stage);
}
