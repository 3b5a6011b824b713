/* Link solve, WIDE_LANES lanes at a time.
 *
 * A link between particles i and j of inverse masses wi and wj, at d = xj - xi, is moved by the
 * share `relaxation` towards its rest length (Mueller et al. 2007, section 3.3):
 *
 *     s = relaxation (|d| - rest) / |d|,   xi += wi / (wi + wj) s d,   xj -= wj / (wi + wj) s d
 *
 * along d, as textbooks have it, or, by default, along e, the offset at the start of the substep:
 *
 *     s = relaxation (|d| - rest) |d| / (d . e),   xi += wi / (wi + wj) s e,  ..
 *
 * Equal and opposite impulses along e have no torque at the positions of the start, and positions
 * that move by h v keep that angular momentum: links neither damp nor drive rotations (SHAKE;
 * Ryckaert, Ciccotti, Berendsen 1977). A link that has turned by more than the limit is corrected
 * along d: e may be across the link, and crumpled cloth would explode. Next to the rest length
 * rigid links take no root: (|d| - rest) |d| is (d.d - rest^2) / 2 there. Rejected: links far from
 * their rest length along d. Few of them, next to a pin, keep a flag turning for ever.
 *
 * Vectors of links with equal masses at both ends share the ends' products, half of the
 * multiplications, the busiest unit of this loop. Halving is exact: both branches give the same
 * bits.
 *
 * A compliant link, a metres per newton, also has a Lagrange multiplier u, its impulse in this
 * substep of h seconds times h (Macklin, Mueller, Chentanez 2016, "XPBD", section 4):
 *
 *     du = relaxation (|d| - rest - (a / h^2) u) / (wi + wj + a / h^2),   xi += wi du d / |d|, ..
 *
 * or along e by du |d| / (d . e) e. A link that acts one way, or outside of a range, has slack: it
 * may be shorter or longer than its rest length by that much without error. With a compliance, its
 * multiplier may push where the link is too short and pull where it is too long, and must else be
 * 0. With E = |d| - rest + (wi + wj) u, the error before its own pull, that is solved by u' = (E
 * beyond the slack) / (wi + wj + a / h^2), du = relaxation (u' - u)
 *
 * TINY prevents 0 / 0 for two pinned ends, TINY_LENGTH for coincident ones: the quotient is finite,
 * and multiplied by 0. Larger values keep their bits. */
#define TINY 1e-30f
#define TINY_LENGTH 1e-16f
#define TINY_LENGTH_SQ 1e-32f
// Largest turn of a link that is corrected along e: 37 degrees.
#define MIN_COSINE_SQ 0.64f
// Largest h^2 (1 / m_a + 1 / m_b) T / length of such a link, T its tension: a particle between four
// of them has w h = 2, the limit of Verlet's method.
#define MAX_SWING 1.0f
// Error of the squared length, over it, up to which no root is taken.
#define NEAR_REST 0.2f
// Errors below this share of the rest length are left.
#define RESOLUTION 1e-6f

// One-sided links are skipped above this ratio of scaled compliance to inverse masses: the
// correction handed down would balance its force only roughly, and soft cloth in small substeps
// never come to rest. Sweeps of the finer levels carry its stretch.
#define MAX_COMPLIANCE_RATIO 2.0f

// End particles of WIDE_LANES links.
typedef struct ends {
  wide x, y, z, inv_mass;
} ends;

typedef struct link_lanes {
  wide rest, relaxation;
  wide scaled_compliance;  // compliance / step^2
  wide multiplier;
  wide below, above;
} link_lanes;

typedef struct link_features {
  bool one_sided;
  bool compliant;
  bool slack;
  bool tracked;
  bool along_present;
} link_features;

// Second ends from the first: d, and e, the direction of the corrections.
typedef struct link_offsets {
  wide x, y, z;
  wide e_x, e_y, e_z;
  wide length_sq;
  wide along;
} link_offsets;

typedef struct link_cursor {
  const float* rest;
  const float* relaxation;
  const float* compliance;
  float* multiplier;
  const float* below;
  const float* above;
  float rate_squared;
  link_features links;
} link_cursor;

SPECIALIZED link_cursor link_cursor_at(const weft__schedule* schedule, const weft__run* run,
                                       link_features links) {
  link_cursor r = {.rest = schedule->links.rest_length + run->rest,
                   .relaxation = schedule->links.relaxation + run->relaxation,
                   .links = links};
  if (links.compliant) {
    r.compliance = schedule->links.compliance + run->compliance;
    r.rate_squared = schedule->links.rate_squared;
  }
  if (links.compliant || links.tracked) {
    r.multiplier = schedule->links.multiplier + (size_t)run->first_group * WEFT__LANES;
  }
  if (links.slack) {
    r.below = schedule->links.slack_below + run->slack_below;
    r.above = schedule->links.slack_above + run->slack_above;
  }
  return r;
}

SPECIALIZED void advance_groups(link_cursor* r, const weft__run* run, size_t groups) {
  r->rest += groups * run->rest_stride;
  r->relaxation += groups * run->relaxation_stride;
  if (r->links.compliant) r->compliance += groups * run->compliance_stride;
  if (r->links.compliant || r->links.tracked) r->multiplier += groups * WEFT__LANES;
  if (r->links.slack) {
    r->below += groups * run->slack_below_stride;
    r->above += groups * run->slack_above_stride;
  }
}

SPECIALIZED link_lanes load_link(const link_cursor* r, size_t lane) {
  link_lanes b = {.rest = wide_load(r->rest + lane), .relaxation = wide_load(r->relaxation + lane)};
  if (r->links.compliant) b.scaled_compliance = wide_load(r->compliance + lane) * r->rate_squared;
  if (r->links.compliant || r->links.tracked) b.multiplier = wide_load(r->multiplier + lane);
  if (r->links.slack) {
    b.below = wide_load(r->below + lane);
    b.above = wide_load(r->above + lane);
  }
  return b;
}

// wide_max and wide_min with 0 turn inf - inf, NaN, into 0.
static inline wide beyond_slack(const link_lanes* link, wide error) {
  const wide none = wide_splat(0.0f);
  return wide_max(error - link->above, none) + wide_min(error + link->below, none);
}

// Corrections smaller than a position's rounding would move one end only, and turn bodies at rest.
static inline wide above_resolution(wide error, const link_lanes* link) {
  const wide resolved = RESOLUTION * link->rest;
  return wide_keep(error, wide_positive(error * error - resolved * resolved));
}

// Compliant links: the force is continuous.
static inline wide beyond_resolution(wide error, const link_lanes* link) {
  const wide none = wide_splat(0.0f);
  const wide resolved = RESOLUTION * link->rest;
  return wide_max(error - resolved, none) + wide_min(error + resolved, none);
}

static inline void move_ends(ends* a, ends* b, wide x, wide y, wide z, wide scale_a, wide scale_b) {
  a->x += scale_a * x;
  a->y += scale_a * y;
  a->z += scale_a * z;
  b->x -= scale_b * x;
  b->y -= scale_b * y;
  b->z -= scale_b * z;
}

// Ends of equal mass, not 0, or lanes without a link.
static inline void move_equal_ends(ends* a, ends* b, wide x, wide y, wide z, wide scale) {
  const wide half = 0.5f * scale;
  const wide move_x = half * x;
  const wide move_y = half * y;
  const wide move_z = half * z;
  a->x += move_x;
  a->y += move_y;
  a->z += move_z;
  b->x -= move_x;
  b->y -= move_y;
  b->z -= move_z;
}

static inline wide dot(wide ax, wide ay, wide az, wide bx, wide by, wide bz) {
  return ax * bx + ay * by + az * bz;
}

static inline void keep_start(link_offsets* d, wide_mask keep) {
  d->e_x = wide_select(d->e_x, d->x, keep);
  d->e_y = wide_select(d->e_y, d->y, keep);
  d->e_z = wide_select(d->e_z, d->z, keep);
  d->along = wide_select(d->along, d->length_sq, keep);
}

// Returns the lanes corrected along e; others along d.
SPECIALIZED wide_mask choose_correction(link_offsets* d, link_features links) {
  d->length_sq = dot(d->x, d->y, d->z, d->x, d->y, d->z);
  if (links.along_present) {
    d->e_x = d->x;
    d->e_y = d->y;
    d->e_z = d->z;
    d->along = d->length_sq;
    return wide_equal(d->along, d->along);
  }
  d->along = dot(d->x, d->y, d->z, d->e_x, d->e_y, d->e_z);
  const wide start_sq = dot(d->e_x, d->e_y, d->e_z, d->e_x, d->e_y, d->e_z);
  const wide_mask is_near =
      wide_positive(d->along) &
      wide_positive(d->along * d->along - MIN_COSINE_SQ * start_sq * d->length_sq);
  if (wide_all(is_near)) return is_near;
  keep_start(d, is_near);
  return is_near;
}

// Directions at the start of a substep are an explicit method across a taut link: others, along d,
// are implicit, and lose a swing that the substep does not resolve.
static inline void keep_resolved_starts(link_offsets* d, const link_lanes* link, wide length,
                                        wide masses) {
  const wide compliance = link->scaled_compliance;
  const wide taut = wide_keep(masses * (length - link->rest), wide_positive(compliance));
  const wide_mask is_resolved = wide_at_least(MAX_SWING * compliance * length, taut);
  if (!wide_all(is_resolved)) keep_start(d, is_resolved);
}

SPECIALIZED void solve_compliant(ends* a, ends* b, link_offsets* d, link_lanes* link,
                                 link_features links) {
  const wide length = wide_sqrt(d->length_sq);
  const wide masses = a->inv_mass + b->inv_mass;
  if (!links.along_present && !links.one_sided) keep_resolved_starts(d, link, length, masses);
  const wide divisor = masses + link->scaled_compliance + TINY;
  wide change;
  if (links.slack) {
    const wide error = length - link->rest + masses * link->multiplier;
    change = link->relaxation * (beyond_slack(link, error) / divisor - link->multiplier);
  } else {
    const wide error =
        beyond_resolution(length - link->rest - link->scaled_compliance * link->multiplier, link);
    change = link->relaxation * error / divisor;
  }
  // two pinned ends: the multiplier must not grow
  change = wide_keep(change, wide_positive(masses));
  if (links.one_sided) {
    change =
        wide_keep(change, wide_positive(MAX_COMPLIANCE_RATIO * masses - link->scaled_compliance));
    const wide sum = link->multiplier + change;
    change = wide_keep(sum, wide_positive(sum)) - link->multiplier;
  }
  link->multiplier += change;
  // a slack coarse link drops the coarser multiplier without a push: another line carries that load
  if (links.one_sided) change = wide_keep(change, wide_positive(length - link->rest));
  const wide scale = links.along_present ? change / (length + TINY_LENGTH)
                                         : change * length / (d->along + TINY_LENGTH_SQ);
  move_ends(a, b, d->e_x, d->e_y, d->e_z, a->inv_mass * scale, b->inv_mass * scale);
}

// Rigid links, share of e: next to the rest length without a root.
SPECIALIZED wide correction_share(const link_offsets* d, const link_lanes* link) {
  const wide rest_sq = link->rest * link->rest;
  const wide excess = d->length_sq - rest_sq;
  const wide excess_sq = excess * excess;
  const wide bound = NEAR_REST * rest_sq;
  const wide least = 2.0f * RESOLUTION * rest_sq;
  const wide inv_along = 1.0f / (d->along + TINY_LENGTH_SQ);
  wide share = 0.5f * excess * inv_along;
  const wide_mask is_small = wide_at_least(bound * bound, excess_sq);
  if (!wide_all(is_small)) {
    const wide length = wide_sqrt(d->length_sq);
    share = wide_select(share, (length - link->rest) * length * inv_along, is_small);
  }
  return link->relaxation * wide_keep(share, wide_positive(excess_sq - least * least));
}

// Links with slack or one side, or along d.
SPECIALIZED wide measured_share(const link_offsets* d, const link_lanes* link,
                                link_features links) {
  const wide length = wide_sqrt(d->length_sq);
  wide error = length - link->rest;
  if (links.one_sided) error = wide_keep(error, wide_positive(error));
  if (links.slack) error = beyond_slack(link, error);
  if (links.along_present) return link->relaxation * error / (length + TINY_LENGTH);
  error = link->relaxation * above_resolution(error, link);
  return error * length / (d->along + TINY_LENGTH_SQ);
}

SPECIALIZED void track(const ends* a, const ends* b, const link_offsets* d, link_lanes* link,
                       wide scale) {
  const wide masses = a->inv_mass + b->inv_mass;
  const wide change =
      scale * d->along / ((wide_sqrt(d->length_sq) + TINY_LENGTH) * (masses + TINY));
  link->multiplier += wide_keep(change, wide_positive(masses));
}

// alike: lanes of move_equal_ends()
SPECIALIZED void solve_rigid(ends* a, ends* b, const link_offsets* d, link_lanes* link,
                             wide_mask alike, link_features links) {
  const bool is_plain = !links.along_present && !links.one_sided && !links.slack;
  const wide scale = is_plain ? correction_share(d, link) : measured_share(d, link, links);
  if (links.tracked) track(a, b, d, link, scale);
  if (wide_all(alike)) {
    move_equal_ends(a, b, d->e_x, d->e_y, d->e_z, scale);
    return;
  }
  const wide sum = a->inv_mass + b->inv_mass + TINY;
  move_ends(a, b, d->e_x, d->e_y, d->e_z, a->inv_mass / sum * scale, b->inv_mass / sum * scale);
}

static inline wide_mask same_mass(const ends* a, const ends* b) {
  return wide_equal(a->inv_mass, b->inv_mass) & wide_positive(a->inv_mass);
}

typedef struct link_starts {
  wide x, y, z;
} link_starts;

SPECIALIZED link_offsets offsets_of(const ends* a, const ends* b, const link_starts* start_a,
                                    const link_starts* start_b, link_features links) {
  link_offsets d = {.x = b->x - a->x, .y = b->y - a->y, .z = b->z - a->z};
  if (links.along_present) return d;
  d.e_x = start_b->x - start_a->x;
  d.e_y = start_b->y - start_a->y;
  d.e_z = start_b->z - start_a->z;
  return d;
}

SPECIALIZED void solve_full_lanes(ends* a, ends* b, const link_starts* start_a,
                                  const link_starts* start_b, const link_cursor* r, size_t lane) {
  link_lanes link = load_link(r, lane);
  link_offsets d = offsets_of(a, b, start_a, start_b, r->links);
  (void)choose_correction(&d, r->links);
  if (r->links.compliant) {
    solve_compliant(a, b, &d, &link, r->links);
  } else {
    solve_rigid(a, b, &d, &link, same_mass(a, b), r->links);
  }
  if (r->links.compliant || r->links.tracked) wide_store(r->multiplier + lane, link.multiplier);
}

// Lanes not in `mask` get d = 0: neither end moves.
SPECIALIZED void solve_masked_lanes(ends* a, ends* b, const link_starts* start_a,
                                    const link_starts* start_b, const link_cursor* r, size_t lane,
                                    uint32_t mask) {
  const wide_mask keep = wide_from_mask(mask);
  link_lanes link = load_link(r, lane);
  link.relaxation = wide_keep(link.relaxation, keep);
  if (!r->links.along_present) link.rest = wide_keep(link.rest, keep);
  link_offsets d = offsets_of(a, b, start_a, start_b, r->links);
  d.x = wide_keep(d.x, keep);
  d.y = wide_keep(d.y, keep);
  d.z = wide_keep(d.z, keep);
  (void)choose_correction(&d, r->links);
  if (r->links.compliant) {
    solve_compliant(a, b, &d, &link, r->links);
  } else {
    solve_rigid(a, b, &d, &link, same_mass(a, b) | (wide_mask)~keep, r->links);
  }
  if (r->links.compliant || r->links.tracked) wide_store(r->multiplier + lane, link.multiplier);
}
