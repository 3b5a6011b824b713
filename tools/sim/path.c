#include "sim/path.h"

#include <math.h>
#include <stdlib.h>

#include "common/options.h"
#include "sim/text.h"

const char* const sim_path_kinds[] = {"still", "circle", "eight", "path", NULL};

#define PI 3.14159265358979323846

// series for angles of at most an eighth of a turn
static void small_sine(double angle, double* sine, double* cosine) {
  const double square = angle * angle;
  *sine = *cosine = 0.0;
  for (int n = 20; n >= 2; n -= 2) {
    *cosine = (1.0 + *cosine) * -square / (double)(n * (n - 1));
    *sine = (1.0 + *sine) * -square / (double)(n * (n + 1));
  }
  *sine = (1.0 + *sine) * angle;
  *cosine = 1.0 + *cosine;
}

void sim_sine_of_turns(double turns, double* sine, double* cosine) {
  const double quarters = floor(4.0 * turns + 0.5);
  const int quarter = (int)(quarters - 4.0 * floor(quarters / 4.0));
  double s = 0.0, c = 0.0;
  small_sine(2.0 * PI * (turns - 0.25 * quarters), &s, &c);
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

static bool read_place(const char* option, const sim_item* item, sim_path_place* place,
                       tool_message* why) {
  if (item->count < 3 || item->count > 4) {
    return tool_because(why, "%s: a place is a time, x, y and maybe z: '%s' begins one of %zu",
                        option, item->words[0], item->count);
  }
  *place = (sim_path_place){.time = 0.0};
  if (!tool_parse_number(option, item->words[0], 0.0, 1e6, &place->time, why)) return false;
  for (size_t axis = 0; axis + 1 < item->count; ++axis) {
    if (!tool_parse_number(option, item->words[axis + 1], -1e6, 1e6, &place->offset[axis], why)) {
      return false;
    }
  }
  return true;
}

bool sim_path_read(const char* option, const char* text, sim_path* path, tool_message* why) {
  const size_t count = sim_count_items(text);
  if (count == 0) return true;
  path->places = calloc(count, sizeof *path->places);
  if (!path->places) return tool_because(why, "no memory for a path");
  for (size_t i = 0; i < count; ++i) {
    sim_item item;
    sim_path_place* place = &path->places[i];
    if (!sim_next_item(option, &text, &item, why)) return false;
    if (!read_place(option, &item, place, why)) return false;
    if (i > 0 && place->time <= place[-1].time) {
      return tool_because(why, "%s: the time %s is not after the one before", option,
                          item.words[0]);
    }
  }
  path->place_count = count;
  return true;
}

void sim_path_free(sim_path* path) {
  free(path->places);
  path->places = NULL;
  path->place_count = 0;
}

// straight from place to place, first from the start
static void between_places(const sim_path* path, double time, double offset[3]) {
  static const sim_path_place start = {.time = 0.0};
  size_t next = 0;
  while (next < path->place_count && path->places[next].time <= time) ++next;
  const sim_path_place* from = next > 0 ? &path->places[next - 1] : &start;
  const sim_path_place* to = next < path->place_count ? &path->places[next] : from;
  const double share = to == from ? 0.0 : (time - from->time) / (to->time - from->time);
  for (int axis = 0; axis < 3; ++axis) {
    offset[axis] = from->offset[axis] + share * (to->offset[axis] - from->offset[axis]);
  }
}

void sim_path_at(const sim_path* path, double time, double offset[3]) {
  double sine = 0.0, cosine = 1.0;
  offset[0] = offset[1] = offset[2] = 0.0;
  if (path->kind == SIM_PATH_STILL) return;
  if (path->kind == SIM_PATH_PLACES) {
    between_places(path, time, offset);
    return;
  }
  sim_sine_of_turns(time / path->period, &sine, &cosine);
  // a circle begins at its right, an eight in its middle
  const bool is_circle = path->kind == SIM_PATH_CIRCLE;
  offset[0] = path->radius * (is_circle ? cosine - 1.0 : sine);
  offset[1] = path->radius * (is_circle ? sine : sine * cosine);
}
