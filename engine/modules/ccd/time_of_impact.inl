/* Time of impact of a vertex and a face, or of two edges, by conservative advancement in double
 * precision.
 *
 * A pair is four particles on straight paths, one against three or two against two. Let n be the
 * direction between the closest points at some time. While every particle of the first side is
 * farther along n than every one of the second, by the gap or more, so are the features, as convex
 * combinations; along a fixed direction the order of particles holds until a time that one division
 * gives. Time advances to where the order ends, closest points are found again, and so on, to the
 * end of the interval or a distance of at most 1.1 gaps. The result is never late, parallel and
 * coplanar motion included, and pairs that separate, rest or slide, nearly all, are rejected in the
 * first iteration. (Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems",
 * conservative advancement; Zhang, Lee, Kim 2006, "Interactive continuous collision detection for
 * non-convex polyhedra", bounds along the normal; Li, Kaufman, Jiang 2021, "Codimensional
 * incremental potential contact", which advances only by speeds)
 *
 * Rejected alternative: roots of the coplanarity cubic are more precise than needed and wrong where
 * the cubic vanishes, as it does for cloth that slides on itself. */

// Largest distance in contact, over the gap.
#define TOI_TOLERANCE 1.1
// Gap of a pair that starts within it, as a share of its distance there; and the larger one, as a
// share of its distance beyond the resolution, that keeps it above that.
#define TOI_SHARE_OF_START 0.9
#define TOI_SHARE_OF_EXCESS 0.8
// Resolution as a share of the largest coordinate, and at most of the gap: see toi_batch.h.
#define TOI_RESOLUTION 0x1p-19
#define TOI_MAX_RESOLUTION 0.5

typedef struct toi_paths {
  dwide_vector start[4], displacement[4];  // metres, from the first particle at the start
} toi_paths;

typedef struct toi_closest {
  dwide distance;
  dwide_vector normal;
  dwide weight[4];
} toi_closest;

SPECIALIZED toi_paths toi_load(const weft__toi_batch* batch, uint32_t n) {
  toi_paths paths;
  dwide start[3];
  dwide displacement[3];
  for (int k = 0; k < 4; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      const dwide at = dwide_load(batch->start[k][axis] + n);
      start[axis] = at - dwide_load(batch->start[0][axis] + n);
      displacement[axis] = dwide_load(batch->now[k][axis] + n) - at;
    }
    paths.start[k] = (dwide_vector){start[0], start[1], start[2]};
    paths.displacement[k] = (dwide_vector){displacement[0], displacement[1], displacement[2]};
  }
  return paths;
}

// ---- closest points ----

SPECIALIZED toi_closest closest_at(const toi_paths* paths, int first_count, dwide time) {
  dwide_vector at[4];
  for (int k = 0; k < 4; ++k) {
    at[k] = dwide_plus(paths->start[k], dwide_scaled(time, paths->displacement[k]));
  }
  toi_closest near;
  dwide share[3];
  if (first_count == 1) {
    near.distance = dwide_sqrt(closest_on_triangle(at, share));
    near.weight[0] = dwide_splat(1.0);
    for (int k = 0; k < 3; ++k) near.weight[1 + k] = -share[k];
  } else {
    near.distance = dwide_sqrt(closest_on_segments(at, share));
    near.weight[0] = 1.0 - share[0];
    near.weight[1] = share[0];
    near.weight[2] = -(1.0 - share[1]);
    near.weight[3] = -share[1];
  }
  const dwide zero = dwide_splat(0.0);
  const dwide_vector none = {zero, zero, zero};
  dwide_vector sum = none;
  for (int k = 0; k < 4; ++k) sum = dwide_plus(sum, dwide_scaled(near.weight[k], at[k]));
  near.normal =
      dwide_choose(dwide_scaled(1.0 / near.distance, sum), none, dwide_above(near.distance, zero));
  return near;
}

SPECIALIZED dwide min_separation(int first_count, const dwide along[4]) {
  const dwide first = first_count == 2 ? dwide_min(along[1], along[0]) : along[0];
  dwide second = along[3];
  for (int k = first_count; k < 3; ++k) second = dwide_max(along[k], second);
  return first - second;
}

// Smallest separation along a normal from `time` to 1: a lower bound on the features' distance.
SPECIALIZED dwide bound_from(const toi_paths* paths, int first_count, dwide_vector normal,
                             dwide time) {
  dwide now[4];
  dwide end[4];
  for (int k = 0; k < 4; ++k) {
    const dwide start = dwide_dot(normal, paths->start[k]);
    const dwide displacement = dwide_dot(normal, paths->displacement[k]);
    now[k] = start + time * displacement;
    end[k] = start + displacement;
  }
  return dwide_min(min_separation(first_count, now), min_separation(first_count, end));
}

// Particles keep their order along the normal, the gap between them, until then; at least 1 if to
// the end.
SPECIALIZED dwide ordered_time(const toi_paths* paths, int first_count, dwide_vector normal,
                               dwide gap, dwide time) {
  const dwide zero = dwide_splat(0.0);
  dwide start[4];
  dwide displacement[4];
  for (int k = 0; k < 4; ++k) {
    start[k] = dwide_dot(normal, paths->start[k]);
    displacement[k] = dwide_dot(normal, paths->displacement[k]);
  }
  dwide until = dwide_splat(2.0);
  dwide_mask is_out_of_order = dwide_from_mask(0);
  for (int a = 0; a < first_count; ++a) {
    for (int b = first_count; b < 4; ++b) {
      const dwide speed = displacement[b] - displacement[a];
      const dwide slack = start[a] - start[b] - time * speed - gap;
      const dwide_mask approaches = dwide_above(speed, zero);
      is_out_of_order |= dwide_above(zero, slack) & dwide_not(approaches);
      until = dwide_select(dwide_min(time + slack / speed, until), until, approaches);
    }
  }
  return dwide_select(time, until, is_out_of_order);
}

SPECIALIZED void choose_closest(toi_closest* near, const toi_closest* other, dwide_mask mask) {
  near->distance = dwide_select(other->distance, near->distance, mask);
  near->normal = dwide_choose(other->normal, near->normal, mask);
  for (int k = 0; k < 4; ++k) {
    near->weight[k] = dwide_select(other->weight[k], near->weight[k], mask);
  }
}

typedef struct toi_search {
  const toi_paths* paths;
  int first_count;
  dwide gap;          // below the distance at the start
  toi_closest* near;  // from the start to the time of impact
} toi_search;

SPECIALIZED dwide features_separated(void* pairs, dwide time, dwide_mask active) {
  const toi_search* s = pairs;
  toi_closest* near = s->near;
  if (dwide_any(active & dwide_above(time, dwide_splat(0.0)))) {
    const toi_closest later = closest_at(s->paths, s->first_count, time);
    choose_closest(near, &later, active);
  }
  const dwide until = ordered_time(s->paths, s->first_count, near->normal, s->gap, time);
  // pairs that are close hit, unless they separate from here on
  const dwide_mask are_close = dwide_at_least(s->gap * TOI_TOLERANCE, near->distance);
  if (!dwide_any(active & are_close)) return until;
  const dwide bound = bound_from(s->paths, s->first_count, near->normal, time);
  const dwide_mask part = dwide_at_least(bound, s->gap);
  return dwide_select(dwide_select(dwide_splat(INFINITY), time, part), until, are_close);
}

// Pairs closer than this have no side.
SPECIALIZED dwide resolution_of(const weft__toi_batch* batch, uint32_t n, dwide gap) {
  dwide largest = dwide_splat(0.0);
  for (int k = 0; k < 12; ++k) {
    largest = dwide_max(largest, dwide_abs(dwide_load(batch->start[k / 3][k % 3] + n)));
    largest = dwide_max(largest, dwide_abs(dwide_load(batch->now[k / 3][k % 3] + n)));
  }
  return dwide_min(TOI_RESOLUTION * largest, TOI_MAX_RESOLUTION * gap);
}

// Lanes with a side that may come closer than their gaps, which are set: smaller for pairs that
// start closer, but above the resolution.
SPECIALIZED dwide_mask may_advance(dwide distance, dwide bound, dwide touching, dwide* gap) {
  const dwide_mask has_side = dwide_above(distance, touching);
  const dwide excess = TOI_SHARE_OF_EXCESS * (distance - touching);
  const dwide within = dwide_max(TOI_SHARE_OF_START * distance, touching + excess);
  *gap = dwide_min(*gap, within);
  return has_side & dwide_not(dwide_at_least(bound, *gap));
}

SPECIALIZED void test_lanes(weft__toi_batch* batch, int first_count, uint32_t n) {
  const toi_paths paths = toi_load(batch, n);
  const dwide time = dwide_splat(0.0);
  toi_closest near = closest_at(&paths, first_count, time);
  const dwide bound = bound_from(&paths, first_count, near.normal, time);
  dwide_store_doubles(batch->distance + n, near.distance);
  dwide_store_doubles(batch->bound + n, bound);
  dwide gap = dwide_load(batch->gap + n);
  const dwide_mask may_hit =
      dwide_from_mask(batch->may_hit >> n) & dwide_not(dwide_at_least(bound, gap));
  if (!dwide_any(may_hit)) return;
  const dwide touching = resolution_of(batch, n, gap);
  dwide_store_doubles(batch->resolution + n, touching);
  const dwide_mask active = may_hit & may_advance(near.distance, bound, touching, &gap);
  if (!dwide_any(active)) return;
  toi_search search = {&paths, first_count, gap, &near};
  const dwide_mask hits = advance_to_contact(features_separated, &search, active,
                                             dwide_splat(BEFORE_END), MAX_ADVANCES);
  batch->hits |= dwide_to_mask(hits) << n;
  dwide_store_doubles(batch->normal[0] + n, near.normal.x);
  dwide_store_doubles(batch->normal[1] + n, near.normal.y);
  dwide_store_doubles(batch->normal[2] + n, near.normal.z);
  for (int k = 0; k < 4; ++k) dwide_store_doubles(batch->weight[k] + n, near.weight[k]);
}

static void test_feature_pairs(weft__toi_batch* batch) {
  batch->hits = 0;
  batch->may_hit &= (1u << batch->count) - 1;
  for (uint32_t n = 0; n < batch->count; n += DWIDE_LANES) {
    if (batch->first_count == 1) test_lanes(batch, 1, n);
    if (batch->first_count == 2) test_lanes(batch, 2, n);
  }
}
