/* Domain: the part of a world that this process computes, of several. Each has the tables of all,
 * and the state of its own patches, which are consecutive on every level.
 *
 * Loops run over own rows. Rows of others that they read are their halo, filled before by their
 * owners with the columns that are read: by weft__stages_run() for a phase whose row names its
 * halo, else by the stage. Patches exchange one by one in sweeps: see weft__ghosts. Without a
 * domain, nothing is filled. */
#ifndef WEFT_PARALLEL_DOMAIN_H
#define WEFT_PARALLEL_DOMAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/columns.h"
#include "base/range.h"

struct weft__step_context;

typedef struct weft__domain weft__domain;

/* Particles in solver order [count]. */
typedef struct weft__particle_set {
  const uint32_t* particles;
  uint32_t count;
} weft__particle_set;

/* Rows that are read, of any process. `table`: the tables that they are found in. */
typedef struct weft__halo_rows {
  /* Marks the rows that own ones are computed from [row_count]. Without, and without sets, they
   * follow from the work that the domain gives each process. */
  void (*mark)(const void* table, const weft__domain* domain, uint8_t* marks);
  /* Or particles that are solved together, such as a tree's, by each process that owns one. */
  uint32_t (*set_count)(const void* table);
  weft__particle_set (*set)(const void* table, uint32_t index);
  size_t solves; /* offset in the table of a const uint8_t*, the sets that this process solves */
} weft__halo_rows;

/* Rows and columns that are read of them. */
typedef struct weft__halo_read {
  const weft__halo_rows* rows;
  const weft__table* columns;
} weft__halo_read;

/* Columns that are sent. */
#define WEFT__SENT(type, name) WEFT__SENT_OF(type, name, name[0], 1)
#define WEFT__SENT_VECTOR(type, name) WEFT__SENT_OF(type, name, name[0][0], 3)
#define WEFT__SENT_OF(type, name, element, parts) \
  WEFT__COLUMN_OF(type, name, element, parts, WEFT__HALO, {.times = 1}, {0})

/* Tables whose rows are consecutive for each process. */
typedef enum weft__owned_rows {
  WEFT__OWNED_PARTICLES,
  WEFT__OWNED_PATCHES,
} weft__owned_rows;

/* Halo to fill. index: tells apart halos of the same rows by level or colour */
typedef struct weft__halo_fill {
  const weft__halo_rows* rows;
  uint32_t index;
  const weft__table* columns;
  const void* table;
  bool is_back; /* to the owners: the process that has solved the rows has changed them */
} weft__halo_fill;

struct weft__domain {
  weft__range patches, particles; /* own, of the cloth */
  bool solves_all_contacts;       /* contacts and bounds of all particles, as every process */
  void* context;
  void (*send)(void* context, const weft__halo_fill* halo);
  void (*receive)(void* context, const weft__halo_fill* halo);
  /* All rows, each from its owner. */
  void (*gather)(void* context, weft__owned_rows rows, const weft__table* columns, void* table);
  /* Largest value of all processes. */
  double (*largest)(void* context, double value);
  /* Marks the links that other processes have found torn, and their patches. */
  void (*share_torn)(void* context);
  /* Joints, each from the process that has solved it. */
  void (*share_joints)(void* context);
  /* NULL, or: before a substep; work in which no process has all rows, after a stage's. */
  void (*begin_substep)(void* context);
  void (*finish_stage)(void* context, uint32_t stage, struct weft__step_context* step);
};

static inline void weft__domain_fill(const weft__domain* domain, const weft__halo_fill* halo) {
  if (domain == NULL) return;
  domain->send(domain->context, halo);
  domain->receive(domain->context, halo);
}

static inline void weft__domain_read(const weft__domain* domain, const weft__halo_read* read,
                                     const void* table) {
  const weft__halo_fill halo = {.rows = read->rows, .columns = read->columns, .table = table};
  weft__domain_fill(domain, &halo);
}

static inline void weft__domain_gather(const weft__domain* domain, weft__owned_rows rows,
                                       const weft__table* columns, void* table) {
  if (domain != NULL) domain->gather(domain->context, rows, columns, table);
}

#endif
