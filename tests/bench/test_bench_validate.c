/* Closed forms of weft-bench validate, against published numbers, and what it measures of meshes.
 */
#include "support/test.h"
#include "validate/oracles.h"
#include "validate/shapes.h"

static const double pi = 3.14159265358979323846;

typedef struct known {
  double found, expected;
} known;

TEST(closed_forms_have_their_published_values) {
  const oracle_membrane isotropic = {1000.0, 1000.0, 1000.0 / 2.6, 0.3};
  const known values[] = {
      // height over width of the heavy elastica
      {oracle_cantilever(1.0), 0.1246},
      {oracle_cantilever(5.0), 0.5857},
      {oracle_cantilever(10.0), 1.067},
      {oracle_cantilever(20.0), 1.864},
      {oracle_cantilever(50.0), 3.706},
      {oracle_cantilever(100.0), 5.888},
      {oracle_cantilever(500.0), 14.77},
      // a level beam of small weight: G / 8
      {oracle_cantilever(1e-3), 1e-3 / 8.0},
      {oracle_bessel_zero(1), 2.404825557695773},
      {oracle_bessel_zero(3), 8.653727912911013},
      {oracle_pendulum_period(1e-4, 1.0, 9.81), 2.0 * pi / sqrt(9.81)},
      // 4 K(k) of 90 degrees, k^2 = 1/2
      {oracle_pendulum_period(0.5 * pi, 1.0, 1.0), 7.416298709205487},
      {oracle_catenary_sag(2.0 * sinh(1.0), 2.0 * sinh(1.0) * 1.0000001), 0.0},
      {oracle_catenary_sag(2.0, 2.0 * sinh(1.0)), cosh(1.0) - 1.0},
      {oracle_modulus(&isotropic, 0.3), 1000.0},
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    const double error = fabs(values[i].found - values[i].expected);
    ck_assert_msg(error <= 5e-4 * values[i].expected + 1e-3 * (values[i].expected == 0.0),
                  "%zu: %g, not %g", i, values[i].found, values[i].expected);
  }
}

TEST(the_shadow_of_a_flat_annulus_is_a_disc) {
  validate_run run = {.test = "none"};
  shape_mesh mesh;
  require(shape_make_annulus(&run, 0.085, 7, 0.01, &mesh));
  const double area = shape_projected_area(&run, &mesh, mesh.positions, 0.09);
  ck_assert_double_eq_tol(area, pi * 0.145 * 0.145, 0.005 * area);
  shape_free(&mesh);
}

LOOP_TEST(strain_is_that_of_an_affine_map_whatever_its_rotation, SHAPE_SHEET, SHAPE_IRREGULAR + 1) {
  validate_run run = {.test = "none"};
  shape_mesh mesh;
  require(shape_make_strip(&run, (shape_kind)_i, 8, 5, 0.1, &mesh));
  float* moved = calloc(3 * (size_t)mesh.vertex_count, sizeof *moved);
  ck_assert_ptr_nonnull(moved);
  // right stretch tensor (1.02, 0.01; 0.01, 0.97), then a rotation
  const double c = cos(0.4), s = sin(0.4);
  for (size_t i = 0; i < mesh.vertex_count; ++i) {
    const double x = (double)mesh.positions[3 * i], z = (double)mesh.positions[3 * i + 2];
    const double u = 1.02 * x + 0.01 * z, v = 0.01 * x + 0.97 * z;
    moved[3 * i] = (float)(c * u - s * v);
    moved[3 * i + 2] = (float)(s * u + c * v);
  }
  const shape_strain strain = shape_fit_strain(&mesh, moved);
  ck_assert_double_eq_tol(strain.along, 0.02, 1e-5);
  ck_assert_double_eq_tol(strain.across, -0.03, 1e-5);
  ck_assert_double_eq_tol(strain.shear, 0.02, 1e-5);
  free(moved);
  shape_free(&mesh);
}
