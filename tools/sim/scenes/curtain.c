/* A curtain that hangs from hooks along its upper edge, above a floor and between walls. A hand
 * takes hold of it, draws it out and lets it go: gently it swings back, and otherwise it tears. It
 * can be cut by a blade that is drawn across, get a hole, and be let go; gravity can be switched
 * off and on. What has come off falls and lies. */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "common/substeps.h"
#include "sim/cloth.h"
#include "sim/path.h"
#include "sim/pieces.h"
#include "sim/scene.h"
#include "sim/wave.h"

#define PI 3.14159265358979323846
// Metres per second. Cloth that is faster than a spacing in a substep stretches links so far in one
// that a pull which should tear a hole strips the curtain off its hooks: 129 x 129 need 6 substeps
// at 60 Hz, finer cloth 8, as its links bear more.
#define SPEED_LIMIT 7.04
#define SHORTEST_SUBSTEP (1.0 / 480.0) /* seconds */
#define LONGEST_SUBSTEP (1.0 / 360.0)
// Metres. Links of this length and longer ones tear at the strain that is set.
#define TEAR_REFERENCE 0.05

static const sim_param params[] = {
    {"columns", "particles along its width", SIM_COUNT, 61, 2, 4096, NULL},
    {"rows", "particles down its length", SIM_COUNT, 31, 2, 4096, NULL},
    {"width", "metres", SIM_NUMBER, 3, 0.01, 1000, NULL},
    {"hook", "every `hook`-th particle of the upper edge hangs from a hook", SIM_COUNT, 4, 1, 4096,
     NULL},
    {"gather", "share of the width that is gathered in folds", SIM_NUMBER, 0, 0, 0.6, NULL},
    {"tear", "strain at which links of 50 mm tear, shorter ones at more; 0 = never", SIM_NUMBER,
     0.25, 0, 100, NULL},
    {"pull", "metres per second of the hand; 0 = it does not pull", SIM_NUMBER, 3, 0, 100, NULL},
    {"pull_at", "second at which the pull starts", SIM_NUMBER, 0.3, 0, 1e6, NULL},
    {"pull_for", "seconds until the hand opens", SIM_NUMBER, 0.7, 0, 1e6, NULL},
    {"grip", "radius of the grip of the hand, metres", SIM_NUMBER, 0.15, 1e-3, 1000, NULL},
    {"cut", "second at which a blade is drawn across; 0 = never", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"cut_for", "duration of the cut, seconds", SIM_NUMBER, 0.5, 0, 1e6, NULL},
    {"cut_height", "distance from the top, as a share of the length", SIM_NUMBER, 0.5, 0, 1, NULL},
    {"hole", "second at which a hole is torn; 0 = never", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"hole_radius", "metres", SIM_NUMBER, 0.25, 1e-3, 1000, NULL},
    {"release", "second at which all hooks are released; 0 = never", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"gravity", "gravity is on at first", SIM_FLAG, 1, 0, 0, NULL},
    {"gravity_off", "second at which it is switched off; 0 = never", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"gravity_on", "second at which it is switched on; 0 = never", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"sway", "initial speed of folds, metres per second", SIM_NUMBER, 0.3, 0, 100, NULL},
    {"damping", "1/seconds: the rate at which velocity fades", SIM_NUMBER, 0.5, 0, 1000, NULL},
    {"drop", "metres from its lower edge to the floor", SIM_NUMBER, 0.5, 0, 1000, NULL},
    {"room", "metres from the curtain to the walls", SIM_NUMBER, 2, 0.01, 1000, NULL},
    {"friction", "of the floor and the walls", SIM_NUMBER, 0.5, 0, 100, NULL},
    SIM_FABRIC_PARAM("light cotton"),
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

static const float full_gravity[3] = {0.0f, -9.81f, 0.0f};

/* The hand, and where it took hold. */
typedef struct curtain_hand {
  double speed, radius;
  double begin, end; /* seconds */
  weft_grip grip;    /* the world's */
  bool is_closed, is_open;
  float place[3]; /* metres: where it closed */
} curtain_hand;

typedef struct curtain_blade {
  double begin, end; /* seconds; begin 0 = never */
  double height;     /* metres */
  bool is_done;
} curtain_blade;

/* Links that have torn, as the world told of them. */
typedef struct tear_log {
  uint64_t count;
  bool in_order;     /* within a step, or what one call has torn, by number */
  double first_time; /* seconds; NAN = there was none */
} tear_log;

typedef struct curtain {
  weft_world* world;
  uint32_t columns, rows, hook;
  float spacing;
  float* inverse_masses; /* 1/kilograms, of all particles, as if none hung from a hook */
  float width, height;   /* metres */
  double h;              /* seconds of a step */
  double drop, room, friction, sway, gather;
  double hole, hole_radius, release, gravity_off, gravity_on;
  bool is_released;
  curtain_hand hand;
  curtain_blade blade;
  tear_log log;
  sim_pieces pieces;
} curtain;

// ---- building ----

static void read_times(curtain* self, const sim_values* values) {
  self->hole = sim_number(values, "hole");
  self->hole_radius = sim_number(values, "hole_radius");
  self->release = sim_number(values, "release");
  self->gravity_off = sim_number(values, "gravity_off");
  self->gravity_on = sim_number(values, "gravity_on");
  const double cut = sim_number(values, "cut"), pull_at = sim_number(values, "pull_at");
  self->blade = (curtain_blade){.begin = cut,
                                .end = cut + sim_number(values, "cut_for"),
                                .height = -sim_number(values, "cut_height") * (double)self->height};
  self->hand = (curtain_hand){.speed = sim_number(values, "pull"),
                              .radius = sim_number(values, "grip"),
                              .begin = pull_at,
                              .end = pull_at + sim_number(values, "pull_for")};
}

static curtain* new_curtain(const sim_values* values) {
  curtain* self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->columns = sim_count(values, "columns");
  self->rows = sim_count(values, "rows");
  self->hook = sim_count(values, "hook");
  self->width = (float)sim_number(values, "width");
  self->spacing = self->width / (float)(self->columns - 1);
  self->height = self->spacing * (float)(self->rows - 1);
  self->drop = sim_number(values, "drop");
  self->room = sim_number(values, "room");
  self->friction = sim_number(values, "friction");
  self->sway = sim_number(values, "sway");
  self->gather = sim_number(values, "gather");
  self->log = (tear_log){.in_order = true, .first_time = NAN};
  read_times(self, values);
  const size_t count = (size_t)self->columns * (size_t)self->rows;
  self->inverse_masses = calloc(count, sizeof *self->inverse_masses);
  return self;
}

static bool is_hooked(const curtain* self, uint32_t column) {
  return column % self->hook == 0 || column + 1 == self->columns;
}

/* Strain grows as the cloth gets finer: at hooks, and at the tip of a tear with the inverse root of
 * the spacing. If the strain at which links tear did not, finer cloth would tear further, and by
 * its own weight. (Bazant and Oh 1983, "Crack band theory for fracture of concrete": the energy of
 * a length of tear is the same at any spacing) */
static float tear_ratio_of(const curtain* self, double tear) {
  const double finer = fmax(TEAR_REFERENCE / (double)self->spacing, 1.0);
  return tear > 0.0 ? (float)(1.0 + tear * sqrt(finer)) : 0.0f;
}

static bool add_cloth(curtain* self, const sim_values* values, weft_scene* scene,
                      tool_message* why) {
  weft_material_def cotton = weft_default_material_def();
  sim_fabric(values, false, &cotton);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = self->columns;
  sheet.rows = self->rows;
  sheet.spacing = self->spacing;
  sheet.material = &cotton;
  sheet.tear_ratio = tear_ratio_of(self, sim_number(values, "tear"));
  if (!sim_check(weft_scene_add_sheet(scene, &sheet, NULL), why)) return false;
  const uint32_t count = self->columns * self->rows;
  if (!sim_check(weft_scene_get_particles(scene, 0, count, NULL, self->inverse_masses), why)) {
    return false;
  }
  for (uint32_t i = 0; i < self->columns; ++i) {
    if (is_hooked(self, i) && !sim_check(weft_scene_pin(scene, i, 1), why)) return false;
  }
  return true;
}

/* One sweep over coarse levels in every other substep: its weight stretches it by 0.26 %, in place
 * of 0.12 % with four in each. More of them hand down corrections that stretch single links further
 * than the sweeps of the cloth take back, and tear them. */
static void set_solver(const curtain* self, weft_world_def* def) {
  const double substep = (double)self->spacing / SPEED_LIMIT;
  sim_cloth_solver(def, tool_substeps(def, fmin(fmax(substep, SHORTEST_SUBSTEP), LONGEST_SUBSTEP)));
  def->iterations = 2;
  def->coarse_iterations = 1;
  def->coarse_every = 2;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  curtain* self = new_curtain(values);
  *state = self;
  if (!self || !self->inverse_masses) {
    return tool_because(why, "no memory for a curtain");
  }
  if (!add_cloth(self, values, scene, why)) return false;
  for (int axis = 0; axis < 3; ++axis) {
    def->gravity[axis] = sim_flag(values, "gravity") ? full_gravity[axis] : 0.0f;
  }
  set_solver(self, def);
  def->damping = (float)sim_number(values, "damping");
  def->max_events = weft_scene_link_count(scene);
  return sim_pieces_create(&self->pieces, scene, why);
}

static weft_bounds_def room_of(const curtain* self) {
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[0] = (float)-self->room;
  bounds.upper[0] = (float)((double)self->width + self->room);
  bounds.lower[1] = (float)-((double)self->height + self->drop);
  bounds.lower[2] = (float)-self->room;
  bounds.upper[2] = (float)self->room;
  bounds.static_friction = bounds.dynamic_friction = (float)self->friction;
  return bounds;
}

// A curtain that is quite flat would stay so for ever: it would stand on the floor on its edge.
static bool start_swaying(const curtain* self, tool_message* why) {
  for (uint32_t i = self->columns; i < self->columns * self->rows; ++i) {
    const double column = i % self->columns, row = i / self->columns;
    const double down = row / (double)(self->rows - 1), along = column / (double)self->columns;
    const float velocity[3] = {0.0f, 0.0f,
                               (float)(self->sway * down * (0.5 + sim_wave(5.0 * along)))};
    if (!sim_check(weft_world_set_velocities(self->world, i, 1, velocity, 0), why)) {
      return false;
    }
  }
  return true;
}

/* Half of the angle, in turns, of an arc that is that much longer than its chord. */
static double half_angle_of(double chord_share) {
  double lower = 0.0, upper = 0.5;
  for (int i = 0; i < 60; ++i) {
    double sine, cosine;
    const double turns = 0.5 * (lower + upper);
    sim_sine_of_turns(turns, &sine, &cosine);
    *(sine > 2.0 * PI * turns * chord_share ? &lower : &upper) = turns;
  }
  return lower;
}

/* Hooks are closer to each other than they are along the cloth, which hangs in arcs between them,
 * to either side in turn: all links begin at nearly their rest length. */
static bool gather(const curtain* self, tool_message* why) {
  if (self->gather <= 0.0) return true;
  const double half = half_angle_of(1.0 - self->gather), arc = self->hook * (double)self->spacing;
  const double radius = arc / (4.0 * PI * half);
  for (uint32_t i = 0; i < self->columns * self->rows; ++i) {
    float position[3];
    double sine, cosine, least_sine, least_cosine;
    if (!sim_check(weft_world_get_positions(self->world, i, 1, position), why)) return false;
    const uint32_t column = i % self->columns, fold = column / self->hook;
    const double share = (double)(column % self->hook) / (double)self->hook;
    sim_sine_of_turns(half, &least_sine, &least_cosine);
    sim_sine_of_turns(half * (2.0 * share - 1.0), &sine, &cosine);
    const double x = radius * (sine + least_sine * (2.0 * (double)fold + 1.0));
    const double z = radius * (cosine - least_cosine);
    position[0] = (float)x;
    position[2] = (float)(fold % 2 == 0 ? z : -z);
    if (!sim_check(weft_world_set_positions(self->world, i, 1, position, 0), why)) return false;
  }
  return true;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  curtain* self = state;
  self->world = world;
  self->h = (double)def->step_ns * 1e-9;
  const weft_bounds_def bounds = room_of(self);
  return sim_check(weft_world_set_bounds(world, &bounds), why) && gather(self, why) &&
         start_swaying(self, why);
}

static void free_curtain(void* state) {
  curtain* self = state;
  sim_pieces_destroy(&self->pieces);
  free(self->inverse_masses);
}

// ---- what has torn ----

/* Takes the links that one step, or one call, has torn. */
static bool note_torn(curtain* self, double time, tool_message* why) {
  uint32_t links[256], count = 0, last = 0;
  bool any = false;
  do {
    if (!sim_check(weft_world_take_torn(self->world, 256, links, &count), why)) return false;
    for (uint32_t i = 0; i < count; ++i) {
      if (any && links[i] <= last) self->log.in_order = false;
      last = links[i];
      any = true;
    }
    self->log.count += count;
  } while (count == 256);
  if (any && isnan(self->log.first_time)) self->log.first_time = time;
  return true;
}

// ---- what happens ----

/* True before the first step that begins at a time or later; 0 = never. */
static bool is_now(double time, const sim_moment* moment) {
  return time > 0.0 && moment->time >= time && moment->time - moment->h < time;
}

static bool switch_gravity(const curtain* self, const sim_moment* moment, tool_message* why) {
  static const float none[3] = {0.0f, 0.0f, 0.0f};
  if (is_now(self->gravity_off, moment) &&
      !sim_check(weft_world_set_gravity(self->world, none), why)) {
    return false;
  }
  return !is_now(self->gravity_on, moment) ||
         sim_check(weft_world_set_gravity(self->world, full_gravity), why);
}

static bool release_hooks(curtain* self, const sim_moment* moment, tool_message* why) {
  if (!is_now(self->release, moment)) return true;
  self->is_released = true;
  for (uint32_t i = 0; i < self->columns; ++i) {
    if (is_hooked(self, i) &&
        !sim_check(weft_world_set_inverse_masses(self->world, i, 1, self->inverse_masses + i, 0),
                   why)) {
      return false;
    }
  }
  return true;
}

static bool tear_hole(curtain* self, const sim_moment* moment, tool_message* why) {
  if (!is_now(self->hole, moment)) return true;
  float place[3];
  const uint32_t middle = self->rows / 2 * self->columns + self->columns / 4;
  return sim_check(weft_world_get_positions(self->world, middle, 1, place), why) &&
         sim_check(weft_world_tear_near(self->world, place, place, (float)self->hole_radius, NULL),
                   why) &&
         note_torn(self, moment->time, why);
}

// ---- the blade ----

/* Cuts along a level with all of the blade that has come in, up to `to`: what has moved since it
 * went by is cut, too. It is as deep as the curtain may swing. */
static bool cut_to(curtain* self, double to, double time, tool_message* why) {
  const float y = (float)self->blade.height, deep = (float)self->room;
  const float x[2] = {-deep, (float)to};
  const float near_half[9] = {x[0], y, -deep, x[1], y, -deep, x[1], y, deep};
  const float far_half[9] = {x[0], y, -deep, x[1], y, deep, x[0], y, deep};
  return sim_check(weft_world_cut(self->world, near_half, NULL), why) &&
         note_torn(self, time, why) &&
         sim_check(weft_world_cut(self->world, far_half, NULL), why) && note_torn(self, time, why);
}

static bool draw_blade(curtain* self, const sim_moment* moment, tool_message* why) {
  curtain_blade* b = &self->blade;
  const double now = moment->time + moment->h;
  if (b->begin <= 0.0 || b->is_done || moment->time < b->begin) return true;
  const double upper = (double)self->width + self->room;
  b->is_done = now >= b->end;
  if (b->is_done) return cut_to(self, upper, moment->time, why);
  const double share = (now - b->begin) / (b->end - b->begin);
  return cut_to(self, share * (double)self->width, moment->time, why);
}

// ---- the hand ----

/* Takes hold of what is in its reach, three quarters down the middle. */
static bool close_hand(curtain* self, tool_message* why) {
  curtain_hand* hand = &self->hand;
  const uint32_t middle = 3 * (self->rows - 1) / 4 * self->columns + self->columns / 2;
  hand->is_closed = true;
  return sim_check(weft_world_get_positions(self->world, middle, 1, hand->place), why) &&
         sim_check(weft_world_add_grip(self->world, hand->place, (float)hand->radius, &hand->grip),
                   why);
}

// gripped particles are at the hand after the step
static bool pull(curtain* self, const sim_moment* moment, tool_message* why) {
  curtain_hand* hand = &self->hand;
  if (hand->speed <= 0.0 || moment->time < hand->begin || hand->is_open) return true;
  hand->is_open = moment->time >= hand->end;
  if (hand->is_open) {
    return !hand->is_closed || sim_check(weft_world_remove_grip(self->world, hand->grip), why);
  }
  if (!hand->is_closed && !close_hand(self, why)) return false;
  const double way = hand->speed * (moment->time + moment->h - hand->begin);
  const float to[3] = {hand->place[0], hand->place[1],
                       (float)fmin((double)hand->place[2] + way, self->room)};
  return sim_check(weft_world_move_grip(self->world, hand->grip, to), why);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  (void)world;
  curtain* self = state;
  return note_torn(self, moment->time, why) && switch_gravity(self, moment, why) &&
         release_hooks(self, moment, why) && tear_hole(self, moment, why) &&
         draw_blade(self, moment, why) && pull(self, moment, why);
}

// ---- telling ----

/* Torn pieces and positions of particles. */
typedef struct curtain_tally {
  uint32_t loose; /* particles that hang from no hook any more */
  uint32_t on_floor;
  double speed;   /* metres per second: the highest of the loose */
  double height;  /* metres: of the highest of the loose above the floor */
  double outside; /* metres: how far the one that is furthest out of the room is outside */
} curtain_tally;

static double beyond(const weft_bounds_def* room, const float place[3]) {
  double upper = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    upper = fmax(upper, (double)room->lower[axis] - (double)place[axis]);
    upper = fmax(upper, (double)place[axis] - (double)room->upper[axis]);
  }
  return upper;
}

static void count_particle(const curtain* self, uint32_t i, bool is_held, curtain_tally* tally) {
  const weft_bounds_def room = room_of(self);
  float place[3], velocity[3];
  int8_t touch[3];
  tool_must(weft_world_get_positions(self->world, i, 1, place));
  tool_must(weft_world_get_velocities(self->world, i, 1, velocity));
  tool_must(weft_world_get_bounds_contacts(self->world, i, 1, touch));
  tally->on_floor += touch[1] < 0;
  tally->outside = fmax(tally->outside, beyond(&room, place));
  if (is_held) return;
  ++tally->loose;
  tally->height = fmax(tally->height, (double)place[1] - (double)room.lower[1]);
  const double x = (double)velocity[0], y = (double)velocity[1], z = (double)velocity[2];
  tally->speed = fmax(tally->speed, sqrt(x * x + y * y + z * z));
}

/* Pieces are named by their least particle, and hooks are at the least of all: the upper edge. */
static bool is_held(const curtain* self, uint32_t particle) {
  const uint32_t* piece_of = self->pieces.piece_of;
  for (uint32_t i = 0; i < self->columns && !self->is_released; ++i) {
    if (is_hooked(self, i) && piece_of[i] == piece_of[particle]) return true;
  }
  return false;
}

static curtain_tally take_tally(const curtain* self) {
  curtain_tally tally = {.loose = 0};
  uint32_t last = 0;
  bool held = is_held(self, 0);
  for (uint32_t i = 0; i < self->pieces.particle_count; ++i) {
    // neighbours mostly are of one piece
    if (self->pieces.piece_of[i] != self->pieces.piece_of[last]) held = is_held(self, i);
    last = i;
    count_particle(self, i, held, &tally);
  }
  return tally;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  curtain* self = state;
  weft_world_stats stats;
  uint32_t face_count = 0;
  tool_message why;
  tool_must(weft_world_get_stats(world, &stats));
  if (!note_torn(self, (double)stats.step_count * self->h, &why)) return;
  tool_must(weft_world_get_faces(world, 0, NULL, &face_count));
  sim_pieces_find(&self->pieces, world);
  const curtain_tally tally = take_tally(self);
  sim_add_result(results, "events", (double)self->log.count);
  sim_add_result(results, "events_in_order", self->log.in_order);
  sim_add_result(results, "events_lost", (double)stats.lost_events);
  sim_add_result(results, "first_tear", self->log.first_time);
  sim_add_result(results, "pieces", self->pieces.count);
  sim_add_result(results, "faces", face_count);
  sim_add_result(results, "loose", tally.loose);
  sim_add_result(results, "loose_speed", tally.speed);
  sim_add_result(results, "loose_height", tally.height);
  sim_add_result(results, "on_floor", tally.on_floor);
  sim_add_result(results, "outside", tally.outside);
}

static void keep(void* state, sim_keep* kept) {
  curtain* self = state;
  SIM_KEEP(kept, self->is_released);
  SIM_KEEP(kept, self->hand);
  SIM_KEEP(kept, self->blade);
}

const sim_scene sim_scene_curtain = {
    .name = "curtain",
    .summary = "a curtain that tears when it is pulled hard, and falls; cut, holes, no gravity",
    .params = params,
    .seconds = 8.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = free_curtain,
};
