
static line_vector edge_jump(const weft__particles* p, const weft__bend_edges* edges,
                             uint32_t lane) {
  const float* column[3] = {p->pos_x, p->pos_y, p->pos_z};
  line_vector j;
  EACH_AXIS {
    const wide origin = gather_lanes(column[a], edges->particle[0] + lane);
    wide sum = wide_splat(0.0f);
#pragma GCC unroll 3
    for (int k = 1; k < 4; ++k) {
      const wide at = gather_lanes(column[a], edges->particle[k] + lane);
      sum += wide_load(edges->coefficient[k] + lane) * (at - origin);
    }
    j.axis[a] = sum;
  }
  return j;
}

static wide jump_squared(line_vector j) {
  return j.axis[0] * j.axis[0] + j.axis[1] * j.axis[1] + j.axis[2] * j.axis[2];
}

static void measure_edge_lanes(const weft__particles* p, const weft__bend_edges* edges,
                               const float* rest_jump, float* const jump[3], uint32_t lane) {
  const line_vector j = edge_jump(p, edges, lane);
  const wide squared = jump_squared(j);
  const wide rest = wide_load(rest_jump + lane);
  // force by a fold's curvature over force by its jump
  const wide turn = wide_load(edges->turn + lane) * squared;
  const wide larger = 1.0f / (1.0f - wide_min(turn, wide_load(edges->max_turn + lane)));
  const wide strain = larger - larger * (rest / wide_max(wide_sqrt(squared), wide_splat(TINY)));
  EACH_AXIS wide_store(jump[a] + lane, strain * j.axis[a]);
}

static void measure_bend_edges(const weft__particles* particles, const weft__mesh_bends* bends,
                               uint32_t begin, uint32_t end) {
  for (uint32_t g = begin; g < end; ++g) {
    const size_t first = (size_t)g * WEFT__LANES;
    float* const jump[3] = {bends->jump[0] + first, bends->jump[1] + first, bends->jump[2] + first};
    const float* rest = weft__rest_jumps(bends, g);
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      measure_edge_lanes(particles, &bends->edges[g], rest, jump, lane);
    }
  }
}

static void crease_bend_edges(const weft__particles* particles, const weft__mesh_bends* bends,
                              uint32_t begin, uint32_t end) {
  for (uint32_t g = begin; g < end; ++g) {
    float* rest = bends->rest_jump + (size_t)g * WEFT__LANES;
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      const wide length = wide_sqrt(jump_squared(edge_jump(particles, &bends->edges[g], lane)));
      const wide yield = wide_load(bends->creases[g].yield + lane);
      const wide limit = wide_load(bends->creases[g].max_rest_jump + lane);
      const wide former = wide_load(rest + lane);
      wide_store(rest + lane, flowed_rest(former, length, yield, limit));
    }
  }
}

static void bend_forces(const weft__bend_triangles* t, const float* jump,
                        float force[6][WEFT__LANES], uint32_t lane) {
  wide moment[3];
  wide bend[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) bend[i] = gather_lanes(jump, t->edge[i] + lane);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    moment[i] = wide_load(t->moment[i][0] + lane) * bend[0] +
                wide_load(t->moment[i][1] + lane) * bend[1] +
                wide_load(t->moment[i][2] + lane) * bend[2];
    wide_store(force[i] + lane, wide_load(t->sign[i] + lane) * moment[i]);
  }
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const wide sum = wide_load(t->gradient[0][k] + lane) * moment[0] +
                     wide_load(t->gradient[1][k] + lane) * moment[1] +
                     wide_load(t->gradient[2][k] + lane) * moment[2];
    wide_store(force[3 + k] + lane, -sum);
  }
}

static void load_leaf_forces(const weft__mesh_bends* bends, const weft__bend_node* node) {
  const weft__bend_triangles* t = &bends->triangles[node->leaf];
  float force[6][WEFT__LANES];
  for (int axis = 0; axis < 3; ++axis) {
    float* local = bends->local[axis] + node->first_local;
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      bend_forces(t, bends->jump[axis], force, lane);
    }
    for (int k = 0; k < 3; ++k) {
      for (uint32_t lane = 0; lane < node->element_count; ++lane) {
        local[t->slope[k][lane]] += force[k][lane];
        local[t->corner[k][lane]] += force[3 + k][lane];
      }
    }
  }
}

SPECIALIZED line_vector add_tile_columns(line_vector sum, const float* tile, float* const x[3],
                                         uint32_t count, bool is_negative) {
  for (uint32_t k = 0; k < count; ++k, tile += WEFT__LANES) {
    const wide column = wide_load(tile);
    EACH_AXIS {
      const wide product = column * x[a][k];
      sum.axis[a] = is_negative ? sum.axis[a] - product : sum.axis[a] + product;
    }
  }
  return sum;
}

static void clear_locals(const weft__mesh_bends* bends, const weft__bend_node* node,
                         uint32_t count) {
  EACH_AXIS memset(bends->local[a] + node->first_local, 0, count * sizeof(float));
}

static void add_child_forces(const weft__mesh_bends* bends, const weft__bend_node* node,
                             const weft__bend_node* child) {
  const uint32_t* row_of_parent = bends->row_of_parent + child->first_row;
  for (int axis = 0; axis < 3; ++axis) {
    float* to = bends->local[axis] + node->first_local;
    const float* from =
        bends->local[axis] + child->first_local + weft__whole_tiles(child->pivot_count);
    for (uint32_t k = 0; k < child->row_count; ++k) to[row_of_parent[k]] += from[k];
  }
}

// f_rows -= G f_pivots
static void eliminate_bend_node(const weft__mesh_bends* bends, const weft__bend_node* node) {
  const uint32_t pivots = weft__whole_tiles(node->pivot_count);
  const uint32_t rows = weft__whole_tiles(node->row_count);
  const bool is_leaf = node->leaf != WEFT__NONE;
  clear_locals(bends, node, is_leaf ? 2 * pivots + rows + WEFT__LANES : pivots + rows);
  if (is_leaf) load_leaf_forces(bends, node);
  for (int side = 0; side < 2 && node->child[side] != WEFT__NONE; ++side) {
    add_child_forces(bends, node, &bends->nodes[node->child[side]]);
  }
  float* force[3];
  EACH_AXIS force[a] = bends->local[a] + node->first_local;
  for (uint32_t r = 0; r < rows; r += WIDE_LANES) {
    const size_t tile = (size_t)(r / WEFT__LANES) * node->pivot_count * WEFT__LANES;
    const float* factors = bends->forward + node->first_forward + tile + r % WEFT__LANES;
    line_vector sum;
    EACH_AXIS sum.axis[a] = wide_load(force[a] + pivots + r);
    sum = add_tile_columns(sum, factors, force, node->pivot_count, true);
    EACH_AXIS wide_store(force[a] + pivots + r, sum.axis[a]);
  }
}

static void load_parent_solution(const weft__mesh_bends* bends, const weft__bend_node* node,
                                 uint32_t pivots) {
  if (node->parent == WEFT__NONE) return;
  const weft__bend_node* parent = &bends->nodes[node->parent];
  const uint32_t* row_of_parent = bends->row_of_parent + node->first_row;
  for (int axis = 0; axis < 3; ++axis) {
    float* to = bends->local[axis] + node->first_local + pivots;
    const float* from = bends->local[axis] + parent->first_local;
    for (uint32_t k = 0; k < node->row_count; ++k) to[k] = from[row_of_parent[k]];
  }
}

static void move_vertices(weft__particles* particles, const weft__mesh_bends* bends,
                          const weft__bend_node* node) {
  float* column[3] = {particles->pos_x, particles->pos_y, particles->pos_z};
  const uint32_t* unknown = bends->pivot_unknown + node->first_pivot;
  for (uint32_t k = 0; k < node->pivot_count; ++k) {
    if (unknown[k] >= bends->vertex_count) continue;
    const uint32_t particle = bends->particle[unknown[k]];
    EACH_AXIS column[a][particle] += bends->local[a][node->first_local + k];
  }
}

// x = S^-1 f - G^T x_rows
static void substitute_bend_node(weft__particles* particles, const weft__mesh_bends* bends,
                                 const weft__bend_node* node) {
  const uint32_t count = node->pivot_count, pivots = weft__whole_tiles(count);
  const uint32_t solution = pivots + weft__whole_tiles(node->row_count);
  load_parent_solution(bends, node, pivots);
  float* force[3];
  float* rows[3];
  EACH_AXIS {
    force[a] = bends->local[a] + node->first_local;
    rows[a] = force[a] + pivots;
  }
  const size_t columns = (size_t)count + node->row_count;
  for (uint32_t k = 0; k < pivots; k += WIDE_LANES) {
    const float* factors = bends->backward + node->first_backward +
                           k / WEFT__LANES * columns * WEFT__LANES + k % WEFT__LANES;
    line_vector sum = no_multiplier();
    sum = add_tile_columns(sum, factors, force, count, false);
    sum =
        add_tile_columns(sum, factors + (size_t)count * WEFT__LANES, rows, node->row_count, false);
    EACH_AXIS wide_store(force[a] + solution + k, sum.axis[a]);
  }
  EACH_AXIS memcpy(force[a], force[a] + solution, pivots * sizeof(float));
  move_vertices(particles, bends, node);
}

static const weft__plate_kernels plates_kernels = {.measure_edges = measure_bend_edges,
                                                   .crease_edges = crease_bend_edges,
                                                   .eliminate = eliminate_bend_node,
                                                   .substitute = substitute_bend_node};
