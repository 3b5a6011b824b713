/* Calls that only read: every function of read.h and query.h. */
#include "fuzz/calls.h"

// ---- reading back ----

static void read_particles(program* p) {
  float vectors[3 * 8];
  const uint32_t first = draw_index(p, p->particle_count);
  const uint32_t count = stream_below(&p->in, 9);
  const float between = draw_number(p, 0.0f, 1.0f);
  const size_t size = sizeof(float[3]) * count;
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_POSITION, weft_range(first, count), vectors, 0);
  if (p->ok) note(p, vectors, size);
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_VELOCITY, weft_range(first, count), vectors, 0);
  if (p->ok) note(p, vectors, size);
  const weft_attribute_array places = {WEFT_ATTRIBUTE_POSITION, vectors, 0};
  weft_vertices_def read = weft_default_vertices_def();
  read.selection = weft_range(first, count);
  read.arrays = &places;
  read.array_count = 1;
  read.interpolation = between;
  READ(p, weft_world_read_vertices, p->world, &read);
  if (p->ok) note(p, vectors, size);
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_FORCE, weft_range(first, count), vectors, 0);
  if (p->ok) note(p, vectors, size);
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_TARGET, weft_range(first, count), vectors, 0);
  if (p->ok) {
    note(p, vectors, size);
  }
}

static void read_attribute(program* p) {
  enum { MOST = 8 };
  static float uvs[64][2];
  float values[MOST][4] = {{0.0f}};
  uint32_t numbers[MOST];
  const weft_attribute attribute = (weft_attribute)draw_index(p, WEFT_ATTRIBUTE_COUNT);
  const uint32_t total = element_count(p, attribute);
  for (uint32_t n = 0; n < MOST; ++n) numbers[n] = draw_index(p, total);
  for (uint32_t n = 0; n < 64; ++n) uvs[n][n % 2] = (float)(n % 7);
  const size_t stride = draw_chance(p, 16) ? stream_below(&p->in, 16) : sizeof(values[0]);
  const weft_selection selection = {.first = draw_index(p, total),
                                    .count = stream_below(&p->in, MOST + 1),
                                    .indices = draw_chance(p, 2) ? numbers : NULL};
  READ(p, weft_world_get, p->world, attribute, selection, values[0], stride);
  if (p->ok) note(p, values, sizeof(values));
  const weft_attribute_array array = {attribute, values[0], stride};
  weft_vertices_def def = weft_default_vertices_def();
  def.selection = selection;
  def.arrays = &array;
  def.array_count = 1;
  def.interpolation = draw_number(p, 0.0f, 1.0f);
  // the same texture coordinates for all where there are more particles
  def.uvs = uvs[0];
  def.uv_stride = p->particle_count <= 64 ? 0 : WEFT_SAME;
  def.cookie = draw_cookie(p, def.cookie);
  READ(p, weft_world_read_vertices, p->world, &def);
  if (p->ok) note(p, values, sizeof(values));
  weft_view view;
  READ(p, weft_world_get_view, p->world, &view);
}

static void read_loads(program* p) {
  float tensions[8] = {0.0f}, reactions[8][3] = {{0.0f}};
  const uint32_t count = stream_below(&p->in, 9);
  const uint32_t link = draw_index(p, p->link_count);
  const uint32_t particle = draw_index(p, p->particle_count);
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_LINK_TENSION, weft_range(link, count), tensions,
       0);
  if (p->ok) note(p, tensions, sizeof(tensions));
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_REACTION, weft_range(particle, count),
       reactions[0], 0);
  if (p->ok) note(p, reactions, sizeof(reactions));
  const handle taken = draw_handle(p, &p->colliders);
  const weft_collider collider = {taken.index, taken.generation};
  weft_collider_load load = {0};
  READ(p, weft_world_get_collider_loads, p->world, &collider, 1, &load);
  if (!p->ok) return;
  note(p, load.impulse, sizeof(load.impulse));
  note(p, load.angular_impulse, sizeof(load.angular_impulse));
  note(p, &load.contact_count, sizeof(load.contact_count));
}

static void read_touch(program* p) {
  int8_t contacts[3 * 8] = {0};
  const uint32_t first = draw_index(p, p->particle_count);
  const uint32_t count = stream_below(&p->in, 9);
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, weft_range(first, count),
       contacts, 0);
  note(p, contacts, sizeof(contacts));
}

static void read_torn(program* p) {
  bool torn[8] = {false};
  const uint32_t first = draw_index(p, p->link_count);
  const uint32_t count = stream_below(&p->in, 9);
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_LINK_TORN, weft_range(first, count), torn, 0);
  note(p, torn, sizeof(torn));
}

static void read_sleep(program* p) {
  bool asleep[8] = {false};
  weft_sleep_stats stats = {0};
  const uint32_t first = draw_index(p, p->particle_count);
  const uint32_t count = stream_below(&p->in, 9);
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_ASLEEP, weft_range(first, count), asleep, 0);
  note(p, asleep, sizeof(asleep));
  READ(p, weft_world_get_sleep_stats, p->world, &stats);
  note(p, &stats.sleeping_particles, sizeof(stats.sleeping_particles));
  note(p, &stats.woke_up, sizeof(stats.woke_up));
}

static void read_faces(program* p) {
  uint32_t triangles[3 * 8];
  uint32_t count = 0;
  const uint32_t capacity = stream_below(&p->in, 9);
  READ(p, weft_world_get_faces, p->world, capacity, triangles, &count);
  if (!p->ok) return;
  note(p, triangles, sizeof(uint32_t[3]) * (count < capacity ? count : capacity));
  note(p, &count, sizeof(count));
}

static void read_joint(program* p) {
  float force = 0.0f;
  bool broken = false;
  const handle taken = draw_handle(p, &p->joints);
  const weft_joint joint = {taken.index, taken.generation};
  weft_joint_def def = {0};
  READ(p, weft_world_get_joint, p->world, joint, &def, &force, &broken);
  check_handle(p, taken);
  note(p, &force, sizeof(force));
  note(p, &broken, sizeof(broken));
  note(p, def.to, sizeof(def.to));
}

// texts and times are not part of the simulated state
static void read_rest(program* p) {
  double seconds[WEFT_STAGE_COUNT];
  READ(p, weft_world_get_profile, p->world, seconds);
  weft_spans spans = {0};
  // the first worker or none: the outcome is that of any number of workers
  const uint32_t worker = draw_chance(p, 4) ? WEFT_MAX_WORKERS : 0;
  READ(p, weft_world_get_spans, p->world, worker, &spans);
  for (uint32_t i = 0; i < spans.count; ++i) {
    if (spans.items[i].name == NULL || spans.items[i].end_ns < spans.items[i].begin_ns)
      violate(p, "span %u has no name or ends early", i);
  }
  uint32_t neighbors[4], count = 0;
  const uint32_t level = draw_index(p, 3);
  const uint32_t patch = draw_index(p, 16);
  const uint32_t capacity = stream_below(&p->in, 5);
  READ(p, weft_world_get_patch_neighbors, p->world, level, patch, capacity, neighbors, &count);
  // schedules do not depend on the workers
  uint32_t values[8] = {0};
  const uint32_t first = draw_index(p, p->particle_count);
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_PATCH, weft_range(first, capacity), values, 0);
  note(p, values, sizeof(values));
  READ(p, weft_world_get, p->world, WEFT_ATTRIBUTE_LEVEL, weft_range(first, capacity), values, 0);
  note(p, values, sizeof(values));
  READ(p, weft_world_get_patch_colors, p->world, level, patch, capacity, values);
  note(p, values, sizeof(values));
  const uint32_t number = draw_index(p, 16);
  const char* texts[] = {weft_version(), weft_error_text((weft_error)number),
                         weft_isa_name((weft_isa)number), weft_stage_name((weft_stage)number)};
  for (int i = 0; i < 4; ++i) {
    if (texts[i] == NULL) violate(p, "text %d of number %u is NULL", i, number);
  }
}

// ---- queries ----

enum { MOST_HITS = 8 };

static weft_query_def draw_query(program* p) {
  weft_query_def def = weft_default_query_def();
  def.kind = (weft_query_kind)draw_index(p, WEFT_QUERY_NEAREST + 1);
  draw_vector(p, def.point, -1.0f, 1.0f);
  draw_vector(p, def.to, -1.0f, 1.0f);
  def.radius = def.length = draw_number(p, 0.0f, 2.0f);
  for (int axis = 0; axis < 3 && def.kind == WEFT_QUERY_BOX; ++axis)
    def.to[axis] = def.point[axis] + def.radius;
  if (draw_chance(p, 2)) return def;
  def.particles = !draw_chance(p, 4);
  def.links = !draw_chance(p, 4);
  def.faces = !draw_chance(p, 4);
  def.colliders = !draw_chance(p, 4);
  if (draw_chance(p, 4)) def.mask = stream_byte(&p->in);
  def.cookie = draw_cookie(p, def.cookie);
  return def;
}

static void note_hits(program* p, const weft_query_hit* hits, uint32_t count) {
  note(p, &count, sizeof(count));
  note(p, hits, sizeof(*hits) * (count < MOST_HITS ? count : MOST_HITS));
}

static void ask_something(program* p) {
  const weft_query_def def = draw_query(p);
  const uint32_t capacity = stream_below(&p->in, MOST_HITS + 1);
  weft_query_hit hits[MOST_HITS] = {{0}};
  uint32_t count = 0;
  READ(p, weft_world_query, p->world, &def, capacity, hits, &count);
  note_hits(p, hits, count < capacity ? count : capacity);
  note(p, &count, sizeof(count));
}

// only the first run builds an index: queries must give the same results without one
static void sort_elements(program* p) {
  if (!call_begins(p, "weft_world_build_index")) return;
  const weft_result no_index = {WEFT_OK, "", 0};
  (void)call_ends(p, p->first_run == NULL ? weft_world_build_index(p->world) : no_index, true);
}

program_call* const read_calls[] = {
    read_attribute, read_loads,    read_particles, read_touch,    read_torn,
    read_faces,     read_joint,    read_rest,      read_sleep,    ask_something,
    ask_something,  ask_something, ask_something,  sort_elements,
};
const uint32_t read_call_count = sizeof(read_calls) / sizeof(*read_calls);
