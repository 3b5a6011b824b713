/* Long-range attachments: projection onto the reach of pinned anchors. */

// Projects the particles that are farther from x y z than `reach`. Most are not, and skip the root
// and the division. An infinite reach and a NaN anchor have no effect.
static inline void attachment_window(const weft__particles* p, size_t i, wide x, wide y, wide z,
                                     wide reach) {
  const ends e = load_ends(p, i);
  x = e.x - x;
  y = e.y - y;
  z = e.z - z;
  const wide length_sq = x * x + y * y + z * z;
  const wide_mask beyond = wide_positive(length_sq - reach * reach) & wide_positive(e.inv_mass);
  if (wide_all((wide_mask)~beyond)) return;
  const wide share = 1.0f - reach / wide_sqrt(length_sq);
  wide_store(p->pos_x + i, e.x - wide_keep(share * x, beyond));
  wide_store(p->pos_y + i, e.y - wide_keep(share * y, beyond));
  wide_store(p->pos_z + i, e.z - wide_keep(share * z, beyond));
}

// Scalar remainder.
static inline void attachment_one(const weft__particles* p, size_t i, float x, float y, float z,
                                  float reach) {
  x = p->pos_x[i] - x;
  y = p->pos_y[i] - y;
  z = p->pos_z[i] - z;
  const float length_sq = x * x + y * y + z * z;
  if (!(length_sq - reach * reach > 0.0f && p->inv_mass[i] > 0.0f)) return;
  const float share = 1.0f - reach / sqrtf(length_sq);
  p->pos_x[i] -= share * x;
  p->pos_y[i] -= share * y;
  p->pos_z[i] -= share * z;
}

static inline wide gather(const float* column, const uint32_t* index) {
  float gathered[WIDE_LANES];
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) gathered[lane] = column[index[lane]];
  return wide_load(gathered);
}

static inline void attachment_group(const weft__particles* p, const weft__attachments* t,
                                    uint32_t kind, size_t i, const uint32_t* anchor,
                                    const float* reach) {
  const uint32_t a = anchor[0];
  for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
    const wide far = wide_load(reach + lane);
    if (kind == WEFT__ATTACHMENT_SHARED) {
      attachment_window(p, i + lane, wide_splat(t->anchor_x[a]), wide_splat(t->anchor_y[a]),
                        wide_splat(t->anchor_z[a]), far);
    } else if (kind == WEFT__ATTACHMENT_CONSECUTIVE) {
      attachment_window(p, i + lane, wide_load(t->anchor_x + a + lane),
                        wide_load(t->anchor_y + a + lane), wide_load(t->anchor_z + a + lane), far);
    } else {
      const uint32_t* index = anchor + lane;
      attachment_window(p, i + lane, gather(t->anchor_x, index), gather(t->anchor_y, index),
                        gather(t->anchor_z, index), far);
    }
  }
}

static void attachment_slot(const weft__particles* particles, const weft__attachments* attachments,
                            uint32_t slot, uint32_t patch, uint32_t begin, uint32_t end) {
  const weft__particles p = *particles;
  const weft__attachments t = *attachments;
  const uint32_t* anchor = t.anchor + (size_t)slot * t.particle_count;
  const float* reach = t.reach + (size_t)slot * t.particle_count;
  const uint8_t* kind = t.kind + (size_t)slot * t.group_count + t.patch_first_group[patch];
  size_t i = begin;
  for (; i + WEFT__LANES <= end; i += WEFT__LANES, ++kind) {
    if (*kind != WEFT__ATTACHMENT_NONE) attachment_group(&p, &t, *kind, i, anchor + i, reach + i);
  }
  for (; i < end; ++i) {
    const uint32_t a = anchor[i];
    attachment_one(&p, i, t.anchor_x[a], t.anchor_y[a], t.anchor_z[a], reach[i]);
  }
}

static void attachment(const weft__particles* particles, const weft__attachments* attachments,
                       uint32_t patch, uint32_t begin, uint32_t end) {
  for (uint32_t slot = attachments->slot_count; slot-- > 0;) {
    attachment_slot(particles, attachments, slot, patch, begin, end);
  }
}
