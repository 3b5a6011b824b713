/* The session of weft-view: commands, recordings, mesh files. */
#include "support/sessions.h"
#include "support/test.h"

TEST(a_recording_replays_to_the_same_hash_with_other_threads_and_instructions) {
  view_session* session = begin_curtain();
  take_steps(session, 20);
  command(session, "{\"do\":\"grab\",\"id\":3,\"at\":[1.5,-1,0],\"radius\":0.4}");
  for (int i = 0; i < 20; ++i) {
    char line[128];
    snprintf(line, sizeof line, "{\"do\":\"drag\",\"id\":3,\"to\":[1.5,-1,%g]}", 0.1 * i);
    command(session, line);
    take_steps(session, 1);
  }
  command(session, " { \"id\" : 3 , \"do\":\"drop\"}\n");
  command(session, "{\"do\":\"wind\",\"value\":[0,0,5],\"gust\":0.5}");
  command(session, "{\"do\":\"cut\",\"triangle\":[0,-1,-3,3,-1,-3,1.5,-1,6]}");
  command(session, "{\"do\":\"gravity\",\"value\":[0,1,0]}");
  take_steps(session, 11);
  size_t length = 0;
  const char* text = view_session_recording(session, &length);
  ck_assert(text != NULL);
  for (uint32_t threads = 1; threads <= 2; ++threads) {
    const view_options options = {.name = "sheet", .threads = threads, .isa = WEFT_ISA_SCALAR};
    view_session* twin = NULL;
    tool_message why = {""};
    ck_assert_int_eq(view_session_create(&options, &twin, &why), SIM_OK);
    ck_assert_msg(view_session_replay(twin, text, length, &why), "%s", why.text);
    while (view_session_replay_state(twin) == VIEW_REPLAY_RUNS) take_steps(twin, 1);
    ck_assert_int_eq(view_session_replay_state(twin), VIEW_REPLAY_SAME);
    ck_assert_uint_eq(view_session_hash(twin), view_session_hash(session));
    ck_assert_uint_eq(view_session_step_count(twin), 51);
    size_t again = 0;
    const char* copy = view_session_recording(twin, &again);
    ck_assert(again == length && memcmp(copy, text, length) == 0);
    view_session_destroy(&twin);
  }
  view_session_destroy(&session);
}

TEST(a_reset_brings_back_the_first_hash_and_shortens_the_recording) {
  view_session* session = begin_curtain();
  const uint64_t first = view_session_hash(session);
  size_t before = 0, after = 0;
  (void)view_session_recording(session, &before);
  command(session, "{\"do\":\"tear\",\"from\":[0,0,0],\"to\":[3,-1,0],\"radius\":0.3}");
  take_steps(session, 30);
  ck_assert_uint_ne(view_session_hash(session), first);
  command(session, "{\"do\":\"reset\"}");
  (void)view_session_recording(session, &after);
  ck_assert_uint_eq(view_session_hash(session), first);
  ck_assert_uint_eq(before, after);
  command(session, "{\"do\":\"set\",\"name\":\"tear\",\"value\":\"0.5\"}");
  ck_assert_uint_eq(view_session_hash(session), first);
  ck_assert_uint_eq(view_session_generation(session), 2);
  view_session_destroy(&session);
}

TEST(a_person_who_acts_ends_a_replay) {
  static const char* const lines[] = {"{\"do\":\"reset\"}",
                                      "{\"do\":\"gravity\",\"value\":[0,0,0]}",
                                      "{\"do\":\"set\",\"name\":\"tear\",\"value\":\"0.5\"}"};
  view_session* session = begin_curtain();
  take_steps(session, 10);
  size_t length = 0;
  const char* text = view_session_recording(session, &length);
  char copy[1024];
  memcpy(copy, text, length);
  for (size_t i = 0; i < 3; ++i) {
    tool_message why;
    ck_assert(view_session_replay(session, copy, length, &why));
    take_steps(session, 5);
    ck_assert_int_eq(view_session_replay_state(session), VIEW_REPLAY_RUNS);
    command(session, lines[i]);
    take_steps(session, 20);
    ck_assert_int_eq(view_session_replay_state(session), VIEW_REPLAY_NONE);
  }
  view_session_destroy(&session);
}

TEST(the_clock_takes_steps_at_the_speed_and_none_while_paused) {
  static const struct {
    const char* line;
    uint32_t steps;
  } cases[] = {{"{\"do\":\"speed\",\"value\":1}", 60},
               {"{\"do\":\"speed\",\"value\":0.5}", 30},
               {"{\"do\":\"speed\",\"value\":2}", 120},
               {"{\"do\":\"pause\",\"on\":true}", 0},
               {"{\"do\":\"pause\",\"on\":false}", 120}};
  view_session* session = begin_curtain();
  tool_message why;
  for (size_t i = 0; i < 5; ++i) {
    uint32_t sum = 0, steps = 0;
    command(session, cases[i].line);
    for (int frame = 0; frame < 100; ++frame) {
      ck_assert(view_session_advance(session, 0.01, INFINITY, &steps, &why));
      sum += steps;
    }
    ck_assert_msg(sum + 1 >= cases[i].steps && sum <= cases[i].steps + 1, "%u", sum);
  }
  view_session_destroy(&session);
}

// Steps that are due are taken later, and those of more than a quarter of a second never.
TEST(late_steps_are_made_up_for_within_a_quarter_of_a_second) {
  static const struct {
    double elapsed; /* seconds of a turn that may take one step */
    uint32_t steps; /* of that turn and of those after it, with the one that is due by then */
  } cases[] = {{0.1, 6}, {0.2, 12}, {0.25, 15}, {2.0, 16}, {1e9, 16}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    view_session* session = begin_curtain();
    tool_message why;
    uint32_t steps = 0, sum = 0;
    ck_assert(view_session_advance(session, cases[i].elapsed, 0.0, &steps, &why));
    ck_assert_uint_eq(steps, 1);
    ck_assert(view_session_lag(session) > cases[i].elapsed - 0.04);
    for (sum = 1; view_session_due(session) <= 0.0; sum += steps) {
      ck_assert(view_session_advance(session, 0.0, 0.0, &steps, &why));
    }
    ck_assert_msg(sum + 1 >= cases[i].steps && sum <= cases[i].steps, "%zu: %u", i, sum);
    view_session_destroy(&session);
  }
}

/* Square of 8 x 8 cells, upright or flat. */
static void write_square(FILE* file, bool is_flat) {
  for (int i = 0; i < 81; ++i) {
    const double a = i % 9 / 8.0, b = i / 9 / 8.0;
    ck_assert(fprintf(file, "v %g %g %g\n", a, is_flat ? 0.0 : b, is_flat ? b : 0.0) > 0);
  }
  for (int i = 0; i < 72; ++i) {
    if (i % 9 < 8) ck_assert(fprintf(file, "f %d %d %d %d\n", i + 1, i + 2, i + 11, i + 10) > 0);
  }
}

// Normals of the square, which lies flat: of length 127 to within their rounding.
static void expect_flat(const view_bytes* frame) {
  enum { POINTS = 81 };
  const int8_t* normals = (const int8_t*)frame->data + frame->size - (size_t)4 * POINTS;
  for (int i = 0; i < POINTS; ++i) {
    ck_assert_msg(abs(normals[4 * i + 1]) >= 126, "normal of point %d: %d %d %d", i, normals[4 * i],
                  normals[4 * i + 1], normals[4 * i + 2]);
  }
}

// A mesh hangs, or falls, and begins anew at the same hash; a bad one is refused with the reason.
TEST(a_mesh_file_is_a_scene) {
  static const char path[] = "test_view_mesh.obj";
  static const struct {
    char shape; /* upright, flat, bad; 0 = there is no file */
    const char *set, *problem;
    float lower, upper; /* metres: of the highest particle after 4 s */
  } cases[] = {
      {'u', "hold=top", NULL, 1.45f, 1.55f},
      {'u', "hold=none", NULL, 0.05f, 1.3f},
      {'f', "size=0.1", NULL, 0.45f, 0.55f},
      {'b', "hold=top", "test_view_mesh.obj: line 1: a face has 2 corners", 0, 0},
      {'u', "hold=left", "--set hold: 'left' is not one of top, none", 0, 0},
      {0, "hold=top", "test_view_mesh.obj: No such file or directory", 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const view_options options = {
        .name = path, .sets = &cases[i].set, .set_count = 1, .threads = 1};
    view_session* session = NULL;
    tool_message why = {""};
    FILE* file = cases[i].shape ? fopen(path, "w") : NULL;
    if (cases[i].shape == 'b') ck_assert(fputs("f 1 2\n", file) >= 0);
    if (file && cases[i].shape != 'b') write_square(file, cases[i].shape == 'f');
    if (file) ck_assert_int_eq(fclose(file), 0);
    const bool is_made = view_session_create(&options, &session, &why) == SIM_OK;
    ck_assert_str_eq(why.text, cases[i].problem ? cases[i].problem : "");
    if (is_made) {
      const uint64_t first = view_session_hash(session);
      view_bytes frame = {NULL, 0, 0};
      float highest = 0.0f;
      ck_assert(view_write_frame(session, &frame));
      if (cases[i].shape == 'f') expect_flat(&frame);
      take_steps(session, 240);
      ck_assert(view_write_frame(session, &frame));
      memcpy(&highest, frame.data + 136, sizeof highest);
      ck_assert_msg(highest >= cases[i].lower && highest <= cases[i].upper, "%zu: %g m", i,
                    (double)highest);
      command(session, "{\"do\":\"reset\"}");
      ck_assert_uint_eq(view_session_hash(session), first);
      view_bytes_free(&frame);
      view_session_destroy(&session);
    }
    if (file) (void)remove(path);
  }
}

TEST(wrong_commands_say_why_and_change_nothing) {
  static const char* const cases[][2] = {
      {"", "no JSON object"},
      {"[]", "no JSON object"},
      {"{\"do\":\"fly\"}", "'fly' is not a command"},
      {"{\"do\":\"reset\"", "a JSON object that does not end"},
      {"{\"do\":\"reset\"} x", "more than a JSON object"},
      {"{\"do\":\"reset\",\"do\":\"reset\"}", "'do' is there twice"},
      {"{\"do\":\"reset\",\"step\":1}", "reset: 'step' is not a member"},
      {"{\"do\":\"drag\",\"id\":0,\"to\":[0,0,0]}", "pointer 0 holds nothing"},
      {"{\"do\":\"grab\",\"id\":16,\"at\":[0,0,0],\"radius\":1}",
       "'id' is not a number from 0 to 15"},
      {"{\"do\":\"grab\",\"id\":0,\"at\":[0,0],\"radius\":1}", "'at' has not 3 numbers"},
      {"{\"do\":\"grab\",\"id\":0,\"at\":[1e99,0,0],\"radius\":1}",
       "place[0]: not a finite number"},
      {"{\"do\":\"cut\",\"triangle\":\"x\"}", "'triangle' is of another kind"},
      {"{\"do\":\"gravity\"}", "'value' is missing"},
      {"{\"do\":\"speed\",\"value\":0}", "'value' is not a number from 0.01 to 10"},
      {"{\"do\":\"speed\",\"value\":nan}", "'value' has no value that is known"},
      {"{\"do\":\"key\",\"name\":\"left\",\"down\":true}", "curtain takes no input"},
      {"{\"do\":\"scene\",\"name\":\"/etc/passwd\"}",
       "'/etc/passwd' is not a scene; 'weft-sim list' names them, and a file ends in .json, .obj, "
       ".ply, .gltf or .glb"},
      {"{\"do\":\"scene\",\"name\":\"test_view_mesh.obj\"}",
       "'test_view_mesh.obj' is not a scene; 'weft-sim list' names them, and a file ends in .json, "
       ".obj, .ply, .gltf or .glb"},
      {"{\"do\":\"set\",\"name\":\"columns\",\"value\":\"1\"}",
       "--set columns: '1' is not a whole number from 2 to 4096"},
      {"{\"do\":\"replay\",\"text\":\"{}\"}", "a line without a step"},
      {"{\"do\":\"detail\",\"points\":8}", "'points' is not a number from 64 to 4.29497e+09"},
  };
  view_session* session = begin_curtain();
  const uint64_t hash = view_session_hash(session);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    tool_message why = {""};
    ck_assert_msg(!view_session_command(session, cases[i][0], strlen(cases[i][0]), &why), "%s",
                  cases[i][0]);
    ck_assert_str_eq(why.text, cases[i][1]);
    ck_assert_uint_eq(view_session_hash(session), hash);
    ck_assert_uint_eq(view_session_generation(session), 1);
  }
  view_session_destroy(&session);
}

// ---- random commands ----

// Names of commands, and other members.
static const char* const names[] = {
    "grab",  "drag",  "drop",  "tear", "cut",   "gravity", "wind",   "damping", "bounds", "key",
    "point", "reset", "pause", "step", "speed", "watch",   "detail", "replay",  "end"};
static const char* const members[] = {"\"points\":64",
                                      "\"id\":1",
                                      "\"at\":[0.5,-0.5,0]",
                                      "\"radius\":0.2",
                                      "\"to\":[1,-1,2]",
                                      "\"from\":[0,0,0]",
                                      "\"value\":[0,2,1e3]",
                                      "\"value\":0.5",
                                      "\"on\":true",
                                      "\"name\":\"left\"",
                                      "\"down\":false",
                                      "\"count\":1",
                                      "\"gust\":1e400",
                                      "\"overlay\":\"contacts\"",
                                      "\"overlay\":\"workers\"",
                                      "\"restitution\":0.3",
                                      "\"friction\":2",
                                      "\"text\":\"{\\\"step\\\":0,\\\"do\\\":\\\"reset\\\"}\"",
                                      "\"set\":[\"rows=5\"]",
                                      "\"triangle\":[0,0,0,3,-1,1,1,1,-5]",
                                      "\"step\":1",
                                      "\"\\u00e9\":[]",
                                      "[1,[2]]"};
enum { NAMES = sizeof names / sizeof names[0], MEMBERS = sizeof members / sizeof members[0] };

// Commands that are right.
static const char* const whole[] = {
    "{\"do\":\"grab\",\"id\":1,\"at\":[0.5,-0.5,0],\"radius\":0.2}",
    "{\"do\":\"drag\",\"id\":1,\"to\":[1,-1,2]}",
    "{\"do\":\"drop\",\"id\":1}",
    "{\"do\":\"tear\",\"from\":[0,0,0],\"to\":[3,-1,0],\"radius\":0.1}",
    "{\"do\":\"cut\",\"triangle\":[0,0,0,3,-1,1,1,1,-5]}",
    "{\"do\":\"key\",\"name\":\"jump\",\"down\":true}",
    "{\"do\":\"point\",\"at\":[0.1,0.2,0.3]}",
    "{\"do\":\"wind\",\"value\":[0,0,1e5],\"gust\":2}",
    "{\"do\":\"gravity\",\"value\":[0,1e9,0]}",
    "{\"do\":\"detail\",\"points\":80}"};
enum { WHOLE = sizeof whole / sizeof whole[0] };

static int put_member(random_source* from, char* to, size_t size) {
  const uint32_t k = random_below(from, NAMES + MEMBERS);
  if (k < NAMES) return snprintf(to, size, "\"do\":\"%s\"", names[k]);
  return snprintf(to, size, "%s", members[k - NAMES]);
}

/* A command, most often one that is right, put together of members. */
static size_t random_line(random_source* from, char* line, size_t size) {
  size_t length = 0;
  for (uint32_t more = 1 + random_below(from, 4); more > 0 && length + 80 < size; --more) {
    line[length] = length == 0 ? '{' : ',';
    length += 1 + (size_t)put_member(from, line + length + 1, size - length - 1);
  }
  line[length++] = '}';
  if (random_below(from, 2))
    length = (size_t)snprintf(line, size, "%s", whole[random_below(from, WHOLE)]);
  // a letter in three lines out of four is wrong
  for (uint32_t wrong = random_below(from, 4); wrong > 0; --wrong) {
    if (random_below(from, 2))
      line[random_below(from, (uint32_t)length)] = (char)random_below(from, 256);
  }
  return random_below(from, 8) == 0 ? random_below(from, (uint32_t)length) : length;
}

TEST(ten_thousand_random_messages_do_no_harm) {
  static const char* const scenes[] = {"curtain", "player", "rope"};
  random_source from = {1};
  uint32_t understood = 0;
  for (size_t scene = 0; scene < 3; ++scene) {
    const char* const sets[] = {"columns=7", "rows=5"};
    view_session* session = begin(scenes[scene], sets, scene == 0 ? 2 : 0);
    view_bytes bytes = {NULL, 0, 0};
    for (int i = 0; i < 3334; ++i) {
      char line[512];
      tool_message why = {""};
      uint32_t steps = 0;
      const size_t length = random_line(&from, line, sizeof line);
      const bool ok = view_session_command(session, line, length, &why);
      ck_assert(ok || why.text[0] != '\0');
      understood += ok;
      if (i % 16 == 0) (void)view_session_advance(session, 0.02, 1.0, &steps, &why);
      if (i % 64 == 0) ck_assert(view_write_topology(session, &bytes));
      if (i % 64 == 0) ck_assert(view_write_frame(session, &bytes));
    }
    size_t length = 0;
    ck_assert(view_session_recording(session, &length) != NULL);
    view_bytes_free(&bytes);
    view_session_destroy(&session);
  }
  ck_assert_uint_gt(understood, 300);
}
