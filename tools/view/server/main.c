/* weft-view: a page that shows a scene and lets a person play with it. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command_line.h"
#include "common/file_bytes.h"
#include "common/interrupt.h"
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
  view_render_def render; /* `out` NULL = none */
} settings;

static bool take_size(void* member, const char* text, tool_message* why) {
  view_render_def* render = member;
  char left = '\0';
  if (sscanf(text, "%5ux%5u%c", &render->width, &render->height, &left) == 2 &&
      render->width >= 16 && render->width <= 8192 && render->height >= 16 &&
      render->height <= 8192) {
    return true;
  }
  return tool_because(why, "--size: '%s' is not WIDTHxHEIGHT of 16 to 8192 pixels", text);
}

static bool add_set(void* target, const char* value, tool_message* why) {
  settings* all = target;
  return tool_add_set(value, VIEW_MOST_SETS, all->sets, &all->set_count, why);
}

static bool take_target(void* member, const char* value, tool_message* why) {
  *(const char**)member = value;
  return view_check_target(value, why);
}

static bool take_word(void* target, const char* word, tool_message* why) {
  return tool_take_word(&((settings*)target)->name, word, why);
}

#define AT(member) offsetof(settings, member)
static const tool_option options[] = {
    TOOL_RANGE(COUNT, "port", "N", AT(port), 0, 65535,
               "port of 127.0.0.1; 0, the default, is any that is free"),
    TOOL_RANGE(COUNT, "threads", "N", AT(threads), 1, WEFT_MAX_WORKERS,
               "threads that step, 1 to 256; default all CPUs"),
    TOOL_CHOICE(NAME, "isa", "NAME", AT(isa), TOOL_ISAS, tool_isa_names,
                "instruction set: auto (default), scalar, sse2, avx2, avx512, neon, simd128"),
    TOOL_REPEATED_OPTION("set", "NAME=VALUE", 0, add_set,
                         "parameter of the scene; 'weft-sim list SCENE' names them"),
    TOOL_OPTION(FLAG, "no-open", NULL, AT(no_open), "open no browser"),
    TOOL_OPTION(WORD, "page", "FOLDER", AT(folder),
                "page other than the installed one: what tools/view.sh builds"),
    TOOL_OPTION(PATH, "record", "FILE", AT(record_path),
                "write what was done to the scene, as JSON lines, at the end"),
    TOOL_OPTION(WORD, "replay", "FILE", AT(replay_path),
                "run a recording without a page as fast as possible, print its hash; exit status "
                "1 where it is not the one recorded"),
    TOOL_HEADING("Pictures:"),
    TOOL_OWN_OPTION("render", "OUT", AT(render.out), take_target,
                    "draw without a screen, by Chromium: OUT.png, OUT.mp4 (by ffmpeg), or a folder "
                    "FRAMES/; of a recording with --replay"),
    TOOL_RANGE(REAL, "seconds", "T", AT(render.seconds), 0, 1e5,
               "seconds of the scene until the picture, or of the film; default 3"),
    TOOL_OWN_OPTION("size", "WxH", AT(render), take_size, "pixels; default 1280x720"),
    TOOL_RANGE(COUNT, "fps", "N", AT(render.rate), 1, 240,
               "frames a second of a film or folder, 1 to 240; default 30"),
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Exit status: 0 success; 1 a file, a recording or a scene cannot be used; 2 wrong arguments; "
    "130 Ctrl-C before a picture, a film or a replay is complete.",
    NULL,
};

static bool read_recording(const char* path, tool_bytes* recording, tool_message* why) {
  tool_message reason;
  return tool_read_file(path, VIEW_MOST_RECORDING, recording, &reason) ||
         tool_because(why, "--replay: '%s': %.900s", path, reason.text);
}

/* Path of the scene file that a recording begins with: the only file that may be begun. */
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

/* The scene is misused only if named on the command line, not by a recording. */
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

// The page of this build, or the installed one, which lies beside this program wherever that is.
static const char* find_page(char path[PATH_MAX]) {
  static const char installed[] = WEFT_VIEW_INSTALLED;
  if (access(WEFT_VIEW_PAGE "/index.html", R_OK) == 0) return WEFT_VIEW_PAGE;
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof installed);
  path[length > 0 ? length : 0] = '\0';
  char* slash = strrchr(path, '/');
  strcpy(slash ? slash + 1 : path, installed);
  return path;
}

static int run_view(int argc, char** argv) {
  static const tool_syntax syntax = {
      "",
      "Usage: weft-view [SCENE|FILE.json|MESH] [OPTION...]\n",
      "Runs a scene of weft-sim, curtain by default, and shows it in a browser: prints the address "
      "of a page on 127.0.0.1 and opens it. Drag with the left button to pull, with the right one "
      "to tear, with Shift to cut; R begins anew, ? shows all keys. Ctrl-C ends. A mesh (.obj, "
      ".ply, .gltf, .glb) hangs as a cloth.",
      options,
      notes,
      take_word};
  char page[PATH_MAX];
  settings all = {.folder = find_page(page),
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
