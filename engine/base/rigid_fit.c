#include "base/rigid_fit.h"

#include <math.h>

#include "base/pose.h"

// Squarings of a matrix: its 2^20th power.
#define SQUARINGS 20

void weft__add_product(double sum[3][3], double mass, weft__vec3 a, weft__vec3 b) {
  const double column[3] = {mass * a.x, mass * a.y, mass * a.z};
  for (int k = 0; k < 3; ++k) {
    sum[k][0] += column[k] * b.x;
    sum[k][1] += column[k] * b.y;
    sum[k][2] += column[k] * b.z;
  }
}

// The matrix is a little above 0 along a line that all particles are on.
weft__vec3 weft__spin_of(double moment[3][3], weft__vec3 momentum) {
  const double trace = (moment[0][0] + moment[1][1] + moment[2][2]) * (1.0 + 1e-9);
  const weft__vec3 x = {trace - moment[0][0], -moment[1][0], -moment[2][0]};
  const weft__vec3 y = {-moment[0][1], trace - moment[1][1], -moment[2][1]};
  const weft__vec3 z = {-moment[0][2], -moment[1][2], trace - moment[2][2]};
  const weft__vec3 yz = weft__cross(y, z);
  const double determinant = weft__dot(x, yz);
  if (!(determinant > 0.0)) return (weft__vec3){0.0, 0.0, 0.0};
  const weft__vec3 spin = {weft__dot(yz, momentum), weft__dot(weft__cross(z, x), momentum),
                           weft__dot(weft__cross(x, y), momentum)};
  return weft__scaled(1.0 / determinant, spin);
}

static void square(double m[4][4]) {
  const double scale = 1.0 / (m[0][0] + m[1][1] + m[2][2] + m[3][3]);
  double from[4][4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) from[i][j] = scale * m[i][j];
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      m[i][j] = from[i][0] * from[0][j] + from[i][1] * from[1][j] + from[i][2] * from[2][j] +
                from[i][3] * from[3][j];
    }
  }
}

// The eigenvector of the largest eigenvalue of Horn's matrix, in x y z w. A multiple of the
// identity makes all eigenvalues positive; a high power has it in its columns.
void weft__fit_rotation(double c[3][3], double rotation[4]) {
  double m[4][4] = {
      {c[0][0] - c[1][1] - c[2][2], 0.0, 0.0, 0.0},
      {c[0][1] + c[1][0], c[1][1] - c[0][0] - c[2][2], 0.0, 0.0},
      {c[2][0] + c[0][2], c[1][2] + c[2][1], c[2][2] - c[0][0] - c[1][1], 0.0},
      {c[2][1] - c[1][2], c[0][2] - c[2][0], c[1][0] - c[0][1], c[0][0] + c[1][1] + c[2][2]}};
  double norm = 0.0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      m[j][i] = m[i][j];
      norm += 2.0 * m[i][j] * m[i][j];
    }
    norm += m[i][i] * m[i][i];
  }
  for (int i = 0; i < 4; ++i) rotation[i] = i == 3 ? 1.0 : 0.0;
  if (!(norm > 0.0)) return;
  for (int i = 0; i < 4; ++i) m[i][i] += sqrt(norm);
  for (int n = 0; n < SQUARINGS; ++n) square(m);
  int largest = 0;
  for (int i = 1; i < 4; ++i) {
    if (m[i][i] > m[largest][largest]) largest = i;
  }
  for (int i = 0; i < 4; ++i) rotation[i] = m[largest][i];
  weft__rotation_normalise(rotation);
}
