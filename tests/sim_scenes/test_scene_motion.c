/* Scenes of points, ropes and bodies, against closed forms. */
#include "sim_scenes/outcomes.h"

#define EARTH 9.81
#define PLAYER(seconds, ...)                   \
  {                                            \
    "player", seconds, .sets = { __VA_ARGS__ } \
  }

// ---- a point mass that jumps, slides and bounces, at any rate ----

// a fall of 2 m, 0.81 of each height after the other
#define BOUNCE(n, height) NEAR("bounce_" #n, height, 0.001 * (height))

static const outcome_case player[] = {
    {PLAYER(3, "script=jump 0.5", "gravity=9.81", "jump_height=0.3"),
     {NEAR("jump_speed", 2.4261079, 1e-6), NEAR("highest_jump", 0.3, 0.0003),
      NEAR("time_in_air", 2 * 2.426 / EARTH, 2.0 / 30), IS("y", 0)}},
    {PLAYER(3, "script=jump 0.5", "gravity=9.81", "jump_height=3"),
     {NEAR("jump_speed", 7.6720271, 1e-6), NEAR("highest_jump", 3, 0.003),
      NEAR("time_in_air", 2 * 7.672 / EARTH, 2.0 / 30), IS("y", 0)}},
    // the height of the preset, and on the moon
    {PLAYER(8, "script=jump 0"), {NEAR("highest_jump", 1, 0.001)}},
    {PLAYER(8, "script=jump 0", "gravity=1.62"), {NEAR("highest_jump", EARTH / 1.62, 0.01)}},
    // it jumps from the floor only: a drop takes 0.64 s, a jump 0.9
    {PLAYER(3, "drop=2", "script=jump 0.3"), {IS("jumps", 0)}},
    {PLAYER(3, "drop=2", "script=jump 0.3-0.6"), {IS("jumps", 0)}},
    {PLAYER(3, "drop=2", "script=jump 0.3-2"), {IS("jumps", 1)}},
    {PLAYER(3, "script=jump 0, jump 0.4, jump 0.8"), {IS("jumps", 1)}},
    {PLAYER(3, "script=jump 0, jump 1.2"), {IS("jumps", 2)}},
// force less friction; walls act to first order in the step
#define SLOWS (0.6 * EARTH)
#define SPEED (0.5 * (1000.0 / 85.0 - SLOWS))
#define WAY (0.25 * SPEED + SPEED * SPEED / (2 * SLOWS))
    {PLAYER(3, "script=right 0.5-1", "max_speed_x=100"),
     {NEAR("top_speed_x", SPEED, 0.55 * SLOWS / 30), NEAR("x", WAY, 0.55 * SLOWS / 30)}},
    {PLAYER(3, "script=left 0.5-1", "max_speed_x=100"), {NEAR("x", -WAY, 0.55 * SLOWS / 30)}},
    {PLAYER(3, "script=left 0-1, right 0-1"), {IS("x", 0)}},
    // a share of the force in the air
    {PLAYER(1.5, "friction=0", "max_speed_x=1000", "script=right 0.5-1"),
     {NEAR("top_speed_x", 500.0 / 85.0, 0.01)}},
    {PLAYER(1.5, "friction=0", "max_speed_x=1000", "drop=100", "air_control=0.1",
            "script=right 0.5-1"),
     {NEAR("top_speed_x", 50.0 / 85.0, 0.001), IS("time_on_floor", 0)}},
    {PLAYER(9, "drop=2", "elasticity=0.9", "script="),
     {BOUNCE(1, 1.62), BOUNCE(2, 1.3122), BOUNCE(3, 1.062882), BOUNCE(8, 0.370604),
      ABOVE("bounces", 8), NEAR("highest", 2, 1e-6)}},
    {PLAYER(6, "drop=2", "elasticity=0", "script="), {IS("bounces", 0), IS("y", 0)}},
    {PLAYER(20, "drop=2", "elasticity=0.5", "script="), {IS("y", 0)}},
    {PLAYER(6, "friction=0.6", "launch_x=5", "script="), {NEAR("x", 25 / (1.2 * EARTH), 0.02)}},
    {PLAYER(6, "friction=0.1", "launch_x=-2", "script="), {NEAR("x", -4 / (0.2 * EARTH), 0.02)}},
    {PLAYER(10, "friction=0", "launch_x=3", "launch_z=-4", "script="),
     {NEAR("x", 30, 0.01), NEAR("z", -40, 0.01)}},
    // drag acts before the first move: half a step of the initial speed less
    {PLAYER(20, "friction=0", "launch_x=3", "drag=0.8", "script="), {NEAR("x", 3.73, 0.03)}},
    {PLAYER(4, "friction=0", "launch_x=30", "launch_z=-30", "drop=50", "max_speed_x=2",
            "max_speed_y=3", "max_speed_z=4", "script="),
     {NEAR("top_speed_x", 2, 0.001), NEAR("top_speed_y", 3, 0.001), NEAR("top_speed_z", 4, 0.001),
      NEAR("x", 8, 0.01), NEAR("z", -16, 0.01)}},
    {PLAYER(4, "script=right 0-4", "max_speed_x=1.5", "friction=0"),
     {NEAR("top_speed_x", 1.5, 0.001)}},
// the original tuning: at last it falls at 208.39 m/s, in single precision
#define GRAVITY 9.80665
    {PLAYER(260, "preset=original", "drop=90000", "script="),
     {NEAR("top_speed_y", 208.39, 0.05), NEAR("acceleration_y", 0, 0.001),
      NEAR("force_y", 0, 0.1)}},
    {PLAYER(0.1, "preset=original", "drop=90000", "script="),
     {NEAR("acceleration_y", -GRAVITY, 0.05), NEAR("force_y", -85 * GRAVITY, 5)}},
    // v' = -g - k v from v = 5: h = v / k - g / k^2 ln(1 + k v / g)
    {PLAYER(3, "preset=original", "script=jump 0.5"),
     {IS("jump_speed", 5), NEAR("highest_jump", 1.2544, 0.0063), IS("jumps", 1), IS("x", 0)}},
// a jump pushes half as strongly along the way of the keys
#define PUSH(axis, sign, keys)                                                                    \
  {                                                                                               \
    PLAYER(0.5, "preset=original", "resistance=0", "walk_step=0", "fly_step=0", "contact_drag=0", \
           "script=" keys " 0-0.01, jump 0"),                                                     \
    {                                                                                             \
      NEAR(axis, sign 1.25, 1e-4), NEAR("top_speed_y", 5, 0.35)                                   \
    }                                                                                             \
  }
    PUSH("x", +, "right"),
    PUSH("x", -, "left"),
    PUSH("z", -, "forward"),
    PUSH("z", +, "back"),
    {PLAYER(1, "preset=original", "launch_x=40", "room=1", "script="), {NEAR("x", 1, 0.01)}},
    // 15 steps of a held key, each half a metre a second, or a tenth of that in the air
    {PLAYER(1, "preset=original", "resistance=0", "contact_drag=0", "walk_step=0.5", "drop=0",
            "script=back 0-0.1"),
     {ABOVE("top_speed_z", 1)}},
    // a soft floor finds it up to a step below: a share of the speed of 6.3 m/s
    {PLAYER(3, "floor=soft", "drop=2", "elasticity=0.9", "script="),
     {NEAR("bounce_1", 1.62, 6.3 / 30 + 0.02)}},
    {PLAYER(6, "floor=soft", "launch_x=3", "friction=0.3", "script="),
     {NEAR("x", 9 / (0.6 * EARTH), 0.06)}},
    // what is set stands above the preset
    {PLAYER(1, "resistance=0", "preset=original", "drop=10", "script="),
     {NEAR("top_speed_y", GRAVITY, 0.01)}},
};

LOOP_TEST(a_player_moves_by_the_closed_forms_at_any_rate, 0, 2 * sizeof player / sizeof *player) {
  outcome_case c = player[_i / 2];
  c.of.rate = _i % 2 == 0 ? 30.0 : 144.0;
  (void)run_outcome_case(&c);
}

// ---- ropes, webs, trees, bodies ----

static const outcome_case runs[] = {
#define CATENARY BELOW("catenary_error", 0.01), BELOW("greatest_strain", 0.01)
    {{"rope", 12, 30, .sets = {"ends=both", "damping=2", "load=5", "span=0.7", "links=100"}},
     {CATENARY}},
    {{"rope", 12,
      .sets = {"ends=both", "damping=2", "load=5", "span=0.3", "rise=0.5", "links=101"}},
     {CATENARY}},
    {{"rope", 12, 120,
      .sets = {"ends=both", "damping=2", "load=5", "span=0.95", "rise=-0.3", "links=33"}},
     {CATENARY}},
// at rest it keeps its length, whatever it bears
#define LENGTH NEAR("length_error", 0, 1e-4), NEAR("span", 2, 0.002)
    {{"rope", 8, 30, .sets = {"target=still", "damping=3", "load=0"}}, {LENGTH}},
    {{"rope", 8, .sets = {"target=still", "damping=3", "load=0.1"}}, {LENGTH}},
    {{"rope", 8, 480, .sets = {"target=still", "damping=3", "load=10000"}}, {LENGTH}},
    // the period is short enough for the free end to whip
    {{"rope", 3, 30, .sets = {"target=eight", "period=1"}}, {BELOW("greatest_strain", 0.01)}},
    {{"rope", 3, 480, .sets = {"target=eight", "period=1"}}, {BELOW("greatest_strain", 0.01)}},
    {{"rope", 2, .sets = {"links=3000"}}, {BELOW("greatest_strain", 0.01)}},
    {{"rope", 3, .sets = {"length=3", "release=0.5", "load=1", "target=still"}},
     {BELOW("span", 3.01), BELOW("lowest", -10)}},
// 2 m at 0.05 a newton; 0.5 kg and on average half of the rope's 0.1 kg
#define LONGER (2 * 0.05 * EARTH * 0.55)
#define HOOKE                                                                           \
  NEAR("length_hanging", 2 + LONGER, 1e-12), NEAR("length", 2 + LONGER, 0.01 * LONGER), \
      ABOVE("greatest_strain", 0.6 * LONGER)
    {{"rope-elastic", 10, 30, .sets = {"target=still", "damping=2", "links=1"}}, {HOOKE}},
    {{"rope-elastic", 10, .sets = {"target=still", "damping=2", "links=24"}}, {HOOKE}},
    {{"rope-elastic", 10, 480, .sets = {"target=still", "damping=2", "links=100"}}, {HOOKE}},
    // half a length longer: 0.5 / 0.05 newtons, and over 1 m a force that grows from 0
    {{"rope-elastic", 10, .sets = {"ends=both", "span=1.5", "gravity=0", "damping=3"}},
     {NEAR("head_pull", 10, 0.01), NEAR("stretch_energy", 5, 0.01), IS("slack_share", 0)}},
// stiff rods keep their length and soft ones swing elastically
#define RODS                                                                                       \
  ABOVE("stiff_shortest", 0.999), BELOW("stiff_longest", 1.001), BETWEEN("soft_longest", 1.05, 4), \
      BETWEEN("soft_shortest", 1e-9, 0.999999), BELOW("soft_energy_error", 0.01)
    {{"double-pendulum", 10, 240, .sets = {"mass1=1", "mass2=1"}}, {RODS}},
    {{"double-pendulum", 10, .sets = {"mass1=0.1", "mass2=10"}}, {RODS}},
    {{"double-pendulum", 10, 240, .sets = {"mass1=10", "mass2=0.1"}}, {RODS}},
    {{"double-pendulum", 10, 480, .sets = {"length1=3", "length2=0.3"}}, {RODS}},
    {{"double-pendulum", 10, 30, .sets = {"length1=100", "angle1=-90"}}, {RODS}},
    {{"pendulum", 3, .sets = {"angle=0"}},
     {IS("periods", 0), NO_NUMBER("period"), NO_NUMBER("first_period"),
      NEAR("exact_period", 2.0060667, 1e-6)}},
    {{"pendulum", .sets = {"integrator=explicit_euler", "stretch=0.0001"}},
     {ABOVE("energy_end", 1e12), ABOVE("energy_most", 1e12)}},
// a gas keeps its energy within elastic walls; what falls together warms up
#define ENERGY(at)                                                 \
  NEAR("energy_start", at, 1), BELOW("energy_most", 1.005 * (at)), \
      ABOVE("energy_least", 0.995 * (at))
    {{"argon", 8, 250, .sets = {"atoms=6", "temperature=2", "integrator=velocity_verlet"}},
     {ENERGY(642.7)}},
    {{"argon", 8, 250, .sets = {"atoms=6", "temperature=2", "integrator=position_verlet"}},
     {ENERGY(642.7)}},
    {{"argon", 20, 250, .sets = {"atoms=6", "temperature=0.2"}},
     {BELOW("potential_per_atom", -0.7), ABOVE("temperature", 0.5)}},
    // a thread of its length and tension sags by 0.001 g 0.6^2 / (8 * 0.02 / 0.05)
    {{"web", 8, 30, .sets = {"flies=0"}}, {BELOW("sag", 1.1036e-3), BELOW("fastest", 1e-3)}},
    {{"web", 8, 120, .sets = {"flies=0"}}, {BELOW("sag", 1.1036e-3), BELOW("fastest", 1e-3)}},
    {{"web", 6, 30, .sets = {"flies=3", "tear=0.5", "fly=1", "speed=2"}}, {IS("held", 3)}},
    {{"web", 6, 30, .sets = {"flies=3", "tear=0.5", "fly=200", "speed=20"}},
     {IS("held", 0), FINITE("fastest")}},
    {{"web", 8, 120, .sets = {"flies=8", "radials=3", "rings=1", "size=0.001", "aim=1"}},
     {BELOW("caught", 7), FINITE("fastest")}},
    {{"tree", 18, 30, .sets = {"wind=0", "drag=0.5"}},
     {ABOVE("sway", 0.2), BELOW("offset", 0.006), BELOW("fastest", 0.03)}},
// poured bodies come to rest in the box, and a stack stands if there is friction
#define POURED IS("outside", 0), BELOW("worst_overlap", 0.01), IS("lost_pairs", 0)
    {{"bodies", 8, .sets = {"count=300", "seed=0", "walls=colliders"}},
     {POURED, BELOW("fastest", 0.01), ABOVE("pairs", 20)}},
    {{"bodies", 8, .sets = {"count=300", "seed=1", "walls=bounds"}},
     {POURED, BELOW("fastest", 0.01), ABOVE("pairs", 20)}},
    // rolling gives way where static friction holds
    {{"bodies", 12, .sets = {"count=200", "turns=false"}},
     {POURED, IS("fastest_spin", 0), ABOVE("highest", 0)}},
    {{"bodies", 12, .sets = {"count=200", "turns=true"}},
     {POURED, BELOW("fastest", 0.02), BELOW("fastest_spin", 0.3), ABOVE("highest", 0)}},
#define STANDS POURED, BELOW("fastest", 1e-3), BELOW("aside", 1e-3), ABOVE("highest", 4.745)
    {{"bodies", 60, .sets = {"stack=10", "tilt=5", "friction=0.5", "walls=colliders"}}, {STANDS}},
    {{"bodies", 60, .sets = {"stack=10", "tilt=5", "friction=0.5", "walls=bounds"}}, {STANDS}},
    // g sin 5 degrees t^2 / 2
    {{"bodies", 2, .sets = {"stack=10", "tilt=5", "friction=0"}},
     {POURED, NEAR("aside", 1.71, 0.02)}},
// figures keep their limbs and joints
#define JOINTED                                                              \
  BELOW("worst_strain", 0.04), BELOW("strain", 0.005), IS("wrong_bends", 0), \
      BELOW("worst_bend", 3), ABOVE("head_gap", -1e-5)
#define BORNE BELOW("worst_strain", 0.04), ABOVE("head_gap", -1e-5)
    {{"ragdolls", 8, .sets = {"seed=1", "plane=one"}}, {JOINTED, BELOW("speed", 0.5)}},
    {{"ragdolls", 8, .sets = {"count=6", "seed=3", "flat=false"}}, {JOINTED, BELOW("speed", 0.5)}},
    {{"ragdolls", .sets = {"count=1"}}, {ABOVE("hangs_by", 0.7)}},
    {{"ragdolls", 2, 30, .sets = {"drop=6", "damping=0", "seed=5"}}, {BORNE}},
    {{"ragdolls", 2, 240, .sets = {"drop=10", "damping=0", "seed=6"}}, {BORNE}},
    {{"ragdolls", 2, .sets = {"drop=20", "speed=8", "damping=0", "seed=7"}}, {BORNE}},
    {{"ragdolls", 2, .sets = {"count=12", "friction=0", "seed=8"}}, {BORNE}},
    {{"ragdolls", 2, .sets = {"restitution=1", "seed=9"}}, {BORNE}},
// heads have reached the floor
#define LANDED BELOW("ragdoll_strain", 0.05), BETWEEN("head_gap", -1e-5, 0.3)
    {{"crowd", 1.2, .sets = {"ragdolls=100", "ropes=10"}}, {LANDED, BELOW("rope_strain", 0.01)}},
    {{"crowd", 1.2, 120, .sets = {"ragdolls=40", "ropes=7", "drop=4"}},
     {LANDED, BELOW("rope_strain", 0.01)}},
    {{"crowd", 1, 240, .sets = {"ragdolls=0", "ropes=20", "links=90"}},
     {BELOW("rope_strain", 0.01)}},
    {{"crowd", 1.2, .sets = {"ragdolls=60", "ropes=0", "friction=0"}}, {LANDED}},
// v^2 / (2 friction g), and circles roll on
#define STOPS(way)                                                                 \
  NEAR("box_moved", way, 0.03 * (way)), NEAR("triangle_moved", way, 0.03 * (way)), \
      ABOVE("circle_moved", 1.5 * (way))
    {{"shapes", 3, 30,
      .sets = {"count=3", "drop=0", "tilt=0", "damping=0", "room=100", "friction=0.5", "throw=1"}},
     {STOPS(1 / EARTH)}},
    {{"shapes", 3, 120,
      .sets = {"count=3", "drop=0", "tilt=0", "damping=0", "room=100", "friction=0.5", "throw=4"}},
     {STOPS(16 / EARTH)}},
    // the tension of the skin balances the pressure: three times a strain of p r / 2 over 5 kN/m
    {{"shapes", 8, 30, .sets = {"count=5", "pressure=500"}}, {NEAR("volume", 1.0375, 0.01875)}},
    {{"shapes", 8, 120, .sets = {"count=5", "pressure=500"}}, {NEAR("volume", 1.0375, 0.01875)}},
    {{"shapes", 8, 30, .sets = {"count=5", "pressure=0"}}, {BELOW("volume", 0.9)}},
// a hoop of 32 particles, whose hub adds mass only, on slopes for two seconds
#define TIRE(slope, friction)                                                     \
  .sets = {"drop=0",        "damping=0",          "level=0", "wall=0", "tires=2", \
           "slope=" #slope, "friction=" #friction}
#define ROLLED (2 * EARTH * 33 / 65)
#define ROLLS(sine)                                                               \
  NEAR("distance", ROLLED*(sine), 0.05 * ROLLED * (sine)), NEAR("slip", 0, 0.01), \
      NEAR("turns", ROLLED*(sine) / 2.1991, 0.1)
    {{"tire", 2, 30, TIRE(5, 0.8)}, {ROLLS(0.0871557)}},
    {{"tire", 2, 30, TIRE(20, 0.8)}, {ROLLS(0.3420201)}},
    {{"tire", 2, 120, TIRE(10, 0.8)}, {ROLLS(0.1736482)}},
// friction below tan(slope) / (1 + 1 / inertia) brakes it, and turns it
#define BRAKED (0.1 * EARTH * 0.8660254)
    {{"tire", 2, 30, TIRE(30, 0.1)},
     {NEAR("distance", EARTH - 2 * BRAKED, 0.24),
      NEAR("turns", BRAKED * 33 / 32 / 0.35 * 0.31831, 0.08), ABOVE("slip", 0.5)}},
    {{"tire", 2, 120, TIRE(10, 0)},
     {NEAR("distance", 2 * EARTH * 0.1736482, 0.034), NEAR("turns", 0, 0.05)}},
    {{"tire", 20, 120, .sets = {"tires=1", "drop=5", "slope=0", "level=0"}},
     {BELOW("least_roundness", 0.9), ABOVE("roundness", 0.98), BELOW("fastest", 0.02)}},
    // it leans on a wall, as flat there as on the floor
    {{"tire", 12, 30, .sets = {"tires=1", "drop=0", "level=0", "wall=4"}},
     {NEAR("distance", 4, 0.02), BELOW("fastest", 0.02), ABOVE("roundness", 0.98)}},
    // twist about the axis and writhe of the curve add up to the turns of the clamp, however they
    // are shared (Calugareanu 1959): few turns twist, more coil the cable around itself
    {{"rod", 4, .sets = {"size=64", "turns=1", "approach=0"}},
     {NEAR("twist", 1, 0.05), NEAR("writhe", 0, 1e-3)}},
    {{"rod", 4, .sets = {"size=64", "turns=-3", "approach=0.2"}}, {BETWEEN("writhe", -1, -0.1)}},
    {{"rod", 4, .sets = {"size=64", "turns=4", "approach=0.4"}}, {BETWEEN("writhe", 1.5, 3)}},
};

LOOP_TEST(scenes_end_by_their_closed_forms, 0, sizeof runs / sizeof *runs) {
  (void)run_outcome_case(&runs[_i]);
}

// ---- bounds that hold all the time ----

#define FLIES 12
#define WEIGHT (FLIES * 0.002 * EARTH)
#define STANDING IS("standing", 5), BELOW("fastest", 0.02), BELOW("strain", 0.005)

static const struct {
  outcome_case of;
  double every; /* seconds */
  outcome always[MOST_OUTCOMES];
} watched[] = {
    // the web hangs from its pins and keeps what it has caught: the pull is the weight of the flies
    {{{"web", 20, 30, .sets = {"flies=12"}},
      {IS("caught", FLIES), IS("held", FLIES), NEAR("pull", WEIGHT, 0.01 * WEIGHT),
       BELOW("fastest", 0.01)}},
     0.5,
     {BELOW("fastest", 6), BELOW("sag", 0.3)}},
    // wind until 15 s: it sways, and goes back to its place
    {{{"tree", .seconds = 30, .rate = 120},
      {ABOVE("sway", 0.05), BELOW("offset", 0.006), BELOW("fastest", 0.03)}},
     0.5,
     {BELOW("fastest", 12), BELOW("offset", 1)}},
    // what falls into the box comes to rest in its shape
    {{{"shapes", 16, 30, .sets = {"count=5", "remove=0"}}, {STANDING}},
     0.5,
     {BELOW("fastest", 15), BELOW("strain", 0.15)}},
    {{{"shapes", 16, 120, .sets = {"count=5", "remove=0"}}, {STANDING}},
     0.5,
     {BELOW("fastest", 15), BELOW("strain", 0.15)}},
    {{{"tire", 26, 30, .sets = {"tires=2"}},
      {BELOW("fastest", 0.02), ABOVE("roundness", 0.98), ABOVE("turns", 2)}},
     0.25,
     {BELOW("fastest", 15), NEAR("distance", 0, 15.1)}},
};

LOOP_TEST(scenes_stay_within_bounds_and_end_at_rest, 0, sizeof watched / sizeof *watched) {
  const sim_case* of = &watched[_i].of.of;
  sim_run* run = new_sim_run(of);
  for (double t = watched[_i].every; t <= of->seconds; t += watched[_i].every) {
    run_until(run, t);
    expect_outcomes(run, of, watched[_i].always);
  }
  expect_outcomes(run, of, watched[_i].of.outcomes);
}

// ---- scenes that cannot be ----

LOOP_TEST(a_scene_that_cannot_be_is_refused_with_what_to_change, 0, 4) {
  static const struct {
    const char *scene, *sets[2], *why;
  } cases[] = {
      {"garment", {"length=0.1"}, "--set length: the skirt needs more than 0.18 m"},
      {"crowd", {"ragdolls=0", "ropes=0"}, "a crowd needs ragdolls or ropes: both are 0"},
      {"shapes",
       {"mass=0.01"},
       "balls of this size, mass and pressure need 382 steps a second or more"},
      {"rope-elastic", {"give=1e-9"}, "substeps a step, and 1000 are the most"},
  };
  sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  tool_message why;
  settings.sets = cases[_i].sets;
  settings.set_count = cases[_i].sets[1] != NULL ? 2 : 1;
  ck_assert_int_eq(sim_run_create(cases[_i].scene, &settings, &run, &why), SIM_FAILED);
  ck_assert_ptr_nonnull(strstr(why.text, cases[_i].why));
}
