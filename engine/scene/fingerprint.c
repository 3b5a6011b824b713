#include "scene/fingerprint.h"

#include <string.h>

static bool is_zero(const unsigned char* bytes, size_t count) {
  return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

// A column of zeros is one that does not exist: a refused call may leave it.
static void add_optional(weft__checksum* sum, const void* array, size_t count, size_t size) {
  const bool has_values = array != NULL && !is_zero(array, count * size);
  weft__checksum_add_array(sum, has_values ? array : NULL, count, size);
}

#define ADD(sum, array, count) weft__checksum_add_array(sum, array, count, sizeof(*(array)))
#define ADD_OPTIONAL(sum, array, count) add_optional(sum, array, count, sizeof(*(array)))

static void add_links(weft__checksum* sum, const weft__links* links) {
  ADD(sum, links->end_a, links->count);
  ADD(sum, links->end_b, links->count);
  ADD(sum, links->rest_length, links->count);
  ADD(sum, links->relaxation, links->count);
  ADD(sum, links->tear_ratio, links->count);
  ADD(sum, links->compliance, links->count);
  ADD(sum, links->kind, links->count);
  ADD_OPTIONAL(sum, links->mode, links->count);
  ADD_OPTIONAL(sum, links->max_length, links->count);
  ADD_OPTIONAL(sum, links->slack_below, links->count);
  ADD_OPTIONAL(sum, links->slack_above, links->count);
  ADD_OPTIONAL(sum, links->spring_damping, links->count);
  ADD_OPTIONAL(sum, links->force_curve, links->count);
}

static void add_hinges(weft__checksum* sum, const weft__hinges* hinges) {
  ADD(sum, hinges->particle, hinges->count);
  ADD(sum, hinges->coefficient, hinges->count);
  ADD(sum, hinges->rest_length, hinges->count);
  ADD(sum, hinges->compliance, hinges->count);
  ADD(sum, hinges->yield, hinges->count);
  ADD(sum, hinges->max_rest_length, hinges->count);
  ADD(sum, hinges->side, hinges->count);
  ADD(sum, hinges->bend_stiffness, hinges->count);
}

static void add_curves(weft__checksum* sum, const weft__force_curves* curves) {
  ADD(sum, curves->first, curves->count > 0 ? (size_t)curves->count + 1 : 0);
  ADD(sum, curves->points, curves->count > 0 ? curves->first[curves->count] : 0);
}

static void add_parts(weft__checksum* sum, const weft_scene* scene) {
  for (size_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    const uint32_t words[] = {
        part->first_particle,
        part->particle_count,
        part->columns,
        part->lattice_rows,
        (part->fine_only ? 1u : 0u) | (part->is_reserved ? 2u : 0u) | part->environment << 2,
        part->first_triangle,
        part->triangle_count};
    ADD(sum, words, sizeof(words) / sizeof(*words));
  }
  for (size_t n = 0; n < scene->pressure_count; ++n) {
    const weft__pressure_body* body = &scene->pressures[n];
    const double words[4] = {(double)body->first_part, (double)body->end_part,
                             (double)body->pressure, body->volume};
    ADD(sum, words, 4);
  }
}

void weft__scene_add_to_checksum(weft__checksum* sum, const weft_scene* scene) {
  ADD(sum, scene->positions, (size_t)3 * scene->particle_count);
  ADD(sum, scene->inverse_masses, scene->particle_count);
  ADD(sum, scene->triangles, (size_t)3 * scene->triangle_count);
  add_links(sum, &scene->links);
  add_hinges(sum, &scene->hinges);
  ADD(sum, scene->membranes.list, scene->membranes.count);
  add_curves(sum, &scene->curves);
  add_parts(sum, scene);
  if (scene->rod_count > 0) ADD(sum, scene->rods, scene->rod_count);
}

uint64_t weft__scene_fingerprint(const weft_scene* scene, const weft__schedule* schedule) {
  weft__checksum sum = {0};
  weft__scene_add_to_checksum(&sum, scene);
  ADD(&sum, schedule->user_of, schedule->particle_count);
  ADD(&sum, schedule->links.slot_of_link, schedule->links.link_count);
  ADD(&sum, schedule->patch_first, (size_t)schedule->patch_count + 1);
  return weft__checksum_value(&sum);
}
