/* Circles and boxes in an upright plane that pour into a box and come to rest; or a stack of boxes
 * on a slope, which stands with friction and slides away without. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/scene.h"
#include "sim/scenes/figure.h"

static const char* const wall_words[] = {"colliders", "bounds", NULL};

static const sim_param params[] = {
    {"count", "circles and boxes that pour", SIM_COUNT, 2000, 1, 100000, NULL},
    {"stack", "boxes of a stack instead of pouring; 0 = they pour", SIM_COUNT, 0, 0, 1000, NULL},
    {"tilt", "slope of the floor, degrees", SIM_NUMBER, 0, -45, 45, NULL},
    {"walls", "walls of the box: half-spaces, or bounds of the world", SIM_CHOICE, 0, 0, 0,
     wall_words},
    {"fill", "approximate height of the pile over the width of the box", SIM_NUMBER, 0.7, 0.05, 5,
     NULL},
    {"friction", "between bodies, and of the walls", SIM_NUMBER, 0.5, 0, 10, NULL},
    {"restitution", "of bodies and walls", SIM_NUMBER, 0.2, 0, 1, NULL},
    {"turns", "circles turn and roll; without it they slide", SIM_FLAG, 0, 0, 1, NULL},
    {"seed", "of sizes and positions", SIM_COUNT, 1, 0, 4294967295.0, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

// metres: half sizes
#define LEAST_HALF 0.05
#define MOST_HALF 0.12
// between centres of bodies side by side, or above each other
#define BETWEEN 0.26
// half the side of the boxes of a stack
#define STACK_HALF 0.25
// metres per second squared
#define GRAVITY 9.81
// kilograms per square metre
#define DENSITY 100.0

typedef struct bodies {
  uint32_t count;
  bool is_stack, has_bounds, has_turns;
  double width;  // from 0 to width; a stack has no walls
  double friction, restitution, tilt;
  figure_dice dice;
  weft_particle_shape_def* contacts;
  float (*start)[3];
  float (*at)[3];
  uint32_t* order;  // room for sorting
} bodies;

// ---- describing ----

static double width_of(const bodies* self, double fill) {
  const double side = LEAST_HALF + MOST_HALF;
  return fmax(sqrt((double)self->count * side * side / fill), 4.0 * BETWEEN);
}

static bodies* make(const sim_values* values) {
  bodies* made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->is_stack = sim_count(values, "stack") > 0;
  made->count = sim_count(values, made->is_stack ? "stack" : "count");
  made->has_bounds = sim_choice(values, "walls") == 1;
  made->has_turns = sim_flag(values, "turns");
  made->friction = sim_number(values, "friction");
  made->restitution = sim_number(values, "restitution");
  made->tilt = sim_number(values, "tilt") * 3.14159265358979323846 / 180.0;
  made->dice.state = sim_count(values, "seed");
  made->width = width_of(made, sim_number(values, "fill"));
  made->contacts = calloc(made->count, sizeof *made->contacts);
  made->start = calloc(made->count, sizeof *made->start);
  made->at = calloc(made->count, sizeof *made->at);
  made->order = calloc(made->count, sizeof *made->order);
  return made;
}

static void shape_body(bodies* self, uint32_t i) {
  weft_particle_shape_def* c = &self->contacts[i];
  *c = weft_default_particle_shape_def();
  c->surface.restitution = (float)self->restitution;
  // a pair has sqrt(a^2 + b^2), to be the requested value
  c->surface.static_friction = c->surface.dynamic_friction = (float)(self->friction * sqrt(0.5));
  if (self->is_stack) {
    c->shape = WEFT_PARTICLE_SHAPE_BOX;
    c->half_size[0] = c->half_size[1] = c->half_size[2] = (float)STACK_HALF;
    return;
  }
  const bool is_box = figure_roll(&self->dice, 0.0, 1.0) < 0.5;
  const double across = figure_roll(&self->dice, LEAST_HALF, MOST_HALF);
  const double up = figure_roll(&self->dice, LEAST_HALF, MOST_HALF);
  c->shape = is_box ? WEFT_PARTICLE_SHAPE_BOX : WEFT_PARTICLE_SHAPE_SPHERE;
  c->turns = self->has_turns && !is_box;
  c->half_size[0] = (float)across;
  c->half_size[1] = (float)(is_box ? up : across);
  c->half_size[2] = (float)across;
}

static void place_body(bodies* self, uint32_t i) {
  if (self->is_stack) {
    self->start[i][1] = (float)(STACK_HALF * (2.0 * (double)i + 1.0));
    return;
  }
  const uint32_t columns = (uint32_t)((self->width - 0.02) / BETWEEN);
  const double room = 0.5 * BETWEEN - MOST_HALF;
  const double left = 0.5 * (self->width - BETWEEN * (double)columns);
  const double x = left + BETWEEN * ((double)(i % columns) + 0.5);
  const double y = BETWEEN * ((double)(i / columns) + 1.0);
  self->start[i][0] = (float)(x + figure_roll(&self->dice, -room, room));
  self->start[i][1] = (float)(y + figure_roll(&self->dice, -room, room));
}

static double area_of(const weft_particle_shape_def* c) {
  const double square = (double)c->half_size[0] * (double)c->half_size[1];
  return c->shape == WEFT_PARTICLE_SHAPE_BOX ? 4.0 * square : 3.14159265358979323846 * square;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  bodies* self = make(values);
  *state = self;
  if (!self || !self->contacts || !self->start || !self->at || !self->order) {
    return tool_because(why, "no memory for bodies");
  }
  def->plane = true;
  def->solver.substeps = 4;
  def->damping = 0.0f;
  def->gravity[0] = (float)(GRAVITY * sin(self->tilt));
  def->gravity[1] = (float)(-GRAVITY * cos(self->tilt));
  for (uint32_t i = 0; i < self->count; ++i) {
    shape_body(self, i);
    place_body(self, i);
    const float inverse_mass = (float)(1.0 / (DENSITY * area_of(&self->contacts[i])));
    if (!sim_check(weft_scene_add_particles(scene, self->start[i], &inverse_mass, 1, NULL), why)) {
      return false;
    }
  }
  return true;
}

// ---- starting ----

// a half-space, its normal turned from y by so many quarters to the right
static bool add_wall(const bodies* self, weft_world* world, double x, int quarters,
                     tool_message* why) {
  weft_collider_def def = weft_default_collider_def();
  weft_collider added;
  const double half = sqrt(0.5);
  def.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE;
  def.position[0] = (float)x;
  def.rotation[2] = (float)(-half * (double)quarters);
  def.rotation[3] = quarters == 0 ? 1.0f : (float)half;
  def.surface.restitution = (float)self->restitution;
  def.surface.static_friction = def.surface.dynamic_friction = (float)(self->friction * sqrt(0.5));
  return sim_check(weft_world_add_collider(world, &def, &added), why);
}

static bool add_walls(const bodies* self, weft_world* world, tool_message* why) {
  if (!add_wall(self, world, 0.0, 0, why)) return false;
  return self->is_stack ||
         (add_wall(self, world, 0.0, 1, why) && add_wall(self, world, self->width, -1, why));
}

static bool set_bounds(const bodies* self, weft_world* world, tool_message* why) {
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = 0.0f;
  if (!self->is_stack) {
    bounds.lower[0] = 0.0f;
    bounds.upper[0] = (float)self->width;
  }
  bounds.surface.static_friction = bounds.surface.dynamic_friction = (float)self->friction;
  bounds.surface.restitution = (float)self->restitution;
  return sim_check(weft_world_set_bounds(world, &bounds), why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  (void)def;
  const bodies* self = state;
  for (uint32_t i = 0; i < self->count; ++i) {
    if (!sim_check(weft_world_set_particle_shape(world, weft_range(i, 1), &self->contacts[i]), why))
      return false;
  }
  return self->has_bounds ? set_bounds(self, world, why) : add_walls(self, world, why);
}

// ---- telling ----

// Penetration depth of a pair of circles or boxes in a plane, metres.
static double depth_of(const bodies* self, uint32_t a, uint32_t b) {
  const uint32_t both[2] = {a, b};
  double square = 0.0, widest = -INFINITY, radii = 0.0;
  for (int axis = 0; axis < 2; ++axis) {
    double gap = fabs((double)self->at[a][axis] - (double)self->at[b][axis]);
    for (int k = 0; k < 2; ++k) {
      const weft_particle_shape_def* c = &self->contacts[both[k]];
      if (c->shape == WEFT_PARTICLE_SHAPE_BOX) gap -= (double)c->half_size[axis];
    }
    if (gap > 0.0) square += gap * gap;
    widest = fmax(widest, gap);
  }
  for (int k = 0; k < 2; ++k) {
    const weft_particle_shape_def* c = &self->contacts[both[k]];
    if (c->shape == WEFT_PARTICLE_SHAPE_SPHERE) radii += (double)c->half_size[0];
  }
  return radii - (square > 0.0 ? sqrt(square) : widest);
}

static double size_of(const weft_particle_shape_def* c) {
  return 2.0 * fmin((double)c->half_size[0], (double)c->half_size[1]);
}

// qsort() has no argument for the scene
static const bodies* sorted;

static double left_of(const bodies* self, uint32_t i) {
  return (double)self->at[i][0] - (double)self->contacts[i].half_size[0];
}

static int compare(const void* left, const void* right) {
  const double a = left_of(sorted, *(const uint32_t*)left);
  const double b = left_of(sorted, *(const uint32_t*)right);
  return (a > b) - (a < b);
}

// Largest overlap of a pair, as a share of the smaller one's size.
static double worst_overlap(bodies* self) {
  double worst = 0.0;
  for (uint32_t i = 0; i < self->count; ++i) self->order[i] = i;
  sorted = self;
  qsort(self->order, self->count, sizeof *self->order, compare);
  for (uint32_t i = 0; i < self->count; ++i) {
    const uint32_t a = self->order[i];
    const double right = (double)self->at[a][0] + (double)self->contacts[a].half_size[0];
    for (uint32_t k = i + 1; k < self->count && left_of(self, self->order[k]) < right; ++k) {
      const uint32_t b = self->order[k];
      const double size = fmin(size_of(&self->contacts[a]), size_of(&self->contacts[b]));
      worst = fmax(worst, depth_of(self, a, b) / size);
    }
  }
  return worst;
}

// bodies out of the box by more than a hundredth of their size
static uint32_t count_outside(const bodies* self) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < self->count; ++i) {
    const weft_particle_shape_def* c = &self->contacts[i];
    const double x = (double)self->at[i][0];
    double out = (double)c->half_size[1] - (double)self->at[i][1];
    if (!self->is_stack) {
      out = fmax(out, (double)c->half_size[0] - x);
      out = fmax(out, x + (double)c->half_size[0] - self->width);
    }
    // also for NaN
    if (!(out <= 0.01 * size_of(c))) ++count;
  }
  return count;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  bodies* self = state;
  tool_get(world, WEFT_ATTRIBUTE_POSITION, 0, self->count, self->at[0]);
  double fastest = 0.0, spin = 0.0, aside = 0.0, highest = 0.0;
  for (uint32_t i = 0; i < self->count; ++i) {
    float v[3], w[3];
    tool_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, v);
    tool_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, i, 1, w);
    spin = fmax(spin, fabs((double)w[2]));
    fastest = fmax(fastest, hypot((double)v[0], (double)v[1]));
    aside = fmax(aside, fabs((double)self->at[i][0] - (double)self->start[i][0]));
    highest = fmax(highest, (double)self->at[i][1]);
  }
  weft_contact_stats stats;
  memset(&stats, 0, sizeof stats);
  tool_must(weft_world_get_contact_stats(world, &stats));
  sim_add_result(results, "fastest", fastest);
  sim_add_result(results, "fastest_spin", spin);
  sim_add_result(results, "worst_overlap", worst_overlap(self));
  sim_add_result(results, "outside", (double)count_outside(self));
  sim_add_result(results, "aside", aside);
  sim_add_result(results, "highest", highest);
  sim_add_result(results, "pairs", (double)stats.particle_pairs);
  sim_add_result(results, "colors", (double)stats.particle_colors);
  sim_add_result(results, "lost_pairs", (double)stats.lost_pairs);
}

static void free_bodies(void* state) {
  bodies* self = state;
  free(self->contacts);
  free(self->start);
  free(self->at);
  free(self->order);
}

const sim_scene sim_scene_bodies = {
    .name = "bodies",
    .summary = "circles and boxes that pour into a box, or a stack of boxes",
    .params = params,
    .seconds = 15.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .report = report,
    .free = free_bodies,
};
