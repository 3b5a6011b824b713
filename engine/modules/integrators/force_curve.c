#include "modules/integrators/force_curve.h"

// Outer pieces go on without end.
static const weft__force_point* find_piece(const weft__force_point* points, uint32_t count,
                                           double strain) {
  uint32_t piece = 0;
  for (uint32_t beyond = count - 1; piece + 1 < beyond;) {
    const uint32_t middle = piece + (beyond - piece) / 2;
    if (points[middle].strain <= strain) {
      piece = middle;
    } else {
      beyond = middle;
    }
  }
  return &points[piece];
}

static weft__force_value evaluate(const weft__force_point* points, uint32_t count, double strain) {
  const weft__force_point* from = find_piece(points, count, strain);
  const double slope = (from[1].force - from->force) / (from[1].strain - from->strain);
  const double along = strain - from->strain;
  return (weft__force_value){.force = from->force + slope * along,
                             .slope = slope,
                             .work = from->work + (from->force + 0.5 * slope * along) * along};
}

weft__force_value weft__force_curve_at(const weft__force_curves* curves, uint32_t curve,
                                       double strain) {
  const uint32_t first = curves->first[curve - 1];
  const uint32_t count = curves->first[curve] - first;
  weft__force_value value = evaluate(curves->points + first, count, strain);
  value.work -= evaluate(curves->points + first, count, 0.0).work;
  return value;
}
