#include "sim/pieces.h"

#include <stdlib.h>

#include "common/must.h"
#include "sim/scene.h"

/* Links read at a time. */
enum { CHUNK = 1024 };

static uint32_t chunk_at(const sim_pieces* pieces, uint32_t first) {
  const uint32_t left = pieces->link_count - first;
  return left < CHUNK ? left : CHUNK;
}

static bool remember_ends(sim_pieces* pieces, const weft_scene* scene, tool_message* why) {
  weft_link_def links[CHUNK];
  for (uint32_t first = 0; first < pieces->link_count; first += CHUNK) {
    const uint32_t count = chunk_at(pieces, first);
    if (!sim_check(weft_scene_get_links(scene, first, count, links), why)) return false;
    for (uint32_t i = 0; i < count; ++i) {
      pieces->ends[first + i][0] = links[i].a;
      pieces->ends[first + i][1] = links[i].b;
    }
  }
  return true;
}

bool sim_pieces_create(sim_pieces* pieces, const weft_scene* scene, tool_message* why) {
  *pieces = (sim_pieces){.particle_count = weft_scene_particle_count(scene),
                         .link_count = weft_scene_link_count(scene)};
  pieces->ends = calloc((size_t)pieces->link_count + 1, sizeof *pieces->ends);
  pieces->piece_of = calloc((size_t)pieces->particle_count + 1, sizeof *pieces->piece_of);
  if (!pieces->ends || !pieces->piece_of) return tool_because(why, "no memory for pieces");
  return remember_ends(pieces, scene, why);
}

void sim_pieces_destroy(sim_pieces* pieces) {
  free(pieces->ends);
  free(pieces->piece_of);
  *pieces = (sim_pieces){.count = 0};
}

// root of a particle's piece, with path halving
static uint32_t first_of(uint32_t* piece_of, uint32_t particle) {
  while (piece_of[particle] != particle) {
    piece_of[particle] = piece_of[piece_of[particle]];
    particle = piece_of[particle];
  }
  return particle;
}

static void join(uint32_t* piece_of, const uint32_t ends[2]) {
  const uint32_t a = first_of(piece_of, ends[0]), b = first_of(piece_of, ends[1]);
  piece_of[a > b ? a : b] = a < b ? a : b;
}

static void join_all(sim_pieces* pieces, const weft_world* world) {
  bool torn[CHUNK];
  for (uint32_t first = 0; first < pieces->link_count; first += CHUNK) {
    const uint32_t count = chunk_at(pieces, first);
    tool_get(world, WEFT_ATTRIBUTE_LINK_TORN, first, count, torn);
    for (uint32_t i = 0; i < count; ++i) {
      if (!torn[i]) join(pieces->piece_of, pieces->ends[first + i]);
    }
  }
}

static void count_pieces(sim_pieces* pieces) {
  pieces->count = 0;
  for (uint32_t i = 0; i < pieces->particle_count; ++i) {
    pieces->piece_of[i] = first_of(pieces->piece_of, i);
    pieces->count += pieces->piece_of[i] == i;
  }
}

void sim_pieces_find(sim_pieces* pieces, const weft_world* world) {
  for (uint32_t i = 0; i < pieces->particle_count; ++i) pieces->piece_of[i] = i;
  join_all(pieces, world);
  count_pieces(pieces);
}
