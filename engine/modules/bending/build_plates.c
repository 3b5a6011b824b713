#include "modules/bending/plates.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "modules/bending/dissection.h"
#include "modules/bending/find_plates.h"

typedef struct builder {
  weft__mesh_bends* out;
  const weft__schedule* schedule;
  const weft_scene* scene;
  const weft__hinges* hinges;
  bool* is_taken;
  weft__bend_elements found;
  uint32_t* vertex_of;
  uint32_t* edge_of;  // number of a hinge
  weft__dissection_element* elements;
  weft__dissection dissection;
} builder;

static void number_vertex(const builder* b, uint32_t particle) {
  if (b->vertex_of[particle] != WEFT__NONE) return;
  b->vertex_of[particle] = b->out->vertex_count++;
}

static void number_hinge(const builder* b, uint32_t hinge) {
  if (hinge == WEFT__NONE || b->edge_of[hinge] != WEFT__NONE) return;
  b->edge_of[hinge] = b->out->hinge_count++;
  b->is_taken[hinge] = true;
}

static bool list_elements(builder* b) {
  const uint32_t vertices = b->out->vertex_count;
  b->elements = weft__alloc_zeroed(b->found.plate_count, sizeof(*b->elements));
  if (b->elements == NULL) return false;
  for (uint32_t i = 0; i < b->found.plate_count; ++i) {
    weft__dissection_element* element = &b->elements[i];
    const weft__plate* plate = &b->found.plates[i];
    for (int k = 0; k < 3; ++k) {
      const uint32_t h = plate->hinge[k];
      const float* position = b->scene->positions + (size_t)3 * plate->corner[k];
      element->unknown[k] = b->vertex_of[plate->corner[k]];
      element->unknown[3 + k] = h == WEFT__NONE ? WEFT__NONE : vertices + b->edge_of[h];
      for (int axis = 0; axis < 3; ++axis) element->center[axis] += position[axis];
    }
  }
  return true;
}

static bool number_unknowns(builder* b) {
  weft__mesh_bends* out = b->out;
  memset(b->vertex_of, 0xff, b->scene->particle_count * sizeof(*b->vertex_of));
  memset(b->edge_of, 0xff, b->hinges->count * sizeof(*b->edge_of));
  for (uint32_t i = 0; i < b->found.plate_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      number_vertex(b, b->found.plates[i].corner[k]);
      number_hinge(b, b->found.plates[i].hinge[k]);
    }
  }
  out->unknown_count = out->vertex_count + out->hinge_count;
  out->edge_group_count = weft__whole_tiles(out->hinge_count + 1) / WEFT__LANES;
  for (uint32_t h = 0; h < b->hinges->count; ++h) {
    const bool yields = b->edge_of[h] != WEFT__NONE && b->hinges->yield[h] > 0.0f;
    if (yields) out->crease_group_count = out->edge_group_count;
  }
  return list_elements(b);
}

static uint32_t root_of_plate(const builder* b, uint32_t plate) {
  return b->found.mesh_of[b->found.plates[plate].corner[0]];
}

// Meshes are numbered with their vertices and plates.
static bool dissect(builder* b) {
  weft__mesh_bends* out = b->out;
  b->dissection = (weft__dissection){.elements = b->elements,
                                     .element_count = b->found.plate_count,
                                     .leaf_elements = WEFT__LANES,
                                     .unknown_count = out->unknown_count};
  if (!weft__dissection_begin(&b->dissection)) return false;
  for (uint32_t begin = 0, end = 0; begin < b->dissection.element_count; begin = end) {
    const uint32_t root = root_of_plate(b, begin);
    end = begin + 1;
    while (end < b->dissection.element_count && root_of_plate(b, end) == root) ++end;
    if (!weft__dissection_add(&b->dissection, begin, end)) return false;
    ++out->mesh_count;
  }
  return true;
}

// Newton metres: inverses are finite in single precision.
#define MIN_BEND_STIFFNESS 1e-20
#define MAX_BEND_STIFFNESS 1e12

static weft__bend_plate make_plate(const builder* b, const weft__plate* p) {
  weft__bend_plate out = {0};
  const double area = weft__plate_area(p);
  const double stiffness =
      fmin(fmax((double)p->bend_stiffness, MIN_BEND_STIFFNESS), MAX_BEND_STIFFNESS);
  for (int i = 0; i < 3; ++i) {
    out.edge[i] = p->hinge[i] == WEFT__NONE ? WEFT__NONE : b->edge_of[p->hinge[i]];
    out.corner[i] = b->vertex_of[p->corner[i]];
    out.sign[i] = p->hinge[i] == WEFT__NONE ? 0.0f : p->sign[i];
    for (int j = 0; j < 3; ++j) {
      // normals of two edges turn by pi less the angle between them
      const double cosine = i == j ? -1.0 : weft__plate_cosine(p, 3 - i - j);
      out.stiffness[i][j] = stiffness * p->length[i] * p->length[j] * cosine * cosine / area;
      out.gradient[i][j] = cosine * p->length[j] / (2.0 * area);
    }
  }
  for (int i = 0; i < 3; ++i) {
    if (p->hinge[i] == WEFT__NONE) weft__bend_plate_free(out.stiffness, i);
  }
  return out;
}

static void list_plates(const weft__mesh_bends* out) {
  for (uint32_t i = 0; i < out->plate_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (out->plates[i].edge[k] == WEFT__NONE) continue;
      out->plates_of[2 * out->plates[i].edge[k] + (out->plates[i].sign[k] > 0.0f ? 0 : 1)] = i;
    }
  }
}

static void fill_hinge(const builder* b, uint32_t h) {
  weft__hinge* hinge = &b->out->hinges[b->edge_of[h]];
  *hinge = weft__hinges_get(b->hinges, h);
  for (int k = 0; k < 4; ++k) hinge->particle[k] = b->schedule->solver_of[hinge->particle[k]];
}

static void fill_edge(const builder* b, uint32_t edge) {
  weft__mesh_bends* out = b->out;
  const uint32_t lane = edge % WEFT__LANES;
  weft__bend_edges* group = &out->edges[edge / WEFT__LANES];
  const weft__hinge* hinge = &out->hinges[edge];
  const float* side = hinge->side;
  float c[4] = {0.0f, 0.0f, 0.0f, 0.0f}, largest = 0.0f;
  for (int which = 0; which < 2; ++which) {
    const weft__plate p = {
        .length = {(double)side[2 + 2 * which], (double)side[1 + 2 * which], (double)side[0]}};
    const double scale = 1.0 / (2.0 * weft__plate_area(&p));
    c[0] += (float)(weft__plate_cosine(&p, 1) * p.length[0] * scale);
    c[1] += (float)(weft__plate_cosine(&p, 0) * p.length[1] * scale);
    c[2 + which] = (float)(-p.length[2] * scale);
  }
  for (int k = 0; k < 4; ++k) largest = fmaxf(largest, fabsf(c[k]));
  group->rest_jump[lane] = hinge->rest_length * largest;
  if (out->crease_group_count > 0) {
    weft__bend_creases* creases = &out->creases[edge / WEFT__LANES];
    out->rest_jump[edge] = group->rest_jump[lane];
    creases->yield[lane] = hinge->yield > 0.0f ? hinge->yield * largest : INFINITY;
    creases->max_rest_jump[lane] = hinge->max_rest_length * largest;
  }
  // rounded coefficients shall sum to 0
  c[0] = -(c[1] + c[2] + c[3]);
  for (int k = 0; k < 4; ++k) {
    group->particle[k][lane] = hinge->particle[k];
    group->coefficient[k][lane] = c[k];
  }
}

static uint32_t trash_of(const weft__bend_node* node) {
  return 2 * weft__whole_tiles(node->pivot_count) + weft__whole_tiles(node->row_count);
}

static void fill_leaf(const builder* b, const weft__bend_node* node) {
  const weft__mesh_bends* out = b->out;
  weft__bend_triangles* t = &out->triangles[node->leaf];
  const uint32_t trash = trash_of(node);
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    for (int i = 0; i < 3; ++i) {
      t->edge[i][lane] = out->hinge_count;
      t->corner[i][lane] = t->slope[i][lane] = (uint16_t)trash;
    }
    if (lane >= node->element_count) continue;
    weft__bend_plate* p = &out->plates[node->first_element + lane];
    p->leaf = node->leaf;
    p->lane = lane;
    const uint32_t element = b->dissection.order[node->first_element + lane];
    for (int i = 0; i < 3; ++i) {
      const uint32_t* unknown = b->elements[element].unknown;
      t->corner[i][lane] = (uint16_t)out->local_of[unknown[i]];
      for (int k = 0; k < 3; ++k) t->gradient[i][k][lane] = (float)p->gradient[i][k];
      if (p->edge[i] == WEFT__NONE) continue;
      t->edge[i][lane] = p->edge[i];
      t->sign[i][lane] = p->sign[i];
      t->slope[i][lane] = (uint16_t)out->local_of[unknown[3 + i]];
    }
  }
}

static void order_nodes(const builder* b, uint32_t* number) {
  weft__mesh_bends* out = b->out;
  const weft__dissection* d = &b->dissection;
  uint32_t* first = out->level_first;
  for (size_t n = 0; n < d->node_count; ++n) ++first[d->nodes[n].depth + 1];
  for (uint32_t l = 0; l < out->level_count; ++l) first[l + 1] += first[l];
  for (size_t n = 0; n < d->node_count; ++n) number[n] = first[d->nodes[n].depth]++;
  memmove(first + 1, first, out->level_count * sizeof(*first));
  first[0] = 0;
  uint32_t mesh = 0;
  for (size_t n = 0; n < d->node_count; ++n) {
    const weft__dissection_node* from = &d->nodes[n];
    const bool is_leaf = from->child[0] == WEFT__NONE, is_root = from->parent == WEFT__NONE;
    if (is_root) {
      out->meshes[mesh++] = (weft__bend_mesh){.first_node = (uint32_t)n, .is_changed = true};
    }
    ++out->meshes[mesh - 1].node_count;
    out->nodes[number[n]] = (weft__bend_node){
        .mesh = mesh - 1,
        .parent = is_root ? WEFT__NONE : number[from->parent],
        .child = {is_leaf ? WEFT__NONE : number[from->child[0]],
                  is_leaf ? WEFT__NONE : number[from->child[1]]},
        .leaf = is_leaf ? out->leaf_count++ : WEFT__NONE,
        .first_element = from->first_element,
        .element_count = is_leaf ? from->element_count : 0,
        .first_pivot = from->first_pivot,
        .pivot_count = from->pivot_count,
        .first_row = from->first_row,
        .row_count = from->row_count,
    };
  }
}

// The dissection's nodes follow their parents, and its subtrees each other.
static void list_order(const weft__mesh_bends* out, const uint32_t* number) {
  for (uint32_t m = 0; m < out->mesh_count; ++m) {
    const weft__bend_mesh* mesh = &out->meshes[m];
    for (uint32_t n = 0; n < mesh->node_count; ++n) {
      out->order[mesh->first_node + n] = number[mesh->first_node + mesh->node_count - 1 - n];
    }
  }
}

static void place_nodes(weft__mesh_bends* out) {
  for (uint32_t n = 0; n < out->node_count; ++n) {
    weft__bend_node* node = &out->nodes[n];
    const uint64_t pivots = weft__whole_tiles(node->pivot_count);
    const uint64_t rows = weft__whole_tiles(node->row_count);
    node->first_local = out->local_count;
    node->first_forward = out->forward_count;
    node->first_backward = out->backward_count;
    out->local_count += 2 * pivots + rows + (node->leaf == WEFT__NONE ? 0 : WEFT__LANES);
    const uint64_t forward = rows * node->pivot_count;
    const uint64_t backward = pivots * (node->pivot_count + node->row_count);
    out->forward_count += forward;
    out->backward_count += backward;
    out->meshes[node->mesh].work += forward + backward;
  }
}

// Fronts are a stack: a node leaves what its last child began with. Doubles in use at most.
static uint64_t place_fronts(const weft__mesh_bends* out) {
  uint64_t peak = 0;
  for (uint32_t n = 0; n < out->node_count; ++n) {
    const weft__bend_node* node = &out->nodes[n];
    const uint64_t pivots = node->pivot_count, unknowns = pivots + node->row_count;
    uint64_t end = node->first_front;
    for (int side = 1; side >= 0 && node->child[side] != WEFT__NONE; --side) {
      weft__bend_node* child = &out->nodes[node->child[side]];
      child->first_front = end;
      end += (uint64_t)child->row_count * child->row_count;
    }
    end += unknowns * unknowns + pivots * pivots;
    if (end > peak) peak = end;
  }
  return peak;
}

static bool allocate(builder* b) {
  weft__mesh_bends* out = b->out;
  const weft__dissection* d = &b->dissection;
  for (size_t n = 0; n < d->node_count; ++n) {
    if (d->nodes[n].depth + 1 > out->level_count) out->level_count = d->nodes[n].depth + 1;
    if (d->nodes[n].child[0] == WEFT__NONE) ++out->leaf_count;
  }
  out->node_count = (uint32_t)d->node_count;
  out->plate_count = b->found.plate_count;
  out->row_count = (uint32_t)d->row_count;
  out->particle_count = b->scene->particle_count;
  return weft__columns_add(out, &weft__mesh_bends_table, 0, &out->bytes);
}

static bool allocate_factors(weft__mesh_bends* out) {
  place_nodes(out);
  out->front_count = place_fronts(out);
  return weft__columns_add(out, &weft__mesh_bends_table, WEFT__MESH_BEND_FACTORS, &out->bytes);
}

static void place_unknowns(const builder* b) {
  const weft__mesh_bends* out = b->out;
  for (uint32_t n = 0; n < out->node_count; ++n) {
    const weft__bend_node* node = &out->nodes[n];
    const uint32_t first_row = weft__whole_tiles(node->pivot_count);
    for (uint32_t k = 0; k < node->pivot_count; ++k) {
      out->local_of[out->pivot_unknown[node->first_pivot + k]] = k;
    }
    for (uint32_t k = 0; k < node->row_count; ++k) {
      out->local_of[out->row_unknown[node->first_row + k]] = first_row + k;
    }
    if (node->leaf != WEFT__NONE) fill_leaf(b, node);
    for (int side = 0; side < 2 && node->child[side] != WEFT__NONE; ++side) {
      const weft__bend_node* child = &out->nodes[node->child[side]];
      for (uint32_t k = 0; k < child->row_count; ++k) {
        const uint32_t row = child->first_row + k;
        out->row_of_parent[row] = out->local_of[out->row_unknown[row]];
      }
    }
  }
}

// Vertices and hinges are numbered mesh by mesh.
static void fill_meshes(const builder* b) {
  weft__mesh_bends* out = b->out;
  uint32_t mesh = 0, root = root_of_plate(b, 0);
  for (uint32_t i = 0; i < b->dissection.element_count; ++i) {
    const uint32_t own = root_of_plate(b, i);
    const weft__bend_mesh* former = &out->meshes[mesh];
    if (own != root) {
      out->meshes[++mesh].first_vertex = former->first_vertex + former->vertex_count;
      out->meshes[mesh].first_hinge = former->first_hinge + former->hinge_count;
    }
    root = own;
    weft__bend_mesh* m = &out->meshes[mesh];
    for (int k = 0; k < WEFT__ELEMENT_UNKNOWNS; ++k) {
      const uint32_t unknown = b->elements[i].unknown[k];
      if (unknown == WEFT__NONE) continue;
      if (unknown >= out->vertex_count) {
        out->mesh_of_hinge[unknown - out->vertex_count] = mesh;
        if (unknown - out->vertex_count == m->first_hinge + m->hinge_count) ++m->hinge_count;
      } else if (unknown == m->first_vertex + m->vertex_count) {
        ++m->vertex_count;
      }
    }
  }
  for (uint32_t i = 0; i < b->scene->particle_count; ++i) {
    if (b->vertex_of[i] != WEFT__NONE) {
      out->particle[b->vertex_of[i]] = b->schedule->solver_of[i];
    }
  }
}

static bool fill(builder* b) {
  weft__mesh_bends* out = b->out;
  const weft__dissection* d = &b->dissection;
  uint32_t* number = weft__alloc(d->node_count, sizeof(*number));
  if (number == NULL || !allocate(b)) {
    weft__free(number);
    return false;
  }
  out->leaf_count = 0;
  order_nodes(b, number);
  list_order(out, number);
  weft__free(number);
  memcpy(out->pivot_unknown, d->pivots, d->pivot_count * sizeof(*d->pivots));
  // a mesh of one leaf has no rows
  if (d->row_count > 0) memcpy(out->row_unknown, d->rows, d->row_count * sizeof(*d->rows));
  if (!allocate_factors(out)) return false;
  fill_meshes(b);
  for (uint32_t h = 0; h < b->hinges->count; ++h) {
    if (b->edge_of[h] != WEFT__NONE) fill_hinge(b, h);
  }
  if (!weft__mesh_bends_list_hinges(out)) return false;
  for (uint32_t edge = 0; edge < out->hinge_count; ++edge) fill_edge(b, edge);
  for (uint32_t i = 0; i < b->found.plate_count; ++i) {
    out->plates[i] = make_plate(b, &b->found.plates[d->order[i]]);
  }
  list_plates(out);
  place_unknowns(b);
  return true;
}

static bool build(builder* b) {
  if (!weft__bend_elements_find(&b->found, b->scene)) return false;
  if (b->found.plate_count == 0) return true;
  b->vertex_of = weft__alloc(b->scene->particle_count, sizeof(*b->vertex_of));
  b->edge_of = weft__alloc(b->hinges->count, sizeof(*b->edge_of));
  if (b->vertex_of == NULL || b->edge_of == NULL) return false;
  return number_unknowns(b) && dissect(b) && fill(b);
}

bool weft__mesh_bends_create(weft__mesh_bends* bends, const weft__schedule* schedule,
                             const weft_scene* scene, bool* is_taken) {
  if (scene->direct_bends == 0) return true;
  builder b = {.out = bends,
               .schedule = schedule,
               .scene = scene,
               .hinges = &scene->hinges,
               .is_taken = is_taken};
  const bool good = build(&b);
  weft__bend_elements_destroy(&b.found);
  weft__free(b.vertex_of);
  weft__free(b.edge_of);
  weft__free(b.elements);
  weft__dissection_destroy(&b.dissection);
  return good;
}
