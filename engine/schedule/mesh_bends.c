#include "schedule/mesh_bends.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "schedule/dissection.h"

// Triangle of a mesh, corners in the caller's numbers, ascending; edge i is opposite corner i.
typedef struct plate {
  uint32_t corner[3];
  uint32_t hinge[3];  // WEFT__NONE at the border
  double length[3];   // metres
  float sign[3];
  float bend_stiffness;
} plate;

typedef struct builder {
  weft__schedule* schedule;
  const weft_scene* scene;
  const weft__hinges* hinges;
  bool* is_taken;
  weft__sort_item *sides, *scratch;  // triangles of hinges: 2 x hinge + 0 or 1
  uint32_t side_count;
  plate* plates;
  uint32_t plate_count;
  uint32_t* mesh_of;    // forest of particles: a root is its own, caller's numbers
  uint32_t* size;       // particles of a root
  bool* is_swept;       // roots whose mesh is left to the sweeps
  uint32_t* vertex_of;  // unknown of a particle
  uint32_t* edge_of;    // of a hinge, from 0
  weft__dissection_element* elements;
  weft__dissection dissection;
} builder;

// ---- meshes ----

static uint32_t root_of(const builder* b, uint32_t particle) {
  while (b->mesh_of[particle] != particle) {
    b->mesh_of[particle] = b->mesh_of[b->mesh_of[particle]];
    particle = b->mesh_of[particle];
  }
  return particle;
}

static void join(const builder* b, uint32_t p, uint32_t q) {
  const uint32_t r = root_of(b, p), s = root_of(b, q);
  const uint32_t low = r < s ? r : s, high = r < s ? s : r;
  if (low == high) return;
  b->mesh_of[high] = low;
  b->size[low] += b->size[high];
  b->is_swept[low] |= b->is_swept[high];
}

static bool is_plate_hinge(const weft__hinges* hinges, uint32_t h) {
  return hinges->particle[h][3] != WEFT__NO_PARTICLE && hinges->bend_stiffness[h] > 0.0f;
}

static void find_meshes(const builder* b) {
  for (uint32_t i = 0; i < b->scene->particle_count; ++i) {
    b->mesh_of[i] = i;
    b->size[i] = 1;
  }
  for (uint32_t h = 0; h < b->hinges->count; ++h) {
    if (!is_plate_hinge(b->hinges, h)) continue;
    const uint32_t* particle = b->hinges->particle[h];
    for (int k = 1; k < 4; ++k) join(b, particle[0], particle[k]);
    if (b->hinges->yield[h] > 0.0f) b->is_swept[root_of(b, particle[0])] = true;
  }
  const weft__links* links = &b->scene->links;
  for (uint32_t l = 0; l < links->count; ++l) {
    if (links->tear_ratio[l] == 0.0f) continue;
    b->is_swept[root_of(b, links->end_a[l])] = true;
    b->is_swept[root_of(b, links->end_b[l])] = true;
  }
}

// ---- plates ----

// Corners of a side, ascending; the caller's numbers.
static void list_corners(const builder* b, uint32_t side, uint32_t corner[3]) {
  const uint32_t* particle = b->hinges->particle[side / 2];
  uint32_t p[3] = {particle[0], particle[1], particle[2 + side % 2]};
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2 - i; ++k) {
      if (p[k] < p[k + 1]) continue;
      const uint32_t swapped = p[k];
      p[k] = p[k + 1];
      p[k + 1] = swapped;
    }
  }
  memcpy(corner, p, sizeof(p));
}

static void sort_sides(builder* b) {
  uint32_t corner[3];
  for (uint32_t h = 0; h < b->hinges->count; ++h) {
    if (!is_plate_hinge(b->hinges, h)) continue;
    for (uint32_t side = 2 * h; side < 2 * h + 2; ++side) {
      list_corners(b, side, corner);
      b->sides[b->side_count++] = (weft__sort_item){corner[2], side};
    }
  }
  weft__sort(b->sides, b->scratch, b->side_count);
  for (uint32_t i = 0; i < b->side_count; ++i) {
    list_corners(b, b->sides[i].value, corner);
    b->sides[i].key = (uint64_t)corner[0] << 32 | corner[1];
  }
  weft__sort(b->sides, b->scratch, b->side_count);
}

static int place_of(const plate* p, uint32_t particle) {
  return p->corner[0] == particle ? 0 : p->corner[1] == particle ? 1 : 2;
}

// An edge of more than two triangles has no single slope: its mesh is swept.
static void add_side(const builder* b, plate* p, uint32_t side) {
  const uint32_t h = side / 2, which = side % 2;
  const uint32_t* particle = b->hinges->particle[h];
  const float* length = b->hinges->side[h];
  const int opposite = place_of(p, particle[2 + which]);
  if (p->hinge[opposite] != WEFT__NONE) b->is_swept[root_of(b, particle[0])] = true;
  p->hinge[opposite] = h;
  p->sign[opposite] = which == 0 ? 1.0f : -1.0f;
  p->bend_stiffness = b->hinges->bend_stiffness[h];
  p->length[opposite] = (double)length[0];
  p->length[place_of(p, particle[1])] = (double)length[1 + 2 * which];
  p->length[place_of(p, particle[0])] = (double)length[2 + 2 * which];
}

// By Heron's formula, stable for thin triangles. (Kahan 2014)
static double area_of(const plate* p) {
  const double* l = p->length;
  const double high = fmax(l[0], fmax(l[1], l[2])), low = fmin(l[0], fmin(l[1], l[2]));
  const double middle = l[0] + l[1] + l[2] - high - low;
  const double product = (high + (middle + low)) * (low - (high - middle)) *
                         (low + (high - middle)) * (high + (middle - low));
  return 0.25 * sqrt(fmax(product, 0.0));
}

// Area below this share of the longest edge squared: the factors of such a plate are rounding
// errors.
#define MIN_AREA_SHARE 1e-4

static bool is_sliver(const plate* p) {
  const double longest = fmax(p->length[0], fmax(p->length[1], p->length[2]));
  return !(area_of(p) > MIN_AREA_SHARE * longest * longest);
}

static void make_plates(builder* b) {
  for (uint32_t i = 0; i < b->side_count; ++i) {
    plate next = {.hinge = {WEFT__NONE, WEFT__NONE, WEFT__NONE}};
    list_corners(b, b->sides[i].value, next.corner);
    plate* last = b->plate_count > 0 ? &b->plates[b->plate_count - 1] : &next;
    if (b->plate_count == 0 || memcmp(last->corner, next.corner, sizeof(next.corner)) != 0) {
      last = &b->plates[b->plate_count++];
      *last = next;
    }
    add_side(b, last, b->sides[i].value);
  }
  for (uint32_t i = 0; i < b->plate_count; ++i) {
    const plate* p = &b->plates[i];
    if (is_sliver(p)) b->is_swept[root_of(b, p->corner[0])] = true;
  }
}

// Keeps the plates of meshes that are solved here, mesh by mesh.
static bool select_plates(builder* b) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < b->plate_count; ++i) {
    const uint32_t root = root_of(b, b->plates[i].corner[0]);
    if (b->is_swept[root] || b->size[root] > b->scene->direct_bends) continue;
    b->sides[kept++] = (weft__sort_item){root, i};
  }
  weft__sort(b->sides, b->scratch, kept);
  plate* plates = weft__alloc(kept, sizeof(*plates));
  if (plates == NULL) return false;
  for (uint32_t i = 0; i < kept; ++i) plates[i] = b->plates[b->sides[i].value];
  weft__free(b->plates);
  b->plates = plates;
  b->plate_count = kept;
  return true;
}

// ---- unknowns ----

static bool number_unknowns(builder* b) {
  weft__mesh_bends* out = &b->schedule->mesh_bends;
  memset(b->vertex_of, 0xff, b->scene->particle_count * sizeof(*b->vertex_of));
  memset(b->edge_of, 0xff, b->hinges->count * sizeof(*b->edge_of));
  for (uint32_t i = 0; i < b->plate_count; ++i) {
    const plate* p = &b->plates[i];
    for (int k = 0; k < 3; ++k) {
      if (b->vertex_of[p->corner[k]] == WEFT__NONE) {
        b->vertex_of[p->corner[k]] = out->vertex_count++;
      }
      const uint32_t h = p->hinge[k];
      if (h == WEFT__NONE || b->edge_of[h] != WEFT__NONE) continue;
      b->edge_of[h] = out->hinge_count++;
      b->is_taken[h] = true;
    }
  }
  out->unknown_count = out->vertex_count + out->hinge_count;
  out->edge_group_count = weft__whole_tiles(out->hinge_count + 1) / WEFT__LANES;
  b->elements = weft__alloc(b->plate_count, sizeof(*b->elements));
  if (b->elements == NULL) return false;
  for (uint32_t i = 0; i < b->plate_count; ++i) {
    const plate* p = &b->plates[i];
    weft__dissection_element* element = &b->elements[i];
    *element = (weft__dissection_element){0};
    for (int k = 0; k < 3; ++k) {
      const uint32_t h = p->hinge[k];
      element->unknown[k] = b->vertex_of[p->corner[k]];
      element->unknown[3 + k] = h == WEFT__NONE ? WEFT__NONE : out->vertex_count + b->edge_of[h];
      const float* position = b->scene->positions + (size_t)3 * p->corner[k];
      for (int axis = 0; axis < 3; ++axis) element->center[axis] += position[axis];
    }
  }
  return true;
}

// Dissects the meshes; they are numbered with their vertices and plates.
static bool dissect(builder* b) {
  weft__mesh_bends* out = &b->schedule->mesh_bends;
  b->dissection = (weft__dissection){.elements = b->elements,
                                     .element_count = b->plate_count,
                                     .unknown_count = out->unknown_count,
                                     .leaf_elements = WEFT__LANES};
  if (!weft__dissection_begin(&b->dissection)) return false;
  for (uint32_t begin = 0, end = 0; begin < b->plate_count; begin = end) {
    const uint32_t root = root_of(b, b->plates[begin].corner[0]);
    end = begin + 1;
    while (end < b->plate_count && root_of(b, b->plates[end].corner[0]) == root) ++end;
    if (!weft__dissection_add(&b->dissection, begin, end)) return false;
    ++out->mesh_count;
  }
  return true;
}

// ---- tables ----

// Cosine of the angle at corner k.
static double cosine_at(const plate* p, int k) {
  const double a = p->length[(k + 1) % 3], c = p->length[(k + 2) % 3], o = p->length[k];
  return (a * a + c * c - o * o) / (2.0 * a * c);
}

// Minimizes the energy over the slopes of border edges.
static void eliminate_border(const plate* p, double s[3][3]) {
  for (int k = 0; k < 3; ++k) {
    if (p->hinge[k] != WEFT__NONE) continue;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (i != k && j != k && s[k][k] > 0.0) s[i][j] -= s[i][k] * s[k][j] / s[k][k];
      }
    }
    for (int i = 0; i < 3; ++i) s[i][k] = s[k][i] = 0.0;
  }
}

// Newton metres: their inverses are finite in single precision.
#define MIN_BEND_STIFFNESS 1e-20
#define MAX_BEND_STIFFNESS 1e12

static weft__bend_plate make_plate(const builder* b, const plate* p) {
  weft__bend_plate out = {0};
  const double area = area_of(p);
  const double stiffness =
      fmin(fmax((double)p->bend_stiffness, MIN_BEND_STIFFNESS), MAX_BEND_STIFFNESS);
  for (int i = 0; i < 3; ++i) {
    out.edge[i] = p->hinge[i] == WEFT__NONE ? WEFT__NONE : b->edge_of[p->hinge[i]];
    out.corner[i] = b->schedule->solver_of[p->corner[i]];
    out.sign[i] = p->hinge[i] == WEFT__NONE ? 0.0f : p->sign[i];
    for (int j = 0; j < 3; ++j) {
      // normals of two edges turn by pi less the angle between them
      const double cosine = i == j ? -1.0 : cosine_at(p, 3 - i - j);
      out.stiffness[i][j] = stiffness * p->length[i] * p->length[j] * cosine * cosine / area;
      out.gradient[i][j] = cosine * p->length[j] / (2.0 * area);
    }
  }
  eliminate_border(p, out.stiffness);
  return out;
}

static void fill_edge(const builder* b, uint32_t h) {
  weft__mesh_bends* out = &b->schedule->mesh_bends;
  const uint32_t edge = b->edge_of[h], lane = edge % WEFT__LANES;
  weft__bend_edges* group = &out->edges[edge / WEFT__LANES];
  weft__hinge* hinge = &out->hinges[edge];
  *hinge = weft__hinges_get(b->hinges, h);
  const float* side = hinge->side;
  float c[4] = {0.0f, 0.0f, 0.0f, 0.0f}, largest = 0.0f;
  for (int which = 0; which < 2; ++which) {
    const plate p = {
        .length = {(double)side[2 + 2 * which], (double)side[1 + 2 * which], (double)side[0]}};
    const double scale = 1.0 / (2.0 * area_of(&p));
    c[0] += (float)(cosine_at(&p, 1) * p.length[0] * scale);
    c[1] += (float)(cosine_at(&p, 0) * p.length[1] * scale);
    c[2 + which] = (float)(-p.length[2] * scale);
  }
  for (int k = 0; k < 4; ++k) largest = fmaxf(largest, fabsf(c[k]));
  group->rest_jump[lane] = hinge->rest_length * largest;
  // the rounded coefficients shall sum to 0
  c[0] = -(c[1] + c[2] + c[3]);
  for (int k = 0; k < 4; ++k) {
    hinge->particle[k] = b->schedule->solver_of[hinge->particle[k]];
    group->particle[k][lane] = hinge->particle[k];
    group->coefficient[k][lane] = c[k];
  }
}

static void fill_leaf(const builder* b, const weft__bend_node* node) {
  const weft__mesh_bends* out = &b->schedule->mesh_bends;
  weft__bend_triangles* t = &out->triangles[node->leaf];
  const uint32_t trash =
      2 * weft__whole_tiles(node->pivot_count) + weft__whole_tiles(node->row_count);
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    for (int i = 0; i < 3; ++i) {
      t->edge[i][lane] = out->hinge_count;
      t->corner[i][lane] = t->slope[i][lane] = (uint16_t)trash;
    }
    if (lane >= node->plate_count) continue;
    const weft__bend_plate* p = &out->plates[node->first_plate + lane];
    const uint32_t element = b->dissection.order[node->first_plate + lane];
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

// Orders nodes by depth, and counts what they need.
static void order_nodes(const builder* b, uint32_t* number) {
  weft__mesh_bends* out = &b->schedule->mesh_bends;
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
    if (is_root) out->meshes[mesh++].root = number[n];
    out->nodes[number[n]] = (weft__bend_node){
        .mesh = mesh - 1,
        .parent = is_root ? WEFT__NONE : number[from->parent],
        .child = {is_leaf ? WEFT__NONE : number[from->child[0]],
                  is_leaf ? WEFT__NONE : number[from->child[1]]},
        .leaf = is_leaf ? out->leaf_count++ : WEFT__NONE,
        .first_plate = from->first_element,
        .plate_count = is_leaf ? from->element_count : 0,
        .first_pivot = from->first_pivot,
        .pivot_count = from->pivot_count,
        .first_row = from->first_row,
        .row_count = from->row_count,
    };
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
    out->forward_count += rows * node->pivot_count;
    out->backward_count += pivots * (node->pivot_count + node->row_count);
  }
}

// Doubles on the stack while a node and all below it are eliminated.
static uint64_t front_peak(const weft__mesh_bends* out, uint32_t number) {
  const weft__bend_node* node = &out->nodes[number];
  const uint64_t pivots = node->pivot_count, unknowns = pivots + node->row_count;
  uint64_t held = 0, peak = 0;
  for (int side = 0; side < 2 && node->child[side] != WEFT__NONE; ++side) {
    const uint64_t below = held + front_peak(out, node->child[side]);
    const uint64_t rows = out->nodes[node->child[side]].row_count;
    peak = below > peak ? below : peak;
    held += rows * rows;
  }
  held += unknowns * unknowns + pivots * pivots;
  return held > peak ? held : peak;
}

static bool allocate(builder* b) {
  weft__mesh_bends* out = &b->schedule->mesh_bends;
  const weft__dissection* d = &b->dissection;
  for (size_t n = 0; n < d->node_count; ++n) {
    if (d->nodes[n].depth + 1 > out->level_count) out->level_count = d->nodes[n].depth + 1;
    out->leaf_count += d->nodes[n].child[0] == WEFT__NONE;
  }
  out->node_count = (uint32_t)d->node_count;
  out->plate_count = b->plate_count;
  out->row_count = (uint32_t)d->row_count;
  const uint64_t lanes = (uint64_t)out->edge_group_count * WEFT__LANES;
  const struct {
    void** array;
    uint64_t count;
    size_t size;
  } columns[] = {
      {(void**)&out->edges, out->edge_group_count, sizeof(*out->edges)},
      {(void**)&out->jump[0], lanes, sizeof(float)},
      {(void**)&out->jump[1], lanes, sizeof(float)},
      {(void**)&out->jump[2], lanes, sizeof(float)},
      {(void**)&out->hinges, out->hinge_count, sizeof(*out->hinges)},
      {(void**)&out->mesh_of_hinge, out->hinge_count, sizeof(*out->mesh_of_hinge)},
      {(void**)&out->is_removed, out->hinge_count, sizeof(*out->is_removed)},
      {(void**)&out->triangles, out->leaf_count, sizeof(*out->triangles)},
      {(void**)&out->plates, out->plate_count, sizeof(*out->plates)},
      {(void**)&out->nodes, out->node_count, sizeof(*out->nodes)},
      {(void**)&out->meshes, out->mesh_count, sizeof(*out->meshes)},
      {(void**)&out->level_first, (uint64_t)out->level_count + 1, sizeof(*out->level_first)},
      {(void**)&out->pivot_unknown, out->unknown_count, sizeof(uint32_t)},
      {(void**)&out->row_unknown, out->row_count, sizeof(uint32_t)},
      {(void**)&out->row_of_parent, out->row_count, sizeof(uint32_t)},
      {(void**)&out->particle, out->vertex_count, sizeof(uint32_t)},
      {(void**)&out->local_of, out->unknown_count, sizeof(uint32_t)},
      {(void**)&out->inv_mass, out->vertex_count, sizeof(float)},
  };
  bool good = true;
  for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); ++i) {
    *columns[i].array = weft__alloc_zeroed(columns[i].count, columns[i].size);
    out->bytes += (size_t)columns[i].count * columns[i].size;
    good &= *columns[i].array != NULL;
  }
  return good;
}

static bool allocate_factors(weft__mesh_bends* out) {
  place_nodes(out);
  for (uint32_t m = 0; m < out->mesh_count; ++m) {
    const uint64_t peak = front_peak(out, out->meshes[m].root);
    if (peak > out->front_count) out->front_count = peak;
  }
  bool good = true;
  for (int axis = 0; axis < 3; ++axis) {
    out->local[axis] = weft__alloc_zeroed(out->local_count, sizeof(float));
    good &= out->local[axis] != NULL;
  }
  out->forward = weft__alloc_zeroed(out->forward_count, sizeof(float));
  out->backward = weft__alloc_zeroed(out->backward_count, sizeof(float));
  out->front = weft__alloc(out->front_count, sizeof(double));
  const uint64_t floats = 3 * out->local_count + out->forward_count + out->backward_count;
  out->bytes += (size_t)(floats * sizeof(float) + out->front_count * sizeof(double));
  return good && out->forward != NULL && out->backward != NULL && out->front != NULL;
}

// Numbers the unknowns of each node, and finds rows among the unknowns of its parent.
static void place_unknowns(const builder* b) {
  const weft__mesh_bends* out = &b->schedule->mesh_bends;
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
  weft__mesh_bends* out = &b->schedule->mesh_bends;
  uint32_t mesh = 0, root = root_of(b, b->plates[0].corner[0]);
  for (uint32_t i = 0; i < b->plate_count; ++i) {
    const uint32_t own = root_of(b, b->plates[i].corner[0]);
    mesh += own != root;
    root = own;
    weft__bend_mesh* m = &out->meshes[mesh];
    for (int k = 0; k < 3; ++k) {
      const uint32_t user = b->plates[i].corner[k], vertex = b->vertex_of[user];
      out->particle[vertex] = b->schedule->solver_of[user];
      if (vertex == m->first_vertex + m->vertex_count) ++m->vertex_count;
      if (b->plates[i].hinge[k] != WEFT__NONE) {
        out->mesh_of_hinge[b->edge_of[b->plates[i].hinge[k]]] = mesh;
      }
    }
    if (mesh + 1 < out->mesh_count)
      out->meshes[mesh + 1].first_vertex = m->first_vertex + m->vertex_count;
  }
}

static bool fill(builder* b) {
  weft__mesh_bends* out = &b->schedule->mesh_bends;
  const weft__dissection* d = &b->dissection;
  uint32_t* number = weft__alloc(d->node_count, sizeof(*number));
  if (number == NULL || !allocate(b)) {
    weft__free(number);
    return false;
  }
  out->leaf_count = 0;
  order_nodes(b, number);
  weft__free(number);
  memcpy(out->pivot_unknown, d->pivots, d->pivot_count * sizeof(*d->pivots));
  memcpy(out->row_unknown, d->rows, d->row_count * sizeof(*d->rows));
  if (!allocate_factors(out)) return false;
  fill_meshes(b);
  for (uint32_t h = 0; h < b->hinges->count; ++h) {
    if (b->edge_of[h] != WEFT__NONE) fill_edge(b, h);
  }
  for (uint32_t i = 0; i < b->plate_count; ++i) {
    out->plates[i] = make_plate(b, &b->plates[d->order[i]]);
  }
  place_unknowns(b);
  for (uint32_t m = 0; m < out->mesh_count; ++m) out->meshes[m].is_changed = true;
  b->schedule->bytes += out->bytes;
  return true;
}

static bool allocate_builder(builder* b) {
  const size_t particles = b->scene->particle_count, hinges = b->hinges->count;
  b->sides = weft__alloc(2 * hinges, sizeof(*b->sides));
  b->scratch = weft__alloc(2 * hinges, sizeof(*b->scratch));
  b->plates = weft__alloc(2 * hinges, sizeof(*b->plates));
  b->mesh_of = weft__alloc(particles, sizeof(*b->mesh_of));
  b->size = weft__alloc(particles, sizeof(*b->size));
  b->is_swept = weft__alloc_zeroed(particles, sizeof(*b->is_swept));
  b->vertex_of = weft__alloc(particles, sizeof(*b->vertex_of));
  b->edge_of = weft__alloc(hinges, sizeof(*b->edge_of));
  return b->sides && b->scratch && b->plates && b->mesh_of && b->size && b->is_swept &&
         b->vertex_of && b->edge_of;
}

static bool build(builder* b) {
  if (!allocate_builder(b)) return false;
  find_meshes(b);
  sort_sides(b);
  make_plates(b);
  if (!select_plates(b)) return false;
  if (b->plate_count == 0) return true;
  return number_unknowns(b) && dissect(b) && fill(b);
}

bool weft__mesh_bends_create(weft__schedule* schedule, const weft_scene* scene, bool* is_taken) {
  if (scene->direct_bends == 0) return true;
  builder b = {
      .schedule = schedule, .scene = scene, .hinges = &scene->hinges, .is_taken = is_taken};
  const bool good = build(&b);
  weft__free(b.sides);
  weft__free(b.scratch);
  weft__free(b.plates);
  weft__free(b.mesh_of);
  weft__free(b.size);
  weft__free(b.is_swept);
  weft__free(b.vertex_of);
  weft__free(b.edge_of);
  weft__free(b.elements);
  weft__dissection_destroy(&b.dissection);
  return good;
}
