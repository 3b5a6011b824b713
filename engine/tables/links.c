#include "tables/links.h"

#include <math.h>
#include <string.h>

#include "base/columns.h"
#include "base/host.h"

static const weft__column columns[] = {
    WEFT__COLUMN(weft__links, end_a),       WEFT__COLUMN(weft__links, end_b),
    WEFT__COLUMN(weft__links, rest_length), WEFT__COLUMN(weft__links, relaxation),
    WEFT__COLUMN(weft__links, tear_ratio),  WEFT__COLUMN(weft__links, compliance),
    WEFT__COLUMN(weft__links, kind),
};
enum { COLUMN_COUNT = sizeof(columns) / sizeof(*columns) };

// optional columns, which few scenes have
static const weft__column mode_columns[] = {
    WEFT__COLUMN(weft__links, mode),
    WEFT__COLUMN(weft__links, max_length),
    WEFT__COLUMN(weft__links, slack_below),
    WEFT__COLUMN(weft__links, slack_above),
};
enum { MODE_COLUMN_COUNT = sizeof(mode_columns) / sizeof(*mode_columns) };

static const weft__column damping_column = WEFT__COLUMN(weft__links, spring_damping);
static const weft__column curve_column = WEFT__COLUMN(weft__links, force_curve);

// mode_columns exist if the last of them does
static bool has_modes(const weft__links* links) {
  return links->slack_above != NULL;
}

bool weft__links_reserve(weft__links* links, uint32_t count) {
  if (count <= links->capacity) return true;
  // doubling keeps many small additions linear; the limit on links keeps it within 32 bits
  const uint32_t doubled = links->capacity * 2;
  const uint32_t wanted = count > doubled ? count : doubled;
  if (!weft__columns_grow(links, columns, COLUMN_COUNT, links->capacity, wanted)) return false;
  if (has_modes(links) &&
      !weft__columns_grow(links, mode_columns, MODE_COLUMN_COUNT, links->capacity, wanted)) {
    return false;
  }
  if (links->spring_damping != NULL &&
      !weft__columns_grow(links, &damping_column, 1, links->capacity, wanted)) {
    return false;
  }
  if (links->force_curve != NULL &&
      !weft__columns_grow(links, &curve_column, 1, links->capacity, wanted)) {
    return false;
  }
  links->capacity = wanted;
  return true;
}

static bool make_modes(weft__links* links) {
  if (!weft__columns_grow(links, mode_columns, MODE_COLUMN_COUNT, 0, links->capacity)) {
    weft__columns_free(links, mode_columns, MODE_COLUMN_COUNT);
    return false;
  }
  memset(links->mode, 0, links->capacity * sizeof(*links->mode));
  memset(links->max_length, 0, links->capacity * sizeof(*links->max_length));
  memset(links->slack_below, 0, links->capacity * sizeof(*links->slack_below));
  memset(links->slack_above, 0, links->capacity * sizeof(*links->slack_above));
  return true;
}

static bool make_damping(weft__links* links) {
  if (!weft__columns_grow(links, &damping_column, 1, 0, links->capacity)) return false;
  memset(links->spring_damping, 0, links->capacity * sizeof(*links->spring_damping));
  return true;
}

static bool make_curves(weft__links* links) {
  if (!weft__columns_grow(links, &curve_column, 1, 0, links->capacity)) return false;
  memset(links->force_curve, 0, links->capacity * sizeof(*links->force_curve));
  return true;
}

bool weft__links_add_columns(weft__links* links, const weft_link_def* list, uint32_t count) {
  bool modes = false;
  bool damping = false;
  bool curves = false;
  for (uint32_t i = 0; i < count; ++i) {
    modes |= list[i].mode != WEFT_LINK_MODE_BOTH;
    damping |= list[i].spring_damping > 0.0f;
    curves |= list[i].force_curve > 0;
  }
  return (!modes || has_modes(links) || make_modes(links)) &&
         (!damping || links->spring_damping != NULL || make_damping(links)) &&
         (!curves || links->force_curve != NULL || make_curves(links));
}

static void push_mode(weft__links* links, uint32_t i, const weft_link_def* link) {
  links->mode[i] = (uint8_t)link->mode;
  links->max_length[i] = link->max_length;
  links->slack_below[i] = link->mode == WEFT_LINK_MODE_STRETCH ? INFINITY : 0.0f;
  links->slack_above[i] = link->mode == WEFT_LINK_MODE_COMPRESS ? INFINITY : 0.0f;
  if (link->mode == WEFT_LINK_MODE_RANGE)
    links->slack_above[i] = link->max_length - link->rest_length;
}

void weft__links_push(weft__links* links, weft_link_def link) {
  WEFT__ASSERT(links->count < links->capacity);
  const uint32_t i = links->count++;
  links->end_a[i] = link.a;
  links->end_b[i] = link.b;
  links->rest_length[i] = link.rest_length;
  links->relaxation[i] = link.relaxation;
  links->tear_ratio[i] = link.tear_ratio;
  links->compliance[i] = link.compliance;
  links->kind[i] = (uint8_t)link.kind;
  if (has_modes(links)) push_mode(links, i, &link);
  // -0 is stored as 0, which it is read as where there is no column
  if (links->spring_damping != NULL) links->spring_damping[i] = link.spring_damping + 0.0f;
  if (links->force_curve != NULL) links->force_curve[i] = link.force_curve;
}

weft_link_def weft__links_get(const weft__links* links, uint32_t index) {
  return (weft_link_def){
      .a = links->end_a[index],
      .b = links->end_b[index],
      .rest_length = links->rest_length[index],
      .relaxation = links->relaxation[index],
      .tear_ratio = links->tear_ratio[index],
      .kind = (weft_link_kind)links->kind[index],
      .compliance = links->compliance[index],
      .mode = weft__links_mode(links, index),
      .max_length = has_modes(links) ? links->max_length[index] : 0.0f,
      .spring_damping = links->spring_damping != NULL ? links->spring_damping[index] : 0.0f,
      .force_curve = links->force_curve != NULL ? links->force_curve[index] : 0,
  };
}

void weft__links_destroy(weft__links* links) {
  weft__columns_free(links, columns, COLUMN_COUNT);
  weft__columns_free(links, mode_columns, MODE_COLUMN_COUNT);
  weft__columns_free(links, &damping_column, 1);
  weft__columns_free(links, &curve_column, 1);
  *links = (weft__links){0};
}
