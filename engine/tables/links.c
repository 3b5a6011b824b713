#include "tables/links.h"

#include <math.h>
#include <string.h>

#include "base/columns.h"
#include "base/host.h"

enum { MODES = WEFT__GROUP(1), DAMPING = WEFT__GROUP(2), CURVES = WEFT__GROUP(3) };

static const weft__column columns[] = {
    WEFT__GROWN(weft__links, end_a),
    WEFT__GROWN(weft__links, end_b),
    WEFT__GROWN(weft__links, rest_length),
    WEFT__GROWN(weft__links, relaxation),
    WEFT__GROWN(weft__links, tear_ratio),
    WEFT__GROWN(weft__links, compliance),
    WEFT__GROWN(weft__links, kind),
    WEFT__COLUMN(weft__links, mode, capacity, MODES),
    WEFT__COLUMN(weft__links, max_length, capacity, MODES),
    WEFT__COLUMN(weft__links, slack_below, capacity, MODES),
    WEFT__COLUMN(weft__links, slack_above, capacity, MODES),
    WEFT__COLUMN(weft__links, spring_damping, capacity, DAMPING),
    WEFT__COLUMN(weft__links, force_curve, capacity, CURVES),
};
static const weft__table table = WEFT__TABLE(columns);

bool weft__links_reserve(weft__links* links, uint32_t count) {
  if (count <= links->capacity) return true;
  // linear in many small additions; 32 bits by the limit on links
  const uint32_t doubled = links->capacity * 2;
  const uint32_t wanted = count > doubled ? count : doubled;
  if (!weft__columns_grow(links, &table, links->capacity, wanted)) return false;
  links->capacity = wanted;
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
  return (!modes || weft__columns_add(links, &table, MODES, NULL)) &&
         (!damping || weft__columns_add(links, &table, DAMPING, NULL)) &&
         (!curves || weft__columns_add(links, &table, CURVES, NULL));
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
  if (links->mode != NULL) push_mode(links, i, &link);
  // -0 becomes 0, as where there is no column
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
      .max_length = links->mode != NULL ? links->max_length[index] : 0.0f,
      .spring_damping = links->spring_damping != NULL ? links->spring_damping[index] : 0.0f,
      .force_curve = links->force_curve != NULL ? links->force_curve[index] : 0,
  };
}

void weft__links_destroy(weft__links* links) {
  weft__columns_free(links, &table);
  *links = (weft__links){0};
}
