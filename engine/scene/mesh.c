/* Triangle meshes: a structural link for each edge, a bend link across each edge shared by two
 * triangles.
 *
 *        b         edge a-b is shared by the triangles a b c and b a d: structural links on all
 *      / | \       edges, one bend link c-d
 *     c  |  d
 *      \ | /       All half-edges are sorted by (smaller end, larger end, opposite corner): edges,
 *        a         their triangles and repeated faces are contiguous, in any input order. Links are
 *                  numbered by first occurrence of their edge, all structural ones first.
 *
 * With a material there are no bend links; if it has bend stiffness, bend elements on a b c d
 * instead: see scene/mesh_hinges.c.
 *
 * (Mueller et al. 2007, "Position based dynamics", section 4.1, with a link instead of the dihedral
 * constraint) */
#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "base/sort.h"
#include "scene/material.h"
#include "scene/mesh_hinges.h"
#include "scene/scene.h"

#define COOKIE 0x3e54cafeu

weft_mesh_def weft_default_mesh_def(void) {
  return (weft_mesh_def){
      .particle_mass = 0.001f, .relaxation = 1.0f, .bend_relaxation = 0.2f, .cookie = COOKIE};
}

static weft_result check_triangles(const weft_mesh_def* def) {
  for (uint32_t t = 0; t < def->triangle_count; ++t) {
    const uint32_t* corner = def->triangles + (size_t)3 * t;
    for (int i = 0; i < 3; ++i) {
      if (corner[i] >= def->vertex_count) {
        return weft__fail_at(WEFT_ERROR_INDEX, "weft_mesh_def.triangles", t);
      }
    }
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) {
      return weft__fail_at(WEFT_ERROR_DEGENERATE, "weft_mesh_def.triangles", t);
    }
  }
  return weft__ok();
}

static weft_result check_def(const weft_mesh_def* def) {
  WEFT__FAIL_IF(def->cookie != COOKIE, WEFT_ERROR_DEF, "weft_mesh_def");
  WEFT__FAIL_IF(def->positions == NULL, WEFT_ERROR_NULL, "weft_mesh_def.positions");
  WEFT__FAIL_IF(def->triangles == NULL, WEFT_ERROR_NULL, "weft_mesh_def.triangles");
  WEFT__FAIL_IF(def->vertex_count == 0, WEFT_ERROR_EMPTY, "weft_mesh_def.vertex_count");
  WEFT__FAIL_IF(def->triangle_count == 0, WEFT_ERROR_EMPTY, "weft_mesh_def.triangle_count");
  WEFT__FAIL_IF(def->vertex_count > WEFT_MAX_PARTICLES, WEFT_ERROR_TOO_MANY,
                "weft_mesh_def.vertex_count");
  WEFT__FAIL_IF(def->triangle_count > WEFT_MAX_LINKS / 3, WEFT_ERROR_TOO_MANY,
                "weft_mesh_def.triangle_count");
  WEFT__TRY(weft__check_range(def->particle_mass, 1e-12f, 1e12f, "weft_mesh_def.particle_mass"));
  WEFT__TRY(weft__check_material(def->material, "weft_mesh_def.material"));
  WEFT__TRY(weft__check_range(def->relaxation, WEFT__MIN_RELAXATION, WEFT__MAX_RELAXATION,
                              "weft_mesh_def.relaxation"));
  WEFT__TRY(weft__check_range(def->bend_relaxation, 0.0f, 1.0f, "weft_mesh_def.bend_relaxation"));
  WEFT__TRY(weft__check_tear_ratio(def->tear_ratio, "weft_mesh_def.tear_ratio"));
  WEFT__TRY(weft__check_magnitude(def->positions, (size_t)3 * def->vertex_count, 3,
                                  "weft_mesh_def.positions"));
  return check_triangles(def);
}

// A half-edge is a sort item: its two ends are the key, its number is the value.
static uint32_t opposite_corner(const weft_mesh_def* def, uint32_t half_edge) {
  return def->triangles[half_edge / 3 * 3 + (half_edge + 2) % 3];
}

static void list_half_edges(const weft_mesh_def* def, weft__sort_item* half_edges) {
  const uint32_t count = 3 * def->triangle_count;
  for (uint32_t h = 0; h < count; ++h) {
    const uint32_t from = def->triangles[h];
    const uint32_t to = def->triangles[h / 3 * 3 + (h + 1) % 3];
    const uint64_t low = from < to ? from : to;
    const uint64_t high = from < to ? to : from;
    half_edges[h] = (weft__sort_item){low << 32 | high, h};
  }
}

// Sorts by opposite corner, then, stably, by edge.
static void sort_half_edges(const weft_mesh_def* def, weft__sort_item* half_edges,
                            weft__sort_item* scratch) {
  const uint32_t count = 3 * def->triangle_count;
  for (uint32_t h = 0; h < count; ++h) {
    half_edges[h] = (weft__sort_item){opposite_corner(def, h), h};
  }
  weft__sort(half_edges, scratch, count);
  list_half_edges(def, scratch);
  for (uint32_t i = 0; i < count; ++i) half_edges[i].key = scratch[half_edges[i].value].key;
  weft__sort(half_edges, scratch, count);
}

// End of the half-edges that share the edge of the one at `begin`.
static uint32_t edge_end(const weft__sort_item* half_edges, uint32_t begin, uint32_t count) {
  uint32_t end = begin + 1;
  while (end < count && half_edges[end].key == half_edges[begin].key) ++end;
  return end;
}

// Two half-edges of one edge with the same opposite corner are a repeated face. Reports the first
// face that repeats an earlier one.
static weft_result check_repeated_faces(const weft_mesh_def* def,
                                        const weft__sort_item* half_edges) {
  uint32_t first_repeat = UINT32_MAX;
  for (uint32_t i = 1; i < 3 * def->triangle_count; ++i) {
    const uint32_t before = half_edges[i - 1].value;
    const uint32_t here = half_edges[i].value;
    if (half_edges[i - 1].key == half_edges[i].key &&
        opposite_corner(def, before) == opposite_corner(def, here)) {
      const uint32_t later = before > here ? before : here;
      if (later < first_repeat) first_repeat = later;
    }
  }
  if (first_repeat == UINT32_MAX) return weft__ok();
  return weft__fail_at(WEFT_ERROR_DUPLICATE, "weft_mesh_def.triangles", first_repeat / 3);
}

static bool has_hinges(const weft_mesh_def* def) {
  return def->material != NULL && def->material->bend_stiffness > 0.0f;
}

// Bend links also resist stretch, which a material specifies itself.
static bool has_bend_links(const weft_mesh_def* def) {
  return def->bend_relaxation > 0.0f && def->material == NULL;
}

// Upper bound of the mesh's links: pairs of corners may turn out to be linked already.
static uint64_t bound_links(const weft_mesh_def* def, const weft__sort_item* half_edges) {
  const uint32_t count = 3 * def->triangle_count;
  uint64_t links = 0;
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    end = edge_end(half_edges, begin, count);
    const uint64_t sharing = end - begin;
    links += 1 + (has_bend_links(def) ? sharing * (sharing - 1) / 2 : 0);
  }
  return links;
}

static float distance(const float* positions, uint32_t a, uint32_t b) {
  float squared = 0.0f;
  for (size_t axis = 0; axis < 3; ++axis) {
    const float difference = positions[(size_t)3 * b + axis] - positions[(size_t)3 * a + axis];
    squared += difference * difference;
  }
  return sqrtf(squared);
}

static double face_area(const weft_mesh_def* def, uint32_t face) {
  const uint32_t* corner = def->triangles + (size_t)3 * face;
  double u[3];
  double v[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    const double origin = (double)def->positions[(size_t)3 * corner[0] + axis];
    u[axis] = (double)def->positions[(size_t)3 * corner[1] + axis] - origin;
    v[axis] = (double)def->positions[(size_t)3 * corner[2] + axis] - origin;
  }
  const double x = u[1] * v[2] - u[2] * v[1];
  const double y = u[2] * v[0] - u[0] * v[2];
  const double z = u[0] * v[1] - u[1] * v[0];
  return 0.5 * sqrt(x * x + y * y + z * z);
}

// A mesh during conversion to links, with arrays for all of them.
typedef struct mesh_linker {
  const weft_mesh_def* def;
  weft__sort_item* half_edges; /* sorted [3 x triangles] */
  /* key: first half-edge that has the edge; value: begin of the edge's half-edges [edge_count] */
  weft__sort_item* edges;
  uint32_t edge_count;
  weft__sort_item* scratch; /* [3 x triangles] */
  weft__pair_set linked;
  weft__links links;     /* ends are vertex numbers */
  weft__hinges hinges;   /* particles are vertex numbers */
  float* inverse_masses; /* 1/kg [vertex_count] */
} mesh_linker;

// Compliance of the edge with half-edges [begin, end): see scene/material.h.
static float edge_compliance(const mesh_linker* linker, uint32_t begin, uint32_t end) {
  const weft_mesh_def* def = linker->def;
  if (def->material == NULL || isinf(def->material->stretch_stiffness)) return 0.0f;
  double area = 0.0;
  for (uint32_t i = begin; i < end; ++i) area += face_area(def, linker->half_edges[i].value / 3);
  const uint64_t ends = linker->half_edges[begin].key;
  const double length = (double)distance(def->positions, (uint32_t)(ends >> 32), (uint32_t)ends);
  return weft__compliance_of((double)def->material->stretch_stiffness * area / (length * length));
}

static void link_pair(mesh_linker* linker, uint32_t a, uint32_t b, weft_link_kind kind,
                      float compliance) {
  if (!weft__pair_set_insert(&linker->linked, a, b)) return;
  const weft_mesh_def* def = linker->def;
  weft__links_push(&linker->links, (weft_link_def){
                                       .a = a,
                                       .b = b,
                                       .rest_length = distance(def->positions, a, b),
                                       .relaxation = kind == WEFT_LINK_BEND ? def->bend_relaxation
                                                                            : def->relaxation,
                                       .tear_ratio = def->tear_ratio,
                                       .kind = kind,
                                       .compliance = compliance,
                                   });
}

// Lists the edges in order of first occurrence.
static void list_edges(mesh_linker* linker) {
  const weft__sort_item* half_edges = linker->half_edges;
  const uint32_t count = 3 * linker->def->triangle_count;
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    end = edge_end(half_edges, begin, count);
    uint32_t first = half_edges[begin].value;
    for (uint32_t i = begin; i < end; ++i) {
      if (half_edges[i].value < first) first = half_edges[i].value;
    }
    linker->edges[linker->edge_count++] = (weft__sort_item){first, begin};
  }
  weft__sort(linker->edges, linker->scratch, linker->edge_count);
}

static void link_edges(mesh_linker* linker) {
  const uint32_t count = 3 * linker->def->triangle_count;
  for (uint32_t e = 0; e < linker->edge_count; ++e) {
    const uint32_t begin = (uint32_t)linker->edges[e].value;
    const uint64_t ends = linker->half_edges[begin].key;
    const uint32_t end = edge_end(linker->half_edges, begin, count);
    link_pair(linker, (uint32_t)(ends >> 32), (uint32_t)ends, WEFT_LINK_STRUCTURAL,
              edge_compliance(linker, begin, end));
  }
}

// Links the opposite corners of all pairs of faces at the edge with half-edges [begin, end).
static void bend_edge(mesh_linker* linker, uint32_t begin, uint32_t end) {
  const weft_mesh_def* def = linker->def;
  for (uint32_t i = begin; i < end; ++i) {
    for (uint32_t j = i + 1; j < end; ++j) {
      const uint32_t a = opposite_corner(def, linker->half_edges[i].value);
      const uint32_t b = opposite_corner(def, linker->half_edges[j].value);
      // faces folded onto each other define no direction
      if (distance(def->positions, a, b) > 0.0f) link_pair(linker, a, b, WEFT_LINK_BEND, 0.0f);
    }
  }
}

// After the edges: corners that an edge already links get no bend link.
static void link_bends(mesh_linker* linker) {
  if (!has_bend_links(linker->def)) return;
  const uint32_t count = 3 * linker->def->triangle_count;
  for (uint32_t e = 0; e < linker->edge_count; ++e) {
    const uint32_t begin = (uint32_t)linker->edges[e].value;
    bend_edge(linker, begin, edge_end(linker->half_edges, begin, count));
  }
}

// ---- bend elements, in the order of the edges, like bend links ----

static void hinge_edge(mesh_linker* linker, uint32_t begin, uint32_t end) {
  const weft_mesh_def* def = linker->def;
  const uint64_t ends = linker->half_edges[begin].key;
  for (uint32_t i = begin; i < end; ++i) {
    for (uint32_t j = i + 1; j < end; ++j) {
      const uint32_t corners[4] = {(uint32_t)(ends >> 32), (uint32_t)ends,
                                   opposite_corner(def, linker->half_edges[i].value),
                                   opposite_corner(def, linker->half_edges[j].value)};
      weft__hinge hinge;
      if (weft__mesh_hinge(def, corners, &hinge)) weft__hinges_push(&linker->hinges, &hinge);
    }
  }
}

static weft_result make_hinges(mesh_linker* linker) {
  if (!has_hinges(linker->def)) return weft__ok();
  const uint32_t count = 3 * linker->def->triangle_count;
  uint64_t max_hinges = 0;
  for (uint32_t e = 0; e < linker->edge_count; ++e) {
    const uint32_t begin = linker->edges[e].value;
    const uint64_t sharing = edge_end(linker->half_edges, begin, count) - begin;
    max_hinges += sharing * (sharing - 1) / 2;
  }
  WEFT__FAIL_IF(max_hinges > WEFT_MAX_LINKS, WEFT_ERROR_TOO_MANY, "bend elements");
  WEFT__FAIL_IF(!weft__hinges_reserve(&linker->hinges, (uint32_t)max_hinges),
                WEFT_ERROR_OUT_OF_MEMORY, "bend elements");
  for (uint32_t e = 0; e < linker->edge_count; ++e) {
    const uint32_t begin = linker->edges[e].value;
    hinge_edge(linker, begin, edge_end(linker->half_edges, begin, count));
  }
  return weft__ok();
}

static weft_result check_lengths(const weft__links* links) {
  for (uint32_t i = 0; i < links->count; ++i) {
    // coincident corners: the link would have no direction and no strain
    if (!(links->rest_length[i] > 0.0f)) {
      return weft__fail_at(WEFT_ERROR_DEGENERATE, "weft_mesh_def.positions", links->end_a[i]);
    }
  }
  return weft__ok();
}

// Each vertex gets a third of its faces' mass, or particle_mass if it has no face.
static weft_result set_masses(mesh_linker* linker) {
  const weft_mesh_def* def = linker->def;
  float* mass = linker->inverse_masses;
  for (uint32_t v = 0; v < def->vertex_count; ++v) {
    mass[v] = def->material == NULL ? def->particle_mass : 0.0f;
  }
  for (uint32_t t = 0; t < def->triangle_count && def->material != NULL; ++t) {
    const double third = (double)def->material->density * face_area(def, t) / 3.0;
    for (int i = 0; i < 3; ++i) mass[def->triangles[(size_t)3 * t + (size_t)i]] += (float)third;
  }
  for (uint32_t v = 0; v < def->vertex_count; ++v) {
    if (mass[v] == 0.0f) mass[v] = def->particle_mass;
    mass[v] = 1.0f / mass[v];
    if (mass[v] >= WEFT_MIN_INVERSE_MASS && mass[v] <= WEFT_MAX_INVERSE_MASS) continue;
    return weft__fail_at(WEFT_ERROR_RANGE, "weft_material_def.density", v);
  }
  return weft__ok();
}

// Fills linker->links; the caller releases the linker in any case.
static weft_result make_links(mesh_linker* linker) {
  const weft_mesh_def* def = linker->def;
  sort_half_edges(def, linker->half_edges, linker->scratch);
  WEFT__TRY(check_repeated_faces(def, linker->half_edges));
  const uint64_t bound = bound_links(def, linker->half_edges);
  WEFT__FAIL_IF(bound > WEFT_MAX_LINKS, WEFT_ERROR_TOO_MANY, "links");
  const bool allocated = weft__pair_set_reserve(&linker->linked, bound) &&
                         weft__links_reserve(&linker->links, (uint32_t)bound);
  WEFT__FAIL_IF(!allocated, WEFT_ERROR_OUT_OF_MEMORY, "links");
  list_edges(linker);
  link_edges(linker);
  link_bends(linker);
  WEFT__TRY(check_lengths(&linker->links));
  WEFT__TRY(make_hinges(linker));
  return set_masses(linker);
}

// Sets the triangles of the last part; room must be reserved.
static void push_triangles(weft_scene* scene, const weft_mesh_def* def, uint32_t first) {
  weft__part* part = &scene->parts[scene->part_count - 1];
  part->first_triangle = scene->triangle_count;
  part->triangle_count = def->triangle_count;
  uint32_t* corner = scene->triangles + (size_t)3 * scene->triangle_count;
  const size_t corner_count = (size_t)3 * def->triangle_count;
  for (size_t i = 0; i < corner_count; ++i) corner[i] = first + def->triangles[i];
  scene->triangle_count += def->triangle_count;
}

static weft_result append_mesh(weft_scene* scene, const weft_mesh_def* def,
                               const mesh_linker* linker, weft_body* body) {
  const weft__links* links = &linker->links;
  WEFT__TRY(weft__scene_reserve(scene, def->vertex_count, links->count));
  WEFT__TRY(weft__scene_reserve_hinges(scene, linker->hinges.count));
  WEFT__TRY(weft__scene_reserve_triangles(scene, def->triangle_count));
  const uint32_t first_link = scene->links.count;
  const uint32_t first = weft__scene_push_part(scene, def->vertex_count, 0);
  memcpy(scene->positions + (size_t)3 * first, def->positions,
         (size_t)3 * def->vertex_count * sizeof(float));
  memcpy(scene->inverse_masses + first, linker->inverse_masses, def->vertex_count * sizeof(float));
  push_triangles(scene, def, first);
  for (uint32_t i = 0; i < links->count; ++i) {
    weft_link_def link = weft__links_get(links, i);
    link.a += first;
    link.b += first;
    weft__links_push(&scene->links, link);
  }
  for (uint32_t i = 0; i < linker->hinges.count; ++i) {
    weft__hinge hinge = weft__hinges_get(&linker->hinges, i);
    for (int k = 0; k < 4; ++k) hinge.particle[k] += first;
    weft__hinges_push(&scene->hinges, &hinge);
  }
  if (body != NULL) *body = weft__scene_body_since(scene, first, first_link);
  return weft__ok();
}

static weft_result add_mesh(weft_scene* scene, const weft_mesh_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(check_def(def));
  const size_t half_edge_count = (size_t)3 * def->triangle_count;
  mesh_linker linker = {
      .def = def,
      .half_edges = weft__alloc(half_edge_count, sizeof(weft__sort_item)),
      .edges = weft__alloc(half_edge_count, sizeof(weft__sort_item)),
      .scratch = weft__alloc(half_edge_count, sizeof(weft__sort_item)),
      .inverse_masses = weft__alloc(def->vertex_count, sizeof(float)),
  };
  const bool allocated = linker.half_edges != NULL && linker.edges != NULL &&
                         linker.scratch != NULL && linker.inverse_masses != NULL;
  weft_result result = allocated ? make_links(&linker)
                                 : weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "weft_mesh_def.triangles");
  if (result.error == WEFT_OK) result = append_mesh(scene, def, &linker, body);
  weft__pair_set_destroy(&linker.linked);
  weft__links_destroy(&linker.links);
  weft__hinges_destroy(&linker.hinges);
  weft__free(linker.half_edges);
  weft__free(linker.edges);
  weft__free(linker.scratch);
  weft__free(linker.inverse_masses);
  return result;
}

weft_result weft_scene_add_mesh(weft_scene* scene, const weft_mesh_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_mesh, scene, def, body);
}
