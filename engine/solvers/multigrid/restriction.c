#include "solvers/multigrid/restriction.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

// shorter half rows are not worth a vector
#define MIN_RUN 2u
// particles of one range, so that a piece of the loop has some runs
#define MAX_RUN 64u

enum { FOLLOWERS = WEFT__GROUP(1), RUNS = WEFT__GROUP(2) };

static const weft__column columns[] = {
    WEFT__COLUMN_TIMES(weft__restriction, first, 1, particle_count, 2, WEFT__DERIVED),
    WEFT__COLUMN(weft__restriction, of, follower_count, FOLLOWERS | WEFT__DERIVED),
    WEFT__COLUMN(weft__restriction, weight, follower_count, FOLLOWERS | WEFT__DERIVED),
    WEFT__COLUMN(weft__restriction, share, follower_count, FOLLOWERS | WEFT__DERIVED),
    WEFT__COLUMN(weft__restriction, share_sums, particle_count, FOLLOWERS | WEFT__DERIVED),
    WEFT__COLUMN(weft__restriction, runs, run_count, RUNS | WEFT__DERIVED),
};
static const weft__table table = WEFT__TABLE(columns);

typedef void visit_follower(weft__restriction* followers, uint32_t parent, uint32_t particle,
                            float weight);

static void visit_all(weft__restriction* followers, const weft__schedule* schedule,
                      const weft__coarse_corrections* corrections, uint32_t finer_patches,
                      visit_follower* visit) {
  const weft__prolongation* end =
      corrections->blends + corrections->patch_first_blend[finer_patches];
  for (const weft__prolongation* blend = corrections->blends; blend < end; ++blend) {
    for (uint32_t k = 0; k < blend->count; ++k) {
      for (uint32_t j = 0; j < 4; ++j) {
        if (blend->weight[j] == 0.0f) continue;
        const uint32_t parent = schedule->solver_of[blend->of[j] + k];
        visit(followers, parent, blend->first + k, blend->weight[j]);
      }
    }
  }
}

static void count_follower(weft__restriction* followers, uint32_t parent, uint32_t particle,
                           float weight) {
  (void)particle;
  (void)weight;
  ++followers->first[parent + 2];
}

static void list_follower(weft__restriction* followers, uint32_t parent, uint32_t particle,
                          float weight) {
  const uint32_t entry = followers->first[parent + 1]++;
  followers->of[entry] = particle;
  followers->weight[entry] = weight;
}

// Columns of a row stored side by side: [first, first + count), equally long follower lists, each
// entry 2 greater than the entry of the particle before.
typedef struct half_row {
  uint32_t first, count;
} half_row;

static uint32_t entry_count(const weft__restriction* followers, uint32_t particle) {
  return followers->first[particle + 1] - followers->first[particle];
}

// Entries of b are a's plus `stride`.
static bool follows_at(const weft__restriction* followers, uint32_t a, uint32_t b,
                       uint32_t stride) {
  const uint32_t entries = entry_count(followers, a);
  if (entries == 0 || entry_count(followers, b) != entries) return false;
  const uint32_t* of_a = followers->of + followers->first[a];
  const uint32_t* of_b = followers->of + followers->first[b];
  for (uint32_t t = 0; t < entries; ++t) {
    if (of_b[t] != of_a[t] + stride) return false;
  }
  return true;
}

static half_row half_row_from(const weft__restriction* followers, uint32_t first, uint32_t end) {
  half_row row = {first, 1};
  while (first + row.count < end &&
         follows_at(followers, first + row.count - 1, first + row.count, 2)) {
    ++row.count;
  }
  return row;
}

// A half row and the one between its columns; one range if none.
static weft__restriction_run pair_of(const weft__restriction* followers,
                                     const weft__schedule* schedule, half_row row) {
  weft__restriction_run run = {.first = row.first, .second = WEFT__ONE_RANGE, .count = row.count};
  if (row.count < MIN_RUN) return run;
  const uint32_t here = schedule->user_of[row.first];
  const uint32_t step = (schedule->user_of[row.first + 1] - here) / 2;
  if (step >= schedule->particle_count - here) return run;
  const uint32_t between = schedule->solver_of[here + step];
  const bool is_second =
      here >= step && follows_at(followers, schedule->solver_of[here - step], row.first, 1);
  if (is_second || !follows_at(followers, row.first, between, 1)) return run;
  const half_row other = half_row_from(followers, between, schedule->particle_count);
  if (other.count + 1 < row.count) return run;
  run.second = between;
  run.count = 2 * row.count - (other.count < row.count);
  return run;
}

// Marks a run of two ranges; false if a particle is in another run, or in both ranges.
static bool take_pair(const weft__restriction_run* run, bool* is_paired) {
  for (int which = 0; which < 2; ++which) {
    const weft__range range = weft__restriction_range(run, which);
    const size_t count = range.end - range.begin;
    if (memchr(is_paired + range.begin, true, count) != NULL) {
      const weft__range first = weft__restriction_range(run, 0);
      if (which == 1) memset(is_paired + first.begin, false, first.end - first.begin);
      return false;
    }
    memset(is_paired + range.begin, true, count);
  }
  return true;
}

// Marks runs of two ranges. Returns their number, and stores them if `runs` is not NULL.
static uint32_t list_pairs(const weft__restriction* followers, const weft__schedule* schedule,
                           bool* is_paired, weft__restriction_run* runs) {
  uint32_t count = 0;
  half_row row = {0, 0};
  for (uint32_t i = 0; i < schedule->particle_count; i = row.first + row.count) {
    row = half_row_from(followers, i, schedule->particle_count);
    const weft__restriction_run run = pair_of(followers, schedule, row);
    if (run.second == WEFT__ONE_RANGE || !take_pair(&run, is_paired)) continue;
    if (runs != NULL) runs[count] = run;
    ++count;
  }
  return count;
}

// Runs of one range, for all other particles.
static uint32_t list_others(const bool* is_paired, uint32_t particle_count,
                            weft__restriction_run* runs) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < particle_count; ++i) {
    if (is_paired[i]) continue;
    const uint32_t first = i;
    while (i + 1 < particle_count && !is_paired[i + 1] && i + 1 - first < MAX_RUN) ++i;
    if (runs != NULL) {
      runs[count] = (weft__restriction_run){
          .first = first, .second = WEFT__ONE_RANGE, .count = i + 1 - first};
    }
    ++count;
  }
  return count;
}

static void place_shares(const weft__restriction* followers) {
  uint32_t next = 0;
  for (uint32_t r = 0; r < followers->run_count; ++r) {
    weft__restriction_run* run = &followers->runs[r];
    run->share = next;
    for (int which = 0; which < 2; ++which) {
      if (which == 1 && run->second == WEFT__ONE_RANGE) break;
      const weft__range range = weft__restriction_range(run, which);
      next += followers->first[range.end] - followers->first[range.begin];
    }
  }
}

// Patches of a run's particles, and those between.
static weft__range patches_of(const weft__schedule* schedule, const weft__restriction_run* run) {
  weft__range patches = {UINT32_MAX, 0};
  for (int which = 0; which < 2; ++which) {
    if (which == 1 && run->second == WEFT__ONE_RANGE) break;
    const weft__range range = weft__restriction_range(run, which);
    const uint32_t first = weft__patch_of_particle(schedule, range.begin);
    const uint32_t last = weft__patch_of_particle(schedule, range.end - 1);
    if (first < patches.begin) patches.begin = first;
    if (last >= patches.end) patches.end = last + 1;
  }
  return patches;
}

static bool make_runs(weft__restriction* followers, const weft__schedule* schedule, size_t* bytes) {
  const uint32_t count = schedule->particle_count;
  bool* is_paired = weft__alloc_zeroed(count, sizeof(*is_paired));
  if (is_paired == NULL) return false;
  const uint32_t pairs = list_pairs(followers, schedule, is_paired, NULL);
  followers->run_count = pairs + list_others(is_paired, count, NULL);
  const bool done = weft__columns_add(followers, &table, RUNS, bytes);
  if (done) {
    memset(is_paired, false, count);
    (void)list_pairs(followers, schedule, is_paired, followers->runs);
    (void)list_others(is_paired, count, followers->runs + pairs);
    place_shares(followers);
    for (uint32_t r = 0; r < followers->run_count; ++r)
      followers->runs[r].patches = patches_of(schedule, &followers->runs[r]);
  }
  weft__free(is_paired);
  return done;
}

bool weft__followers_create(weft__restriction* followers, const weft__schedule* schedule,
                            const weft__coarse_corrections* corrections, uint32_t finer_patches,
                            size_t* bytes) {
  followers->particle_count = schedule->particle_count;
  if (!weft__columns_add(followers, &table, 0, bytes)) return false;
  visit_all(followers, schedule, corrections, finer_patches, count_follower);
  followers->follower_count = weft__sum_buckets(followers->first, schedule->particle_count);
  if (!weft__columns_add(followers, &table, FOLLOWERS, bytes)) return false;
  visit_all(followers, schedule, corrections, finer_patches, list_follower);
  return make_runs(followers, schedule, bytes);
}

void weft__followers_destroy(weft__restriction* followers) {
  weft__columns_free(followers, &table);
}

typedef struct share_source {
  const weft__restriction* followers;
  const weft__schedule* schedule;
  const float* inv_mass; /* the finer level's */
  const double* masses;  /* kilograms, scene order */
} share_source;

static float share_of(const share_source* s, uint32_t particle, uint32_t entry) {
  const double mass = s->masses[s->schedule->user_of[particle]];
  const double finer = (double)s->inv_mass[s->followers->of[entry]];
  const bool is_free = mass > 0.0 && finer > 0.0;
  return is_free ? (float)((double)s->followers->weight[entry] / finer / mass) : 0.0f;
}

static void weigh_pair(const share_source* s, weft__restriction_run* run) {
  const uint32_t* first = s->followers->first;
  const uint32_t entries = entry_count(s->followers, run->first);
  float* shares = s->followers->share + run->share;
  run->is_uniform = true;
  for (uint32_t t = 0; t < entries; ++t) {
    float* share = shares + (size_t)t * run->count;
    for (uint32_t k = 0; k < run->count; ++k) {
      const uint32_t i = (k % 2 == 0 ? run->first : run->second) + k / 2;
      share[k] = share_of(s, i, first[i] + t);
      run->is_uniform &= share[k] == share[0];
    }
  }
  for (uint32_t t = 0; t < entries && run->is_uniform; ++t) shares[t] = shares[t * run->count];
}

void weft__followers_weigh(const weft__restriction* followers, const weft__schedule* schedule,
                           const float* inv_mass, const double* masses) {
  const share_source s = {followers, schedule, inv_mass, masses};
  for (uint32_t r = 0; r < followers->run_count; ++r) {
    weft__restriction_run* run = &followers->runs[r];
    if (run->second != WEFT__ONE_RANGE) {
      weigh_pair(&s, run);
      continue;
    }
    float* share = followers->share + run->share;
    for (uint32_t i = run->first; i < run->first + run->count; ++i) {
      for (uint32_t e = followers->first[i]; e < followers->first[i + 1]; ++e) {
        *share++ = share_of(&s, i, e);
      }
    }
  }
}
