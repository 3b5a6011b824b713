/* Messages of weft-view: sizes, coarse pictures, frames between steps, overlays. */
#include "support/sessions.h"
#include "support/test.h"

static uint32_t u32_at(const view_bytes* bytes, size_t at) {
  uint32_t value;
  memcpy(&value, bytes->data + at, sizeof value);
  return value;
}

// Writes all messages and compares their sizes with their counts.
static void check_messages(view_session* session, view_bytes* topology) {
  view_bytes frame = {NULL, 0, 0}, info = {NULL, 0, 0};
  ck_assert(view_write_topology(session, topology));
  ck_assert(view_write_frame(session, &frame));
  ck_assert(view_write_info(session, &info));
  const uint32_t points = u32_at(&frame, 44), flags = u32_at(&frame, 12);
  const size_t body = 168 + 4 * (size_t)u32_at(&frame, 144) + 28 * (size_t)u32_at(&frame, 148) +
                      (size_t)points * ((flags & 1 ? 8u : 12u) + (flags & 2 ? 4u : 0u)) +
                      ((size_t)points + 3) / 4 * 4;
  ck_assert_uint_eq(frame.size, body);
  ck_assert_uint_eq(u32_at(topology, 16), points);
  ck_assert_uint_eq(u32_at(topology, 8), u32_at(&frame, 8));
  ck_assert_uint_eq(topology->size,
                    80 + 12 * (size_t)u32_at(topology, 20) + 4 * (size_t)points +
                        12 * (size_t)u32_at(topology, 24) + 20 * (size_t)u32_at(topology, 28) +
                        4 * (size_t)u32_at(topology, 32) + 20 * (size_t)u32_at(topology, 36));
  ck_assert(info.size > 100 && info.data[info.size - 1] == '}');
  view_bytes_free(&frame);
  view_bytes_free(&info);
}

TEST(messages_have_the_sizes_that_their_counts_say) {
  static const char* const names[] = {
      "curtain", "ragdolls", "player",          "rope",     "bodies", "integrators", "tire",
      "web",     "tree",     "double-pendulum", "pendulum", "shapes", "slope",       "flag"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    view_session* session = begin(names[i], NULL, 0);
    view_bytes topology = {NULL, 0, 0};
    command(session, "{\"do\":\"watch\",\"overlay\":\"strain\"}");
    take_steps(session, 2);
    check_messages(session, &topology);
    view_bytes_free(&topology);
    view_session_destroy(&session);
  }
}

// As weft_world_explain() has them; bodies alike share a row.
TEST(info_has_the_settings_of_bodies_and_frames_the_last_substeps) {
  view_session* session = begin("ragdolls", NULL, 0);
  view_bytes info = {NULL, 0, 0}, frame = {NULL, 0, 0};
  char* text;
  take_steps(session, 1);
  ck_assert(view_write_info(session, &info) && view_write_frame(session, &frame));
  text = strndup((const char*)info.data, info.size);
  ck_assert_ptr_nonnull(strstr(text, "\"settings\":[{\"bodies\":"));
  ck_assert_ptr_nonnull(strstr(text, "\"why\":\"a rope, tree or rod, solved directly\""));
  ck_assert_uint_ge(u32_at(&frame, 160), 1);
  ck_assert_uint_ge(u32_at(&frame, 164), u32_at(&frame, 160));
  free(text);
  view_bytes_free(&info);
  view_bytes_free(&frame);
  view_session_destroy(&session);
}

// Cloth is drawn by fewer points, with faces between three of them, torn or not; the rest is not.
TEST(a_coarse_picture_has_no_more_points_than_asked_for_and_whole_faces) {
  static const struct {
    const char *scene, *set, *detail;
    uint32_t fewest, most; /* points */
  } cases[] = {
      {"curtain", "rows=31", "{\"do\":\"detail\",\"points\":400}", 100, 400},
      {"curtain", "hook=1", "{\"do\":\"detail\",\"points\":64}", 20, 64},
      {"curtain", "columns=61", "{\"do\":\"detail\",\"points\":9999}", 1000, 9999},
      {"flag", "columns=31", "{\"do\":\"detail\",\"points\":100}", 25, 100},
      {"ragdolls", "count=4", "{\"do\":\"detail\",\"points\":64}", 64, UINT32_MAX},
      {"integrators", "system=pendulum", "{\"do\":\"detail\",\"points\":64}", 1, UINT32_MAX}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    view_session* session = begin(cases[i].scene, &cases[i].set, 1);
    const uint64_t hash = view_session_hash(session);
    view_bytes topology = {NULL, 0, 0};
    command(session, cases[i].detail);
    command(session, "{\"do\":\"watch\",\"overlay\":\"strain\"}");
    check_messages(session, &topology);
    ck_assert_uint_eq(view_session_hash(session), hash);
    const uint32_t points = u32_at(&topology, 16), faces = u32_at(&topology, 20);
    ck_assert_msg(points >= cases[i].fewest && points <= cases[i].most, "%s: %u", cases[i].scene,
                  points);
    command(session, "{\"do\":\"tear\",\"from\":[0,-1,0],\"to\":[3,-1,0],\"radius\":0.2}");
    take_steps(session, 16);
    check_messages(session, &topology);
    ck_assert_uint_eq(u32_at(&topology, 16), points);
    ck_assert_uint_le(u32_at(&topology, 20), faces);
    for (uint32_t k = 0; k < u32_at(&topology, 20); ++k) {
      const uint32_t a = u32_at(&topology, 80 + 12 * (size_t)k),
                     b = u32_at(&topology, 84 + 12 * (size_t)k),
                     c = u32_at(&topology, 88 + 12 * (size_t)k);
      ck_assert(a < points && b < points && c < points && a != b && b != c && c != a);
    }
    view_bytes_free(&topology);
    view_session_destroy(&session);
  }
}

static float f32_at(const view_bytes* bytes, size_t at) {
  float value;
  memcpy(&value, bytes->data + at, sizeof value);
  return value;
}

static void command_to_pause(view_session* session, bool on) {
  command(session, on ? "{\"do\":\"pause\",\"on\":true}" : "{\"do\":\"pause\",\"on\":false}");
}

// Its frames are between the last two steps, and the same when the session has gone on.
TEST(a_capture_moves_from_step_to_step_whatever_the_session_does) {
  static const struct {
    double due, step_seconds, elapsed; /* seconds of the clock */
    double share;
  } cases[] = {{1.0000001 / 60.0, 0.1, 0.0, 0.0},
               {1.0000001 / 60.0, 0.1, 1.0 / 120.0, 0.5},
               {1.0000001 / 60.0, 0.1, 1.0, 1.0},
               {0.2, 0.1, 0.0, 0.0},
               {0.2, 0.1, 0.05, 0.5},
               {0.2, 0.1, 0.3, 1.0},
               {1.25 / 60.0, 0.1, 0.004, 0.49}};
  enum { START = 168, POINTS = 13 * 9 };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    view_session* session = begin_curtain();
    view_capture capture = {.from = NULL};
    view_bytes before = {NULL, 0, 0}, after = {NULL, 0, 0}, frame = {NULL, 0, 0};
    tool_message why;
    uint32_t steps = 0;
    take_steps(session, 9);
    command_to_pause(session, true);
    ck_assert(view_write_frame(session, &before));
    command_to_pause(session, false);
    ck_assert(view_capture_take(session, cases[i].step_seconds, &capture));
    ck_assert(view_session_advance(session, cases[i].due, 0.0, &steps, &why) && steps == 1);
    ck_assert(view_capture_take(session, cases[i].step_seconds, &capture));
    command_to_pause(session, true);
    ck_assert(view_write_frame(session, &after));
    take_steps(session, 5);
    ck_assert(view_capture_write(&capture, cases[i].elapsed, &frame));
    ck_assert_uint_eq(frame.size, after.size);
    for (size_t at = START; at < START + 12 * (size_t)POINTS; at += 4) {
      const float a = f32_at(&before, at), b = f32_at(&after, at);
      const double expected = (double)a + cases[i].share * (double)(b - a);
      ck_assert_msg(fabs((double)f32_at(&frame, at) - expected) < 1e-5, "%zu: byte %zu", i, at);
    }
    // normals of the last step
    const size_t normals = START + 12 * (size_t)POINTS;
    ck_assert_mem_eq(frame.data + normals, after.data + normals, 4 * (size_t)POINTS);
    view_capture_free(&capture);
    view_bytes_free(&before);
    view_bytes_free(&after);
    view_bytes_free(&frame);
    view_session_destroy(&session);
  }
}

// Largest value of an overlay of a scene after a step; the bits stay.
TEST(overlays_have_classes_within_their_counts) {
  static const struct {
    const char *scene, *overlay;
    uint32_t lower, upper; /* of the largest value */
  } cases[] = {{"curtain", "strain", 1, 255},     {"curtain", "contacts", 0, 0},
               {"curtain", "patches", 5, 40},     {"curtain", "colors", 2, 12},
               {"curtain", "levels", 2, 12},      {"curtain", "workers", 1, 1},
               {"drape-sphere", "levels", 2, 12}, {"drape-sphere", "contacts", 2, 3},
               {"bodies", "contacts", 1, 3},      {"bodies", "patches", 1, 255},
               {"bodies", "workers", 0, 1},       {"integrators", "levels", 0, 0},
               {"rope", "colors", 1, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char line[64];
    view_bytes frame = {NULL, 0, 0};
    uint32_t largest = 0;
    view_session* session = begin(cases[i].scene, NULL, 0);
    snprintf(line, sizeof line, "{\"do\":\"watch\",\"overlay\":\"%s\"}", cases[i].overlay);
    command(session, line);
    take_steps(session, strcmp(cases[i].overlay, "contacts") == 0 ? 60 : 2);
    const uint64_t hash = view_session_hash(session);
    ck_assert(view_write_frame(session, &frame));
    const size_t points = u32_at(&frame, 44);
    const uint8_t* values = frame.data + frame.size - (points + 3) / 4 * 4;
    for (size_t k = 0; k < points; ++k) largest = values[k] > largest ? values[k] : largest;
    ck_assert_msg(largest >= cases[i].lower && largest <= cases[i].upper, "%s of %s: %u",
                  cases[i].overlay, cases[i].scene, largest);
    ck_assert_int_eq((u32_at(&frame, 12) & 16) != 0, strcmp(cases[i].overlay, "strain") != 0);
    ck_assert_uint_eq(view_session_hash(session), hash);
    view_bytes_free(&frame);
    view_session_destroy(&session);
  }
}
