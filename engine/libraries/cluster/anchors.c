#include "libraries/cluster/anchors.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "libraries/cluster/cluster.h"
#include "libraries/cluster/patch_graph.h"

// Rows that a link of a sheet spans.
#define REACH 2u

typedef struct pinned {
  const weft_sheet_def* sheet;
  uint32_t* particle; /* ascending [count] */
  uint32_t* parent;   /* in the islands [count] */
  uint32_t count;
} pinned;

// Index, or the last one before.
static uint32_t find_pinned(const pinned* all, uint32_t particle) {
  return weft__find_last(all->particle, all->count, particle);
}

static void unite(const pinned* all, uint32_t k, int columns, uint32_t rows) {
  const weft_sheet_def* sheet = all->sheet;
  const int64_t column = (int64_t)(all->particle[k] % sheet->columns) + columns;
  const uint32_t row = all->particle[k] / sheet->columns + rows;
  if (column < 0 || column >= sheet->columns || row >= sheet->rows) return;
  const uint32_t to = row * sheet->columns + (uint32_t)column;
  const uint32_t other = find_pinned(all, to);
  if (all->particle[other] == to) (void)weft__unite(all->parent, k, other);
}

static void find_islands(const pinned* all) {
  for (uint32_t k = 0; k < all->count; ++k) all->parent[k] = k;
  for (uint32_t k = 0; k < all->count; ++k) {
    if (all->sheet->structural) {
      unite(all, k, 1, 0);
      unite(all, k, 0, 1);
    }
    if (all->sheet->shear) {
      unite(all, k, 1, 1);
      unite(all, k, -1, 1);
    }
    if (all->sheet->bend) {
      unite(all, k, 2, 0);
      unite(all, k, 0, 2);
    }
  }
}

static void free_pinned(pinned* all) {
  weft__free(all->particle);
  weft__free(all->parent);
}

static bool list_pinned(pinned* all, const weft__sheet_parts* of) {
  uint64_t count = 0;
  for (uint32_t r = 0; r < of->pin_count; ++r) count += of->pins[r].count;
  weft__sort_item* items = weft__alloc(count, sizeof(*items));
  weft__sort_item* scratch = weft__alloc(count, sizeof(*scratch));
  *all = (pinned){.sheet = of->sheet,
                  .particle = weft__alloc(count, sizeof(*all->particle)),
                  .parent = weft__alloc(count, sizeof(*all->parent))};
  const bool good =
      items != NULL && scratch != NULL && all->particle != NULL && all->parent != NULL;
  uint64_t n = 0;
  for (uint32_t r = 0; good && r < of->pin_count; ++r) {
    for (uint64_t k = 0; k < of->pins[r].count; ++k) {
      items[n++] = (weft__sort_item){of->pins[r].first + k, 0};
    }
  }
  if (good) weft__sort(items, scratch, (size_t)n);
  for (uint64_t k = 0; k < n; ++k) {
    const uint32_t particle = (uint32_t)items[k].key;
    if (all->count > 0 && all->particle[all->count - 1] == particle) continue;
    all->particle[all->count++] = particle;
  }
  weft__free(items);
  weft__free(scratch);
  if (good) find_islands(all);
  return good;
}

typedef struct packed_tie {
  double length, drawn;
  uint32_t anchor, island, on_surface, zero;
} packed_tie;

typedef struct search {
  weft_cluster* cluster;
  const weft_scene* scene;
  weft__anchors anchors;
  weft__range own;      /* rows */
  weft__range sides[2]; /* rows above and below */
  uint32_t columns;
  weft__tie* seeds[2]; /* the sides' [rows x columns][capacity] */
  uint32_t* island_of; /* for the scene's pinned particles */
  packed_tie* packed;
  weft__channel channel;
} search;

// Rows above and below a rank's; none without rows.
static void find_sides(const weft_cluster* cluster, uint32_t rank, weft__range sides[2]) {
  const weft__range own = weft__rank_range(cluster->first_row, rank);
  const uint32_t rows = cluster->first_row[weft__rank_count(cluster)];
  sides[0] = (weft__range){own.begin < REACH ? 0 : own.begin - REACH, own.begin};
  sides[1] = (weft__range){own.end, rows - own.end < REACH ? rows : own.end + REACH};
  if (own.begin == own.end) sides[0] = sides[1] = (weft__range){0, 0};
}

static uint32_t first_row_of_scene(const search* s) {
  return (uint32_t)(s->cluster->first_particle / s->columns);
}

static const weft__tie* find_seeds(void* context, uint32_t particle) {
  const search* s = context;
  const uint32_t row = particle / s->columns + first_row_of_scene(s);
  for (int k = 0; k < 2; ++k) {
    if (row < s->sides[k].begin || row >= s->sides[k].end) continue;
    const size_t at = (size_t)(row - s->sides[k].begin) * s->columns + particle % s->columns;
    return s->seeds[k] + at * s->anchors.capacity;
  }
  return NULL;
}

static bool create_seeds(search* s) {
  for (int k = 0; k < 2; ++k) {
    const size_t count =
        (size_t)(s->sides[k].end - s->sides[k].begin) * s->columns * s->anchors.capacity;
    s->seeds[k] = weft__alloc_zeroed(count, sizeof(*s->seeds[k]));
    if (s->seeds[k] == NULL) return false;
    for (size_t i = 0; i < count; ++i) s->seeds[k][i].length = (double)INFINITY;
  }
  const size_t longest = 2 * (size_t)REACH * s->columns * s->anchors.capacity;
  s->packed = weft__alloc(longest, sizeof(*s->packed));
  return s->packed != NULL;
}

static bool list_islands(search* s, const pinned* all) {
  const uint32_t count = s->scene->particle_count;
  s->island_of = weft__alloc_zeroed(count, sizeof(*s->island_of));
  for (uint32_t p = 0; p < count && s->island_of != NULL; ++p) {
    if (s->scene->inverse_masses[p] != 0.0f) continue;
    const uint32_t k = find_pinned(all, s->anchors.first + p);
    s->island_of[p] = all->particle[weft__find_root(all->parent, k)];
  }
  return s->island_of != NULL;
}

static void free_search(search* s) {
  weft__anchors_destroy(&s->anchors);
  weft__free(s->seeds[0]);
  weft__free(s->seeds[1]);
  weft__free(s->island_of);
  weft__free(s->packed);
}

static weft__range own_particles(const search* s) {
  const uint32_t first = first_row_of_scene(s);
  return (weft__range){(s->own.begin - first) * s->columns, (s->own.end - first) * s->columns};
}

static bool find_ties(search* s) {
  const weft__anchor_part part = {own_particles(s), s->island_of, find_seeds, s};
  weft__free(s->anchors.count);
  weft__free(s->anchors.ties);
  s->anchors.count = NULL;
  s->anchors.ties = NULL;
  return weft__anchors_find_part(&s->anchors, s->scene, &part);
}

static size_t pack_rows(const search* s, weft__range rows, packed_tie* to) {
  const uint32_t capacity = s->anchors.capacity, first = first_row_of_scene(s);
  const size_t begin = (size_t)(rows.begin - first) * s->columns;
  const size_t count = (size_t)(rows.end - rows.begin) * s->columns;
  for (size_t p = 0; p < count; ++p) {
    const weft__tie* ties = s->anchors.ties + (begin + p) * capacity;
    for (uint32_t k = 0; k < capacity; ++k, ++to) {
      *to = (packed_tie){.length = (double)INFINITY};
      if (k >= s->anchors.count[begin + p]) continue;
      *to = (packed_tie){ties[k].length, ties[k].drawn,      ties[k].anchor,
                         ties[k].island, ties[k].on_surface, 0};
    }
  }
  return count * capacity;
}

static bool unpack_rows(const search* s, int side, weft__range rows, const packed_tie* from) {
  const uint32_t capacity = s->anchors.capacity;
  weft__tie* ties =
      s->seeds[side] + (size_t)(rows.begin - s->sides[side].begin) * s->columns * capacity;
  const size_t count = (size_t)(rows.end - rows.begin) * s->columns * capacity;
  bool is_new = false;
  for (size_t k = 0; k < count; ++k) {
    const weft__tie tie = {.length = from[k].length,
                           .drawn = from[k].drawn,
                           .anchor = from[k].anchor,
                           .island = from[k].island,
                           .from = from[k].anchor - s->anchors.first,
                           .on_surface = from[k].on_surface != 0};
    is_new |= tie.length != ties[k].length || tie.drawn != ties[k].drawn ||
              tie.anchor != ties[k].anchor || tie.island != ties[k].island ||
              tie.on_surface != ties[k].on_surface;
    ties[k] = tie;
  }
  return is_new;
}

// Rows beside each rank's; true if a tie has changed.
static bool exchange_ties(search* s) {
  weft_cluster* cluster = s->cluster;
  weft__mailbox* mailbox = &cluster->mailbox;
  const uint32_t own = weft__own_rank(cluster);
  bool is_new = false;
  for (uint32_t rank = 0; rank < weft__rank_count(cluster); ++rank) {
    weft__range sides[2];
    size_t count = 0;
    find_sides(cluster, rank, sides);
    for (int k = 0; k < 2; ++k)
      count += pack_rows(s, weft__range_common(s->own, sides[k]), s->packed + count);
    if (rank == own || count == 0) continue;
    weft__mailbox_send(mailbox, &s->channel, rank, s->packed, count * sizeof(*s->packed));
  }
  for (uint32_t rank = 0; rank < weft__rank_count(cluster); ++rank) {
    const weft__range theirs = weft__rank_range(cluster->first_row, rank);
    const weft__range rows[2] = {weft__range_common(theirs, s->sides[0]),
                                 weft__range_common(theirs, s->sides[1])};
    if (rank == own || (rows[0].end == 0 && rows[1].end == 0)) continue;
    weft__block* block = weft__mailbox_wait(mailbox, &s->channel, rank);
    const packed_tie* from = (const packed_tie*)(const void*)block->bytes;
    for (int k = 0; k < 2; ++k) {
      if (rows[k].end == 0) continue;
      is_new |= unpack_rows(s, k, rows[k], from);
      from += (size_t)(rows[k].end - rows[k].begin) * s->columns * s->anchors.capacity;
    }
    block->is_in_use = false;
  }
  ++s->channel.sequence;
  return is_new;
}

// Ends when no rank has new ties for another. Collective.
static bool search_all(search* s, bool good) {
  weft__mailbox* mailbox = &s->cluster->mailbox;
  weft__channel* common_channel = &s->cluster->common;
  for (bool is_new = true, is_done = false; !is_done;) {
    if (good && is_new) good = find_ties(s);
    if (!weft__mailbox_agree(mailbox, common_channel, good)) return false;
    is_new = exchange_ties(s);
    is_done = weft__mailbox_agree(mailbox, common_channel, !is_new);
  }
  return true;
}

// Solver's order of the whole sheet: schedule/order.c.
static uint64_t solver_index(const weft__tiling* t, uint32_t particle) {
  const uint32_t row = particle / t->columns, column = particle % t->columns;
  const uint32_t top = row / t->size.height * t->size.height;
  const uint32_t left = column / t->size.width * t->size.width;
  const uint32_t height = t->rows - top < t->size.height ? t->rows - top : t->size.height;
  const uint32_t width = t->columns - left < t->size.width ? t->columns - left : t->size.width;
  const uint32_t down = row - top, across = column - left, half = width / 2;
  const uint64_t first = (uint64_t)top * t->columns + (uint64_t)left * height;
  const uint64_t even_rows = (height + 1) / 2, odd_row = down % 2;
  if (across == 2 * half) return first + 2ull * half * height + odd_row * even_rows + down / 2;
  const uint64_t rows = odd_row ? height - even_rows : even_rows;
  return first + odd_row * 2 * half * even_rows + across % 2 * half * rows +
         (uint64_t)(down / 2) * half + across / 2;
}

static bool list_anchors(const search* s, const pinned* all, weft__anchor_list* list) {
  const weft__tiling tiling = weft__tiling_of(all->sheet->columns, all->sheet->rows);
  const weft__range own = own_particles(s);
  uint8_t* marks = weft__alloc_zeroed(all->count, 1);
  for (uint32_t p = own.begin; p < own.end && marks != NULL; ++p) {
    const weft__tie* ties = s->anchors.ties + (size_t)p * s->anchors.capacity;
    for (uint32_t k = 0; k < s->anchors.count[p]; ++k) marks[find_pinned(all, ties[k].anchor)] = 1;
  }
  for (uint32_t k = 0; k < all->count && marks != NULL; ++k) list->count += marks[k];
  list->anchor = weft__alloc(list->count, sizeof(*list->anchor));
  list->number = weft__alloc(list->count, sizeof(*list->number));
  weft__sort_item* items = weft__alloc(list->count, sizeof(*items));
  weft__sort_item* scratch = weft__alloc(list->count, sizeof(*scratch));
  const bool good = marks != NULL && list->anchor != NULL && list->number != NULL &&
                    items != NULL && scratch != NULL;
  for (uint32_t k = 0, n = 0; k < all->count && good; ++k) {
    if (marks[k] == 0) continue;
    list->anchor[n] = all->particle[k];
    items[n] = (weft__sort_item){solver_index(&tiling, all->particle[k]), n};
    ++n;
  }
  if (good) weft__sort(items, scratch, list->count);
  for (uint32_t n = 0; n < list->count && good; ++n) list->number[items[n].value] = n;
  weft__free(marks);
  weft__free(items);
  weft__free(scratch);
  return good;
}

static void drop_seeds(const search* s) {
  const weft__range own = own_particles(s);
  for (uint32_t p = 0; p < s->scene->particle_count; ++p) {
    if (p < own.begin || p >= own.end) s->anchors.count[p] = 0;
  }
}

static bool request_anchors(const search* s, const weft__anchor_list* list,
                            weft__strip_anchors* out) {
  const weft_cluster* cluster = s->cluster;
  for (uint32_t n = 0, rank = 0; n < list->count; ++n) {
    const uint32_t row = list->anchor[n] / s->columns;
    while (cluster->first_row[rank + 1] <= row) ++rank;
    if (rank == weft__own_rank(cluster)) continue;
    if (!weft__words_push(&out->give[rank], list->anchor[n]) ||
        !weft__words_push(&out->take[rank], list->number[n])) {
      return false;
    }
  }
  return true;
}

static bool find_requested(const search* s, weft__strip_anchors* out) {
  const weft__schedule* schedule = &s->cluster->world->stepper.schedule;
  size_t longest = 0;
  for (uint32_t rank = 0; rank < weft__rank_count(s->cluster); ++rank) {
    weft__words* words = &out->give[rank];
    for (size_t k = 0; k < words->count; ++k) {
      words->items[k] = schedule->solver_of[words->items[k] - s->anchors.first];
    }
    longest = words->count > longest ? words->count : longest;
  }
  out->packed = weft__alloc(longest, 3 * sizeof(*out->packed));
  return out->packed != NULL;
}

static bool connect(const search* s, const weft__anchor_list* list, weft__strip_anchors* out) {
  weft_cluster* cluster = s->cluster;
  out->give = weft__alloc_zeroed(weft__rank_count(cluster), sizeof(*out->give));
  out->take = weft__alloc_zeroed(weft__rank_count(cluster), sizeof(*out->take));
  bool good = out->give != NULL && out->take != NULL && request_anchors(s, list, out);
  good = weft__mailbox_agree(&cluster->mailbox, &cluster->common, good) &&
         weft__mailbox_trade(&cluster->mailbox, &cluster->common, out->give);
  if (good) good = find_requested(s, out);
  return weft__mailbox_agree(&cluster->mailbox, &cluster->common, good);
}

static bool attach(search* s, const weft__sheet_parts* of) {
  weft_cluster* cluster = s->cluster;
  weft__stepper* stepper = &cluster->world->stepper;
  pinned all;
  weft__anchor_list list = {0};
  bool good = list_pinned(&all, of) && list_islands(s, &all) && create_seeds(s);
  good = search_all(s, good);
  if (good) {
    good = list_anchors(s, &all, &list);
    drop_seeds(s);
    good = good && weft__attachments_create_from(&stepper->attachments, s->scene,
                                                 &stepper->schedule, &s->anchors, &list);
    good = weft__mailbox_agree(&cluster->mailbox, &cluster->common, good) &&
           connect(s, &list, cluster->anchors);
  }
  weft__anchor_list_destroy(&list);
  free_pinned(&all);
  return good;
}

bool weft__strip_attach(weft_cluster* cluster, const weft_scene* scene, const weft__sheet_parts* of,
                        uint32_t slot_count) {
  cluster->anchors = weft__alloc_zeroed(1, sizeof(*cluster->anchors));
  if (!weft__mailbox_agree(&cluster->mailbox, &cluster->common, cluster->anchors != NULL)) {
    return false;
  }
  cluster->anchors->channel = weft__mailbox_open(&cluster->mailbox);
  search s = {
      .cluster = cluster,
      .scene = scene,
      .anchors = {.capacity = slot_count,
                  .first = (uint32_t)cluster->first_particle,
                  .sheet = of->sheet},
      .own = weft__rank_range(cluster->first_row, weft__own_rank(cluster)),
      .columns = of->sheet->columns,
      .channel = weft__mailbox_open(&cluster->mailbox),
  };
  find_sides(cluster, weft__own_rank(cluster), s.sides);
  const bool good = attach(&s, of);
  free_search(&s);
  cluster->world->stepper.settings.max_attachments = slot_count;
  cluster->world->def.solver.attachments = slot_count;
  return good;
}

void weft__strip_anchors_destroy(weft__strip_anchors* anchors, uint32_t ranks) {
  if (anchors == NULL) return;
  for (uint32_t r = 0; r < ranks; ++r) {
    if (anchors->give != NULL) weft__free(anchors->give[r].items);
    if (anchors->take != NULL) weft__free(anchors->take[r].items);
  }
  weft__free(anchors->give);
  weft__free(anchors->take);
  weft__free(anchors->packed);
  weft__free(anchors);
}

static size_t pack_anchors(const weft__particles* p, const weft__words* particles, float* to) {
  for (size_t k = 0; k < particles->count; ++k) {
    const uint32_t i = particles->items[k];
    for (int axis = 0; axis < 3; ++axis) *to++ = p->inv_mass[i] == 0.0f ? p->pos[axis][i] : NAN;
  }
  return 3 * particles->count * sizeof(*to);
}

static void unpack_anchors(const weft__attachments* t, const weft__words* numbers,
                           const float* from) {
  float* const columns[3] = {t->anchor_x, t->anchor_y, t->anchor_z};
  for (size_t k = 0; k < numbers->count; ++k) {
    for (int axis = 0; axis < 3; ++axis) columns[axis][numbers->items[k]] = *from++;
  }
}

void weft__strip_anchors_exchange(weft_cluster* cluster) {
  weft__strip_anchors* a = cluster->anchors;
  weft__mailbox* mailbox = &cluster->mailbox;
  const weft__stepper* stepper = &cluster->world->stepper;
  for (uint32_t rank = 0; rank < weft__rank_count(cluster); ++rank) {
    if (a->give[rank].count == 0) continue;
    const size_t size = pack_anchors(&stepper->particles, &a->give[rank], a->packed);
    weft__mailbox_send(mailbox, &a->channel, rank, a->packed, size);
  }
  for (uint32_t rank = 0; rank < weft__rank_count(cluster); ++rank) {
    if (a->take[rank].count == 0) continue;
    weft__block* block = weft__mailbox_wait(mailbox, &a->channel, rank);
    unpack_anchors(&stepper->attachments, &a->take[rank], (const float*)(const void*)block->bytes);
    block->is_in_use = false;
  }
  ++a->channel.sequence;
}
