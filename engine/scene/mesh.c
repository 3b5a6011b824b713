/* Triangle meshes: a structural link for each edge, a bend link across each edge shared by two
 * triangles.
 *
 *        b         edge a-b is shared by the triangles a b c and b a d: structural links on all
 *      / | \       edges, one bend link c-d
 *     c  |  d
 *      \ | /       Links are numbered by first occurrence of their edge, all structural ones first:
 *        a         see scene/mesh_edges.h.
 *
 * With a material there are no bend links, but bend elements on a b c d if it has bend stiffness
 * (scene/mesh_hinges.c). A membrane has an element a triangle, and its edges are links that sweeps
 * leave out (scene/mesh_membranes.h).
 *
 * (Mueller et al. 2007, "Position based dynamics", section 4.1, with a link instead of the dihedral
 * constraint) */
#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "scene/material.h"
#include "scene/mesh_edges.h"
#include "scene/mesh_hinges.h"
#include "scene/mesh_membranes.h"
#include "scene/scene.h"

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

// Springs along edges have a shear stiffness of their own: the default counts as none given.
static weft_result check_mesh_material(const weft_mesh_def* def) {
  WEFT__TRY(weft__check_material(def->material, "weft_mesh_def.material"));
  if (def->material == NULL) return weft__ok();
  if (def->material->membrane) {
    WEFT__FAIL_IF(def->relaxation != 1.0f, WEFT_ERROR_RANGE, "weft_mesh_def.relaxation");
    return weft__ok();
  }
  WEFT__FAIL_IF(def->material->shear_stiffness != weft_default_material_def().shear_stiffness,
                WEFT_ERROR_RANGE, "weft_material_def.shear_stiffness");
  return weft__ok();
}

static weft_result check_pleats(const weft_mesh_def* def) {
  if (def->pleat_count == 0) return weft__ok();
  WEFT__FAIL_IF(def->pleats == NULL, WEFT_ERROR_NULL, "weft_mesh_def.pleats");
  WEFT__FAIL_IF(!weft__material_bends(def->material), WEFT_ERROR_RANGE,
                "weft_material_def.bend_stiffness");
  for (uint32_t i = 0; i < def->pleat_count; ++i) {
    const weft_result result =
        weft__check_range(def->pleats[i].angle, 0.0f, WEFT__MAX_ANGLE, "weft_mesh_def.pleats");
    if (result.error != WEFT_OK) return weft__fail_at(result.error, "weft_mesh_def.pleats", i);
  }
  return weft__ok();
}

static weft_result check_def(const weft_mesh_def* def) {
  WEFT__TRY(weft__check_def(&weft__mesh_fields, def));
  WEFT__TRY(weft__check_magnitude(def->positions, (size_t)3 * def->vertex_count, 3,
                                  "weft_mesh_def.positions"));
  WEFT__TRY(check_triangles(def));
  if (def->uvs != NULL) {
    WEFT__TRY(
        weft__check_magnitude(def->uvs, (size_t)2 * def->vertex_count, 2, "weft_mesh_def.uvs"));
  }
  WEFT__TRY(check_mesh_material(def));
  WEFT__TRY(check_pleats(def));
  return weft__check_mesh_membranes(def);
}

// Bend links also resist stretch, which a material specifies.
static bool has_bend_links(const weft_mesh_def* def) {
  return def->bend_relaxation > 0.0f && def->material == NULL;
}

// Pairs of corners may be linked already.
static uint64_t bound_links(const weft__mesh_edges* edges) {
  return edges->count + (has_bend_links(edges->def) ? weft__mesh_edges_pairs(edges) : 0);
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
  return 0.5 * weft__length(weft__cross(weft__mesh_offset(def, corner[0], corner[1]),
                                        weft__mesh_offset(def, corner[0], corner[2])));
}

typedef struct mesh_linker {
  const weft_mesh_def* def;
  weft__mesh_edges edges;
  weft__sort_item* pleats; /* key: weft__pair_key(); value: number; with scratch */
  weft__pair_set linked;
  weft__links links;     /* by vertex number */
  weft__hinges hinges;   /* by vertex number */
  float* inverse_masses; /* 1/kg [vertex_count] */
} mesh_linker;

static bool has_limit(const weft_mesh_def* def) {
  return weft__mesh_has_membranes(def) && def->material->max_stretch > 0.0f;
}

static weft_link_mode link_mode(const weft_mesh_def* def) {
  return has_limit(def) ? WEFT_LINK_MODE_STRETCH : WEFT_LINK_MODE_BOTH;
}

// Along a unit vector, newtons per metre.
static double stiffness_along(const weft_mesh_def* def, uint32_t triangle, weft__vec3 along) {
  if (!def->material->membrane) return (double)def->material->stretch_stiffness;
  weft__vec3 frame[2];
  (void)weft__mesh_frame(def, triangle, frame);
  return weft__membrane_stiffness(def->material, weft__dot(frame[0], along));
}

static float edge_compliance(const mesh_linker* linker, const weft__mesh_edge* edge) {
  const weft_mesh_def* def = linker->def;
  if (def->material == NULL) return 0.0f;
  const double length = (double)distance(def->positions, edge->a, edge->b);
  const weft__vec3 offset = weft__mesh_offset(def, edge->a, edge->b);
  const weft__vec3 along = {offset.x / length, offset.y / length, offset.z / length};
  double area = 0.0;
  double stiffness = 0.0;
  for (uint32_t i = edge->begin; i < edge->end; ++i) {
    const uint32_t triangle = linker->edges.half_edges[i].value / 3;
    area += face_area(def, triangle);
    stiffness += stiffness_along(def, triangle, along);
  }
  return weft__compliance_of(stiffness / (edge->end - edge->begin) * area / (length * length));
}

static weft_link_def edge_link(const mesh_linker* linker, const weft__mesh_edge* edge) {
  const weft_mesh_def* def = linker->def;
  weft_link_def link = {
      .a = edge->a,
      .b = edge->b,
      .rest_length = distance(def->positions, edge->a, edge->b),
      .relaxation = def->relaxation,
      .tear_ratio = def->tear_ratio,
      .kind = WEFT_LINK_STRUCTURAL,
      .mode = link_mode(def),
  };
  if (has_limit(def)) {
    link.rest_length *= def->material->max_stretch;
    return link;
  }
  link.compliance = edge_compliance(linker, edge);
  if (weft__mesh_has_membranes(def)) link.relaxation = 0.0f;
  return link;
}

static void push_link(mesh_linker* linker, weft_link_def link) {
  if (!weft__pair_set_insert(&linker->linked, link.a, link.b)) return;
  weft__links_push(&linker->links, link);
}

static void link_edges(mesh_linker* linker) {
  for (uint32_t e = 0; e < linker->edges.count; ++e) {
    const weft__mesh_edge edge = weft__mesh_edge_at(&linker->edges, e);
    push_link(linker, edge_link(linker, &edge));
  }
}

// Opposite corners of all pairs of faces at an edge.
static void bend_edge(mesh_linker* linker, weft__mesh_edge edge) {
  const weft_mesh_def* def = linker->def;
  const weft__sort_item* half_edges = linker->edges.half_edges;
  for (uint32_t i = edge.begin; i < edge.end; ++i) {
    for (uint32_t j = i + 1; j < edge.end; ++j) {
      const uint32_t a = weft__opposite_corner(def, half_edges[i].value);
      const uint32_t b = weft__opposite_corner(def, half_edges[j].value);
      const float length = distance(def->positions, a, b);
      // faces folded onto each other define no direction
      if (length == 0.0f) continue;
      push_link(linker, (weft_link_def){.a = a,
                                        .b = b,
                                        .rest_length = length,
                                        .relaxation = def->bend_relaxation,
                                        .tear_ratio = def->tear_ratio,
                                        .kind = WEFT_LINK_BEND});
    }
  }
}

// Corners that an edge already links get no bend link.
static void link_bends(mesh_linker* linker) {
  if (!has_bend_links(linker->def)) return;
  for (uint32_t e = 0; e < linker->edges.count; ++e) {
    bend_edge(linker, weft__mesh_edge_at(&linker->edges, e));
  }
}

static weft_result sort_pleats(mesh_linker* linker) {
  const weft_mesh_def* def = linker->def;
  linker->pleats = weft__alloc((size_t)2 * def->pleat_count, sizeof(*linker->pleats));
  WEFT__FAIL_IF(linker->pleats == NULL, WEFT_ERROR_OUT_OF_MEMORY, "weft_mesh_def.pleats");
  for (uint32_t i = 0; i < def->pleat_count; ++i) {
    const uint64_t key = weft__pair_key(def->pleats[i].a, def->pleats[i].b);
    if (weft__mesh_edge_triangles(&linker->edges, key) < 2) {
      return weft__fail_at(WEFT_ERROR_INDEX, "weft_mesh_def.pleats", i);
    }
    linker->pleats[i] = (weft__sort_item){key, i};
  }
  weft__sort(linker->pleats, linker->pleats + def->pleat_count, def->pleat_count);
  for (uint32_t i = 1; i < def->pleat_count; ++i) {
    if (linker->pleats[i].key != linker->pleats[i - 1].key) continue;
    return weft__fail_at(WEFT_ERROR_DUPLICATE, "weft_mesh_def.pleats", linker->pleats[i].value);
  }
  return weft__ok();
}

// Negative without a pleat.
static float angle_of(const mesh_linker* linker, uint64_t key) {
  const uint32_t count = linker->def->pleat_count;
  const uint32_t pleat = weft__lower_bound(linker->pleats, 0, count, key);
  if (pleat == count || linker->pleats[pleat].key != key) return -1.0f;
  return linker->def->pleats[linker->pleats[pleat].value].angle;
}

static void hinge_edge(mesh_linker* linker, weft__mesh_edge edge) {
  const weft_mesh_def* def = linker->def;
  const weft__sort_item* half_edges = linker->edges.half_edges;
  const float angle = angle_of(linker, weft__pair_key(edge.a, edge.b));
  for (uint32_t i = edge.begin; i < edge.end; ++i) {
    for (uint32_t j = i + 1; j < edge.end; ++j) {
      const uint32_t corners[4] = {edge.a, edge.b, weft__opposite_corner(def, half_edges[i].value),
                                   weft__opposite_corner(def, half_edges[j].value)};
      weft__hinge hinge;
      if (weft__mesh_hinge(def, corners, angle, &hinge)) {
        weft__hinges_push(&linker->hinges, &hinge);
      }
    }
  }
}

static weft_result make_hinges(mesh_linker* linker) {
  if (!weft__material_bends(linker->def->material)) return weft__ok();
  WEFT__TRY(sort_pleats(linker));
  const uint64_t max_hinges = weft__mesh_edges_pairs(&linker->edges);
  WEFT__FAIL_IF(max_hinges > WEFT_MAX_LINKS, WEFT_ERROR_TOO_MANY, "bend elements");
  WEFT__FAIL_IF(!weft__hinges_reserve(&linker->hinges, (uint32_t)max_hinges),
                WEFT_ERROR_OUT_OF_MEMORY, "bend elements");
  for (uint32_t e = 0; e < linker->edges.count; ++e) {
    hinge_edge(linker, weft__mesh_edge_at(&linker->edges, e));
  }
  return weft__ok();
}

static weft_result check_lengths(const weft__links* links) {
  for (uint32_t i = 0; i < links->count; ++i) {
    // coincident corners: no direction and no strain
    if (!(links->rest_length[i] > 0.0f)) {
      return weft__fail_at(WEFT_ERROR_DEGENERATE, "weft_mesh_def.positions", links->end_a[i]);
    }
  }
  return weft__ok();
}

// A third of the faces' mass, or particle_mass without a face.
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

// The caller releases the linker in any case.
static weft_result make_links(mesh_linker* linker) {
  WEFT__TRY(weft__mesh_edges_create(&linker->edges, linker->def));
  linker->inverse_masses = weft__alloc(linker->def->vertex_count, sizeof(float));
  WEFT__FAIL_IF(linker->inverse_masses == NULL, WEFT_ERROR_OUT_OF_MEMORY,
                "weft_mesh_def.triangles");
  const uint64_t bound = bound_links(&linker->edges);
  WEFT__FAIL_IF(bound > WEFT_MAX_LINKS, WEFT_ERROR_TOO_MANY, "links");
  const weft_link_def any = {.mode = link_mode(linker->def)};
  const bool allocated = weft__pair_set_reserve(&linker->linked, bound) &&
                         weft__links_reserve(&linker->links, (uint32_t)bound) &&
                         weft__links_add_columns(&linker->links, &any, 1);
  WEFT__FAIL_IF(!allocated, WEFT_ERROR_OUT_OF_MEMORY, "links");
  link_edges(linker);
  link_bends(linker);
  WEFT__TRY(check_lengths(&linker->links));
  WEFT__TRY(make_hinges(linker));
  return set_masses(linker);
}

// Last part; room must be reserved.
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
  const bool has_membranes = weft__mesh_has_membranes(def);
  WEFT__TRY(weft__scene_reserve_membranes(scene, has_membranes ? def->triangle_count : 0));
  const weft_link_def any = {.mode = link_mode(def)};
  WEFT__FAIL_IF(!weft__links_add_columns(&scene->links, &any, 1), WEFT_ERROR_OUT_OF_MEMORY,
                "links");
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
  for (uint32_t t = 0; has_membranes && t < def->triangle_count; ++t) {
    weft__membrane membrane = weft__mesh_membrane(def, t);
    for (int k = 0; k < 3; ++k) membrane.particle[k] += first;
    scene->membranes.list[scene->membranes.count++] = membrane;
  }
  if (body != NULL) *body = weft__scene_body_since(scene, first, first_link);
  return weft__ok();
}

static weft_result add_mesh(weft_scene* scene, const weft_mesh_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(check_def(def));
  mesh_linker linker = {.def = def};
  weft_result result = make_links(&linker);
  if (result.error == WEFT_OK) result = append_mesh(scene, def, &linker, body);
  weft__pair_set_destroy(&linker.linked);
  weft__links_destroy(&linker.links);
  weft__hinges_destroy(&linker.hinges);
  weft__mesh_edges_destroy(&linker.edges);
  weft__free(linker.pleats);
  weft__free(linker.inverse_masses);
  return result;
}

weft_result weft_scene_add_mesh(weft_scene* scene, const weft_mesh_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_mesh, scene, def, body);
}
