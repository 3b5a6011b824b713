// Sphere casts at simple shapes: geometry/plane.c, sphere.c, box.c and convex.c, bit for bit.
#include "geometry/simple_shapes.inl"

typedef struct dwide_cast {
  dwide_vector from, to;
  dwide radius;
  dwide_mask active;
  dwide_mask hits;           // after the start or
  dwide_mask starts_inside;  // overlapping at the start
  dwide_mask undecided;      // left to the general code
  dwide_vector point, normal;
} dwide_cast;

static inline dwide_vector dwide_displacement(const dwide_cast* c) {
  return dwide_minus(c->to, c->from);
}

static inline void cast_at_plane(dwide_cast* c, bool has_two_sides) {
  const dwide zero = dwide_splat(0.0);
  const dwide one = dwide_splat(1.0);
  dwide up = one;
  if (has_two_sides) up = dwide_select(-one, one, dwide_above(zero, c->from.y));
  const dwide begins = up * c->from.y - c->radius;
  const dwide stops = up * c->to.y - c->radius;
  const dwide_mask outside = dwide_above(begins, zero);
  c->hits = c->active & dwide_not(outside & dwide_above(stops, zero));
  const dwide fraction = dwide_select(begins / (begins - stops), zero, outside);
  c->starts_inside = c->hits & dwide_not(dwide_above(fraction, zero));
  const dwide_vector contact = dwide_plus(c->from, dwide_scaled(fraction, dwide_displacement(c)));
  c->point = (dwide_vector){contact.x, zero, contact.z};
  c->normal = (dwide_vector){zero, up, zero};
}

static inline void cast_at_sphere(dwide_cast* c, double shape_radius) {
  const dwide zero = dwide_splat(0.0);
  const dwide_vector from = c->from;
  const dwide_vector displacement = dwide_displacement(c);
  const dwide sum = shape_radius + c->radius;
  const dwide from_sq = dwide_dot(from, from);
  const dwide_mask outside = dwide_above(from_sq, sum * sum);
  dwide t;
  const dwide_mask reached = reach_sphere(from, displacement, sum, c->active, &t);
  c->starts_inside = c->active & dwide_not(outside);
  c->hits = c->starts_inside | (reached & dwide_not(dwide_above(t, dwide_splat(1.0))));
  if (!dwide_any(c->hits)) return;
  c->starts_inside = c->hits & dwide_not(outside & dwide_above(t, zero));
  const dwide_vector here = dwide_plus(from, dwide_scaled(t, displacement));
  c->normal = dwide_scaled(1.0 / dwide_sqrt(dwide_dot(here, here)), here);
  c->point = dwide_scaled(dwide_splat(shape_radius), c->normal);
}

static inline dwide_nearest nearest_to(const weft__batch_collider* o, dwide_vector point) {
  return o->kind == WEFT__OBSTACLE_BOX ? nearest_to_box(o->half_size, point)
                                       : nearest_to_capsule(o->half_size[1], o->radius, point);
}

typedef struct convex_cast {
  const weft__batch_collider* shape;
  dwide_cast* cast;
  dwide time;  // displacement's share at the last plane
} convex_cast;

static inline dwide convex_separated(void* casts, dwide time, dwide_mask active) {
  convex_cast* s = casts;
  dwide_cast* c = s->cast;
  const dwide_vector displacement = dwide_displacement(c);
  const dwide_nearest n =
      nearest_to(s->shape, dwide_plus(c->from, dwide_scaled(time, displacement)));
  s->time = dwide_select(time, s->time, active);
  c->undecided |= active & n.undecided;
  c->point = dwide_choose(n.point, c->point, active);
  c->normal = dwide_choose(n.normal, c->normal, active);
  const dwide next =
      closes_at(time, n.distance - c->radius, dwide_splat(0.0), -dwide_dot(n.normal, displacement));
  const dwide_mask converged = dwide_at_least(time + WEFT__CAST_RESOLUTION, next);
  return dwide_select(dwide_splat(INFINITY), dwide_select(time, next, converged), n.undecided);
}

static inline void cast_at_convex(const weft__batch_collider* o, dwide_cast* c) {
  const dwide zero = dwide_splat(0.0);
  convex_cast s = {o, c, zero};
  c->undecided = dwide_from_mask(0);
  c->point = c->normal = (dwide_vector){zero, zero, zero};
  c->hits = advance_to_contact(convex_separated, &s, c->active, dwide_splat(1.0), MAX_ADVANCES);
  c->starts_inside = c->hits & dwide_not(dwide_above(s.time, zero));
}

static inline void cast_at(const weft__batch_collider* o, dwide_cast* c) {
  c->undecided = dwide_from_mask(0);
  switch (o->kind) {
    case WEFT__OBSTACLE_PLANE:
    case WEFT__OBSTACLE_HALF_SPACE:
      cast_at_plane(c, o->kind == WEFT__OBSTACLE_PLANE);
      break;
    case WEFT__OBSTACLE_SPHERE:
      cast_at_sphere(c, o->radius);
      break;
    case WEFT__OBSTACLE_CAPSULE:
    case WEFT__OBSTACLE_BOX:
      cast_at_convex(o, c);
      break;
    default:
      c->hits = c->starts_inside = dwide_from_mask(0);
      c->undecided = c->active;
  }
}
