/* Every scene that has a name, one a line, in the order in which they are listed: SIM_SCENE(sheet) stands for
 * `const sim_scene sim_scene_sheet` in scenes/sheet.c. Included by catalogue.c, several times. */
SIM_SCENE(curtain)
SIM_SCENE(double_pendulum)
SIM_SCENE(flag)
SIM_SCENE(integrators)
SIM_SCENE(pendulum)
SIM_SCENE(player)
SIM_SCENE(rope)
SIM_SCENE(rope_elastic)
SIM_SCENE(sheet)
