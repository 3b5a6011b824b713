#include "collision/particles/neighbors.h"

#include <math.h>

#include "collision/particles/grid.h"

// a box is wider than the way of its body by so much of its least half size, on each side
#define SKIN 0.1f

// ---- boxes ----

// the way of a body along an axis; false where it is not finite
static bool find_way(const weft__contact_stage* stage, uint32_t particle, int axis,
                     weft__near_way way, float* least, float* most) {
  const weft__particles* p = stage->particles;
  const float* pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  const float* prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  const float here = pos[axis][particle];
  const float moved = here - prev[axis][particle];
  const float count = (float)way.substeps;
  float ahead = 0.0f;
  if (p->inv_mass[particle] > 0.0f) {
    ahead = moved * count + stage->motion->displacement[axis] * (0.5f * count * (count + 1.0f));
  }
  const float was = way.has_begun ? prev[axis][particle] : here;
  const float until = here + ahead;
  *least = here < was ? here : was;
  *most = here > was ? here : was;
  if (until < *least) *least = until;
  if (until > *most) *most = until;
  const float sum = was + here + until;
  return sum - sum == 0.0f;
}

// around a body on its way, and `skin` metres; empty where that is not finite
static weft__box box_around(const weft__particle_contacts* particle_contacts,
                            const weft__contact_stage* stage, uint32_t body, weft__near_way way,
                            float skin) {
  const uint32_t particle = particle_contacts->particle[body];
  const float* half = weft__material_of(stage->materials, particle)->half_size;
  const float smallest = half[0] < half[1] ? half[0] : half[1];
  const float wider = skin * (smallest < half[2] ? smallest : half[2]);
  weft__box box;
  bool is_finite = true;
  for (int axis = 0; axis < 3; ++axis) {
    is_finite =
        find_way(stage, particle, axis, way, &box.least[axis], &box.most[axis]) && is_finite;
    box.least[axis] -= half[axis] + wider;
    box.most[axis] += half[axis] + wider;
    is_finite = is_finite && box.least[axis] > -INFINITY && box.most[axis] < INFINITY;
  }
  return is_finite ? box : weft__empty_aabb();
}

static bool is_within(const weft__particle_contacts* particle_contacts,
                      const weft__contact_stage* stage, uint32_t body, weft__near_way way) {
  const weft__box* box = &particle_contacts->boxes[body];
  const weft__box now = box_around(particle_contacts, stage, body, way, 0.0f);
  for (int axis = 0; axis < 3; ++axis) {
    // an empty one is within all: what is not finite any more meets nobody, whatever it is listed with
    if (!(now.least[axis] >= box->least[axis] && now.most[axis] <= box->most[axis])) return false;
  }
  return true;
}

void weft__near_check(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                      const weft__team* team, weft__near_way way) {
  const weft__range own = weft__team_share(team, particle_contacts->body_count);
  bool has_left = false;
  for (uint32_t i = own.begin; i < own.end && !has_left; ++i) {
    has_left = !is_within(particle_contacts, stage, i, way);
  }
  // relaxed: the barrier that follows makes it visible
  if (has_left) atomic_store_explicit(&particle_contacts->has_left, 1, memory_order_relaxed);
}

// ---- pairs ----

// Where a worker keeps what its bodies find until there are places for it: the room of contacts, which are made of
// the pairs later. What does not fit is found a second time.
typedef struct found_room {
  uint32_t* others;
  uint32_t room;
} found_room;

static found_room room_of(const weft__particle_contacts* particle_contacts,
                          const weft__team* team) {
  const weft__range own = weft__team_share(team, particle_contacts->pair_room);
  const uint64_t room =
      (uint64_t)(own.end - own.begin) * (sizeof(weft__body_contact) / sizeof(uint32_t));
  return (found_room){(uint32_t*)(particle_contacts->contacts + own.begin),
                      room < UINT32_MAX ? (uint32_t)room : UINT32_MAX};
}

static void find_pairs(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                       const weft__team* team) {
  const weft__range own = weft__team_share(team, particle_contacts->body_count);
  found_room left = room_of(particle_contacts, team);
  weft__cell_runs runs = {0};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t found =
        weft__cells_find(particle_contacts, stage, &runs, i, left.others, left.room);
    const uint32_t count = found < WEFT__BODY_PAIRS ? found : WEFT__BODY_PAIRS;
    particle_contacts->order[i].value = found;
    particle_contacts->list.first[particle_contacts->entries[i].body + 1] = count;
    if (count > left.room) continue;
    left.others += count;
    left.room -= count;
  }
}

// completion: exclusive prefix sum of the counts; pairs beyond the limit are dropped and counted
static uint32_t share_out(void* context) {
  weft__particle_contacts* particle_contacts = context;
  uint32_t* first = particle_contacts->list.first;
  uint64_t sum = 0;
  first[0] = 0;
  for (uint32_t i = 0; i < particle_contacts->body_count; ++i) {
    if (particle_contacts->order[i].value > WEFT__BODY_PAIRS) ++particle_contacts->lost;
    sum += first[i + 1];
    first[i + 1] =
        sum < particle_contacts->max_pairs ? (uint32_t)sum : particle_contacts->max_pairs;
  }
  particle_contacts->pair_count = first[particle_contacts->body_count];
  particle_contacts->lost += sum - particle_contacts->pair_count;
  return 0;
}

// the pairs of a body, from whom it has found
static void write_pairs(weft__body_pair* pairs, uint32_t body, const uint32_t* others,
                        uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) pairs[k] = (weft__body_pair){body, others[k]};
}

static void place_pairs(weft__particle_contacts* particle_contacts,
                        const weft__contact_stage* stage, const weft__team* team) {
  const weft__range own = weft__team_share(team, particle_contacts->body_count);
  found_room left = room_of(particle_contacts, team);
  weft__cell_runs runs = {0};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t value = particle_contacts->order[i].value;
    const uint32_t found = value < WEFT__BODY_PAIRS ? value : WEFT__BODY_PAIRS;
    const uint32_t body = particle_contacts->entries[i].body;
    const uint32_t* first = particle_contacts->list.first + body;
    weft__body_pair* pairs = particle_contacts->list.pairs + first[0];
    const uint32_t count = first[1] - first[0];
    if (found <= left.room) {
      write_pairs(pairs, body, left.others, count);
      left.others += found;
      left.room -= found;
    } else if (count > 0) {
      // into the second half of where they go, from where each is taken before it is written over
      uint32_t* others = (uint32_t*)pairs + count;
      (void)weft__cells_find(particle_contacts, stage, &runs, i, others, count);
      write_pairs(pairs, body, others, count);
    }
  }
}

void weft__near_list(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                     const weft__team* team, weft__near_way way) {
  const weft__range own = weft__team_share(team, particle_contacts->body_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    particle_contacts->boxes[i] = box_around(particle_contacts, stage, i, way, SKIN);
  }
  weft__cells_sort(particle_contacts, stage, team);
  find_pairs(particle_contacts, stage, team);
  (void)weft__team_decide(team, share_out, particle_contacts);
  place_pairs(particle_contacts, stage, team);
  weft__team_meet(team);
}
