/* Fields of the public defs: a row each, with range and default, in base/defs.c. Defaults, range
 * checks, keys of scene files, Python's messages and tests are loops over these rows. Conditions
 * between fields are checked where the def is used. */
#ifndef WEFT_BASE_FIELDS_H
#define WEFT_BASE_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "weft/weft.h"

typedef enum weft__field_kind {
  WEFT__FIELD_FLOAT,
  WEFT__FIELD_UNIT,    /* floats, of unit length together: a direction, a quaternion */
  WEFT__FIELD_COUNT,   /* uint32_t: 0 is empty, and above the range is too many */
  WEFT__FIELD_WHOLE,   /* uint32_t */
  WEFT__FIELD_INT,     /* int, or an enumeration */
  WEFT__FIELD_LONG,    /* int64_t */
  WEFT__FIELD_SIZE,    /* size_t */
  WEFT__FIELD_FLAG,    /* bool */
  WEFT__FIELD_POINTER, /* or a struct of pointers; initially NULL */
  WEFT__FIELD_DEF,     /* a def within the def */
} weft__field_kind;

typedef enum weft__field_flags {
  WEFT__FIELD_ABOVE = 1,        /* `lower` itself is not in the range */
  WEFT__FIELD_OR_ZERO = 2,      /* 0 is beside the range */
  WEFT__FIELD_OR_AUTO = 4,      /* WEFT_AUTO is */
  WEFT__FIELD_REQUIRED = 8,     /* not NULL */
  WEFT__FIELD_ORTHOGONAL = 16,  /* at right angles to the field before */
  WEFT__FIELD_AT_MOST = 32,     /* at most the field before */
  WEFT__FIELD_CONDITIONAL = 64, /* counts for some defs only, and is checked there */
} weft__field_flags;

typedef struct weft__fields weft__fields;

typedef struct weft__field {
  const char* name;          /* "weft_sheet_def.spacing" */
  const weft__fields* inner; /* of WEFT__FIELD_DEF */
  /* Range; only an infinite end lets infinity in. */
  double lower, upper;
  double initial[4]; /* default, by element */
  uint16_t offset, bytes;
  uint8_t kind, flags;
} weft__field;

struct weft__fields {
  const char* name; /* "weft_sheet_def" */
  uint32_t cookie;  /* 0 = none */
  uint16_t cookie_offset, bytes, count;
  const weft__field* rows; /* [count], in the order of members */
};

/* Defs with a default function, and the cookie by which defs are known that it has made. */
// clang-format off
#define WEFT__DEFS(X)                                                                           \
  X(material, 0xc10cafeu) X(sheet, 0x5ee7cafeu) X(mesh, 0x3e54cafeu) X(world, 0x303dcafeu)      \
  X(host, 0x4057cafeu) X(rope, 0x40becafeu) X(rod, 0x0bad50d5u) X(circle, 0xc1cecafeu)          \
  X(box, 0xb0c5cafeu) X(triangle, 0x7a1acafeu) X(tire, 0x712ecafeu) X(composite, 0xc03bcafeu)   \
  X(ragdoll, 0x4a6dcafeu) X(tree, 0x73eecafeu) X(web, 0x3eb0cafeu)                              \
  X(double_pendulum, 0xd0b1cafeu) X(ball, 0xba11cafeu) X(particle_shape, 0xc027cafeu)           \
  X(particle, 0x9a27cafeu) X(collider, 0xc011cafeu)                                             \
  X(contact_limits, 0x1137cafeu) X(wind, 0x317dcafeu) X(bounds, 0xb0c5cafeu)                    \
  X(joint, 0x301272edu) X(seam, 0x5ea3cafeu) X(vertices, 0xb01ccafeu)                           \
  X(query, 0x9e57cafeu) X(cloth, 0xc107cafeu)
// clang-format on

#define WEFT__FIELDS_OF_DEFS(X) \
  WEFT__DEFS(X)                 \
  X(threads, 0) X(link, 0) X(force_curve, 0) X(pair_force, 0) X(solver, 0) X(surface, 0)

#define WEFT__FIELDS_DECLARED(def, cookie) extern const weft__fields weft__##def##_fields;
WEFT__FIELDS_OF_DEFS(WEFT__FIELDS_DECLARED)
#undef WEFT__FIELDS_DECLARED

/* All of them; NULL ends the list. */
extern const weft__fields* const weft__fields_of_defs[];

/* Fills a def: zeros, its defaults, its cookie. */
void weft__set_defaults(const weft__fields* fields, void* def);

/* The same by the name of its type, as "weft_solver_def"; without such a def nothing changes. */
void weft__set_defaults_of(const char* name, void* def);

/* Checks the cookie and the rows of a def, and of defs within it, conditional ones aside. */
weft_result weft__check_def(const weft__fields* fields, const void* def);

/* Checks one field of a def, WEFT__CHECK_FIELD(rope, def, segments), or one element of an array. */
weft_result weft__check_field(const weft__fields* fields, const void* def, size_t offset);
weft_result weft__check_element(const weft__fields* fields, const void* def, size_t offset,
                                uint32_t index);
#define WEFT__CHECK_FIELD(fields, def, member) \
  weft__check_field(&weft__##fields##_fields, (def), offsetof(weft_##fields##_def, member))
#define WEFT__CHECK_ELEMENT(fields, def, member, index)                                       \
  weft__check_element(&weft__##fields##_fields, (def), offsetof(weft_##fields##_def, member), \
                      (index))

/* Checks an argument that has the range of a field: WEFT__CHECK_AS(world, damping, &damping,
 * "damping"). */
weft_result weft__check_as(const weft__fields* fields, size_t offset, const void* value,
                           const char* name);
#define WEFT__CHECK_AS(fields, member, value, name) \
  weft__check_as(&weft__##fields##_fields, offsetof(weft_##fields##_def, member), (value), (name))

/* Elements of a field: 3 of a vector. */
uint32_t weft__field_count(const weft__field* field);

/* Range of a field, by its full name, as "1e-06 to 1000000" or "> 0"; else an empty text. */
void weft__describe_range(const char* name, char* text, size_t room);

#endif
