#include "forces/noise.h"

// coordinates fit an integer, also at the cell's other corners
#define MAX_COORDINATE 0x1p62

static bool is_in_range(double value) {
  return value > -MAX_COORDINATE && value < MAX_COORDINATE;
}

static int64_t floor_of(double value) {
  const int64_t whole = (int64_t)value;
  return whole - (value < (double)whole);
}

static double fade(double f) {
  return f * f * (3.0 - 2.0 * f);
}

static double blend(double a, double b, double amount) {
  return a + (b - a) * amount;
}

// Every bit affects all 64 (Appleby, MurmurHash3, public domain).
static uint64_t mix(uint64_t bits) {
  bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdu;
  bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53u;
  return bits ^ bits >> 33;
}

static double value_at(uint32_t seed, const int64_t lattice_point[4]) {
  uint64_t bits = seed;
  for (int axis = 0; axis < 4; ++axis) bits = mix(bits + (uint64_t)lattice_point[axis]) + 1;
  return (double)(bits >> 11) * 0x1p-52 - 1.0;
}

weft__noise weft__noise_at(uint32_t seed, double time) {
  const double bounded = is_in_range(time) ? time : 0.0;
  const int64_t time_cell = floor_of(bounded);
  return (weft__noise){
      .seed = seed, .time_cell = time_cell, .time_fade = fade(bounded - (double)time_cell)};
}

static void load_cell(weft__noise* noise, const int64_t cell[3]) {
  for (int axis = 0; axis < 3; ++axis) noise->cell[axis] = cell[axis];
  for (int i = 0; i < 8; ++i) {
    int64_t lattice_point[4] = {cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2),
                                noise->time_cell};
    const double value_here = value_at(noise->seed, lattice_point);
    ++lattice_point[3];
    noise->corner[i] = blend(value_here, value_at(noise->seed, lattice_point), noise->time_fade);
  }
  noise->has_cell = true;
}

double weft__noise_value(weft__noise* noise, const double point[3]) {
  int64_t cell[3];
  double amount[3];
  bool is_same = noise->has_cell;
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_in_range(point[axis])) return 0.0;
    cell[axis] = floor_of(point[axis]);
    amount[axis] = fade(point[axis] - (double)cell[axis]);
    is_same = is_same && cell[axis] == noise->cell[axis];
  }
  if (!is_same) load_cell(noise, cell);
  double value[4];
  for (int i = 0; i < 4; ++i) {
    value[i] = blend(noise->corner[2 * i], noise->corner[2 * i + 1], amount[0]);
  }
  for (int i = 0; i < 2; ++i) value[i] = blend(value[2 * i], value[2 * i + 1], amount[1]);
  return blend(value[0], value[1], amount[2]);
}
