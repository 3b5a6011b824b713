/* weft-view: a page that shows a scene and lets a person play with it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command_line.h"
#include "common/file_bytes.h"
#include "common/interrupt.h"
#include "common/options.h"
#include "common/output_file.h"
#include "common/progress.h"
#include "view/parts.h"
#include "view/server/child.h"
#include "view/server/render.h"

const char tool_name[] = "weft-view";

enum { EXIT_FAILED = 1 };

typedef struct settings {
  const char* name;
  const char* sets[VIEW_MOST_SETS];
  size_t set_count;
  uint32_t port, threads;
  weft_isa isa;
  bool no_open;
  const char *record_path, *replay_path, *folder;
  view_render_def render; /* `out` is NULL where there is none */
} settings;

enum {
  OPTION_PORT = TOOL_OPTION_OWN,
  OPTION_THREADS,
  OPTION_ISA,
  OPTION_NO_OPEN,
  OPTION_RECORD,
  OPTION_REPLAY,
  OPTION_RENDER,
  OPTION_SECONDS,
  OPTION_SIZE,
  OPTION_RATE,
  OPTION_PAGE,
  OPTION_SET = TOOL_OPTION_REPEATED,
};

static const struct option options[] = {
    {"port", required_argument, NULL, OPTION_PORT},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"isa", required_argument, NULL, OPTION_ISA},
    {"set", required_argument, NULL, OPTION_SET},
    {"no-open", no_argument, NULL, OPTION_NO_OPEN},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"replay", required_argument, NULL, OPTION_REPLAY},
    {"render", required_argument, NULL, OPTION_RENDER},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"fps", required_argument, NULL, OPTION_RATE},
    {"page", required_argument, NULL, OPTION_PAGE},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-view [SCENE|FILE.json|MESH] [OPTION...]\n"
    "\n"
    "Runs a scene of weft-sim, curtain by default, and shows it in a browser: prints the address "
    "of a\n"
    "page on 127.0.0.1 and opens it. Drag with the left button to pull, with the right one to "
    "tear, with\n"
    "Shift to cut; R begins anew, ? shows all keys. Ctrl-C ends. A mesh (.obj, .ply, .gltf, .glb)\n"
    "hangs as a cloth.\n\n",
    "  --port N         port of 127.0.0.1; 0, the default, is any that is free\n"
    "  --threads N      threads that step, 1 to 256; default all CPUs\n"
    "  --isa NAME       instruction set: auto (default), scalar, sse2, avx2, avx512, neon,\n"
    "                   simd128\n"
    "  --set NAME=VALUE parameter of the scene; 'weft-sim list SCENE' names them\n"
    "  --no-open        open no browser\n"
    "  --page FOLDER    page other than the installed one: what tools/view.sh builds\n"
    "  --record FILE    write what was done to the scene, as JSON lines, at the end\n"
    "  --replay FILE    run a recording without a page as fast as possible, print its hash;\n"
    "                   exit status 1 where it is not the one recorded\n\n",
    "  --render OUT     draw without a screen, by Chromium: OUT.png, OUT.mp4 (by ffmpeg), or a\n"
    "                   folder FRAMES/; of a recording with --replay\n"
    "  --seconds T      seconds of the scene until the picture, or of the film; default 3\n"
    "  --size WxH       pixels; default 1280x720\n"
    "  --fps N          frames a second of a film or folder, 1 to 240; default 30\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 success; 1 a file, a recording or a scene cannot be used; 2 wrong arguments;\n"
    "130 Ctrl-C before a picture, a film or a replay is complete.\n",
    NULL,
};

// ---- the command line ----

static bool parse_size(const char* text, view_render_def* render, tool_message* why) {
  char left = '\0';
  if (sscanf(text, "%5ux%5u%c", &render->width, &render->height, &left) == 2 &&
      render->width >= 16 && render->width <= 8192 && render->height >= 16 &&
      render->height <= 8192) {
    return true;
  }
  return tool_because(why, "--size: '%s' is not WIDTHxHEIGHT of 16 to 8192 pixels", text);
}

static bool parse_isa(const char* text, weft_isa* isa, tool_message* why) {
  tool_isa_list list = {.count = 0};
  if (strcmp(text, "auto") == 0) return true;
  if (!tool_parse_isas("--isa", text, &list, why)) return false;
  *isa = list.items[0];
  return list.count == 1 || tool_because(why, "--isa: takes one");
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  settings* all = target;
  switch (option) {
    case OPTION_PORT:
      return tool_parse_count("--port", value, (tool_range){0, 65535}, &all->port, why);
    case OPTION_THREADS:
      return tool_parse_count("--threads", value, (tool_range){1, WEFT_MAX_WORKERS}, &all->threads,
                              why);
    case OPTION_ISA:
      return parse_isa(value, &all->isa, why);
    case OPTION_SET:
      return tool_add_set(value, VIEW_MOST_SETS, all->sets, &all->set_count, why);
    case OPTION_NO_OPEN:
      return all->no_open = true;
    case OPTION_RECORD:
      return all->record_path = value, tool_can_write(value, why);
    case OPTION_REPLAY:
      return all->replay_path = value, true;
    case OPTION_RENDER:
      return all->render.out = value, view_check_target(value, why);
    case OPTION_SECONDS:
      return tool_parse_number("--seconds", value, 0.0, 1e5, &all->render.seconds, why);
    case OPTION_SIZE:
      return parse_size(value, &all->render, why);
    case OPTION_RATE:
      return tool_parse_count("--fps", value, (tool_range){1, 240}, &all->render.rate, why);
    default:
      return all->folder = value, true;
  }
}

static bool take_word(void* target, const char* word, tool_message* why) {
  settings* all = target;
  if (all->name) return tool_because(why, "unexpected argument '%s'", word);
  all->name = word;
  return true;
}

// ---- recordings ----

static bool read_recording(const char* path, tool_bytes* recording, tool_message* why) {
  tool_message reason;
  return tool_read_file(path, VIEW_MOST_RECORDING, recording, &reason) ||
         tool_because(why, "--replay: '%s': %.900s", path, reason.text);
}

/* Path of the scene file that a recording begins with, so that it may be begun. */
static char* name_in(const tool_bytes* recording) {
  view_json_line line;
  tool_message unused;
  const char* end = memchr(recording->text, '\n', recording->length);
  const size_t length = end ? (size_t)(end - recording->text) : recording->length;
  const bool ok = view_json_read(recording->text, length, &line, &unused);
  const view_json_member* name = ok ? view_json_find(&line, "name") : NULL;
  char* copy =
      name && name->kind == VIEW_JSON_TEXTS && name->count > 0 ? strdup(name->texts[0]) : NULL;
  view_json_free(&line);
  return copy;
}

static bool begin_replay(const char* path, const tool_bytes* recording, view_session* session,
                         tool_message* why) {
  tool_message reason;
  return view_session_replay(session, recording->text, recording->length, &reason) ||
         tool_because(why, "--replay: '%s': %.900s", path, reason.text);
}

static bool replay(view_session* session, tool_message* why) {
  while (view_session_replay_state(session) == VIEW_REPLAY_RUNS && !tool_interrupted()) {
    if (!view_session_step(session, why)) return false;
  }
  const view_replay_state state = view_session_replay_state(session);
  if (state == VIEW_REPLAY_RUNS) return tool_because(why, "interrupted");
  printf("step %" PRIu64 ", hash %016" PRIx64 "%s\n", view_session_step_count(session),
         view_session_hash(session), state == VIEW_REPLAY_SAME ? ", as recorded" : "");
  return state == VIEW_REPLAY_SAME || tool_because(why, "--replay: the recording has another hash");
}

static bool write_recording(const char* path, view_session* session, tool_message* why) {
  tool_output output;
  size_t length = 0;
  const char* text = view_session_recording(session, &length);
  if (!text) return tool_because(why, "--record: the recording has grown too long");
  if (!tool_output_open(path, &output, why)) return false;
  const bool written = fwrite(text, 1, length, output.stream) == length;
  return tool_output_close(&output, written, why);
}

// ---- serving ----

static void open_browser(const char* url) {
  static const char* const programs[] = {"xdg-open", NULL};
  char copy[256];
  const bool has_screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
  snprintf(copy, sizeof copy, "%s", url);
  char* arguments[] = {NULL, copy, NULL};
  if (has_screen) (void)view_start_child(programs, arguments);
}

static bool serve(const settings* all, view_session* session, tool_message* why) {
  const view_server_def def = {.folder = all->folder, .port = all->port};
  view_server* server = NULL;
  if (!view_server_start(&def, session, &server, why)) return false;
  const bool told = printf("%s\n", view_server_url(server)) > 0 && fflush(stdout) == 0;
  if (told && !all->no_open) open_browser(view_server_url(server));
  if (told) view_server_run(server, NULL);
  view_server_stop(&server);
  if (!told) return tool_because(why, "the address of the page cannot be printed");
  return !all->record_path || write_recording(all->record_path, session, why);
}

/* The scene is misused only if it was named on the command line, not by a recording. */
static sim_outcome run(const settings* all, const tool_bytes* recording, tool_message* why) {
  char* recorded = recording->text ? name_in(recording) : NULL;
  const view_options view = {.name = recorded    ? recorded
                                     : all->name ? all->name
                                                 : "curtain",
                             .sets = all->sets,
                             .set_count = recorded ? 0 : all->set_count,
                             .threads = all->threads,
                             .isa = all->isa};
  view_session* session = NULL;
  tool_progress_note("building the scene ..", false);
  tool_begin_indivisible();
  sim_outcome outcome = view_session_create(&view, &session, why);
  if (outcome == SIM_MISUSED && recorded) outcome = SIM_FAILED;
  bool ok = outcome == SIM_OK &&
            (!recording->text || begin_replay(all->replay_path, recording, session, why));
  tool_end_indivisible();
  tool_progress_note("", false);
  if (ok && all->render.out) {
    ok = view_render(&all->render, all->folder, session, why);
  } else if (ok) {
    ok = recording->text ? replay(session, why) : serve(all, session, why);
  }
  view_session_destroy(&session);
  free(recorded);
  return ok || outcome != SIM_OK ? outcome : SIM_FAILED;
}

static int run_view(int argc, char** argv) {
  const tool_syntax syntax = {"", help, options, take, take_word};
  settings all = {.folder = access(WEFT_VIEW_PAGE "/index.html", R_OK) == 0 ? WEFT_VIEW_PAGE
                                                                            : WEFT_VIEW_INSTALLED,
                  .render = {.seconds = 3.0, .width = 1280, .height = 720, .rate = 30}};
  tool_bytes recording = {NULL, 0};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &all);
  if (outcome != TOOL_GO_ON) return outcome;
  tool_catch_interrupt();
  const bool has_page = all.render.out || !all.replay_path;
  const bool ok = (!all.render.out || view_check_render(&all.render, &why)) &&
                  (!has_page || view_server_has_page(all.folder, &why)) &&
                  (!all.replay_path || read_recording(all.replay_path, &recording, &why));
  const sim_outcome result = ok ? run(&all, &recording, &why) : SIM_FAILED;
  free(recording.text);
  if (result == SIM_OK) return TOOL_EXIT_OK;
  tool_print_error(&why);
  if (result == SIM_MISUSED) return TOOL_EXIT_ERROR;
  return tool_interrupted() ? TOOL_EXIT_INTERRUPTED : EXIT_FAILED;
}

int main(int argc, char** argv) {
  return tool_finish_output(run_view(argc, argv), EXIT_FAILED);
}
