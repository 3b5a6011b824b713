/* Forces of gas and air on the vector areas of particles: tables/stars.h, forces/wind.h. */

SPECIALIZED wide_vector star_corners(const weft__particles* p, const uint32_t* corner,
                                     bool is_run) {
  float* const column[3] = {p->pos_x, p->pos_y, p->pos_z};
  if (is_run) return wide_load_vector(column, corner[0]);
  return (wide_vector){gather(p->pos_x, corner, WIDE_LANES), gather(p->pos_y, corner, WIDE_LANES),
                       gather(p->pos_z, corner, WIDE_LANES)};
}

SPECIALIZED wide_vector vector_area(const weft__particles* p, const weft__stars* stars,
                                    uint32_t group, uint32_t lane, wide_vector here) {
  wide_vector sum = {wide_splat(0.0f), wide_splat(0.0f), wide_splat(0.0f)};
  for (uint32_t row = stars->first_row[group]; row < stars->first_row[group + 1]; ++row) {
    const bool next_run = (stars->runs[row] & WEFT__STAR_NEXT_RUN) != 0;
    const bool last_run = (stars->runs[row] & WEFT__STAR_LAST_RUN) != 0;
    const wide_vector next = wide_minus(star_corners(p, stars->next[row] + lane, next_run), here);
    const wide_vector last = wide_minus(star_corners(p, stars->last[row] + lane, last_run), here);
    const wide_vector face = wide_cross(next, last);
    const uint32_t present = stars->present[row];
    sum = wide_plus(sum,
                    present == 0xffffu ? face : wide_kept(face, wide_from_mask(present >> lane)));
  }
  return wide_scaled(wide_splat(1.0f / 6.0f), sum);
}

// As weft__particles_velocity().
SPECIALIZED wide velocity_along(const weft__particles* p, int axis, size_t i, size_t lanes,
                                float rate) {
  if (p->velocity_block != NULL)
    return wide_load_first(p->vel[axis] + i, lanes) + wide_load_first(p->vel_lag[axis] + i, lanes);
  const wide here = wide_load_first(p->pos[axis] + i, lanes);
  const wide before = wide_load_first(p->prev[axis] + i, lanes);
  const wide moved = here - before + wide_load_first(p->carried[axis] + i, lanes);
  return wide_keep(moved, (wide_mask)~wide_equal(here, before)) * rate;
}

SPECIALIZED wide_vector drag_on(wide_vector area, wide_vector velocity, wide inv_mass,
                                const weft__surface_load* load, uint32_t lane) {
  const wide_vector air = {wide_load(load->air[0] + lane), wide_load(load->air[1] + lane),
                           wide_load(load->air[2] + lane)};
  const wide size = wide_sqrt(wide_square(area));
  const wide_mask acts = wide_positive(size) & wide_positive(inv_mass);
  const wide over_size = 1.0f / wide_max(size, wide_splat(TINY));
  const wide speed = wide_dot(wide_minus(air, velocity), area) * over_size;
  const wide drag = wide_load(load->half_density + lane) * size *
                    (wide_max(speed, -speed) + wide_load(load->unsteady_speed + lane));
  const wide limit = load->step_rate / wide_max(inv_mass, wide_splat(TINY));
  const wide force = wide_min(drag, limit) * speed * over_size;
  return wide_kept(wide_scaled(force, area), acts);
}

SPECIALIZED void drag_lanes(weft__particles* p, const weft__stars* stars, uint32_t group,
                            uint32_t lane, size_t lanes, const weft__surface_load* load) {
  const size_t i = (size_t)group * WEFT__LANES + lane;
  wide_vector here = {wide_load_first(p->pos_x + i, lanes), wide_load_first(p->pos_y + i, lanes),
                      wide_load_first(p->pos_z + i, lanes)};
  const wide_vector area = vector_area(p, stars, group, lane, here);
  const wide_vector velocity = {velocity_along(p, 0, i, lanes, load->velocity_rate),
                                velocity_along(p, 1, i, lanes, load->velocity_rate),
                                velocity_along(p, 2, i, lanes, load->velocity_rate)};
  const wide inv_mass = wide_load_first(p->inv_mass + i, lanes);
  const wide_vector push = drag_on(area, velocity, inv_mass, load, lane);
  const wide along[3] = {push.x, push.y, push.z};
  for (int axis = 0; axis < 3; ++axis) {
    float* force = p->force[axis] + i;
    wide_store_first(force, wide_load_first(force, lanes) + along[axis], lanes);
  }
}

static void load_air(weft__particles* particles, const weft__stars* stars, uint32_t group,
                     const weft__surface_load* load) {
  const uint32_t left = particles->count - group * WEFT__LANES;
  for (uint32_t lane = 0; lane < WEFT__LANES && lane < left; lane += WIDE_LANES) {
    if (left - lane >= WIDE_LANES) {
      drag_lanes(particles, stars, group, lane, WIDE_LANES, load);
    } else {
      drag_lanes(particles, stars, group, lane, left - lane, load);
    }
  }
}

SPECIALIZED void gas_lanes(weft__particles* p, const weft__stars* stars, uint32_t group,
                           uint32_t lane, size_t lanes, const weft__gas_load* load) {
  const size_t i = (size_t)group * WEFT__LANES + lane;
  wide_vector here = {wide_load_first(p->pos_x + i, lanes), wide_load_first(p->pos_y + i, lanes),
                      wide_load_first(p->pos_z + i, lanes)};
  const wide_vector push =
      wide_scaled(wide_load(load->gauge + lane), vector_area(p, stars, group, lane, here));
  const wide along[3] = {push.x, push.y, push.z};
  for (int axis = 0; axis < 3; ++axis) {
    float* force = p->force[axis] + i;
    float* last = load->force[axis] + i;
    const wide change = along[axis] - wide_load_first(last, lanes);
    wide_store_first(force, wide_load_first(force, lanes) + change, lanes);
    wide_store_first(last, along[axis], lanes);
  }
}

static void load_gas(weft__particles* particles, const weft__stars* stars, uint32_t group,
                     const weft__gas_load* load) {
  const uint32_t left = particles->count - group * WEFT__LANES;
  for (uint32_t lane = 0; lane < WEFT__LANES && lane < left; lane += WIDE_LANES) {
    if (left - lane >= WIDE_LANES) {
      gas_lanes(particles, stars, group, lane, WIDE_LANES, load);
    } else {
      gas_lanes(particles, stars, group, lane, left - lane, load);
    }
  }
}
