#include "pin_rule.h"

#include <string.h>

#include "common/options.h"

typedef struct side {
  const char* prefix;
  int axis;
  bool highest;
} side;

static const side sides[] = {
    {"top:", 1, true},   {"bottom:", 1, false}, {"right:", 0, true},
    {"left:", 0, false}, {"front:", 2, true},   {"back:", 2, false},
};

static bool parse_side(const char* option, const char* text, bench_pin_rule* rule,
                       tool_message* why) {
  if (strcmp(text, "compact") == 0 || strcmp(text, "scatter") == 0) {
    return tool_because(why, "%s: '%s' is of threads, which --bind places; this pins particles",
                        option, text);
  }
  for (size_t i = 0; i < sizeof sides / sizeof sides[0]; ++i) {
    const size_t length = strlen(sides[i].prefix);
    if (strncmp(text, sides[i].prefix, length) != 0) continue;
    *rule = (bench_pin_rule){BENCH_PIN_SIDE, sides[i].axis, sides[i].highest, 0.0};
    return tool_parse_share(option, text + length, &rule->share, why);
  }
  return tool_because(why,
                      "%s: '%s' is not none, top-row, or SIDE:SHARE with a side of top, bottom, "
                      "left, right, front, back",
                      option, text);
}

bool bench_parse_pin(const char* option, const char* text, bench_pin_rule* rule,
                     tool_message* why) {
  *rule = (bench_pin_rule){BENCH_PIN_NONE, 0, false, 0.0};
  if (strcmp(text, "none") == 0) return true;
  rule->kind = BENCH_PIN_TOP_ROW;
  if (strcmp(text, "top-row") == 0) return true;
  return parse_side(option, text, rule, why);
}

uint32_t bench_pin_side(const bench_pin_rule* rule, const float* positions, uint32_t count,
                        uint32_t* pinned) {
  const float* coordinate = positions + rule->axis;
  float lowest = coordinate[0], highest = coordinate[0];
  for (uint32_t i = 1; i < count; ++i) {
    const float value = coordinate[3 * (size_t)i];
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  // in double, so that a share of 0 is exactly the outermost particles and 1 is all of them
  const double band = rule->share * ((double)highest - (double)lowest);
  uint32_t pinned_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double value = (double)coordinate[3 * (size_t)i];
    const double depth = rule->highest ? (double)highest - value : value - (double)lowest;
    if (depth <= band) pinned[pinned_count++] = i;
  }
  return pinned_count;
}
