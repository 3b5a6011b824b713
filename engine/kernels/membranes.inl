/* Membrane kernel: a triangle's three strains e = (S_uu - 1, S_vv - 1, 2 S_uv), S = sqrt(F^T F),
 * F = [a b], as one vector constraint of XPBD (Macklin, Mueller, Chentanez 2016, equation 18), c
 * the compliance matrix over the area and the square of the substep:
 *
 *     (J W J^T + c) dm = -(e + c m),    m += dm,    x += W J^T dm
 *
 * a symmetric 3 x 3 system, solved exactly. S needs no eigenvectors: with j = |a x b| and s = sqrt(
 * a.a + b.b + 2 j), S = (F^T F + j I) / s, and its rotation R = [u v] = [a + b x n, b + n x a] / s,
 * n the unit normal. As R^T dF = H + w [0 -1; 1 0], H symmetric, dS = H + (w / s) [2q r-p; r-p -2q]
 * for S = [p q; q r], which gives J: all of it lies in the plane of u and v, is bounded by 2
 * gradients of the rest shape, and vanishes for no S. Each solve conserves momentum and angular
 * momentum.
 *
 * Rejected: Green strain F^T F - I, whose gradient is proportional to F: a triangle pressed to a
 * share h of its size leaps to 1 / h of it in one solve. Three scalar constraints in turn converge
 * more slowly: their off-diagonal couplings are as large as the diagonal. */

// Least area and squared length of a unit square's image: below, it has no direction and a gradient
// of 0.
#define COLLAPSED 1e-12f
// Diagonal over J W J^T's, which pins may make singular; the substep's solution is the same.
#define DIAGONAL_EXCESS 1.0001f

static inline wide_vector combine(wide p, wide_vector a, wide q, wide_vector b) {
  return wide_plus(wide_scaled(p, a), wide_scaled(q, b));
}

// S - I, the axes of R, and coefficients of J that do not follow from R.
typedef struct membrane_strain {
  wide warp, weft, shear;
  wide_vector u, v;
  wide tilt;  // q / s
  wide skew;  // (r - p) / s
} membrane_strain;

static inline membrane_strain measure_strain(wide_vector a, wide_vector b) {
  const wide one = wide_splat(1.0f);
  const wide aa = wide_square(a);
  const wide bb = wide_square(b);
  const wide ab = wide_dot(a, b);
  wide_vector n = wide_cross(a, b);
  const wide area = wide_sqrt(wide_square(n));
  const wide inv_area = 1.0f / (area + COLLAPSED);
  n = wide_scaled(inv_area, n);
  const wide inv_trace = 1.0f / wide_sqrt(aa + bb + 2.0f * area + COLLAPSED);
  const wide inv_trace_sq = inv_trace * inv_trace;
  return (membrane_strain){
      .warp = (aa + area) * inv_trace - one,
      .weft = (bb + area) * inv_trace - one,
      .shear = 2.0f * ab * inv_trace,
      .u = combine(inv_trace, a, inv_trace, wide_cross(b, n)),
      .v = combine(inv_trace, b, inv_trace, wide_cross(n, a)),
      .tilt = ab * inv_trace_sq,
      .skew = (bb - aa) * inv_trace_sq,
  };
}

typedef struct wide_symmetric {
  wide xx, xy, xz, yy, yz, zz;
} wide_symmetric;

// J W J^T; arguments: sums of w gradient_u^2, w gradient_u gradient_v, w gradient_v^2.
static inline wide_symmetric membrane_weight(const membrane_strain* e, wide uu, wide uv, wide vv) {
  const wide k = e->tilt;
  const wide above = 1.0f + e->skew;
  const wide below = 1.0f - e->skew;
  const wide both = k * (k * (uu + vv) - 2.0f * uv);
  const wide coupled = k * (above * uu - below * vv);
  return (wide_symmetric){
      .xx = DIAGONAL_EXCESS * (uu + both) + TINY,
      .xy = -both,
      .xz = coupled + below * uv,
      .yy = DIAGONAL_EXCESS * (vv + both) + TINY,
      .yz = above * uv - coupled,
      .zz = DIAGONAL_EXCESS * (above * above * uu + below * below * vv) + TINY,
  };
}

// Cholesky factors without roots.
static inline wide_vector solve_symmetric(const wide_symmetric* m, wide_vector r) {
  const wide inv_x = 1.0f / m->xx;
  const wide yx = m->xy * inv_x;
  const wide zx = m->xz * inv_x;
  const wide inv_y = 1.0f / (m->yy - yx * m->xy);
  const wide yz = m->yz - yx * m->xz;
  const wide zy = yz * inv_y;
  const wide pivot_z = m->zz - zx * m->xz - zy * yz;
  const wide y = r.y - yx * r.x;
  const wide z = (r.z - zx * r.x - zy * y) / pivot_z;
  const wide second = y * inv_y - zy * z;
  return (wide_vector){r.x * inv_x - yx * second - zx * z, second, z};
}

static inline void shift_end(ends* e, wide p, wide_vector a, wide q, wide_vector b) {
  const wide_vector move = combine(p, a, q, b);
  e->x += e->inv_mass * move.x;
  e->y += e->inv_mass * move.y;
  e->z += e->inv_mass * move.z;
}

static inline wide_vector end_offset(const ends* from, const ends* to) {
  return (wide_vector){to->x - from->x, to->y - from->y, to->z - from->z};
}

typedef struct membrane_state {
  ends e[3];
  wide u[3], v[3];  // gradients; the first corner's sign is reversed
  membrane_strain strain;
} membrane_state;

static inline membrane_state load_membranes(const weft__membrane_lanes* lanes, const float* records,
                                            uint32_t lane) {
  membrane_state t;
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) t.e[i] = load_record_ends(records, lanes->index[i] + lane);
  for (int i = 0; i < 2; ++i) {
    t.u[i + 1] = wide_load(lanes->gradient_u[i] + lane);
    t.v[i + 1] = wide_load(lanes->gradient_v[i] + lane);
  }
  t.u[0] = t.u[1] + t.u[2];
  t.v[0] = t.v[1] + t.v[2];
  const wide_vector to_1 = end_offset(&t.e[0], &t.e[1]);
  const wide_vector to_2 = end_offset(&t.e[0], &t.e[2]);
  t.strain =
      measure_strain(combine(t.u[1], to_1, t.u[2], to_2), combine(t.v[1], to_1, t.v[2], to_2));
  return t;
}

static inline void move_membranes(membrane_state* t, wide_vector change,
                                  const weft__membrane_lanes* lanes, float* records,
                                  uint32_t lane) {
  const membrane_strain* strain = &t->strain;
  const wide turn = strain->tilt * (change.x - change.y);
  const wide_vector along_a =
      combine(change.x, strain->u, turn + (1.0f + strain->skew) * change.z, strain->v);
  const wide_vector along_b =
      combine((1.0f - strain->skew) * change.z - turn, strain->u, change.y, strain->v);
  shift_end(&t->e[0], -t->u[0], along_a, -t->v[0], along_b);
  shift_end(&t->e[1], t->u[1], along_a, t->v[1], along_b);
  shift_end(&t->e[2], t->u[2], along_a, t->v[2], along_b);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) store_record_ends(records, lanes->index[i] + lane, &t->e[i]);
}

static inline wide_vector load_multipliers(const weft__membrane_multiplier* multiplier,
                                           uint32_t lane) {
  return (wide_vector){wide_load(multiplier->warp + lane), wide_load(multiplier->weft + lane),
                       wide_load(multiplier->shear + lane)};
}

static inline wide sum_over_corners(const membrane_state* t, const wide p[3], const wide q[3]) {
  return t->e[0].inv_mass * p[0] * q[0] + t->e[1].inv_mass * p[1] * q[1] +
         t->e[2].inv_mass * p[2] * q[2];
}

static inline void solve_membrane_lanes(const weft__membrane_lanes* lanes,
                                        weft__membrane_multiplier* multiplier, float rate_squared,
                                        float* records, uint32_t lane) {
  membrane_state t = load_membranes(lanes, records, lane);
  wide_symmetric m =
      membrane_weight(&t.strain, sum_over_corners(&t, t.u, t.u), sum_over_corners(&t, t.u, t.v),
                      sum_over_corners(&t, t.v, t.v));
  const wide warp = rate_squared * wide_load(lanes->compliance[WEFT__WARP] + lane);
  const wide weft = rate_squared * wide_load(lanes->compliance[WEFT__WEFT] + lane);
  const wide poisson = rate_squared * wide_load(lanes->compliance[WEFT__POISSON] + lane);
  const wide shear = rate_squared * wide_load(lanes->compliance[WEFT__SHEAR] + lane);
  m.xx += warp;
  m.yy += weft;
  m.xy += poisson;
  m.zz += shear;
  const wide_vector before = load_multipliers(multiplier, lane);
  const wide_vector error = {-t.strain.warp - warp * before.x - poisson * before.y,
                             -t.strain.weft - poisson * before.x - weft * before.y,
                             -t.strain.shear - shear * before.z};
  const wide_vector change = solve_symmetric(&m, error);
  wide_store(multiplier->warp + lane, before.x + change.x);
  wide_store(multiplier->weft + lane, before.y + change.y);
  wide_store(multiplier->shear + lane, before.z + change.z);
  move_membranes(&t, change, lanes, records, lane);
}

static void solve_membrane_piece(weft__particles* particles,
                                 const weft__membrane_schedule* membranes, const weft__piece* piece,
                                 bool is_backward, float* records) {
  const weft__segment* begin = membranes->segments + piece->first_segment;
  const weft__segment* end = begin + piece->segment_count;
  const weft__membrane_lanes* lanes = membranes->lanes + piece->first_lanes;
  weft__membrane_multiplier* multiplier = membranes->multipliers + piece->first_lanes;
  load_records(particles, begin, end, records);
  for (uint32_t k = 0; k < piece->group_count; ++k) {
    const uint32_t g = is_backward ? piece->group_count - 1 - k : k;
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      solve_membrane_lanes(&lanes[g], &multiplier[g], membranes->rate_squared, records, lane);
    }
  }
  store_records(particles, begin, end, records);
}

static void solve_membranes(weft__particles* particles, const weft__membrane_schedule* membranes,
                            uint32_t patch, bool is_backward, float* records) {
  const uint32_t first = membranes->patch_first_piece[patch];
  const uint32_t count = membranes->patch_first_piece[patch + 1] - first;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = first + (is_backward ? count - 1 - k : k);
    solve_membrane_piece(particles, membranes, &membranes->pieces[i], is_backward, records);
  }
}
