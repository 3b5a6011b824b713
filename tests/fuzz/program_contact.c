/* Calls on contacts: every function of contact.h. */
#include "fuzz/calls.h"

static void draw_surface(program* p, weft_surface_def* surface) {
  surface->restitution = draw_number(p, 0.0f, 1.0f);
  surface->static_friction = draw_number(p, 0.0f, 1.0f);
  surface->dynamic_friction = surface->static_friction * draw_number(p, 0.0f, 1.0f);
}

// mostly the first material, as a table has few others
static uint32_t draw_material(program* p) {
  return draw_chance(p, 4) ? draw_index(p, WEFT_MAX_MATERIALS) : 0;
}

static void set_material_pair(program* p) {
  weft_surface_def pair = {0};
  const uint32_t a = draw_material(p), b = draw_material(p);
  draw_surface(p, &pair);
  const weft_surface_def* with = draw_chance(p, 8) ? NULL : &pair;
  CALL(p, weft_world_set_material_pair, p->world, a, b, with);
}

// random categories and masks, so that some pairs are filtered out
static void draw_filter(program* p, uint32_t* category, uint32_t* mask) {
  if (!draw_chance(p, 4)) return;
  *category = 1 + stream_below(&p->in, 3);
  *mask = stream_below(&p->in, 4);
}

enum { MOST_ELLIPSOIDS = 6 };

static void set_contact(program* p) {
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  const uint32_t first = draw_index(p, p->particle_count);
  const uint32_t left = first < p->particle_count ? p->particle_count - first : 1;
  uint32_t count = draw_chance(p, 2) ? left : stream_below(&p->in, left + 1);
  contact.shape = (weft_particle_shape)draw_index(p, WEFT_PARTICLE_SHAPE_ELLIPSOID + 1);
  // limit: a pair of ellipsoids costs as much as hundreds of other pairs
  if (contact.shape == WEFT_PARTICLE_SHAPE_ELLIPSOID && count > MOST_ELLIPSOIDS)
    count = MOST_ELLIPSOIDS;
  draw_vector(p, contact.half_size, 0.01f, 0.1f);
  if (p->is_plane) contact.half_size[2] = contact.half_size[0];
  draw_surface(p, &contact.surface);
  draw_filter(p, &contact.category, &contact.mask);
  contact.material = draw_material(p);
  contact.collision = draw_chance(p, 8)                   ? WEFT_COLLISION_NONE
                      : !p->is_plane && draw_chance(p, 3) ? WEFT_COLLISION_EXACT
                                                          : WEFT_COLLISION_SOFT;
  contact.turns = contact.shape == WEFT_PARTICLE_SHAPE_SPHERE && draw_chance(p, 2);
  contact.cookie = draw_cookie(p, contact.cookie);
  const weft_particle_shape_def* with = draw_chance(p, 8) ? NULL : &contact;
  uint32_t numbers[8];
  const weft_selection particles =
      draw_chance(p, 4) ? draw_list(p, p->particle_count, numbers, 8) : weft_range(first, count);
  CALL(p, weft_world_set_particle_shape, p->world, particles, with);
}

// ---- colliders ----

enum { MOST_POINTS = 12, MOST_SAMPLES = 64 };

typedef struct shape_data {
  float points[3 * MOST_POINTS];
  uint32_t triangles[3 * 4];
  float samples[MOST_SAMPLES];
} shape_data;

// box of half sizes `context`; of odd numbers no shape at all
static void box_support(const void* context, const float* direction, float* point) {
  const float* half = context;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] = direction[axis] < 0.0f ? -half[axis] : half[axis];
}

// data of a hull, a mesh, a heightfield or a grid, valid during the call
static void draw_shape(program* p, weft_collider_def* def, shape_data* data) {
  def->shape = (weft_collider_shape)draw_index(
      p, (p->is_plane ? WEFT_COLLIDER_SHAPE_ELLIPSOID : WEFT_COLLIDER_SHAPE_SUPPORT) + 1);
  def->radius = draw_number(p, 0.05f, 0.6f);
  draw_vector(p, def->half_size, 0.05f, 0.6f);
  if (p->is_plane) def->half_size[2] = def->half_size[0];
  if (def->shape < WEFT_COLLIDER_SHAPE_HULL) return;
  for (uint32_t i = 0; i < MOST_POINTS; ++i)
    draw_vector(p, data->points + (size_t)3 * i, -0.5f, 0.5f);
  for (uint32_t i = 0; i < 3 * 4; ++i) data->triangles[i] = draw_index(p, 4);
  for (uint32_t i = 0; i < MOST_SAMPLES; ++i) data->samples[i] = draw_number(p, -0.2f, 0.4f);
  def->points = or_null(p, data->points);
  def->point_count = 4 + stream_below(&p->in, MOST_POINTS - 3);
  def->triangles = or_null(p, data->triangles);
  def->triangle_count = 1 + stream_below(&p->in, 4);
  def->deforms = def->shape == WEFT_COLLIDER_SHAPE_MESH && draw_chance(p, 2);
  def->one_sided = def->shape == WEFT_COLLIDER_SHAPE_MESH && draw_chance(p, 3);
  def->samples = or_null(p, data->samples);
  for (int axis = 0; axis < 3; ++axis) def->size[axis] = 2 + stream_below(&p->in, 3);
  def->spacing = draw_number(p, 0.1f, 0.5f);
  if (def->shape == WEFT_COLLIDER_SHAPE_SUPPORT && !draw_chance(p, 16)) def->support = box_support;
  def->support_context = data->points;
  def->support_level = draw_count(p, 1, 4);
}

static void draw_turn(program* p, float rotation[4]) {
  static const float turns[][4] = {{0.0f, 0.0f, 0.0f, 1.0f},
                                   {0.0f, 0.6f, 0.0f, 0.8f},
                                   {1.0f, 0.0f, 0.0f, 0.0f},
                                   {0.0f, 0.0f, 0.8f, -0.6f},
                                   {0.5f, 0.5f, 0.5f, 0.5f}};
  const uint32_t drawn = stream_below(&p->in, 5);
  const uint32_t turn = p->is_plane ? drawn / 3 * 3 : drawn;
  for (int k = 0; k < 4; ++k) rotation[k] = turns[turn][k];
  if (p->is_wild && draw_chance(p, 8)) rotation[0] = draw_number(p, -1.0f, 1.0f);
}

// radians per second; about z in a plane
static void draw_spin(program* p, float spin[3]) {
  draw_vector(p, spin, -5.0f, 5.0f);
  if (!p->is_plane) return;
  spin[2] = spin[0];
  spin[0] = spin[1] = 0.0f;
}

static void add_collider(program* p) {
  shape_data data;
  weft_collider_def def = weft_default_collider_def();
  weft_collider collider = {0};
  draw_shape(p, &def, &data);
  draw_vector(p, def.position, -1.0f, 1.0f);
  draw_turn(p, def.rotation);
  if (draw_chance(p, 4)) draw_vector(p, def.velocity, -2.0f, 2.0f);
  if (draw_chance(p, 4)) draw_spin(p, def.spin);
  draw_surface(p, &def.surface);
  draw_filter(p, &def.category, &def.mask);
  def.material = draw_material(p);
  def.cookie = draw_cookie(p, def.cookie);
  CALL(p, weft_world_add_collider, p->world, &def, &collider);
  add_handle(p, &p->colliders, collider.index, collider.generation);
}

static void remove_collider(program* p) {
  const handle taken = draw_handle(p, &p->colliders);
  const weft_collider collider = {taken.index, taken.generation};
  CALL(p, weft_world_remove_collider, p->world, collider);
  remove_handle(p, &p->colliders, taken);
}

static void move_collider(program* p) {
  float position[3], rotation[4];
  const handle taken = draw_handle(p, &p->colliders);
  const weft_collider collider = {taken.index, taken.generation};
  draw_vector(p, position, -1.0f, 1.0f);
  draw_turn(p, rotation);
  const float* to = draw_chance(p, 4) ? NULL : position;
  const float* turned = draw_chance(p, 2) ? NULL : rotation;
  CALL(p, weft_world_move_collider, p->world, collider, to, turned);
  check_handle(p, taken);
}

static void move_collider_points(program* p) {
  float points[MOST_POINTS][3];
  const handle taken = draw_handle(p, &p->colliders);
  const weft_collider collider = {taken.index, taken.generation};
  for (int i = 0; i < MOST_POINTS; ++i) draw_vector(p, points[i], -0.5f, 0.5f);
  const uint32_t count = 4 + stream_below(&p->in, MOST_POINTS - 3);
  CALL(p, weft_world_move_collider_points, p->world, collider, count, points[0], sizeof(points[0]));
}

static void set_collider(program* p) {
  const handle taken = draw_handle(p, &p->colliders);
  const weft_collider collider = {taken.index, taken.generation};
  weft_collider_def def = weft_default_collider_def();
  READ(p, weft_world_get_collider, p->world, collider, &def);
  if (draw_chance(p, 4)) draw_vector(p, def.position, -1.0f, 1.0f);
  draw_vector(p, def.velocity, -2.0f, 2.0f);
  if (draw_chance(p, 2)) draw_spin(p, def.spin);
  if (draw_chance(p, 2)) draw_surface(p, &def.surface);
  def.cookie = draw_cookie(p, def.cookie);
  CALL(p, weft_world_set_collider, p->world, collider, &def);
  check_handle(p, taken);
}

static void read_collider(program* p) {
  const handle taken = draw_handle(p, &p->colliders);
  const weft_collider collider = {taken.index, taken.generation};
  weft_collider_def def = {0};
  READ(p, weft_world_get_collider, p->world, collider, &def);
  check_handle(p, taken);
  note(p, def.position, sizeof(def.position));
  note(p, def.rotation, sizeof(def.rotation));
  note(p, def.spin, sizeof(def.spin));
}

// ---- limits and events ----

static void set_limits(program* p) {
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_pairs = stream_below(&p->in, 64);
  limits.max_ccd_pairs = stream_below(&p->in, 64);
  limits.max_touches = stream_below(&p->in, 64);
  limits.max_events = stream_below(&p->in, 64);
  limits.with_stays = draw_chance(p, 2);
  limits.cookie = draw_cookie(p, limits.cookie);
  CALL(p, weft_world_set_contact_limits, p->world, &limits);
}

static void take_contacts(program* p) {
  weft_contact_event events[8];
  uint32_t count = 0;
  const uint32_t capacity = stream_below(&p->in, 9);
  CALL(p, weft_world_take_contact_events, p->world, capacity, events, &count);
  if (count > capacity)
    violate(p, "weft_world_take_contact_events: %u of at most %u", count, capacity);
  for (uint32_t i = 0; i < count && !p->is_over; ++i) {
    const uint32_t numbers[] = {events[i].kind,
                                events[i].particle,
                                events[i].other,
                                events[i].collider.index,
                                events[i].collider.generation,
                                (uint32_t)events[i].step};
    note(p, numbers, sizeof(numbers));
    note(p, &events[i].impulse, sizeof(float[7]));
  }
}

program_call* const contact_calls[] = {
    set_contact,     set_contact,   set_contact,          add_collider, add_collider,
    remove_collider, move_collider, move_collider_points, set_collider, read_collider,
    set_limits,      take_contacts, set_material_pair,
};
const uint32_t contact_call_count = sizeof(contact_calls) / sizeof(*contact_calls);
