/* Link solve, WIDE_LANES lanes at a time.
 *
 * A link between particles i and j of inverse masses wi and wj, at d = xj - xi, is moved by the
 * share `relaxation` towards its rest length (Mueller et al. 2007, section 3.3):
 *
 *     s = relaxation (|d| - rest) / |d|,   xi += wi / (wi + wj) s d,   xj -= wj / (wi + wj) s d
 *
 * Most links join particles of equal mass: both quotients are exactly a half. If that holds for a
 * whole vector, the two ends share their products, which halves the multiplications, the busiest
 * unit of this loop. Halving is exact, so both branches give the same bits for such a link, and
 * vectors of any width may decide on their own.
 *
 * A compliant link, a metres per newton, also has a Lagrange multiplier u, its impulse in this
 * substep of h seconds times h (Macklin, Mueller, Chentanez 2016, "XPBD", section 4):
 *
 *     du = relaxation (|d| - rest - (a / h^2) u) / (wi + wj + a / h^2),   xi += wi du d / |d|, ..
 *
 * A link that acts one way only, or outside of a range, has slack: it may be shorter or longer than
 * its rest length by that much. The error e counts only beyond the slack. With a compliance, its
 * multiplier may push where the link is too short and pull where it is too long, and must else be
 * 0. With E = |d| - rest + (wi + wj) u, the error before its own pull, that is solved by
 *     u' = (E beyond the slack) / (wi + wj + a / h^2),   du = relaxation (u' - u)
 *
 * TINY prevents 0 / 0 for two pinned ends, TINY_LENGTH for coincident ones: the quotient is then
 * finite for all lengths and masses, and multiplied by 0. Larger values keep their bits. */
#define TINY 1e-30f
#define TINY_LENGTH 1e-16f

// A one-sided link, which belongs to a coarse level, is skipped if its scaled compliance exceeds
// this multiple of its inverse masses. A stretch then travels little further than one such link in
// a substep: sweeps of the finer levels carry it, and the correction handed down would balance its
// force only roughly. Without this limit soft cloth in small substeps never comes to rest.
#define MAX_COMPLIANCE_RATIO 2.0f

// always inlined: specialized for each set of constant arguments
#define SPECIALIZED __attribute__((always_inline)) static inline

// End particles of WIDE_LANES links.
typedef struct ends {
  wide x, y, z, inv_mass;
} ends;

// Parameters of WIDE_LANES links.
typedef struct link_lanes {
  wide rest, relaxation;
  // compliant links
  wide scaled_compliance;  // compliance / step^2: added to the inverse masses
  wide multiplier;
  // links with slack
  wide below, above;
} link_lanes;

// Compile-time features of the links of a run.
typedef struct link_features {
  bool one_sided; /* resist stretch only */
  bool compliant;
  bool slack;
  bool tracked; /* multipliers of rigid links are kept as well, for reading alone */
} link_features;

// Cursor over the parameter columns of a run's lane groups.
typedef struct link_cursor {
  const float* rest;
  const float* relaxation;
  const float* compliance;
  float* multiplier;
  const float* below;
  const float* above;
  float rate_squared; /* 1 / step^2 */
  link_features links;
} link_cursor;

SPECIALIZED link_cursor link_cursor_at(const weft__schedule* schedule, const weft__run* run,
                                       link_features links) {
  link_cursor r = {.rest = schedule->rest_length + run->rest,
                   .relaxation = schedule->relaxation + run->relaxation,
                   .links = links};
  if (links.compliant) {
    r.compliance = schedule->compliance + run->compliance;
    r.rate_squared = schedule->rate_squared;
  }
  if (links.compliant || links.tracked) {
    r.multiplier = schedule->multiplier + (size_t)run->first_group * WEFT__LANES;
  }
  if (links.slack) {
    r.below = schedule->slack_below + run->slack_below;
    r.above = schedule->slack_above + run->slack_above;
  }
  return r;
}

// Advances by `groups` lane groups.
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

// Error beyond the slack. The difference of two infinities is NaN; wide_max and wide_min with 0
// turn it into 0.
static inline wide beyond_slack(const link_lanes* link, wide error) {
  const wide none = wide_splat(0.0f);
  return wide_max(error - link->above, none) + wide_min(error + link->below, none);
}

static inline void move_ends(ends* a, ends* b, wide x, wide y, wide z, wide scale_a, wide scale_b) {
  a->x += scale_a * x;
  a->y += scale_a * y;
  a->z += scale_a * z;
  b->x -= scale_b * x;
  b->y -= scale_b * y;
  b->z -= scale_b * z;
}

// Corrections in lanes whose ends have equal mass, not 0, or that hold no link.
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

SPECIALIZED void solve_compliant(ends* a, ends* b, wide x, wide y, wide z, link_lanes* link,
                                 link_features links) {
  const wide length = wide_sqrt(x * x + y * y + z * z);
  const wide masses = a->inv_mass + b->inv_mass;
  const wide divisor = masses + link->scaled_compliance + TINY;
  wide change;
  if (links.slack) {
    const wide error = length - link->rest + masses * link->multiplier;
    change = link->relaxation * (beyond_slack(link, error) / divisor - link->multiplier);
  } else {
    const wide error = length - link->rest - link->scaled_compliance * link->multiplier;
    change = link->relaxation * error / divisor;
  }
  // between two pinned ends nothing moves, however large the multiplier would grow
  change = wide_keep(change, wide_positive(masses));
  if (links.one_sided) {
    change =
        wide_keep(change, wide_positive(MAX_COMPLIANCE_RATIO * masses - link->scaled_compliance));
    const wide sum = link->multiplier + change;
    change = wide_keep(sum, wide_positive(sum)) - link->multiplier;
  }
  link->multiplier += change;
  // a slack coarse link drops the multiplier of the coarser level without a push: the cloth bends
  // there, and carries that load along another line
  if (links.one_sided) change = wide_keep(change, wide_positive(length - link->rest));
  const wide scale = change / (length + TINY_LENGTH);
  move_ends(a, b, x, y, z, a->inv_mass * scale, b->inv_mass * scale);
}

// Solves WIDE_LANES links; x y z: from first to second ends. `alike`: lanes whose ends have the
// same inverse mass, not 0, or that hold no link.
SPECIALIZED void solve_rigid(ends* a, ends* b, wide x, wide y, wide z, link_lanes* link,
                             wide_mask alike, link_features links) {
  const wide length = wide_sqrt(x * x + y * y + z * z);
  wide error = length - link->rest;
  if (links.one_sided) error = wide_keep(error, wide_positive(error));
  if (links.slack) error = beyond_slack(link, error);
  if (links.tracked) {
    const wide masses = a->inv_mass + b->inv_mass;
    const wide change = link->relaxation * error / (masses + TINY);
    link->multiplier += wide_keep(change, wide_positive(masses));
  }
  const wide scale = link->relaxation * error / (length + TINY_LENGTH);
  if (wide_all(alike)) {
    move_equal_ends(a, b, x, y, z, scale);
    return;
  }
  const wide sum = a->inv_mass + b->inv_mass + TINY;
  move_ends(a, b, x, y, z, a->inv_mass / sum * scale, b->inv_mass / sum * scale);
}

static inline wide_mask same_mass(const ends* a, const ends* b) {
  return wide_equal(a->inv_mass, b->inv_mass) & wide_positive(a->inv_mass);
}

SPECIALIZED void solve_full_lanes(ends* a, ends* b, const link_cursor* r, size_t lane) {
  link_lanes link = load_link(r, lane);
  const wide x = b->x - a->x;
  const wide y = b->y - a->y;
  const wide z = b->z - a->z;
  if (r->links.compliant) {
    solve_compliant(a, b, x, y, z, &link, r->links);
  } else {
    solve_rigid(a, b, x, y, z, &link, same_mass(a, b), r->links);
  }
  if (r->links.compliant || r->links.tracked) wide_store(r->multiplier + lane, link.multiplier);
}

// Solves the lanes whose bit is set in `mask`. Empty lanes get d = 0, so that neither end moves,
// wherever their particles are.
SPECIALIZED void solve_masked_lanes(ends* a, ends* b, const link_cursor* r, size_t lane,
                                    uint32_t mask) {
  const wide_mask keep = wide_from_mask(mask);
  link_lanes link = load_link(r, lane);
  link.relaxation = wide_keep(link.relaxation, keep);
  const wide x = wide_keep(b->x - a->x, keep);
  const wide y = wide_keep(b->y - a->y, keep);
  const wide z = wide_keep(b->z - a->z, keep);
  if (r->links.compliant) {
    solve_compliant(a, b, x, y, z, &link, r->links);
  } else {
    solve_rigid(a, b, x, y, z, &link, same_mass(a, b) | (wide_mask)~keep, r->links);
  }
  if (r->links.compliant || r->links.tracked) wide_store(r->multiplier + lane, link.multiplier);
}
