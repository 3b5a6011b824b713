#include "view/server/render.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/output_file.h"
#include "view/server/child.h"

/* Seconds without a picture until Chromium is given up. */
#define PATIENCE 180.0

typedef enum target { TARGET_PICTURE, TARGET_FILM, TARGET_FOLDER, TARGET_UNKNOWN } target;

typedef struct rendering {
  const view_render_def* def;
  target target;
  char folder[512];  /* frames' folder; temporary for a film */
  char profile[512]; /* Chromium's folder, temporary */
  uint32_t count, taken;
  pid_t browser;
  double last_ns; /* time of the last picture */
  tool_message why;
  bool has_failed;
} rendering;

static bool ends_with(const char* text, const char* end) {
  const size_t length = strlen(text), tail = strlen(end);
  return length > tail && strcmp(text + length - tail, end) == 0;
}

static target target_of(const char* out) {
  if (ends_with(out, ".png")) return TARGET_PICTURE;
  if (ends_with(out, ".mp4")) return TARGET_FILM;
  return ends_with(out, "/") ? TARGET_FOLDER : TARGET_UNKNOWN;
}

bool view_check_target(const char* out, tool_message* why) {
  return target_of(out) != TARGET_UNKNOWN ||
         tool_because(why, "--render: '%s' ends with neither .png, .mp4 nor /", out);
}

bool view_check_render(const view_render_def* def, tool_message* why) {
  char* const arguments[] = {NULL, (char[]){"-version"}, NULL};
  static const char* const ffmpeg[] = {"ffmpeg", NULL};
  switch (target_of(def->out)) {
    case TARGET_PICTURE:
      return tool_can_write(def->out, why);
    case TARGET_FOLDER:
      return mkdir(def->out, 0777) == 0 || errno == EEXIST ||
             tool_because(why, "--render: '%s': %s", def->out, strerror(errno));
    case TARGET_FILM: {
      if (!tool_can_write(def->out, why)) return false;
      const pid_t child = view_start_child(ffmpeg, (char**)arguments);
      return (child > 0 && view_wait_for_child(child) == 0) ||
             tool_because(why, "--render: a film needs ffmpeg, which is not installed");
    }
    default:
      return view_check_target(def->out, why);
  }
}

static bool write_picture(const char* path, const void* bytes, size_t size, tool_message* why) {
  tool_output output;
  if (!tool_output_open(path, &output, why)) return false;
  const bool written = fwrite(bytes, 1, size, output.stream) == size;
  return tool_output_close(&output, written, why);
}

static bool take_picture(void* owner, uint32_t number, const void* bytes, size_t size) {
  rendering* self = owner;
  char path[1024];
  self->last_ns = tool_clock_ns();
  if (self->target == TARGET_PICTURE) {
    snprintf(path, sizeof path, "%s", self->def->out);
  } else {
    snprintf(path, sizeof path, "%s/frame-%05u.png", self->folder, number + 1);
  }
  self->has_failed = !write_picture(path, bytes, size, &self->why);
  ++self->taken;
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%u of %u pictures", self->taken, self->count);
  return !self->has_failed && self->taken < self->count;
}

static bool is_over(void* owner) {
  rendering* self = owner;
  int status = 0;
  if (view_child_ended(self->browser, &status)) {
    self->browser = -1;
    self->has_failed = true;
    tool_because(&self->why,
                 "--render: Chromium has ended before the pictures were drawn, 'chromium "
                 "--headless --dump-dom about:blank' tells why");
  } else if ((tool_clock_ns() - self->last_ns) * 1e-9 > PATIENCE) {
    self->has_failed = true;
    tool_because(&self->why, "--render: no picture for %.0f seconds: has Chromium WebGL?",
                 PATIENCE);
  }
  return self->has_failed;
}

static bool start_browser(rendering* self, const char* url, tool_message* why) {
  static const char* const programs[] = {"chromium", "chromium-browser", "google-chrome", NULL};
  char page[512], profile[600], size[64];
  const view_render_def* def = self->def;
  snprintf(page, sizeof page, "%s#seconds=%.9g&size=%ux%u&count=%u", url, def->seconds, def->width,
           def->height, self->count);
  snprintf(profile, sizeof profile, "--user-data-dir=%s", self->profile);
  snprintf(size, sizeof size, "--window-size=%u,%u", def->width, def->height);
  // software rendering draws the same picture everywhere
  char* arguments[] = {NULL,
                       (char[]){"--headless"},
                       (char[]){"--use-angle=swiftshader"},
                       (char[]){"--enable-unsafe-swiftshader"},
                       (char[]){"--hide-scrollbars"},
                       (char[]){"--no-first-run"},
                       profile,
                       size,
                       geteuid() == 0 ? (char[]){"--no-sandbox"} : page,
                       geteuid() == 0 ? page : NULL,
                       NULL};
  self->browser = view_start_child(programs, arguments);
  return self->browser > 0 || tool_because(why, "--render: needs Chromium, which is not installed");
}

static bool make_film(const rendering* self, tool_message* why) {
  static const char* const programs[] = {"ffmpeg", NULL};
  char frames[600], rate[16], out[1024];
  snprintf(frames, sizeof frames, "%s/frame-%%05d.png", self->folder);
  snprintf(rate, sizeof rate, "%u", self->def->rate);
  // an argument, even with a leading dash
  snprintf(out, sizeof out, "%s%s", self->def->out[0] == '-' ? "./" : "", self->def->out);
  char* arguments[] = {NULL,
                       (char[]){"-y"},
                       (char[]){"-framerate"},
                       rate,
                       (char[]){"-i"},
                       frames,
                       (char[]){"-vf"},
                       (char[]){"pad=ceil(iw/2)*2:ceil(ih/2)*2"},
                       (char[]){"-pix_fmt"},
                       (char[]){"yuv420p"},
                       out,
                       NULL};
  const pid_t child = view_start_child(programs, arguments);
  const int status = child > 0 ? view_wait_for_child(child) : 127;
  return status == 0 || tool_because(why, "--render: ffmpeg has ended with status %d", status);
}

static bool make_folders(rendering* self, tool_message* why) {
  const char* base = getenv("TMPDIR");
  snprintf(self->profile, sizeof self->profile, "%s/weft-view-XXXXXX", base ? base : "/tmp");
  if (!mkdtemp(self->profile)) {
    self->profile[0] = '\0';
    return tool_because(why, "no temporary folder: %s", strerror(errno));
  }
  if (self->target == TARGET_FILM) {
    snprintf(self->folder, sizeof self->folder, "%.480s/frames", self->profile);
    return mkdir(self->folder, 0700) == 0 || tool_because(why, "no temporary folder");
  }
  snprintf(self->folder, sizeof self->folder, "%s", self->def->out);
  const size_t length = strlen(self->folder);
  if (length > 1 && self->folder[length - 1] == '/') self->folder[length - 1] = '\0';
  return true;
}

static bool run(rendering* self, const char* folder, view_session* session, tool_message* why) {
  static const char pause[] = "{\"do\":\"pause\",\"on\":true}";
  const view_server_def def = {.folder = folder, .take_picture = take_picture, .owner = self};
  view_server* server = NULL;
  // the page asks for each step
  bool ok = view_session_command(session, pause, sizeof pause - 1, why) &&
            make_folders(self, why) && view_server_start(&def, session, &server, why) &&
            start_browser(self, view_server_url(server), why);
  self->last_ns = tool_clock_ns();
  if (ok) view_server_run(server, is_over);
  if (self->browser > 0) view_end_child(self->browser);
  view_server_stop(&server);
  if (ok && self->has_failed) {
    *why = self->why;
    ok = false;
  }
  if (ok && self->taken < self->count) ok = tool_because(why, "--render: interrupted");
  return ok && (self->target != TARGET_FILM || make_film(self, why));
}

bool view_render(const view_render_def* def, const char* folder, view_session* session,
                 tool_message* why) {
  rendering self = {.def = def, .target = target_of(def->out), .browser = -1, .count = 1};
  if (self.target != TARGET_PICTURE) {
    self.count = (uint32_t)fmax(1.0, round(def->seconds * (double)def->rate));
  }
  const bool ok = run(&self, folder, session, why);
  if (isatty(STDERR_FILENO) && self.taken > 0) fputc('\n', stderr);
  if (self.profile[0]) view_remove_folder(self.profile);
  return ok;
}
