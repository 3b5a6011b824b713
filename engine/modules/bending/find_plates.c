#include "modules/bending/find_plates.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "tables/runs.h"

typedef struct finder {
  const weft_scene* scene;
  const weft__hinges* hinges;
  weft__sort_item *sides, *scratch;  // triangles of hinges: 2 x hinge + 0 or 1
  uint32_t side_count;
  weft__plate* plates;
  uint32_t plate_count;
  uint32_t* mesh_of;  // forest of particles, caller's numbers
  uint32_t* size;
  uint8_t* claims;  // plates that have a hinge
} finder;

static uint32_t root_of(const finder* f, uint32_t particle) {
  return weft__find_root(f->mesh_of, particle);
}

static void join(const finder* f, uint32_t p, uint32_t q) {
  const uint32_t r = root_of(f, p), s = root_of(f, q);
  const uint32_t low = r < s ? r : s, high = r < s ? s : r;
  if (!weft__unite(f->mesh_of, r, s)) return;
  f->size[low] += f->size[high];
}

static bool is_plate_hinge(const weft__hinges* hinges, uint32_t h) {
  return hinges->particle[h][3] != WEFT__NO_PARTICLE && hinges->bend_stiffness[h] > 0.0f;
}

static void join_hinge(const finder* f, uint32_t h) {
  const uint32_t* particle = f->hinges->particle[h];
  for (int k = 1; k < 4; ++k) join(f, particle[0], particle[k]);
}

static void find_meshes(const finder* f) {
  for (uint32_t i = 0; i < f->scene->particle_count; ++i) {
    f->mesh_of[i] = i;
    f->size[i] = 1;
  }
  for (uint32_t h = 0; h < f->hinges->count; ++h) {
    if (is_plate_hinge(f->hinges, h)) join_hinge(f, h);
  }
}

// Ascending; the caller's numbers.
static void list_corners(const finder* f, uint32_t side, uint32_t corner[3]) {
  const uint32_t* particle = f->hinges->particle[side / 2];
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

static void sort_sides(finder* f) {
  uint32_t corner[3];
  for (uint32_t h = 0; h < f->hinges->count; ++h) {
    if (!is_plate_hinge(f->hinges, h)) continue;
    for (uint32_t side = 2 * h; side < 2 * h + 2; ++side) {
      list_corners(f, side, corner);
      f->sides[f->side_count++] = (weft__sort_item){corner[2], side};
    }
  }
  weft__sort(f->sides, f->scratch, f->side_count);
  for (uint32_t i = 0; i < f->side_count; ++i) {
    list_corners(f, f->sides[i].value, corner);
    f->sides[i].key = (uint64_t)corner[0] << 32 | corner[1];
  }
  weft__sort(f->sides, f->scratch, f->side_count);
}

static int place_of(const weft__plate* p, uint32_t particle) {
  return p->corner[0] == particle ? 0 : p->corner[1] == particle ? 1 : 2;
}

double weft__plate_area(const weft__plate* p) {
  const double* l = p->length;
  const double high = fmax(l[0], fmax(l[1], l[2])), low = fmin(l[0], fmin(l[1], l[2]));
  const double middle = l[0] + l[1] + l[2] - high - low;
  const double product = (high + (middle + low)) * (low - (high - middle)) *
                         (low + (high - middle)) * (high + (middle - low));
  return 0.25 * sqrt(fmax(product, 0.0));
}

double weft__plate_cosine(const weft__plate* p, int k) {
  const double a = p->length[(k + 1) % 3], c = p->length[(k + 2) % 3], o = p->length[k];
  return (a * a + c * c - o * o) / (2.0 * a * c);
}

// Share of the longest edge squared, below which the rounding of positions shakes a plate:
// docs/notes/constants.md.
#define MIN_AREA_SHARE 2e-3

static bool is_sliver(const weft__plate* p) {
  const double longest = fmax(p->length[0], fmax(p->length[1], p->length[2]));
  return !(weft__plate_area(p) > MIN_AREA_SHARE * longest * longest);
}

// |J| at rest: see tables/hinges.h for d, plates.h for J.
static double rest_jump_of(const weft__hinges* hinges, uint32_t h) {
  const float* side = hinges->side[h];
  const weft__plate p = {.length = {(double)side[2], (double)side[1], (double)side[0]}};
  const double height = 2.0 * weft__plate_area(&p) / p.length[2];
  return (double)hinges->rest_length[h] / (height * fabs((double)hinges->coefficient[h][2]));
}

// An edge of more than two triangles has several hinges: those that are flat at rest go first.
static bool is_flatter(const weft__hinges* hinges, uint32_t h, uint32_t other) {
  const double own = rest_jump_of(hinges, h), others = rest_jump_of(hinges, other);
  return own < others || (own == others && h < other);
}

static void add_side(const finder* f, weft__plate* p, uint32_t side) {
  const uint32_t h = side / 2, which = side % 2;
  const uint32_t* particle = f->hinges->particle[h];
  const float* length = f->hinges->side[h];
  const int opposite = place_of(p, particle[2 + which]);
  const uint32_t former = p->hinge[opposite];
  if (former != WEFT__NONE && !is_flatter(f->hinges, h, former)) return;
  p->hinge[opposite] = h;
  p->sign[opposite] = which == 0 ? 1.0f : -1.0f;
  p->bend_stiffness = f->hinges->bend_stiffness[h];
  p->length[opposite] = (double)length[0];
  p->length[place_of(p, particle[1])] = (double)length[1 + 2 * which];
  p->length[place_of(p, particle[0])] = (double)length[2 + 2 * which];
}

static void make_plates(finder* f) {
  for (uint32_t i = 0; i < f->side_count; ++i) {
    weft__plate next = {.hinge = {WEFT__NONE, WEFT__NONE, WEFT__NONE}};
    list_corners(f, f->sides[i].value, next.corner);
    weft__plate* last = f->plate_count > 0 ? &f->plates[f->plate_count - 1] : &next;
    if (f->plate_count == 0 || memcmp(last->corner, next.corner, sizeof(next.corner)) != 0) {
      last = &f->plates[f->plate_count++];
      *last = next;
    }
    add_side(f, last, f->sides[i].value);
  }
}

static bool is_left_out(const finder* f, const weft__plate* p) {
  return is_sliver(p) || f->size[root_of(f, p->corner[0])] > f->scene->direct_bends;
}

static void claim_hinges(const finder* f) {
  for (uint32_t i = 0; i < f->plate_count; ++i) {
    const weft__plate* p = &f->plates[i];
    if (is_left_out(f, p)) continue;
    for (int k = 0; k < 3; ++k) {
      if (p->hinge[k] != WEFT__NONE) ++f->claims[p->hinge[k]];
    }
  }
}

// An edge that is not two plates' is each one's border. False for a plate without others.
static bool keep_hinges(const finder* f, weft__plate* p) {
  bool has_any = false;
  for (int k = 0; k < 3; ++k) {
    if (p->hinge[k] != WEFT__NONE && f->claims[p->hinge[k]] < 2) p->hinge[k] = WEFT__NONE;
    has_any |= p->hinge[k] != WEFT__NONE;
  }
  return has_any;
}

// Slivers are left out, and meshes above the limit.
static bool select_plates(finder* f) {
  claim_hinges(f);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->plate_count; ++i) {
    if (is_left_out(f, &f->plates[i]) || !keep_hinges(f, &f->plates[i])) continue;
    f->sides[kept++] = (weft__sort_item){root_of(f, f->plates[i].corner[0]), i};
  }
  weft__sort(f->sides, f->scratch, kept);
  weft__plate* plates = weft__alloc(kept, sizeof(*plates));
  if (plates == NULL) return false;
  for (uint32_t i = 0; i < kept; ++i) plates[i] = f->plates[f->sides[i].value];
  weft__free(f->plates);
  f->plates = plates;
  f->plate_count = kept;
  return true;
}

static bool allocate(finder* f) {
  const size_t particles = f->scene->particle_count, hinges = f->hinges->count;
  f->sides = weft__alloc(2 * hinges, sizeof(*f->sides));
  f->scratch = weft__alloc(2 * hinges, sizeof(*f->scratch));
  f->plates = weft__alloc(2 * hinges, sizeof(*f->plates));
  f->mesh_of = weft__alloc(particles, sizeof(*f->mesh_of));
  f->size = weft__alloc(particles, sizeof(*f->size));
  f->claims = weft__alloc_zeroed(hinges, sizeof(*f->claims));
  return f->sides && f->scratch && f->plates && f->mesh_of && f->size && f->claims;
}

static bool find(finder* f) {
  if (!allocate(f)) return false;
  find_meshes(f);
  sort_sides(f);
  make_plates(f);
  return select_plates(f);
}

bool weft__bend_elements_find(weft__bend_elements* elements, const weft_scene* scene) {
  finder f = {.scene = scene, .hinges = &scene->hinges};
  const bool good = find(&f);
  for (uint32_t i = 0; good && i < scene->particle_count; ++i) f.mesh_of[i] = root_of(&f, i);
  *elements = (weft__bend_elements){f.plates, f.plate_count, f.mesh_of};
  weft__free(f.sides);
  weft__free(f.scratch);
  weft__free(f.size);
  weft__free(f.claims);
  return good;
}

void weft__bend_elements_destroy(weft__bend_elements* elements) {
  weft__free(elements->plates);
  weft__free(elements->mesh_of);
  *elements = (weft__bend_elements){0};
}
