/* Icosphere: an icosahedron, its triangles subdivided in four `level` times. Each edge of the
 * previous level makes one corner: sorted by their two ends, an edge's two half-edges are
 * adjacent. */
#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "base/min_max.h"
#include "base/sort.h"
#include "libraries/bodies/body_contact.h"
#include "libraries/contacts/suggest.h"
#include "scene/scene.h"

// Thickness over radius, at most: a ball that rests shows no gap.
#define SKIN_SHARE 0.02

typedef struct sphere {
  uint32_t vertex_count;
  uint32_t triangle_count;
  double (*vertices)[3];        // on the unit sphere
  uint32_t (*triangles)[3];     // counter-clockwise from outside
  uint32_t (*divided)[3];       // next level
  weft__sort_item* half_edges;  // key: the two ends; value: 3 * triangle + corner
  weft__sort_item* scratch;
  uint32_t* middles;  // vertex at a half-edge's midpoint
  float* positions;
} sphere;

static void free_sphere(sphere* s) {
  weft__free(s->vertices);
  weft__free(s->triangles);
  weft__free(s->divided);
  weft__free(s->half_edges);
  weft__free(s->scratch);
  weft__free(s->middles);
  weft__free(s->positions);
}

static bool make_sphere(sphere* s, uint32_t level) {
  const size_t triangles = (size_t)20 << (2 * level);
  const size_t vertices = triangles / 2 + 2;
  *s = (sphere){
      .vertices = weft__alloc(vertices, sizeof(*s->vertices)),
      .triangles = weft__alloc(triangles, sizeof(*s->triangles)),
      .divided = weft__alloc(triangles, sizeof(*s->divided)),
      .half_edges = weft__alloc(3 * triangles, sizeof(*s->half_edges)),
      .scratch = weft__alloc(3 * triangles, sizeof(*s->scratch)),
      .middles = weft__alloc(3 * triangles, sizeof(*s->middles)),
      .positions = weft__alloc(vertices, sizeof(float[3])),
  };
  const bool made = s->vertices != NULL && s->triangles != NULL && s->divided != NULL &&
                    s->half_edges != NULL && s->scratch != NULL && s->middles != NULL &&
                    s->positions != NULL;
  if (!made) free_sphere(s);
  return made;
}

static uint32_t push_vertex(sphere* s, double x, double y, double z) {
  const double length = sqrt(x * x + y * y + z * z);
  s->vertices[s->vertex_count][0] = x / length;
  s->vertices[s->vertex_count][1] = y / length;
  s->vertices[s->vertex_count][2] = z / length;
  return s->vertex_count++;
}

static void make_icosahedron(sphere* s) {
  // corners of three orthogonal golden rectangles
  static const uint32_t faces[20][3] = {
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  const double golden = 0.5 * (1.0 + sqrt(5.0));
  for (uint32_t i = 0; i < 12; ++i) {
    const double one = i % 2 == 0 ? -1.0 : 1.0;
    const double large = i % 4 < 2 ? golden : -golden;
    if (i < 4) (void)push_vertex(s, one, large, 0.0);
    if (i >= 4 && i < 8) (void)push_vertex(s, 0.0, one, large);
    if (i >= 8) (void)push_vertex(s, large, 0.0, one);
  }
  memcpy(s->triangles, faces, sizeof(faces));
  s->triangle_count = 20;
}

static void split_edges(sphere* s) {
  const uint32_t count = 3 * s->triangle_count;
  for (uint32_t h = 0; h < count; ++h) {
    const uint64_t a = s->triangles[h / 3][h % 3];
    const uint64_t b = s->triangles[h / 3][(h + 1) % 3];
    s->half_edges[h] = (weft__sort_item){a < b ? a << 32 | b : b << 32 | a, h};
  }
  weft__sort(s->half_edges, s->scratch, count);
  for (uint32_t i = 0; i < count; i += 2) {
    const double* a = s->vertices[s->half_edges[i].key >> 32];
    const double* b = s->vertices[s->half_edges[i].key & UINT32_MAX];
    const uint32_t middle = push_vertex(s, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
    s->middles[s->half_edges[i].value] = middle;
    s->middles[s->half_edges[i + 1].value] = middle;
  }
}

static void push_triangle(sphere* s, uint32_t* count, uint32_t a, uint32_t b, uint32_t c) {
  s->divided[*count][0] = a;
  s->divided[*count][1] = b;
  s->divided[(*count)++][2] = c;
}

static void subdivide(sphere* s) {
  split_edges(s);
  uint32_t count = 0;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    const uint32_t* corner = s->triangles[t];
    const uint32_t* middle = s->middles + (size_t)3 * t;
    push_triangle(s, &count, corner[0], middle[0], middle[2]);
    push_triangle(s, &count, corner[1], middle[1], middle[0]);
    push_triangle(s, &count, corner[2], middle[2], middle[1]);
    push_triangle(s, &count, middle[0], middle[1], middle[2]);
  }
  uint32_t(*before)[3] = s->triangles;
  s->triangles = s->divided;
  s->divided = before;
  s->triangle_count = count;
}

// Square metres for radius 1.
static double area_of(const sphere* s) {
  double area = 0.0;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    const double* a = s->vertices[s->triangles[t][0]];
    const double* b = s->vertices[s->triangles[t][1]];
    const double* c = s->vertices[s->triangles[t][2]];
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const int y = (axis + 1) % 3;
      const int z = (axis + 2) % 3;
      const double normal = (b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]);
      squared += normal * normal;
    }
    area += 0.5 * sqrt(squared);
  }
  return area;
}

static weft_result add_mesh(weft_scene* scene, const weft_ball_def* def, const sphere* s,
                            weft_body* body) {
  const double radius = (double)def->radius;
  for (uint32_t i = 0; i < s->vertex_count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      s->positions[(size_t)3 * i + (size_t)axis] =
          (float)((double)def->origin[axis] + radius * s->vertices[i][axis]);
    }
  }
  weft_material_def material = weft_default_material_def();
  material.density = (float)((double)def->mass / (area_of(s) * radius * radius));
  material.stretch_stiffness = def->stretch_stiffness;
  material.bend_stiffness = def->bend_stiffness;
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = s->positions;
  mesh.vertex_count = s->vertex_count;
  mesh.triangles = s->triangles[0];
  mesh.triangle_count = s->triangle_count;
  mesh.material = &material;
  mesh.tear_ratio = def->tear_ratio;
  const weft_result result = weft_scene_add_mesh(scene, &mesh, body);
  const bool is_mass = strcmp(result.field, "weft_material_def.density") == 0;
  const bool is_position = strcmp(result.field, "weft_mesh_def.positions") == 0;
  if (is_mass) return weft__fail(result.error, "weft_ball_def.mass");
  return is_position ? weft__fail(result.error, "weft_ball_def.origin") : result;
}

static weft_result set_contact(weft_scene* scene, const weft_ball_def* def, const weft_body* body) {
  weft__spacing spacing;
  WEFT__TRY(weft__measure_spacing(scene, body, &spacing));
  const double skin = SKIN_SHARE * (double)def->radius;
  const weft__body_contact contact = {
      .thickness = def->thickness,
      .usual = weft__min(skin, WEFT__THICKNESS_SHARE * spacing.mean),
      .friction = def->friction,
      .collision = def->collision,
      .in_air = def->in_air,
  };
  return weft__set_body_contact(scene, body, &contact);
}

static weft_result add_ball(weft_scene* scene, const weft_ball_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(weft__check_def(&weft__ball_fields, def));
  sphere s;
  WEFT__FAIL_IF(!make_sphere(&s, def->level), WEFT_ERROR_OUT_OF_MEMORY, "scene");
  make_icosahedron(&s);
  for (uint32_t level = 0; level < def->level; ++level) subdivide(&s);
  const weft__scene_mark before = weft__scene_get_mark(scene);
  weft_body made;
  weft_result result = add_mesh(scene, def, &s, &made);
  free_sphere(&s);
  WEFT__TRY(result);
  if (def->pressure > 0.0f) result = weft_scene_set_pressure(scene, &made, def->pressure);
  if (result.error == WEFT_OK) result = set_contact(scene, def, &made);
  if (result.error != WEFT_OK) {
    weft__scene_roll_back(scene, &before);
  } else if (body != NULL) {
    *body = made;
  }
  return result;
}

weft_result weft_scene_add_ball(weft_scene* scene, const weft_ball_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_ball, scene, def, body);
}
