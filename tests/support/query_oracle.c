#include "support/query_oracle.h"

#include <math.h>

#include "support/worlds.h"

// ---- the world ----

static weft_particle_shape_def random_contact(random_source* random) {
  weft_particle_shape_def contact =
      shape_def(.shape = (weft_particle_shape)random_below(random, 5));
  const float size = random_chance(random, 4) ? 0.5f : 0.1f;
  for (int axis = 0; axis < 3; ++axis) contact.half_size[axis] = random_float(random, 0.01f, size);
  contact.category = 1u << random_below(random, 3);
  return contact;
}

static void set_contacts(query_scene* made, random_source* random, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    made->has_contact[i] = random_chance(random, 2);
    if (!made->has_contact[i]) continue;
    made->contacts[i] = random_contact(random);
    expect_ok(weft_world_set_particle_shape(made->world, weft_range(i, 1), &made->contacts[i]));
  }
}

static void turn_randomly(random_source* random, float rotation[4]) {
  double sum = 0.0;
  double q[4];
  for (int k = 0; k < 4; ++k) {
    q[k] = (double)random_float(random, -1.0f, 1.0f);
    sum += q[k] * q[k];
  }
  for (int k = 0; k < 4; ++k) rotation[k] = (float)(q[k] / sqrt(sum));
}

static void add_colliders(query_scene* made, random_source* random) {
  made->collider_count = random_below(random, 8);
  for (uint32_t c = 0; c < made->collider_count; ++c) {
    weft_collider_def* def = &made->colliders[c];
    *def = weft_default_collider_def();
    def->shape = (weft_collider_shape)random_below(random, 6);
    def->radius = random_float(random, 0.05f, 0.5f);
    for (int axis = 0; axis < 3; ++axis) {
      def->half_size[axis] = random_float(random, 0.05f, 0.5f);
      def->position[axis] = random_float(random, -2.0f, 2.0f);
    }
    // unbounded shapes lie below the rest of the scene
    if (def->shape <= WEFT_COLLIDER_SHAPE_HALF_SPACE) def->position[1] = -4.0f;
    if (def->shape > WEFT_COLLIDER_SHAPE_HALF_SPACE) turn_randomly(random, def->rotation);
    def->category = 1u << random_below(random, 3);
    expect_ok(weft_world_add_collider(made->world, def, &made->added[c]));
    if (c % 2 == 1) {
      // the second one in its slot
      expect_ok(weft_world_remove_collider(made->world, made->added[c]));
      expect_ok(weft_world_add_collider(made->world, def, &made->added[c]));
    }
    ck_assert_uint_eq(made->added[c].index, c);
  }
}

static weft_scene* new_things(random_source* random) {
  weft_scene* scene = new_sheet_scene(random_from(random, 1, 7), random_from(random, 1, 7),
                                      random_from(random, 1, ALL_FAMILIES));
  (void)add_random_mesh(scene, random, random_from(random, 2, 5));
  (void)add_cloud(scene, random, 40, 2.0f);
  add_random_links(scene, random, 20);
  return scene;
}

query_scene new_query_scene(uint64_t seed, uint32_t workers, weft_isa isa) {
  random_source random = {seed};
  query_scene made = {.scene = new_things(&random)};
  const weft_world_def def = plain_def(.worker_count = workers, .isa = isa);
  made.world = new_world(&def, made.scene);
  const uint32_t count = particle_count_of(made.world);
  made.contacts = test_alloc(count * sizeof(*made.contacts));
  made.has_contact = test_alloc(count * sizeof(*made.has_contact));
  set_contacts(&made, &random, count);
  add_colliders(&made, &random);
  expect_ok(weft_world_get_faces(made.world, 0, NULL, &made.triangle_count));
  made.triangles = test_alloc((3 * (size_t)made.triangle_count + 1) * sizeof(uint32_t));
  expect_ok(
      weft_world_get_faces(made.world, made.triangle_count, made.triangles, &made.triangle_count));
  return made;
}

// ---- elements ----

static thing thing_of(weft_element_kind kind, uint32_t index, thing_form form) {
  return (thing){.kind = kind,
                 .index = index,
                 .form = form,
                 .axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
}

static void put_corner(thing* it, int corner, const float* position) {
  for (int axis = 0; axis < 3; ++axis) it->corner[corner][axis] = (double)position[axis];
}

static void stand_for(thing* it, const query_scene* scene, uint32_t particle) {
  it->has_contact = scene->has_contact[particle];
  it->category = scene->contacts[particle].category;
}

static thing particle_thing(const query_scene* scene, uint32_t i, const float* position) {
  const weft_particle_shape_def* contact = &scene->contacts[i];
  thing made = thing_of(WEFT_ELEMENT_PARTICLE, i, BALL);
  put_corner(&made, 0, position);
  stand_for(&made, scene, i);
  if (!made.has_contact) return made;
  if (contact->shape < WEFT_PARTICLE_SHAPE_BOX) {
    made.radius = (double)contact->half_size[0];
    return made;
  }
  made.form = contact->shape == WEFT_PARTICLE_SHAPE_BOX ? BOX : ELLIPSOID;
  for (int axis = 0; axis < 3; ++axis) made.half[axis] = (double)contact->half_size[axis];
  return made;
}

// axes of a rotated frame: the columns of the quaternion's matrix
static void turn_axes(const float rotation[4], double axis[3][3]) {
  double q[4];
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) sum += (double)rotation[k] * (double)rotation[k];
  for (int k = 0; k < 4; ++k) q[k] = (double)rotation[k] / sqrt(sum);
  const double x = q[0];
  const double y = q[1];
  const double z = q[2];
  const double w = q[3];
  const double turned[3][3] = {
      {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
      {2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)},
      {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)}};
  memcpy(axis, turned, sizeof(turned));
}

static thing collider_thing(const query_scene* scene, uint32_t c) {
  static const thing_form forms[] = {PLANE, HALF_SPACE, BALL, SEGMENT, BOX, ELLIPSOID};
  const weft_collider_def* def = &scene->colliders[c];
  thing made = thing_of(WEFT_ELEMENT_COLLIDER, c, forms[def->shape]);
  put_corner(&made, 0, def->position);
  turn_axes(def->rotation, made.axis);
  if (def->shape == WEFT_COLLIDER_SHAPE_SPHERE || def->shape == WEFT_COLLIDER_SHAPE_CAPSULE) {
    made.radius = (double)def->radius;
  }
  for (int axis = 0; axis < 3; ++axis) {
    made.half[axis] = (double)def->half_size[axis];
    const double along = made.axis[1][axis] * (double)def->half_size[1];
    if (def->shape != WEFT_COLLIDER_SHAPE_CAPSULE) continue;
    made.corner[0][axis] = (double)def->position[axis] - along;
    made.corner[1][axis] = (double)def->position[axis] + along;
  }
  made.collider = scene->added[c];
  made.has_contact = true;
  made.category = def->category;
  return made;
}

static uint32_t lower(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static void list_links(const query_scene* scene, const float* positions, thing_list* list) {
  const uint32_t count = weft_scene_link_count(scene->scene);
  weft_link_def* links = test_alloc((count + 1) * sizeof(*links));
  bool* torn = test_alloc((count + 1) * sizeof(*torn));
  expect_ok(weft_scene_get_links(scene->scene, 0, count, links));
  expect_get(scene->world, WEFT_ATTRIBUTE_LINK_TORN, 0, count, torn);
  for (uint32_t i = 0; i < count; ++i) {
    if (torn[i]) continue;
    thing* made = &list->items[list->count++];
    *made = thing_of(WEFT_ELEMENT_LINK, i, SEGMENT);
    put_corner(made, 0, positions + 3 * links[i].a);
    put_corner(made, 1, positions + 3 * links[i].b);
    stand_for(made, scene, lower(links[i].a, links[i].b));
  }
}

// faces are read back in their original order, so each remaining face is the next match
static void list_faces(const query_scene* scene, const float* positions, thing_list* list) {
  uint32_t count = 0;
  uint32_t* left = test_alloc((3 * (size_t)scene->triangle_count + 1) * sizeof(uint32_t));
  expect_ok(weft_world_get_faces(scene->world, scene->triangle_count, left, &count));
  uint32_t next = 0;
  for (uint32_t f = 0; f < scene->triangle_count && next < count; ++f) {
    const uint32_t* corner = scene->triangles + 3 * (size_t)f;
    if (memcmp(corner, left + 3 * (size_t)next, sizeof(uint32_t[3])) != 0) continue;
    next += 1;
    thing* made = &list->items[list->count++];
    *made = thing_of(WEFT_ELEMENT_FACE, f, TRIANGLE);
    for (int k = 0; k < 3; ++k) put_corner(made, k, positions + 3 * corner[k]);
    stand_for(made, scene, corner[0]);
  }
  ck_assert_uint_eq(next, count);
}

thing_list list_things(const query_scene* scene) {
  const uint32_t particles = particle_count_of(scene->world);
  const size_t upper = (size_t)particles + weft_scene_link_count(scene->scene) +
                       scene->triangle_count + scene->collider_count;
  thing_list list = {test_alloc(upper * sizeof(thing)), 0};
  float* positions = new_positions(scene->world);
  for (uint32_t i = 0; i < particles; ++i) {
    list.items[list.count++] = particle_thing(scene, i, positions + 3 * i);
  }
  list_links(scene, positions, &list);
  list_faces(scene, positions, &list);
  for (uint32_t c = 0; c < scene->collider_count; ++c) {
    list.items[list.count++] = collider_thing(scene, c);
  }
  return list;
}

bool thing_is_asked(const thing* it, const weft_query_def* filter) {
  const bool kinds[4] = {filter->particles, filter->links, filter->faces, filter->colliders};
  if (!kinds[it->kind]) return false;
  return !it->has_contact || (it->category & filter->mask) != 0;
}

// ---- nearest points ----

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double apart(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(dot(d, d));
}

static double clamp(double value, double lower, double upper) {
  return fmin(fmax(value, lower), upper);
}

static void near_segment(const double a[3], const double b[3], const double p[3], double out[3]) {
  const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const double from[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
  const double size = dot(way, way);
  const double share = size > 0.0 ? clamp(dot(from, way) / size, 0.0, 1.0) : 0.0;
  for (int k = 0; k < 3; ++k) out[k] = a[k] + share * way[k];
}

// projection onto the plane if it lies inside, else the nearest point of the edges
static void near_triangle(const thing* t, const double p[3], double out[3]) {
  double u[3];
  double v[3];
  double w[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = t->corner[1][k] - t->corner[0][k];
    v[k] = t->corner[2][k] - t->corner[0][k];
    w[k] = p[k] - t->corner[0][k];
  }
  const double det = dot(u, u) * dot(v, v) - dot(u, v) * dot(u, v);
  const double s = (dot(w, u) * dot(v, v) - dot(w, v) * dot(u, v)) / det;
  const double r = (dot(w, v) * dot(u, u) - dot(w, u) * dot(u, v)) / det;
  if (det > 0.0 && s >= 0.0 && r >= 0.0 && s + r <= 1.0) {
    for (int k = 0; k < 3; ++k) out[k] = t->corner[0][k] + s * u[k] + r * v[k];
    return;
  }
  double lower = INFINITY;
  for (int k = 0; k < 3; ++k) {
    double found[3];
    near_segment(t->corner[k], t->corner[(k + 1) % 3], p, found);
    if (apart(found, p) >= lower) continue;
    lower = apart(found, p);
    memcpy(out, found, sizeof(found));
  }
}

// bisection for the Lagrange multiplier
static void near_ellipsoid(const double half[3], double p[3]) {
  double inside = 0.0;
  for (int k = 0; k < 3; ++k) inside += p[k] / half[k] * (p[k] / half[k]);
  if (inside <= 1.0) return;
  double low = 0.0;
  double high = 100.0;
  for (int round = 0; round < 100; ++round) {
    const double t = 0.5 * (low + high);
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += pow(half[k] * p[k] / (t + half[k] * half[k]), 2.0);
    if (sum > 1.0) {
      low = t;
    } else {
      high = t;
    }
  }
  for (int k = 0; k < 3; ++k) p[k] *= half[k] * half[k] / (low + half[k] * half[k]);
}

// shapes with a local frame
static void near_framed(const thing* t, const double p[3], double out[3]) {
  double local[3];
  for (int k = 0; k < 3; ++k) {
    const double from[3] = {p[0] - t->corner[0][0], p[1] - t->corner[0][1], p[2] - t->corner[0][2]};
    local[k] = dot(from, t->axis[k]);
  }
  if (t->form == BOX) {
    for (int k = 0; k < 3; ++k) local[k] = clamp(local[k], -t->half[k], t->half[k]);
  } else if (t->form == ELLIPSOID) {
    near_ellipsoid(t->half, local);
  } else {
    local[1] = t->form == PLANE ? 0.0 : fmin(local[1], 0.0);
  }
  for (int k = 0; k < 3; ++k) {
    out[k] = t->corner[0][k] + local[0] * t->axis[0][k] + local[1] * t->axis[1][k] +
             local[2] * t->axis[2][k];
  }
}

double thing_apart(const thing* it, const double point[3], double nearest[3]) {
  switch (it->form) {
    case BALL:
      memcpy(nearest, it->corner[0], sizeof(double[3]));
      break;
    case SEGMENT:
      near_segment(it->corner[0], it->corner[1], point, nearest);
      break;
    case TRIANGLE:
      near_triangle(it, point, nearest);
      break;
    default:
      near_framed(it, point, nearest);
  }
  const double distance = apart(point, nearest);
  if (distance <= it->radius) {
    memcpy(nearest, point, sizeof(double[3]));
    return 0.0;
  }
  for (int k = 0; k < 3; ++k) {
    nearest[k] += (point[k] - nearest[k]) * (it->radius / distance);
  }
  return distance - it->radius;
}

// ---- casts ----

thing grown_thing(const thing* it, double by) {
  thing grown = *it;
  if (by < 0.0 && (it->form == TRIANGLE || it->form == PLANE)) {
    for (int k = 0; it->form == TRIANGLE && k < 3; ++k) {
      const double middle = (it->corner[0][k] + it->corner[1][k] + it->corner[2][k]) / 3.0;
      for (int c = 0; c < 3; ++c) grown.corner[c][k] += by * 10.0 * (it->corner[c][k] - middle);
    }
  } else if (it->form == BOX || it->form == ELLIPSOID) {
    for (int k = 0; k < 3; ++k) grown.half[k] += by;
  } else if (it->form == HALF_SPACE) {
    grown.corner[0][1] += by;
  } else if (it->radius > 0.0 || by > 0.0) {
    grown.radius += by;
  }
  return grown;
}

double march_to(const thing* it, const double from[3], const double direction[3], double length,
                double radius, bool never_late) {
  double gone = 0.0;
  for (int round = 0; round < 400; ++round) {
    double here[3];
    double nearest[3];
    for (int k = 0; k < 3; ++k) here[k] = from[k] + gone * direction[k];
    const double left = thing_apart(it, here, nearest) - radius;
    if (left < 1e-9) return gone;
    gone += left;
    if (gone > length) return INFINITY;
  }
  return never_late ? gone : INFINITY;
}

// alternating projections between the box and the element converge to the nearest pair
double thing_from_box(const thing* it, const float lower[3], const float upper[3]) {
  double point[3];
  double distance = 0.0;
  for (int k = 0; k < 3; ++k) point[k] = 0.5 * ((double)lower[k] + (double)upper[k]);
  for (int round = 0; round < 1000; ++round) {
    double nearest[3];
    distance = thing_apart(it, point, nearest);
    if (distance == 0.0) break;
    double moved = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double held = clamp(nearest[k], (double)lower[k], (double)upper[k]);
      moved += fabs(held - point[k]);
      point[k] = held;
    }
    if (moved == 0.0) break;
  }
  return distance;
}
