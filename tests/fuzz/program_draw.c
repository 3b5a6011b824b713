#include <float.h>
#include <math.h>

#include "fuzz/calls.h"

// edge cases: zeros, denormals, overflow, infinities, NaN
static const float odd_numbers[] = {
    0.0f,   -0.0f,  1.0f,        -1.0f, NAN,   INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, FLT_MIN,
    1e-45f, 1e-30f, FLT_EPSILON, 1e6f,  -1e6f, 1e9f,     1e12f,     1e19f,   2e19f,    1e30f};

float draw_number(program* p, float low, float high) {
  if (p->is_wild && stream_chance(&p->in, 16)) {
    return odd_numbers[stream_below(&p->in, sizeof(odd_numbers) / sizeof(*odd_numbers))];
  }
  return stream_float(&p->in, low, high);
}

void draw_vector(program* p, float vector[3], float low, float high) {
  for (int axis = 0; axis < 3; ++axis) vector[axis] = draw_number(p, low, high);
  if (p->is_plane && !(p->is_wild && stream_chance(&p->in, 16))) vector[2] = 0.0f;
}

uint32_t draw_index(program* p, uint32_t bound) {
  if (p->is_wild && stream_chance(&p->in, 16)) return stream_chance(&p->in, 2) ? UINT32_MAX : bound;
  return stream_below(&p->in, bound);
}

uint32_t element_count(const program* p, weft_attribute attribute) {
  if (attribute >= WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY) {
    return weft_world_environment_count(p->world);
  }
  return attribute >= WEFT_ATTRIBUTE_LINK_REST_LENGTH ? p->link_count : p->particle_count;
}

weft_selection draw_list(program* p, uint32_t bound, uint32_t* numbers, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) numbers[n] = draw_index(p, bound);
  return weft_list(numbers, count);
}

uint32_t draw_count(program* p, uint32_t low, uint32_t high) {
  return low + stream_below(&p->in, (high - low) * p->scale + 1);
}

int64_t draw_ns(program* p, uint32_t low, uint32_t high) {
  static const int64_t odd[] = {0, -1, INT64_MAX, INT64_MIN};
  if (p->is_wild && stream_chance(&p->in, 16)) return odd[stream_below(&p->in, 4)];
  return low + (int64_t)stream_below(&p->in, 1000) * (high - low) / 999;
}

bool draw_chance(program* p, uint32_t one_in) {
  return stream_chance(&p->in, one_in);
}

weft_body draw_body(program* p) {
  if (p->body_count == 0 || (p->is_wild && stream_chance(&p->in, 16))) {
    return (weft_body){draw_index(p, 64), draw_index(p, 64), draw_index(p, 64), draw_index(p, 64)};
  }
  return p->bodies[stream_below(&p->in, p->body_count)];
}

handle draw_handle(program* p, handle_list* list) {
  static const uint32_t most = 8;
  if (list->count > 0 && !stream_chance(&p->in, 8)) {
    const uint32_t count = list->count < most ? list->count : most;
    return list->handles[list->count - 1 - stream_below(&p->in, count)];
  }
  const handle made = {draw_index(p, most), draw_index(p, most), false};
  const handle* known = find_handle(list, made.index, made.generation);
  return known != NULL ? *known : made;
}

const void* or_null(program* p, const void* argument) {
  return p->is_wild && stream_chance(&p->in, 128) ? NULL : argument;
}

uint32_t draw_cookie(program* p, uint32_t cookie) {
  return p->is_wild && stream_chance(&p->in, 128) ? 0 : cookie;
}

// ---- defs ----

static void draw_solver(program* p, weft_world_def* def) {
  def->solver.iterations = stream_below(&p->in, 5);
  def->solver.coarse_iterations = draw_chance(p, 2) ? stream_below(&p->in, 4) : 0;
  def->solver.direct_iterations = stream_below(&p->in, 8);
  def->solver.substeps = 1 + stream_below(&p->in, 3);
  if (draw_chance(p, 4)) def->solver.max_substeps = 1 + stream_below(&p->in, 8);
  if (draw_chance(p, 4)) def->solver.coarse_every = 1 + stream_below(&p->in, 3);
  if (draw_chance(p, 2)) def->solver.direct_bends = 1000;
  def->solver.attachments = draw_index(p, 5);
  if (draw_chance(p, 8)) {
    def->solver.iterations = def->solver.coarse_iterations = def->solver.substeps =
        def->solver.attachments = WEFT_AUTO;
  }
}

static weft_pair_force_def draw_pair_force(program* p) {
  weft_pair_force_def law = weft_plain_world_def().pair_force;
  law.kind = (weft_pair_force)draw_index(p, WEFT_PAIR_FORCE_SPRING + 1);
  law.strength = draw_number(p, 1e-3f, 1.0f);
  law.size = draw_number(p, 0.05f, 0.1f);
  law.cutoff = draw_number(p, 0.1f, 0.4f);
  law.max_neighbors = 1 + stream_byte(&p->in);
  law.first = draw_chance(p, 4) ? 1 : 0;
  return law;
}

static void draw_clock(program* p, weft_world_def* def) {
  def->step_ns = draw_ns(p, 1000000, 20000000);
  def->max_elapsed_ns = draw_chance(p, 4) ? 30000000 : 0;
  def->min_elapsed_ns = draw_chance(p, 4) ? draw_ns(p, 0, 30000000) : 0;
  def->smooth_elapsed = draw_chance(p, 2);
  def->remainder = (weft_remainder)draw_index(p, 2);
  def->max_steps = 3;
}

void draw_def(program* p, uint32_t worker_count, weft_isa isa) {
  weft_world_def* def = &p->def;
  *def = weft_plain_world_def();
  draw_vector(p, def->gravity, -10.0f, 10.0f);
  def->damping = draw_number(p, 0.0f, 2.0f);
  draw_solver(p, def);
  if (draw_chance(p, 6)) def->pair_force = draw_pair_force(p);
  def->loads = draw_chance(p, 4);
  if (def->loads && !draw_chance(p, 8)) def->solver.coarse_iterations = def->solver.attachments = 0;
  if (draw_chance(p, 4)) def->solver.tolerance = draw_number(p, 0.0f, 0.1f);
  if (draw_chance(p, 4))
    def->friction_rule = (weft_friction_rule)draw_index(p, WEFT_FRICTION_RULE_TABLE + 1);
  def->solver.integrator = draw_chance(p, 2)
                               ? (weft_integrator)draw_index(p, WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1)
                               : WEFT_INTEGRATOR_POSITION_VERLET;
  def->solver.springs = draw_chance(p, 4);
  if (draw_chance(p, 8)) def->solver.sweeps = (weft_sweeps)draw_index(p, WEFT_SWEEPS_TEXTBOOK + 1);
  if (draw_chance(p, 4)) draw_vector(p, def->max_speed, 0.1f, 50.0f);
  def->plane = p->is_plane;
  if (def->plane) def->max_speed[2] = INFINITY;
  if (draw_chance(p, 3)) {
    def->sleep_speed = draw_number(p, 0.0f, 0.5f);
    def->sleep_seconds = draw_number(p, 0.01f, 0.1f);
  }
  def->max_joints = draw_chance(p, 4) ? stream_below(&p->in, 4) : 64;
  def->max_events = draw_chance(p, 4) ? stream_below(&p->in, 8) : 4096;
  draw_clock(p, def);
  def->profile = draw_chance(p, 4);
  def->span_capacity = draw_chance(p, 4) ? stream_below(&p->in, 2000) : 0;
  def->cookie = draw_cookie(p, def->cookie);
  def->worker_count = worker_count;
  def->isa = isa;
}
