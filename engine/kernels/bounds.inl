/* Walls: particles that have gone beyond one come back.
 *
 * What a particle did in the substep is taken for a parabola that gravity bends, from where it was to where
 * it is. Along one axis, in metres and substeps, with outwards positive, it moved v, is d beyond the wall,
 * and A is what gravity gives in a substep. So its velocity now is w = v + A / 2, and it met the wall s
 * substeps ago, with the velocity c:
 *
 *     d - w s + A s^2 / 2 = 0,    s = 2 d / (w + c) = (c - w) / -A,    c = sqrt(w^2 - 2 A d)
 *
 *     wall ------------------      .  d
 *                         \      '          it leaves with e c, e the restitution, and after the s that are
 *                          \   ' . y        left it is y = e c s - A s^2 / 2 inside; the parabola that
 *                           \ . '           goes on from there moves e c - A s + A / 2 in a substep of
 *                            '              position Verlet
 *
 * This bounces as the closed form does, whatever the substep. To mirror d and v instead is simpler, and
 * wrong by the velocity that gravity gives in half a substep: by 7 % of the height of a fall of one metre
 * that is stepped at 60 Hz.
 *
 * What meets the wall no faster than gravity makes it in two substeps stays on it: c <= 2 A. That which lies
 * on a wall meets it with A / 2, and with up to three times that where coordinates are so large that A is
 * rounded away to one that is twice as large; and since a bounce takes its share of c, whatever bounces gets
 * there. Where gravity does not press there is no need to rest, and all speeds bounce. What was at the wall
 * when the substep began does not bounce either, however links pull it in: cloth that lies there would quiver
 * for ever. A restitution of 0 leaves what it holds on the wall. A box so narrow that a rebound goes through
 * it leaves its particle in the middle, at its speed.
 *
 * A particle that is beyond a wall and on its way back - it was put there, or the wall was - is put on the
 * wall and keeps its velocity.
 *
 * Friction: of what the particle moves along the wall it loses no more than mu times the change of its
 * velocity at right angles, and at most all of it, from when it met the wall on. What lies on a wall
 * met it a whole substep ago, so that what friction can hold stays to the bit, and what it can't gets the
 * closed form's acceleration. All walls stop what they stop before any of them rubs: in a corner one would
 * else rub against what the other is about to stop, and hold less of the rest. */

// a window of particles and the walls around each
typedef struct held {
  wide pos[3], prev[3];
  wide least[3], most[3];
  wide_mask is_free;
} held;

// what a wall does to particles that it meets
typedef struct rebound {
  wide left;   // share of the substep that was left then
  wide away;   // metres from the wall, inside, at its end
  wide speed;  // metres a substep, back inside
} rebound;

// what friction at a wall has to know
typedef struct contact {
  wide_mask hits;
  wide left;    // as above
  wide change;  // metres a substep: of what particles move at right angles to the wall
} contact;

static inline void load_walls(const weft__bounds* b, size_t i, held* h) {
  const float* radius[3] = {b->radius_x, b->radius_y, b->radius_z};
  for (int axis = 0; axis < 3; ++axis) {
    h->least[axis] = wide_splat(b->least[axis]);
    h->most[axis] = wide_splat(b->most[axis]);
    if (b->radius_block == NULL) continue;
    const wide r = wide_load(radius[axis] + i);
    const wide least = h->least[axis] + r;
    const wide most = h->most[axis] - r;
    const wide_mask fits = wide_at_least(most, least);
    h->least[axis] = wide_select(least, wide_splat(b->middle[axis]), fits);
    h->most[axis] = wide_select(most, wide_splat(b->middle[axis]), fits);
  }
}

// the lanes that are at an end of their box or beyond, along any axis that has a wall
static inline wide_mask find_outside(const weft__particles* p, const weft__bounds* b, size_t i) {
  const float* position[3] = {p->pos_x, p->pos_y, p->pos_z};
  const float* radius[3] = {b->radius_x, b->radius_y, b->radius_z};
  wide_mask outside = wide_from_mask(0);
  for (int axis = 0; axis < 3; ++axis) {
    if (b->least[axis] == -INFINITY && b->most[axis] == INFINITY) continue;
    const wide here = wide_load(position[axis] + i);
    const wide r = b->radius_block == NULL ? wide_splat(0.0f) : wide_load(radius[axis] + i);
    outside |= wide_at_least(here, b->most[axis] - r);
    outside |= wide_at_least(b->least[axis] + r, here);
  }
  return outside;
}

// depth, speed and pull are the d, v and A of above, for lanes that are at a wall or beyond and go outwards;
// room is half the width of the box
static inline rebound rebound_of(wide depth, wide speed, wide pull, wide room, float restitution) {
  const wide none = wide_splat(0.0f);
  const wide all = wide_splat(1.0f);
  const wide now = speed + 0.5f * pull;
  const wide root = wide_sqrt(wide_max(now * now - 2.0f * pull * depth, none));
  // where it is on its way back already, gravity pulls it inside, and w + c may be nothing but rounding
  const wide_mask still_out = wide_positive(now);
  const wide way = wide_select(2.0f * depth, root - now, still_out);
  const wide pace = wide_select(now + root, -pull, still_out);
  rebound r;
  // it was at the wall already, or beyond it, when the substep began
  const wide_mask was_there = wide_at_least(depth, speed);
  r.left = wide_select(all, wide_min(way / pace, all), was_there);
  const wide met = wide_max(now - pull * r.left, none);
  const wide leaves = restitution * met;
  r.away = wide_min((leaves - 0.5f * pull * r.left) * r.left, room);
  r.speed = leaves - pull * r.left + 0.5f * pull;
  // else it stays on the wall, also where the next bounce would be over before the substep is
  const wide_mask bounces = wide_positive(met - 2.0f * wide_max(pull, none)) &
                            wide_positive(leaves) & wide_at_least(r.away, none) &
                            wide_positive(room) & (wide_mask)~was_there;
  r.away = wide_keep(r.away, bounces);
  r.speed = wide_keep(r.speed, bounces);
  return r;
}

// Takes from what particles moved along a wall.
static inline void rub(held* h, int axis, const contact* at, float friction) {
  if (wide_to_mask(at->hits) == 0) return;
  const int b = (axis + 1) % 3;
  const int c = (axis + 2) % 3;
  const wide moved[2] = {h->pos[b] - h->prev[b], h->pos[c] - h->prev[c]};
  const wide length = wide_sqrt(moved[0] * moved[0] + moved[1] * moved[1]);
  const wide grip = friction * at->change;
  const wide_mask hits = at->hits & wide_positive(grip);
  const wide share = wide_keep(1.0f - grip / length, wide_positive(length - grip));
  // met at its very beginning, it began where it was: to the bit, whatever this rounds
  const wide_mask began_here = hits & wide_equal(at->left, wide_splat(1.0f));
  for (int k = 0; k < 2; ++k) {
    const int along = k == 0 ? b : c;
    const wide slower = share * moved[k];
    const wide here = h->prev[along] + ((1.0f - at->left) * moved[k] + at->left * slower);
    h->pos[along] = wide_select(here, h->pos[along], hits);
    h->prev[along] = wide_select(here - slower, h->prev[along], hits & (wide_mask)~began_here);
  }
}

static inline void note_touch(weft__wall_contact* touch, int axis, uint32_t least, uint32_t most) {
  touch->least[axis] = (uint16_t)((touch->least[axis] & ~most) | least);
  touch->most[axis] = (uint16_t)((touch->most[axis] & ~least) | most);
}

// Both walls of an axis. `first` is the lane of its group that the window begins at.
static inline contact hold_axis(held* h, int axis, const weft__bounds* b, float pull,
                                weft__wall_contact* touch, uint32_t first) {
  const wide x = h->pos[axis];
  const wide_mask at_most = wide_at_least(x, h->most[axis]) & h->is_free;
  const wide_mask at_least = wide_at_least(h->least[axis], x) & (wide_mask)~at_most & h->is_free;
  const wide_mask at_wall = at_most | at_least;
  if (wide_to_mask(at_wall) == 0) return (contact){at_wall, wide_splat(1.0f), wide_splat(0.0f)};
  note_touch(touch, axis, wide_to_mask(at_least) << first, wide_to_mask(at_most) << first);

  // as the wall sees it
  const wide outwards = wide_select(wide_splat(1.0f), wide_splat(-1.0f), at_most);
  const wide wall = wide_select(h->most[axis], h->least[axis], at_most);
  const wide depth = (x - wall) * outwards;
  const wide moved = x - h->prev[axis];
  const wide speed = moved * outwards;
  const wide_mask hits = wide_positive(speed) & wide_at_least(depth, wide_splat(0.0f)) & at_wall;
  const wide room = 0.5f * (h->most[axis] - h->least[axis]);
  const rebound r = rebound_of(depth, speed, pull * outwards, room, b->restitution);

  const wide here = wide_select(wall - r.away * outwards, wall, hits);
  const wide moves = wide_select(-outwards * r.speed, moved, hits);
  const wide_mask changes = hits | (wide_positive(depth) & at_wall);
  h->pos[axis] = wide_select(here, x, changes);
  h->prev[axis] = wide_select(here - moves, h->prev[axis], changes);
  return (contact){hits, r.left, speed + r.speed};
}

// What one axis has done may have carried the others out again, if by little: back, with what they move.
static inline void hold_again(held* h, int axis) {
  const wide x = h->pos[axis];
  const wide_mask above = wide_positive(x - h->most[axis]) & h->is_free;
  const wide_mask below = wide_positive(h->least[axis] - x) & (wide_mask)~above & h->is_free;
  const wide here = wide_select(h->most[axis], wide_select(h->least[axis], x, below), above);
  const wide prev = here - (x - h->prev[axis]);
  h->pos[axis] = here;
  h->prev[axis] = wide_select(prev, h->prev[axis], above | below);
}

// In worlds that keep velocities, what walls change is found and taken for a force that acts all the substep
// long, as that of links does. A blow does not: it changes the velocity here and now.
static inline void strike(const weft__particles* p, size_t i, const held* h, wide_mask struck,
                          float rate) {
  float* velocity[3] = {p->vel_x, p->vel_y, p->vel_z};
  for (int axis = 0; axis < 3; ++axis) {
    const wide now = (h->pos[axis] - h->prev[axis]) * rate;
    wide_store(velocity[axis] + i, wide_select(now, wide_load(velocity[axis] + i), struck));
  }
}

// the one place where positions and velocities change
static inline void put_back(const weft__particles* p, size_t i, const held* h) {
  wide_store(p->pos_x + i, h->pos[0]);
  wide_store(p->pos_y + i, h->pos[1]);
  wide_store(p->pos_z + i, h->pos[2]);
  wide_store(p->prev_x + i, h->prev[0]);
  wide_store(p->prev_y + i, h->prev[1]);
  wide_store(p->prev_z + i, h->prev[2]);
}

static void hold_window(const weft__particles* p, const weft__bounds* b, const weft__motion* motion,
                        size_t i) {
  held h = {
      .pos = {wide_load(p->pos_x + i), wide_load(p->pos_y + i), wide_load(p->pos_z + i)},
      .prev = {wide_load(p->prev_x + i), wide_load(p->prev_y + i), wide_load(p->prev_z + i)},
      .is_free = wide_positive(wide_load(p->inv_mass + i)),
  };
  load_walls(b, i, &h);
  weft__wall_contact* touch = &b->touch[i / WEFT__LANES];
  contact at[3];
  for (int axis = 0; axis < 3; ++axis) {
    at[axis] = hold_axis(&h, axis, b, motion->displacement[axis], touch, i % WEFT__LANES);
  }
  for (int axis = 0; axis < 3 && b->friction > 0.0f; ++axis) {
    rub(&h, axis, &at[axis], b->friction);
  }
  for (int axis = 0; axis < 3; ++axis) hold_again(&h, axis);
  if (p->velocity_block != NULL) {
    wide_mask struck = wide_from_mask(0);
    for (int axis = 0; axis < 3; ++axis) {
      struck |= at[axis].hits & (wide_mask)~wide_equal(at[axis].left, wide_splat(1.0f));
    }
    strike(p, i, &h, struck, 1.0f / sqrtf(motion->step_squared));
  }
  put_back(p, i, &h);
}

static void bound(const weft__particles* particles, const weft__bounds* bounds,
                  const weft__motion* motion, uint32_t begin, uint32_t end, bool first) {
  const weft__particles p = *particles;
  const weft__bounds b = *bounds;
  for (size_t i = begin; i < end; i += WIDE_LANES) {
    if (first && i % WEFT__LANES == 0) b.touch[i / WEFT__LANES] = (weft__wall_contact){0};
    if (wide_to_mask(find_outside(&p, &b, i)) != 0) hold_window(&p, &b, motion, i);
  }
}
