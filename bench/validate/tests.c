/* All tests: closed form, number of cases, and number with --quick. */
#include "validate/validate.h"

const validate_test validate_tests[] = {
    {"cantilever", "height over width of a strip that is clamped level and sags",
     "Heavy elastica: theta'' = -G (1 - s) cos theta, theta(0) = 0, theta'(1) = 0 with G = areal "
     "mass g L^3 / B, integrated by shooting in double precision. Strips of 32 cm, 4 cells wide, "
     "default material, damping 5/s, 6 s. Limp strips also at 64 substeps of 2 sweeps without "
     "levels.",
     VALIDATE_CANTILEVERS, VALIDATE_QUICK_CANTILEVERS, 60, validate_cantilever},
    {"steps", "the same at several steps a second", "The heavy elastica, at G = 20 and 1 cm.",
     VALIDATE_STEPS, 2, 5, validate_steps},
    {"twist", "twist of a strip under a couple at its end",
     "T (L - l tanh(L / l)) / (2 B b), l = b / sqrt(24) with warping held at the clamp "
     "(Timoshenko, "
     "Gere, \"Theory of elastic stability\", 5.3), by two forces at the corners of the end, for an "
     "angle of 0.05. 40 x 8 cm, B = 0.01 N m, stretch stiffness 30 kN/m, damping 5/s, 3 s.",
     VALIDATE_TWISTS, 4, 10, validate_twist},
    {"buckling", "weight at which an upright strip buckles sideways",
     "w L^3 = 12.85 sqrt(EI GJ) of a narrow strip (Timoshenko, Gere, \"Theory of elastic "
     "stability\", 6.4), a plate without Poisson ratio: EI = B b, GJ = 2 B b, so G = 18.17; with "
     "warping held at the clamp (5.3), by finite differences of its energy, 19.37 and 20.7 if it "
     "is 10 and 5 times as long as wide. 40 cm long, stretch stiffness 30 kN/m, damping 5/s. "
     "Bisection over eight runs: pushed aside by 0.1 mm/s after 2 s, it buckles if its deflection "
     "grows from 5 s to 7 s.",
     VALIDATE_BUCKLINGS, 1, 40, validate_buckling},
    {"rod", "rods with bend and twist stiffness",
     "The heavy elastica, as of strips; first frequency 1.8751^2 sqrt(EI / m) / (2 pi L^2); "
     "Euler's "
     "column, pi^2 EI / (4 L^2) with one end free; twist T L / GJ under a torque; critical torque "
     "8.9868 EI / L of a rod with clamped ends that may stretch (Greenhill 1883); arc of a radian "
     "under a couple EI / L. 30 cm, 4 and 16 substeps; thresholds by bisection over eight runs.",
     VALIDATE_RODS, VALIDATE_QUICK_RODS, 40, validate_rod},
    {"membrane", "moduli of membranes, in any direction",
     "1 / Y = c^4 / Y_warp + s^4 / Y_weft + c^2 s^2 (1 / G - 2 p / Y_warp), see materials.md; "
     "Y_warp 2000, Y_weft 800, G 300 N/m, p 0.3. A square metre of 17 x 17 vertices under uniform "
     "forces on its border, strain by the affine map that is the best fit.",
     VALIDATE_MEMBRANES, 2, 60, validate_membrane},
    {"springs", "moduli of sheets and of meshes of springs",
     "Stretch stiffness 2000 and shear stiffness 200 N/m of the material; the same square.",
     VALIDATE_SPRINGS, 2, 20, validate_springs},
    {"load", "elongation of a sheet under a load along its edge",
     "(load + weight / 2) / Y of a square metre that hangs by its upper edge, Y = 2000 N/m, 0.2 "
     "kg/m2.",
     VALIDATE_LOADS, 1, 15, validate_load},
    {"catenary", "sag of a rope between two points",
     "a (cosh(d / 2 a) - 1), 2 a sinh(d / 2 a) = L.", 2, 1, 5, validate_catenary},
    {"chain", "frequencies of a hanging chain",
     "z_n sqrt(g / L) / (4 pi), z_n the zeros of J0 (D. Bernoulli 1733).", VALIDATE_MODES, 1, 5,
     validate_chain},
    {"string", "frequencies of a string", "n sqrt(T / m L) / 2.", VALIDATE_MODES, 1, 5,
     validate_string},
    {"drum", "frequencies of a square drum",
     "sqrt(T / density) sqrt(m^2 + n^2) / (2 a), T the tension of a sheet of springs that is "
     "stretched by a tenth both ways.",
     VALIDATE_MODES, 1, 10, validate_drum},
    {"pendulum", "period and energy of a pendulum of 1 rad",
     "4 K(sin(1/2)) sqrt(L / g), by the arithmetic-geometric mean. 60 steps a second.",
     VALIDATE_MOTIONS, VALIDATE_MOTIONS, 1, validate_pendulum},
    {"spin", "spin of a sheet in its plane", "Angular momentum is conserved. 60 steps a second.",
     VALIDATE_MOTIONS, VALIDATE_MOTIONS, 1, validate_spin},
    {"momentum", "momentum of a sheet in flight", "Momentum changes by the weight alone.", 1, 1, 1,
     validate_momentum},
    {"ramp", "cloth on a slope",
     "Coulomb: holds up to tan = friction, then g (sin - friction cos). Bisection over nine runs.",
     1, 1, 2, validate_ramp},
    {"capstan", "rope around a cylinder",
     "Euler, Eytelwein: T2 / T1 = e^(friction angle). Bisection over nine runs of a second.", 1, 1,
     3, validate_capstan},
    {"layers", "cloth on cloth on a slope", "Coulomb, as on a plane. Bisection over nine runs.",
     VALIDATE_LAYERS, 1, 40, validate_layers},
    {"drape", "drape coefficient of the fabrics of weft/fabric.h",
     "Cusick: a specimen of 15 cm radius on a disc of 9 cm, coefficient = (shadow - disc) / "
     "(specimen - disc). The same within 3 points at two resolutions, and at rest in the tenth "
     "second; damping 2/s. The specimen does not collide with itself. Six cells across the "
     "overhang of 6 cm are too limp by some per cent, and the number of folds is free. The "
     "coefficient of this sample of denim, 54 to 59 % by its folds, is below the range that is "
     "expected of denims: see materials.md.",
     WEFT_FABRIC_COUNT, 1, 300, validate_drape},
};

const uint32_t validate_test_count = sizeof validate_tests / sizeof validate_tests[0];
