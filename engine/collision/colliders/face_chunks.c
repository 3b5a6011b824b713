#include "collision/colliders/face_chunks.h"

#include <math.h>

#include "base/min_max.h"

// of ranges in the scene
#define STRETCH 1.25f

float weft__stretched_range(const weft__faces* faces, uint32_t face) {
  return STRETCH * weft__face_range(faces, face);
}

static bool has_contacts(const weft__face_contacts* contacts, const weft__materials* materials,
                         uint32_t face) {
  const uint32_t* corner = contacts->faces->corner[face];
  for (int k = 0; k < 3; ++k) {
    if (materials->of[corner[k]] == 0) return false;
    const weft_particle_shape shape = weft__material_of(materials, corner[k])->shape;
    if (shape != WEFT_PARTICLE_SHAPE_POINT && shape != WEFT_PARTICLE_SHAPE_CLOTH) return false;
  }
  return true;
}

// Colours faces with contacts, in `color`; WEFT__NONE for others. Counts the faces of each colour.
static void color_faces(weft__face_contacts* contacts, const weft__materials* materials,
                        uint32_t* color_size) {
  weft__first_fit_clear(&contacts->coloring);
  contacts->coloring.overflow_count = 0;
  contacts->color_count = 0;
  contacts->count = 0;
  for (uint32_t f = 0; f < contacts->faces->count; ++f) {
    contacts->color[f] = WEFT__NONE;
    if (!has_contacts(contacts, materials, f)) continue;
    const uint32_t color =
        weft__first_fit_color(&contacts->coloring, contacts->faces->corner[f], 3);
    while (contacts->color_count <= color) color_size[contacts->color_count++] = 0;
    contacts->color[f] = color;
    ++color_size[color];
    ++contacts->count;
  }
}

// Chunks of one colour; color_first becomes the first chunk of each.
static void cut_chunks(weft__face_contacts* contacts) {
  uint32_t first = 0;
  contacts->chunk_count = 0;
  for (uint32_t c = 0; c < contacts->color_count; ++c) {
    const uint32_t end = first + contacts->color_first[c];
    contacts->color_first[c] = contacts->chunk_count;
    for (; first < end; first += WEFT__FACE_CHUNK) {
      contacts->chunk_first[contacts->chunk_count++] = first;
    }
    first = end;
  }
  contacts->color_first[contacts->color_count] = contacts->chunk_count;
  contacts->chunk_first[contacts->chunk_count] = first;
}

// Sorts faces by colour: counting sort, with the first face of each colour in chunk_first.
static void sort_faces(weft__face_contacts* contacts) {
  uint32_t* next = contacts->chunk_first;
  uint32_t first = 0;
  for (uint32_t c = 0; c < contacts->color_count; ++c) {
    next[c] = first;
    first += contacts->color_first[c];
  }
  for (uint32_t f = 0; f < contacts->faces->count; ++f) {
    if (contacts->color[f] != WEFT__NONE) contacts->face[next[contacts->color[f]]++] = f;
  }
  for (uint32_t n = 0; n < contacts->count; ++n) {
    const uint32_t* corner = contacts->faces->corner[contacts->face[n]];
    for (int k = 0; k < 3; ++k) contacts->corner[k][n] = corner[k];
  }
}

static void add_sizes(weft__face_sizes* sizes, const weft__face_sizes* face) {
  sizes->range = weft__maxf(sizes->range, face->range);
  sizes->thinnest = weft__minf(sizes->thinnest, face->thinnest);
  sizes->reach = weft__maxf(sizes->reach, face->reach);
}

weft__face_sizes weft__face_sizes_of(const weft__face_contacts* contacts,
                                     const weft__materials* materials, uint32_t face) {
  const uint32_t* corner = contacts->faces->corner[face];
  float radius = INFINITY;
  for (int k = 0; k < 3; ++k)
    radius = weft__minf(radius, weft__material_of(materials, corner[k])->half_size[0]);
  return (weft__face_sizes){weft__stretched_range(contacts->faces, face), radius,
                            (float)WEFT__FACE_SHARE * radius};
}

static void measure_sizes(weft__face_contacts* contacts, const weft__materials* materials) {
  contacts->sizes = (weft__face_sizes){.thinnest = INFINITY};
  for (uint32_t c = 0; c < contacts->chunk_count; ++c) {
    weft__face_sizes sizes = {.thinnest = INFINITY};
    for (uint32_t n = contacts->chunk_first[c]; n < contacts->chunk_first[c + 1]; ++n) {
      const weft__face_sizes face = weft__face_sizes_of(contacts, materials, contacts->face[n]);
      add_sizes(&sizes, &face);
    }
    contacts->chunk_sizes[c] = sizes;
    add_sizes(&contacts->sizes, &sizes);
  }
}

void weft__face_chunks_classify(weft__face_contacts* contacts, const weft__materials* materials) {
  if (contacts->is_classified && contacts->materials_version == materials->version) return;
  color_faces(contacts, materials, contacts->color_first);
  sort_faces(contacts);
  cut_chunks(contacts);
  measure_sizes(contacts, materials);
  contacts->materials_version = materials->version;
  contacts->is_classified = true;
}
