#include "modules/sleep/sleep.h"

#include "base/float_mode.h"
#include "base/grain_size.h"
#include "step/stage.h"
#include "step/step.h"

// Chunks in a piece of work: some microseconds.
#define CHUNK_GRAIN WEFT__GRAIN(32u, 1u)
// Values of weft__sleep.resting until the next step: woken, and woken along with its neighbours.
#define WOKEN (-1.0f)
#define DISTURBED (-2.0f)

enum { NOT_REACHABLE, REACHABLE, REACHED };

static bool moves(const weft__sleep* s, uint32_t component) {
  return !s->asleep[component] && (!(s->resting[component] > 0.0f) || s->is_fast[component]);
}

static double step_seconds(const weft__sleep* s) {
  return s->stepper->physics.h * (double)s->stepper->settings.substeps;
}

// Radius of a particle's shape, metres; negative without one.
static float radius_of(const weft__materials* materials, uint32_t particle) {
  if (!materials->on || materials->of[particle] == 0) return -1.0f;
  const float* half = weft__material_of(materials, particle)->half_size;
  const float larger = half[0] > half[1] ? half[0] : half[1];
  return larger > half[2] ? larger : half[2];
}

// Extends a box by the path of a particle in a step, at its velocity and with gravity.
static void add_path(weft__aabb* box, const float* here, const float* velocity,
                     const float* gravity, float seconds, float radius) {
  for (int axis = 0; axis < 3; ++axis) {
    const float straight = here[axis] + velocity[axis] * seconds;
    const float there = straight + gravity[axis] * seconds * seconds;
    const float lower = here[axis] < straight ? here[axis] : straight;
    const float upper = here[axis] > straight ? here[axis] : straight;
    const float lowest = (lower < there ? lower : there) - radius;
    const float highest = (upper > there ? upper : there) + radius;
    if (lowest < box->lower[axis]) box->lower[axis] = lowest;
    if (highest > box->upper[axis]) box->upper[axis] = highest;
  }
}

// Squared speed of the surface of a particle that turns, metres per second.
static float rolling_sq(const weft__particles* p, uint32_t i) {
  if (!weft__particle_turns(p, i)) return 0.0f;
  float spin[3];
  weft__load3(p->spin, i, spin);
  return weft__dot3(spin, spin) * p->roll_radius[i] * p->roll_radius[i];
}

// Near the place where the particle's time at rest began. False for NaN.
static bool is_still(const weft__sleep* s, const float* here, uint32_t i) {
  const float reach = s->speed * s->seconds;
  const float x = here[0] - s->start_x[i];
  const float y = here[1] - s->start_y[i];
  const float z = here[2] - s->start_z[i];
  return x * x + y * y + z * z <= reach * reach;
}

static void start_rest(const weft__sleep* s, const float* here, uint32_t i) {
  weft__store3(s->start, i, here);
}

// Measures a chunk: its box in the next step, and if its particles rest.
static void measure_chunk(const weft__sleep* s, uint32_t chunk) {
  const weft__stepper* stepper = s->stepper;
  const weft__particles* p = &stepper->particles;
  const uint32_t component = s->component_of_chunk[chunk];
  const bool begins = !(s->resting[component] > 0.0f);
  const float rate = (float)(1.0 / stepper->physics.last_h);
  const float seconds = (float)step_seconds(s);
  const float still[3] = {0.0f, 0.0f, 0.0f};
  const float* gravity = s->asleep[component] ? still : stepper->physics.gravity;
  const float margin =
      s->speed * s->seconds +
      (weft__stages_act(&stepper->stages, WEFT__PHASE_CONFIRM) ? s->reach[chunk] : 0.0f);
  const float limit_sq = s->speed * s->speed;
  weft__aabb box = weft__aabb_empty();
  s->rests[chunk] = s->is_slow[chunk] = true;
  for (uint32_t m = s->chunk_first[chunk]; m < s->chunk_first[chunk + 1]; ++m) {
    const uint32_t i = s->members[m];
    float here[3], v[3];
    weft__load3(p->pos, i, here);
    weft__particles_velocity(p, i, rate, v);
    if (begins) start_rest(s, here, i);
    s->rests[chunk] &= is_still(s, here, i) && rolling_sq(p, i) <= limit_sq;
    s->is_slow[chunk] &= weft__dot3(v, v) <= limit_sq;
    const float radius = radius_of(&stepper->contacts.materials, i);
    if (radius >= 0.0f) add_path(&box, here, v, gravity, seconds, radius + margin);
  }
  s->boxes[chunk] = box;
}

static void measure_component(const weft__sleep* s, uint32_t component) {
  for (uint32_t c = s->first_chunk[component]; c < s->first_chunk[component + 1]; ++c) {
    measure_chunk(s, c);
  }
}

static void measure_chunks(void* context, weft__range chunks, uint32_t worker) {
  (void)worker;
  const weft__sleep* s = context;
  for (uint32_t c = chunks.begin; c < chunks.end; ++c) {
    if (!s->asleep[s->component_of_chunk[c]]) measure_chunk(s, c);
  }
}

static void wake(weft__sleep* s, uint32_t component) {
  weft__stepper* stepper = s->stepper;
  if (s->resting[component] >= 0.0f) s->resting[component] = WOKEN;
  if (!s->asleep[component]) return;
  const uint32_t end = s->chunk_first[s->first_chunk[component + 1]];
  for (uint32_t m = s->chunk_first[s->first_chunk[component]]; m < end; ++m) {
    const uint32_t i = s->members[m];
    stepper->particles.inv_mass[i] = s->inv_mass[i];
    s->holds[i] = false;
  }
  s->asleep[component] = false;
  --s->sleeping_components;
  ++s->woke_up;
  s->has_changed = true;
  stepper->weighed = false;
}

static void hold(const weft__sleep* s, uint32_t i) {
  weft__particles* p = &s->stepper->particles;
  s->inv_mass[i] = p->inv_mass[i];
  s->holds[i] = true;
  p->inv_mass[i] = 0.0f;
  // -0 becomes 0: a stage that adds 0 does not change it
  for (int axis = 0; axis < 3; ++axis) p->pos[axis][i] += 0.0f;
  weft__particles_stop(p, i);
  if (p->rotation_block != NULL) weft__store3(p->spin, i, (const float[3]){0.0f, 0.0f, 0.0f});
}

static void put_to_sleep(weft__sleep* s, uint32_t component) {
  weft__stepper* stepper = s->stepper;
  s->resting[component] = 0.0f;
  if (s->asleep[component]) return;
  const uint32_t end = s->chunk_first[s->first_chunk[component + 1]];
  for (uint32_t m = s->chunk_first[s->first_chunk[component]]; m < end; ++m) {
    hold(s, s->members[m]);
  }
  s->asleep[component] = true;
  measure_component(s, component);
  ++s->sleeping_components;
  ++s->fell_asleep;
  s->has_changed = true;
  stepper->weighed = false;
}

static void wake_all(weft__sleep* s) {
  for (uint32_t c = 0; c < s->component_count; ++c) wake(s, c);
}

static void wake_near(weft__sleep* s, const weft__aabb* box) {
  for (uint32_t c = 0; c < s->chunk_count; ++c) {
    if (weft__aabb_overlaps(&s->boxes[c], box)) wake(s, s->component_of_chunk[c]);
  }
}

static void disturb(weft__sleep* s, uint32_t component) {
  // once a step
  if (s->resting[component] == DISTURBED) return;
  wake(s, component);
  s->resting[component] = DISTURBED;
  for (uint32_t c = s->first_chunk[component]; c < s->first_chunk[component + 1]; ++c) {
    wake_near(s, &s->boxes[c]);
  }
}

void weft__sleep_put(weft__sleep* sleep, uint32_t particle) {
  const weft__float_mode mode = weft__float_mode_enter();
  put_to_sleep(sleep, sleep->component_of[particle]);
  weft__float_mode_leave(&mode);
}

typedef struct flood {
  weft__sleep* sleep;
  uint32_t count; /* reached, in the queue */
} flood;

static void reach(flood* f, uint32_t component) {
  if (f->sleep->mark[component] != REACHABLE) return;
  f->sleep->mark[component] = REACHED;
  f->sleep->queue[f->count++] = component;
}

static bool reach_item(void* context, uint32_t item) {
  flood* f = context;
  reach(f, f->sleep->component_of_chunk[f->sleep->chunk_of_item[item]]);
  return true;
}

// Builds the tree over the chunks that can be reached.
static void build_tree(weft__sleep* s) {
  uint32_t items = 0;
  for (uint32_t c = 0; c < s->chunk_count; ++c) {
    if (s->mark[s->component_of_chunk[c]] != REACHABLE) continue;
    // without a shape, or not finite
    if (!(s->boxes[c].lower[0] <= s->boxes[c].upper[0])) continue;
    s->items[items] = s->boxes[c];
    s->chunk_of_item[items++] = c;
  }
  weft__bvh_build(&s->tree, s->items, items);
}

// Reaches the components at the other ends of joints; true if there were any.
static bool reach_by_joints(flood* f, const weft__joints* joints) {
  const uint32_t before = f->count;
  for (uint32_t n = 0; n < joints->end; ++n) {
    const weft__joint* joint = &joints->joints[n];
    if (joint->state != WEFT__JOINT_WHOLE) continue;
    bool is_reached = false;
    for (uint32_t e = 0; e < joint->end_count; ++e) {
      is_reached |= f->sleep->mark[f->sleep->component_of[joint->particle[e]]] == REACHED;
    }
    for (uint32_t e = 0; e < joint->end_count && is_reached; ++e) {
      reach(f, f->sleep->component_of[joint->particle[e]]);
    }
  }
  return f->count > before;
}

// Marks all that is reached from the components in the queue, from chunk to chunk and by joints.
static void run_flood(flood* f, const weft__joints* joints) {
  const weft__sleep* s = f->sleep;
  uint32_t at = 0;
  do {
    for (; at < f->count; ++at) {
      const uint32_t component = s->queue[at];
      for (uint32_t c = s->first_chunk[component]; c < s->first_chunk[component + 1]; ++c) {
        (void)weft__bvh_find(&s->tree, &s->boxes[c], reach_item, f);
      }
    }
  } while (joints->count > 0 && reach_by_joints(f, joints));
}

// Wakes the sleepers in reach of moving components.
static void wake_touched(weft__sleep* s) {
  weft__stepper* stepper = s->stepper;
  if (s->sleeping_components == 0) return;
  flood f = {.sleep = s};
  for (uint32_t c = 0; c < s->component_count; ++c) {
    s->mark[c] = s->asleep[c] ? REACHABLE : NOT_REACHABLE;
    if (!moves(s, c)) continue;
    s->mark[c] = REACHED;
    s->queue[f.count++] = c;
  }
  const uint32_t sources = f.count;
  if (sources == 0) return;
  if (!s->has_tree || s->has_changed) build_tree(s);
  s->has_tree = true;
  run_flood(&f, &stepper->joints);
  for (uint32_t k = sources; k < f.count; ++k) wake(s, s->queue[k]);
}

// Puts to sleep the components that have rested long enough, unless they touch one that has not.
static void put_resting(weft__sleep* s) {
  weft__stepper* stepper = s->stepper;
  flood f = {.sleep = s};
  uint32_t ready = 0;
  for (uint32_t c = 0; c < s->component_count; ++c) {
    s->mark[c] = NOT_REACHABLE;
    if (s->asleep[c]) continue;
    const bool is_ready = s->resting[c] >= s->seconds;
    s->mark[c] = is_ready ? REACHABLE : REACHED;
    ready += is_ready;
    if (!is_ready) s->queue[f.count++] = c;
  }
  if (ready == 0) return;
  if (f.count > 0) {
    build_tree(s);
    s->has_tree = false;
    run_flood(&f, &stepper->joints);
  }
  for (uint32_t c = 0; c < s->component_count; ++c) {
    if (s->mark[c] == REACHABLE) put_to_sleep(s, c);
  }
}

static bool has_moving_air(const weft__wind* air) {
  const float* v = air->wind.velocity;
  return air->is_there && (v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f);
}

// Adds the step to the time at rest of components that have stayed in place; resets the others'.
static void count_rest(weft__sleep* s) {
  weft__stepper* stepper = s->stepper;
  const bool is_windy = has_moving_air(&stepper->forces.air);
  const float seconds = (float)step_seconds(s);
  for (uint32_t component = 0; component < s->component_count; ++component) {
    if (s->asleep[component]) continue;
    bool rests = s->resting[component] >= 0.0f && !(is_windy && s->has_faces[component]);
    bool is_slow = true;
    for (uint32_t c = s->first_chunk[component]; c < s->first_chunk[component + 1]; ++c) {
      rests &= s->rests[c];
      is_slow &= s->is_slow[c];
    }
    s->resting[component] = rests ? s->resting[component] + seconds : 0.0f;
    s->is_fast[component] = !is_slow;
  }
}

// Wakes the components of pinned particles that move, and extends their boxes to the targets.
static void wake_moved(weft__sleep* s) {
  const weft__stepper* stepper = s->stepper;
  for (size_t k = 0; k < stepper->moves.count; ++k) {
    const weft__move* move = &stepper->moves.moves[k];
    const uint32_t component = s->component_of[move->particle];
    wake(s, component);
    const float radius = radius_of(&stepper->contacts.materials, move->particle);
    if (radius < 0.0f) continue;
    weft__aabb box = weft__aabb_empty();
    const float still[3] = {0.0f, 0.0f, 0.0f};
    add_path(&box, move->target, still, still, 0.0f, radius + s->speed * s->seconds);
    weft__aabb_add(&s->boxes[s->first_chunk[component]], &box);
  }
}

// Wakes the sleepers that moving colliders come near in this step.
static void wake_near_colliders(weft__sleep* s) {
  const weft__stepper* stepper = s->stepper;
  const weft__colliders* colliders = &stepper->contacts.colliders;
  for (uint32_t n = 0; n < colliders->end; ++n) {
    const weft__collider* collider = &colliders->list[n];
    if (collider->row == NULL || !weft__collider_moves(collider)) continue;
    const weft__aabb box = weft__collider_box(collider, step_seconds(s));
    wake_near(s, &box);
  }
}

static void update_tables(weft__sleep* s) {
  weft__stepper* stepper = s->stepper;
  const weft__schedule* schedule = &stepper->schedule;
  s->sleeping_particles = 0;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    s->patch_sleeps[patch] = true;
    for (uint32_t i = schedule->patch_first[patch]; i < schedule->patch_first[patch + 1]; ++i) {
      const bool is_asleep = s->asleep[s->component_of[i]];
      s->patch_sleeps[patch] &= is_asleep;
      s->sleeping_particles += is_asleep && !weft__particles_is_removed(&stepper->particles, i);
    }
  }
  // lists and warm starts begin anew at the next change: see the settling in sleep.h
  weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_REST});
  s->has_changed = false;
  s->has_tree = false;
  s->settled = 0;
}

// Begins a step: wakes, and puts to sleep.
static void begin_step(void* state, weft__step_context* step) {
  weft__sleep* s = state;
  weft__stepper* stepper = s->stepper;
  (void)step;
  if (s->sleeping_components < s->component_count) {
    weft__worker_pool_for(stepper->pool, s->chunk_count, CHUNK_GRAIN, measure_chunks, s);
    count_rest(s);
  }
  wake_moved(s);
  wake_near_colliders(s);
  if (s->sleeping_components < s->component_count) {
    wake_touched(s);
    if (s->step == 0) put_resting(s);
  }
  s->step = (s->step + 1) % WEFT__SLEEP_INTERVAL;
  if (s->has_changed) update_tables(s);
  if (s->settled < WEFT__SLEEP_SETTLE) ++s->settled;
  stepper->skips_step = weft__sleep_skips_step(s);
  s->skipped_steps += stepper->skips_step;
}

static bool create(void* state, const weft__build* build) {
  weft__sleep* s = state;
  s->stepper = build->stepper;
  s->speed = build->settings->sleep_speed;
  s->seconds = build->settings->sleep_seconds;
  if (!weft__sleep_is_on(s)) return true;
  if (!weft__sleep_create(s, build->scene)) return false;
  build->particles->asleep = s->holds;
  build->particles->asleep_inv_mass = s->inv_mass;
  build->stepper->idle_patches = s->patch_sleeps;
  return true;
}

static void destroy(void* state) {
  weft__sleep_destroy(state);
}

static bool is_on(const void* state) {
  return weft__sleep_is_on(state);
}

static void changed(void* state, const weft__change* change) {
  weft__sleep* s = state;
  if (!weft__sleep_is_on(s)) return;
  if (change->kind == WEFT__CHANGE_WAKE) wake(s, s->component_of[change->particle]);
  if (change->kind == WEFT__CHANGE_DISTURB) disturb(s, s->component_of[change->particle]);
  if (change->kind == WEFT__CHANGE_WAKE_ALL) wake_all(s);
  if (change->kind == WEFT__CHANGE_WAKE_NEAR) wake_near(s, change->box);
}

const weft__stage weft__sleep_stage = {
    .name = "sleep",
    .serves = WEFT__SERVES_SLEEP,
    .profile = WEFT_STAGE_FORCES,
    .size = sizeof(weft__sleep),
    .bytes = offsetof(weft__sleep, bytes),
    .table = &weft__sleep_table,
    .attributes = weft__sleep_attributes,
    .not_in_clusters = "weft_world_def.sleep_speed",
    .create = create,
    .destroy = destroy,
    .is_on = is_on,
    .run = {[WEFT__PHASE_STEP] = begin_step},
    .writes = {[WEFT__PHASE_STEP] = WEFT__WRITES(INV_MASS) | WEFT__WRITES_MOVES |
                                    WEFT__WRITES(CARRIED) | WEFT__WRITES(VEL) |
                                    WEFT__WRITES(VEL_LAG) | WEFT__WRITES(KICK_SHARE) |
                                    WEFT__WRITES(SPIN)},
    .changed = changed,
};
