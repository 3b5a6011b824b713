
// Particles farther from x y z than `reach` move along their direction e at the start of the
// substep, as in links.inl, onto |d - k e| = reach; beyond twice the reach along d, as squares
// round too much there. Most are within, and skip roots and divisions. Infinite reaches and NaN
// anchors have no effect.
static inline void attachment_window(weft__particles* p, size_t i, size_t lanes, wide x, wide y,
                                     wide z, wide reach) {
  const wide here[3] = {wide_load_first(p->pos_x + i, lanes), wide_load_first(p->pos_y + i, lanes),
                        wide_load_first(p->pos_z + i, lanes)};
  link_offsets d = {.x = here[0] - x, .y = here[1] - y, .z = here[2] - z};
  const wide length_sq = dot(d.x, d.y, d.z, d.x, d.y, d.z);
  const wide_mask beyond = wide_positive(length_sq - reach * reach) &
                           wide_positive(wide_load_first(p->inv_mass + i, lanes));
  if (wide_all((wide_mask)~beyond)) return;
  d.e_x = wide_load_first(p->prev_x + i, lanes) - x;
  d.e_y = wide_load_first(p->prev_y + i, lanes) - y;
  d.e_z = wide_load_first(p->prev_z + i, lanes) - z;
  const wide_mask is_near = choose_correction(&d, (link_features){0});
  const wide excess = length_sq - reach * reach;
  const wide root_sq = d.along * d.along - dot(d.e_x, d.e_y, d.e_z, d.e_x, d.e_y, d.e_z) * excess;
  const wide_mask is_met =
      is_near & wide_positive(root_sq) & wide_positive(4.0f * reach * reach - length_sq);
  const wide along_start = excess / (d.along + wide_sqrt(wide_keep(root_sq, is_met)));
  const wide share = wide_select(along_start, 1.0f - reach / wide_sqrt(length_sq), is_met);
  keep_start(&d, is_met);
  wide_store_first(p->pos_x + i, here[0] - wide_keep(share * d.e_x, beyond), lanes);
  wide_store_first(p->pos_y + i, here[1] - wide_keep(share * d.e_y, beyond), lanes);
  wide_store_first(p->pos_z + i, here[2] - wide_keep(share * d.e_z, beyond), lanes);
}

static inline wide gather(const float* column, const uint32_t* index, size_t lanes) {
  float gathered[WIDE_LANES] = {0};
  for (size_t lane = 0; lane < lanes; ++lane) gathered[lane] = column[index[lane]];
  return wide_load(gathered);
}

static inline void attachment_gathered(weft__particles* p, const weft__attachments* t, size_t i,
                                       size_t lanes, const uint32_t* anchor, wide reach) {
  attachment_window(p, i, lanes, gather(t->anchor_x, anchor, lanes),
                    gather(t->anchor_y, anchor, lanes), gather(t->anchor_z, anchor, lanes), reach);
}

static inline void attachment_group(weft__particles* p, const weft__attachments* t, uint32_t kind,
                                    size_t i, const uint32_t* anchor, const float* reach) {
  const uint32_t a = anchor[0];
  for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
    const wide far = wide_load(reach + lane);
    if (kind == WEFT__ATTACHMENT_SHARED) {
      attachment_window(p, i + lane, WIDE_LANES, wide_splat(t->anchor_x[a]),
                        wide_splat(t->anchor_y[a]), wide_splat(t->anchor_z[a]), far);
    } else if (kind == WEFT__ATTACHMENT_CONSECUTIVE) {
      attachment_window(p, i + lane, WIDE_LANES, wide_load(t->anchor_x + a + lane),
                        wide_load(t->anchor_y + a + lane), wide_load(t->anchor_z + a + lane), far);
    } else {
      attachment_gathered(p, t, i + lane, WIDE_LANES, anchor + lane, far);
    }
  }
}

static void attachment_slot(weft__particles* particles, const weft__attachments* attachments,
                            uint32_t slot, uint32_t patch, uint32_t begin, uint32_t end) {
  weft__particles p = *particles;
  const weft__attachments t = *attachments;
  const uint32_t* anchor = t.anchor + (size_t)slot * t.particle_count;
  const float* reach = t.reach + (size_t)slot * t.particle_count;
  const uint8_t* kind = t.kind + (size_t)slot * t.group_count + t.patch_first_group[patch];
  size_t i = begin;
  for (; i + WEFT__LANES <= end; i += WEFT__LANES, ++kind) {
    if (*kind != WEFT__ATTACHMENT_NONE) attachment_group(&p, &t, *kind, i, anchor + i, reach + i);
  }
  for (; i < end; i += WIDE_LANES) {
    const size_t lanes = end - i < WIDE_LANES ? end - i : WIDE_LANES;
    attachment_gathered(&p, &t, i, lanes, anchor + i, wide_load_first(reach + i, lanes));
  }
}

static void solve_attachments(weft__particles* particles, const weft__attachments* attachments,
                              uint32_t patch, uint32_t begin, uint32_t end) {
  for (uint32_t slot = attachments->slot_count; slot-- > 0;) {
    attachment_slot(particles, attachments, slot, patch, begin, end);
  }
}
