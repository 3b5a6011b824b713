/* Candidates of CCD: feature pairs of two clusters, by AABBs, then by planes.
 *
 * Two clusters of 16 faces, some 28 edges and 13 vertices each, have a thousand pairs. All are
 * compared, one feature with a vector of others: a hierarchy within clusters costs more than it
 * culls. Most overlapping pairs share a particle. The rest is usually separated by the direction
 * between the closest points at the start: while all particles of one feature are farther along it
 * than all of the other, at the start and now, so are they in between. Any direction is valid:
 * closest points need no care where features degenerate. */

typedef struct feature_box {
  wide lower[3], upper[3];
} feature_box;

typedef struct feature_path {
  wide start[3], now[3];
} feature_path;

SPECIALIZED feature_path load_path(const weft__cluster_features* cluster, const uint16_t* index) {
  feature_path path;
  wide v[4];
  wide_load_records(cluster->start, index, v);
  for (int axis = 0; axis < 3; ++axis) path.start[axis] = v[axis];
  wide_load_records(cluster->now, index, v);
  for (int axis = 0; axis < 3; ++axis) path.now[axis] = v[axis];
  return path;
}

// Zero, or NaN if a coordinate is not finite.
SPECIALIZED wide path_check(const feature_path* path) {
  return 0.0f * ((path->start[0] + path->start[1] + path->start[2]) +
                 (path->now[0] + path->now[1] + path->now[2]));
}

// points: particles of a feature. NaN gives a box of NaN.
SPECIALIZED void bound_list(const weft__cluster_features* cluster, weft__feature_list* list,
                            int points) {
  for (uint32_t n = 0; n < list->count; n += WIDE_LANES) {
    feature_box box;
    wide check = wide_splat(0.0f);
    for (int k = 0; k < points; ++k) {
      const feature_path path = load_path(cluster, list->point[k] + n);
      check += path_check(&path);
      for (int axis = 0; axis < 3; ++axis) {
        const wide lower = wide_min(path.start[axis], path.now[axis]);
        const wide upper = wide_max(path.start[axis], path.now[axis]);
        box.lower[axis] = k == 0 ? lower : wide_min(lower, box.lower[axis]);
        box.upper[axis] = k == 0 ? upper : wide_max(upper, box.upper[axis]);
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      wide_store(list->lower[axis] + n, box.lower[axis] + check);
      wide_store(list->upper[axis] + n, box.upper[axis] + check);
    }
  }
}

// Relative to `origin`, as records; extends minima of coordinates and their negatives.
SPECIALIZED wide load_members(const float* const at[3], const float origin[3], uint32_t count,
                              float* records, wide lower[4], wide upper[4]) {
  static const uint16_t ramp[16] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
  wide check = wide_splat(0.0f);
  for (uint32_t m = 0; m < count; m += WIDE_LANES) {
    const size_t lanes = count - m < WIDE_LANES ? count - m : WIDE_LANES;
    const wide_mask is_within = wide_from_mask((1u << lanes) - 1);
    wide v[4];
    for (int axis = 0; axis < 3; ++axis) {
      v[axis] = wide_keep(wide_load_first(at[axis] + m, lanes) - origin[axis], is_within);
      check += 0.0f * v[axis];
      lower[axis] = wide_min(wide_select(v[axis], lower[axis], is_within), lower[axis]);
      upper[axis] = wide_min(wide_select(-v[axis], upper[axis], is_within), upper[axis]);
    }
    v[3] = wide_splat(0.0f);
    wide_store_records(records + 4 * (size_t)m, ramp, v);
  }
  return check;
}

// The box of a cluster with NaN or infinity is infinite.
static void bound_features(weft__cluster_features* cluster, const float from[3],
                           const float to[3]) {
  wide lower[4];
  wide upper[4];
  for (int k = 0; k < 4; ++k) lower[k] = upper[k] = wide_splat(INFINITY);
  const uint32_t count = cluster->member_count;
  wide check = load_members(cluster->from, from, count, cluster->start, lower, upper);
  check += load_members(cluster->to, to, count, cluster->now, lower, upper);
  const bool is_finite = wide_all(wide_at_least(check, wide_splat(0.0f)));
  float minima[2][4];
  wide_reduce_min(lower, minima[0]);
  wide_reduce_min(upper, minima[1]);
  for (int axis = 0; axis < 3; ++axis) {
    cluster->lower[axis] = is_finite ? minima[0][axis] : -INFINITY;
    cluster->upper[axis] = is_finite ? -minima[1][axis] : INFINITY;
  }
  bound_list(cluster, &cluster->vertices, 1);
  bound_list(cluster, &cluster->edges, 2);
  bound_list(cluster, &cluster->faces, 3);
}

// Features from `first` on; NaN overlaps. A vector may reach beyond the last feature.
SPECIALIZED uint32_t overlaps(const weft__feature_list* list, uint32_t first,
                              const feature_box* box) {
  wide_mask apart = wide_from_mask(0);
  for (int axis = 0; axis < 3; ++axis) {
    apart |= wide_positive(wide_load(list->lower[axis] + first) - box->upper[axis]);
    apart |= wide_positive(box->lower[axis] - wide_load(list->upper[axis] + first));
  }
  return ~wide_to_mask(apart) & ((1u << WIDE_LANES) - 1);
}

static inline uint64_t all_of(const weft__feature_list* list) {
  return UINT64_MAX >> (64 - list->count);
}

static uint64_t overlaps_cluster(const weft__feature_list* list,
                                 const weft__cluster_features* cluster, float reach) {
  feature_box box;
  uint64_t mask = 0;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = wide_splat(cluster->lower[axis] - reach);
    box.upper[axis] = wide_splat(cluster->upper[axis] + reach);
  }
  for (uint32_t n = 0; n < list->count; n += WIDE_LANES) {
    mask |= (uint64_t)overlaps(list, n, &box) << n;
  }
  return mask & all_of(list);
}

typedef struct feature_lists {
  const weft__cluster_features* cluster[2];
  const weft__feature_list* list[2];
  int points[2];
  const uint64_t* shared; /* second list, by member of the first cluster */
  bool is_once;           /* one list with itself */
  weft__feature_pair_kind kind;
  float reach;
} feature_lists;

static inline uint64_t sharing(const feature_lists* lists, uint32_t a) {
  uint64_t mask = 0;
  for (int k = 0; k < lists->points[0]; ++k) {
    mask |= lists->shared[lists->list[0]->point[k][a] / 2];
  }
  return mask;
}

// With a whole vector after the last pair.
enum { MAX_OVERLAPS = WEFT__CLUSTER_FEATURES * WEFT__CLUSTER_FEATURES + 16 };

// Pairs within reach that share no particle, as 256 a + b. Returns their number.
SPECIALIZED uint32_t list_overlaps(const feature_lists* lists, uint32_t* overlap) {
  const weft__feature_list* second = lists->list[1];
  uint64_t near_first = all_of(lists->list[0]);
  uint64_t near_second = all_of(second);
  if (lists->cluster[0] != lists->cluster[1]) {
    near_first = overlaps_cluster(lists->list[0], lists->cluster[1], lists->reach);
    near_second = overlaps_cluster(second, lists->cluster[0], lists->reach);
  }
  uint32_t count = 0;
  for (uint64_t near = near_first; near != 0; near &= near - 1) {
    const uint32_t a = (uint32_t)__builtin_ctzll(near);
    feature_box box;
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = wide_splat(lists->list[0]->lower[axis][a] - lists->reach);
      box.upper[axis] = wide_splat(lists->list[0]->upper[axis][a] + lists->reach);
    }
    uint64_t others = near_second & ~sharing(lists, a);
    if (lists->is_once) others &= ~UINT64_C(1) << a;
    // no branch on each vector: mispredicted
    uint64_t found = 0;
    for (uint32_t n = 0; n < second->count; n += WIDE_LANES) {
      found |= (uint64_t)overlaps(second, n, &box) << n;
    }
    found &= others;
    for (uint32_t n = 0; n < second->count; n += 16) {
      count += wide_append_bits(overlap + count, a << 8 | n, (uint32_t)(found >> n) & 0xffffu);
    }
  }
  return count;
}

SPECIALIZED wide dot_lanes(const wide a[3], const wide b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

SPECIALIZED wide to_share(wide value) {
  return wide_min(wide_max(value, wide_splat(0.0f)), wide_splat(1.0f));
}

// From the closest point of triangle 1 2 3 to point 0.
SPECIALIZED void direction_from_triangle(const feature_path p[4], wide direction[3]) {
  wide ab[3], ac[3], ap[3];
  for (int axis = 0; axis < 3; ++axis) {
    ab[axis] = p[2].start[axis] - p[1].start[axis];
    ac[axis] = p[3].start[axis] - p[1].start[axis];
    ap[axis] = p[0].start[axis] - p[1].start[axis];
  }
  const wide zero = wide_splat(0.0f);
  const wide bb = dot_lanes(ab, ab), bc = dot_lanes(ab, ac), cc = dot_lanes(ac, ac);
  const wide bp = dot_lanes(ab, ap), cp = dot_lanes(ac, ap);
  const wide area = bb * cc - bc * bc;
  const wide v = cc * bp - bc * cp;
  const wide w = bb * cp - bc * bp;
  const wide_mask is_inside =
      wide_at_least(v, zero) & wide_at_least(w, zero) & wide_at_least(area, v + w);
  // closest points of the sides, and half of how much closer than the first corner they are
  const wide on_b = to_share(bp / bb);
  const wide on_c = to_share(cp / cc);
  const wide side = bb + cc - (bc + bc);
  const wide on_side = to_share((cp - bp + bb - bc) / side);
  const wide gain_b = on_b * (bp - 0.5f * on_b * bb);
  const wide gain_c = on_c * (cp - 0.5f * on_c * cc);
  const wide gain_side = (bp - 0.5f * bb) + on_side * (cp - bp + bb - bc - 0.5f * on_side * side);
  const wide_mask is_c = wide_positive(gain_c - gain_b);
  const wide_mask is_side = wide_positive(gain_side - wide_max(gain_b, gain_c));
  wide share_b = wide_select(zero, on_b, is_c);
  wide share_c = wide_select(on_c, zero, is_c);
  share_b = wide_select(1.0f - on_side, share_b, is_side);
  share_c = wide_select(on_side, share_c, is_side);
  share_b = wide_select(v / area, share_b, is_inside);
  share_c = wide_select(w / area, share_c, is_inside);
  for (int axis = 0; axis < 3; ++axis) {
    direction[axis] = ap[axis] - share_b * ab[axis] - share_c * ac[axis];
  }
}

// Between the closest points of segments 2 3 and 0 1, from the former.
SPECIALIZED void direction_from_segment(const feature_path p[4], wide direction[3]) {
  wide u[3], v[3], r[3];
  for (int axis = 0; axis < 3; ++axis) {
    u[axis] = p[1].start[axis] - p[0].start[axis];
    v[axis] = p[3].start[axis] - p[2].start[axis];
    r[axis] = p[0].start[axis] - p[2].start[axis];
  }
  const wide uu = dot_lanes(u, u), vv = dot_lanes(v, v), uv = dot_lanes(u, v);
  const wide ur = dot_lanes(u, r), vr = dot_lanes(v, r);
  const wide along_u = to_share((uv * vr - ur * vv) / (uu * vv - uv * uv));
  // second segment's closest point to this one, then the first's to that
  const wide share_v = to_share((uv * along_u + vr) / vv);
  const wide share_u = to_share((uv * share_v - ur) / uu);
  for (int axis = 0; axis < 3; ++axis) {
    direction[axis] = r[axis] + share_u * u[axis] - share_v * v[axis];
  }
}

// Smallest excess of the first points over others along a direction, at the start and now.
SPECIALIZED wide separation_of(const feature_path p[4], int first_count, const wide direction[3]) {
  wide separation = wide_splat(INFINITY);
  for (int end = 0; end < 2; ++end) {
    wide along[4];
    for (int k = 0; k < 4; ++k) {
      along[k] = dot_lanes(direction, end == 0 ? p[k].start : p[k].now);
    }
    const wide first = first_count == 1 ? along[0] : wide_min(along[0], along[1]);
    wide second = wide_max(along[2], along[3]);
    if (first_count == 1) second = wide_max(along[1], second);
    separation = wide_min(first - second, separation);
  }
  return separation;
}

// Metres: rounding is a share of it.
static float extent_of(const weft__feature_search* search) {
  float largest = 0.0f;
  for (int n = 0; n < 2; ++n) {
    for (int axis = 0; axis < 3; ++axis) {
      const weft__cluster_features* cluster = search->cluster[n];
      largest = largest > -cluster->lower[axis] ? largest : -cluster->lower[axis];
      largest = largest > cluster->upper[axis] ? largest : cluster->upper[axis];
    }
  }
  return largest;
}

// NaN separates nothing.
SPECIALIZED void cull_by_planes(weft__feature_search* search, const feature_lists* lists,
                                uint32_t* overlap, uint32_t count) {
  const float rounding = 8e-6f * extent_of(search);
  const float reach = 1.0001f * lists->reach + rounding;
  const wide unknown = wide_splat(-INFINITY);
  const int first_count = lists->points[0];
  search->overlap_count += count;
  for (uint32_t lane = 1; lane < WIDE_LANES; ++lane) overlap[count - 1 + lane] = overlap[count - 1];
  for (uint32_t n = 0; n < count; n += WIDE_LANES) {
    const uint32_t lanes = count - n < WIDE_LANES ? count - n : WIDE_LANES;
    uint16_t index[4][WIDE_LANES];
    for (int k = 0; k < 4; ++k) {
      for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        const uint32_t pair = overlap[n + lane];
        index[k][lane] = k < first_count ? lists->list[0]->point[k][pair >> 8]
                                         : lists->list[1]->point[k - first_count][pair & 0xffu];
      }
    }
    feature_path p[4];
    for (int k = 0; k < 4; ++k) p[k] = load_path(lists->cluster[k < first_count ? 0 : 1], index[k]);
    wide direction[3];
    if (first_count == 1) direction_from_triangle(p, direction);
    if (first_count == 2) direction_from_segment(p, direction);
    const wide length = wide_sqrt(dot_lanes(direction, direction));
    const wide separation = separation_of(p, first_count, direction);
    uint32_t kept = ~wide_to_mask(wide_positive(separation - reach * length)) & ((1u << lanes) - 1);
    float distance[WIDE_LANES];
    wide_store(distance, wide_max(0.9999f * (separation / length) - rounding, unknown));
    for (; kept != 0; kept &= kept - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(kept);
      search->pair[search->count++] =
          (weft__feature_pair){distance[lane], (uint8_t)lists->kind,
                               (uint8_t)(overlap[n + lane] >> 8), (uint8_t)overlap[n + lane]};
    }
  }
}

SPECIALIZED void search_lists(weft__feature_search* search, const feature_lists* lists) {
  if (lists->list[0]->count == 0 || lists->list[1]->count == 0) return;
  uint32_t overlap[MAX_OVERLAPS];
  const uint32_t count = list_overlaps(lists, overlap);
  if (count > 0) cull_by_planes(search, lists, overlap, count);
}

typedef struct shared_features {
  uint64_t edges[WEFT__CLUSTER_FEATURES], faces[WEFT__CLUSTER_FEATURES];
} shared_features;

static void find_shared(const weft__cluster_features* a, const weft__cluster_features* b,
                        shared_features* of_b, shared_features* of_a) {
  // no particle in lanes beyond the last member
  uint32_t member[WEFT__FEATURE_ROOM];
  const uint32_t count = a->member_count;
  memcpy(member, a->member, count * sizeof(*member));
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) member[count + lane] = UINT32_MAX;
  memset(of_b->edges, 0, count * sizeof(*of_b->edges));
  memset(of_b->faces, 0, count * sizeof(*of_b->faces));
  for (uint32_t n = 0; n < b->member_count; ++n) {
    uint64_t equal = 0;
    for (uint32_t m = 0; m < count; m += WIDE_LANES) {
      equal |= (uint64_t)wide_to_mask(wide_equal_number(member + m, b->member[n])) << m;
    }
    of_a->faces[n] = 0;
    if (equal == 0) continue;
    // padding comes last
    const uint32_t m = (uint32_t)__builtin_ctzll(equal);
    of_b->edges[m] |= b->edges_at[n];
    of_b->faces[m] |= b->faces_at[n];
    of_a->faces[n] = a->faces_at[m];
  }
}

static void list_feature_pairs(weft__feature_search* search) {
  const weft__cluster_features* a = search->cluster[0];
  const weft__cluster_features* b = search->cluster[1];
  shared_features of_a;
  shared_features of_b;
  search->count = search->overlap_count = 0;
  if (a != b) find_shared(a, b, &of_b, &of_a);
  search_lists(search, &(feature_lists){.cluster = {a, b},
                                        .list = {&a->vertices, &b->faces},
                                        .points = {1, 3},
                                        .shared = a == b ? a->faces_at : of_b.faces,
                                        .kind = WEFT__PAIR_VERTEX_FACE,
                                        .reach = search->vertex_reach});
  if (a != b) {
    search_lists(search, &(feature_lists){.cluster = {b, a},
                                          .list = {&b->vertices, &a->faces},
                                          .points = {1, 3},
                                          .shared = of_a.faces,
                                          .kind = WEFT__PAIR_FACE_VERTEX,
                                          .reach = search->vertex_reach});
  }
  search_lists(search, &(feature_lists){.cluster = {a, b},
                                        .list = {&a->edges, &b->edges},
                                        .points = {2, 2},
                                        .shared = a == b ? a->edges_at : of_b.edges,
                                        .is_once = a == b,
                                        .kind = WEFT__PAIR_EDGE_EDGE,
                                        .reach = search->edge_reach});
}
