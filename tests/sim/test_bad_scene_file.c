/* Errors in scene files are reported with their line. */
#include <unistd.h>

#include "sim/run.h"
#include "support/test.h"

static const char path[] = "test_bad_scene_file.json";

static void write_bytes(const char* bytes, size_t length) {
  FILE* file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
  ck_assert_int_eq(fclose(file), 0);
}

typedef struct bad_file {
  const char* text;     /* with ' for " */
  const char* expected; /* message after the file name and a colon */
} bad_file;

#define SHEET "{'type': 'sheet', 'name': 's', 'columns': 4, 'rows': 3}"
#define SIXTEEN "abcdefghijklmnop"
#define WITH(keys) "{'bodies': [" SHEET "],\n" keys "}"
#define BODY(keys) "{\n'bodies': [\n" SHEET ",\n{" keys "}]}"
#define EVENT(keys) "{'bodies': [" SHEET "],\n'events': [{'at': 0,\n" keys "}]}"

static const bad_file bad_files[] = {
    // invalid JSON
    {"{", "1: a key or '}' expected near end of file"},
    {"{'bodies': [}\n", "1: a value expected near '}'"},
    {"\n\n[1, 2,]", "3: a value expected near ']'"},
    {"[]\n", "1: is not an object"},
    {"{'bodies': []}\nx", "2: end of file expected near 'x'"},
    {"{'bodies':\n[NaN]}", "2: a value expected near 'NaN]}'"},
    {"{'bodies': 01}", "1: a value expected near '01}'"},
    {"{'seconds': 1e999}", "1: the number '1e999' is too large"},
    {"{'seconds':\n 99999999999999999999}", "2: the number '99999999999999999999' is too large"},
    {"{'seconds': 1,\n'seconds': 2}", "2: duplicate key \"seconds\""},
    {"{'about': '\\u0000'}", "1: \\u0000 is not allowed"},
    {"{'about': '\\ud800x'}", "1: half of a surrogate pair"},
    {"{'about': 'a\nb'}", "1: a text does not end on its line"},
    {"\n[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "2: lists and objects lie more than 32 deep"},
    // the file
    {"{}", "1: bodies: missing key"},
    {"{'bodies': []}", "1: bodies: is empty"},
    {"{'bodies': 3}", "1: bodies: '3' is not a list"},
    {"{\n'bodys': []}", "2: bodys: unknown key (did you mean bodies?)"},
    {WITH("'seconds': 0"), "2: seconds: '0' is not a number above 0 to 1e+06"},
    {WITH("'about': [1,2]"), "2: about: '[1,2]' is not a text"},
    // computed values
    {WITH("'parameters': {'n': {'about': 'x',\n'default': 5, 'range': [1, 4]}}"),
     "3: parameters.n.default: '5' is not in its range"},
    {WITH("'parameters': {'n': {'about': 'x', 'default': 5}}"),
     "2: parameters.n.default: needs a range, count or one_of"},
    {WITH("'let': {'a': 'b'}"), "2: let.a: 'b' is no name"},
    {WITH("'seconds': '=0 / 0'"), "2: seconds: the formula has no value"},
    {BODY("'type': 'sheet',\n'columns': '=1 / 2'"),
     "5: bodies[1].columns: '0.5' is not a whole number from 1 to 65535"},
    {BODY("'repeat': {'i': 3}, 'type': 'sheet',\n'columns': '=i'"),
     "5: bodies[1].columns: '0' is not a whole number from 1 to 65535"},
    {BODY("'repeat': 3, 'type': 'sheet'"),
     "4: bodies[1].repeat: is not an object of one name and a count"},
    {WITH("'results': [{'name': 'a'}]"), "2: results[0]: needs a name, and one of is and each"},
    {WITH("'results': [{'is': 1, 'name': '" SIXTEEN SIXTEEN SIXTEEN SIXTEEN "'}]"),
     "2: results[0].name: is longer than 63 bytes"},
    {WITH("'results': [{'gauge': 'clot'}]"),
     "2: results[0].gauge: 'clot' is not a gauge (did you mean cloth?)"},
    // the world
    {WITH("'world': 1"), "2: world: '1' is not an object"},
    {WITH("'world': {\n'isa': 'sse2'}"), "3: world.isa: unknown key"},
    {WITH("'world': {\n'iteration': 2}"),
     "3: world.iteration: unknown key (did you mean iterations?)"},
    {WITH("'world': {\n'iterations': -1}"),
     "3: world.iterations: '-1' is not a whole number from 0 to 10000, or auto"},
    {WITH("'world': {'iterations': 2.0}"),
     "2: world.iterations: '2.0' is not a whole number from 0 to 10000, or auto"},
    {WITH("'world': {'damping': -0.5}"), "2: world.damping: '-0.5' is not a number of 0 or more"},
    {WITH("'world': {'damping': 'infinity'}"),
     "2: world.damping: 'infinity' is not a number of 0 or more"},
    {WITH("'world': {'damping': 1e300}"), "2: world.damping: '1e300' is not a number of 0 or more"},
    {WITH("'world': {'gravity': [0, 1]}"), "2: world.gravity: '[0,1]' is not a list of 3 numbers"},
    {WITH("'world': {'gravity': [0,\n1,\n'x']}"), "4: world.gravity[2]: 'x' is not a number"},
    {WITH("'world': {'max_speed': [1, 0, 1]}"),
     "2: world.max_speed[1]: '0' is not a number above 0"},
    {WITH("'world': {'springs': 1}"), "2: world.springs: '1' is not true or false"},
    {WITH("'world': {'integrator': 'euler'}"),
     "2: world.integrator: 'euler' is not one of position_verlet, velocity_verlet, "
     "semi_implicit_euler, explicit_euler, implicit_euler, runge_kutta_4"},
    {WITH("'world': {\n'max_elapsed_ns': 5}"), "3: world.max_elapsed_ns: out of range"},
    // bodies
    {BODY(""), "4: bodies[1].type: missing key"},
    {BODY("'type': 3"), "4: bodies[1].type: '3' is not a type of body"},
    {BODY("'type': 'sheep'"),
     "4: bodies[1].type: 'sheep' is not a type of body (did you mean sheet?)"},
    {BODY("'type': 'sheet',\n'columns': 'x'"),
     "5: bodies[1].columns: 'x' is not a whole number from 1 to 65535"},
    {BODY("'type': 'sheet',\n\n'colour': 1"), "6: bodies[1].colour: unknown key"},
    {BODY("'type': 'sheet', 'positions': []"), "4: bodies[1].positions: unknown key"},
    {BODY("'type': 'sheet', 'name': '9'"), "4: bodies[1].name: '9' is not a name"},
    {BODY("'type': 'sheet', 'name': 's'"),
     "4: bodies[1].name: 's' is the name of bodies[0] already"},
    {BODY("'type': 'sheet', 'columns': 40000, 'rows': 25000"),
     "4: bodies[1]: brings the scene to 1000000012 particles, and 16777216 are the most"},
    {BODY("'type': 'sheet',\n'across': [0, 2, 0]"), "5: bodies[1].across: out of range"},
    {BODY("'type': 'sheet',\n'tear_ratio': 0.5"), "5: bodies[1].tear_ratio: out of range"},
    {BODY("'type': 'sheet', 'material': {\n'density': 0}"),
     "5: bodies[1].material.density: '0' is not a number from 1e-06 to 1e+06"},
    {BODY("'type': 'sheet', 'material': {\n'stretch_stiffness': 1e-7}"),
     "5: bodies[1].material.stretch_stiffness: '1e-7' is not a number of 1e-06 or more"},
    {BODY("'type': 'sheet', 'material': 3"),
     "4: bodies[1].material: '3' is not an object or the name of a fabric"},
    {BODY("'type': 'sheet',\n'material': 'velvet'"),
     "5: bodies[1].material: 'velvet' is not a fabric: blanket, denim, interlock, jet_set, "
     "polycotton, ponte, rib_knit, sweater, swimsuit, tablecloth"},
    {BODY("'type': 'sheet', 'material': {\n'fabric': 'denims'}"),
     "5: bodies[1].material.fabric: 'denims' is not a fabric: blanket, denim, interlock, jet_set, "
     "polycotton, ponte, rib_knit, sweater, swimsuit, tablecloth"},
    {BODY("'type': 'sheet', 'pin': 'above'"), "4: bodies[1].pin: 'above' is not a part of a sheet"},
    {BODY("'type': 'sheet', 'pin': [0,\n5000]"),
     "5: bodies[1].pin[1]: reaches particle 5000, and there are 1024, numbered from 0"},
    {BODY("'type': 'sheet', 'pin': {'first': 1020, 'count': 5}"),
     "4: bodies[1].pin: reaches particle 1024, and there are 1024, numbered from 0"},
    {BODY("'type': 'sheet', 'pin': {'first': 1}"), "4: bodies[1].pin.count: missing key"},
    {BODY("'type': 'sheet', 'pin': -1"), "4: bodies[1].pin: '-1' is no particle, range or part"},
    {BODY("'type': 'sheet', 'pin': [[0]]"),
     "4: bodies[1].pin[0]: '[0]' is no particle, range or part"},
    {BODY("'type': 'mesh', 'positions': [[0,0,0]]"), "4: bodies[1].triangles: missing key"},
    {BODY("'type': 'mesh', 'positions': [], 'triangles': []"), "4: bodies[1].positions: is empty"},
    {BODY("'type': 'mesh', 'positions': [[0,0,0],[1,0,0],[0,1,0]],\n'triangles': "
          "[[0,1,2],\n[0,1,3]]"),
     "6: bodies[1].triangles[1]: index past the end"},
    {BODY("'type': 'mesh', 'positions': [[0,0,0],[1,0,0],[0,1,0]],\n'triangles': [[0,1,1]]"),
     "5: bodies[1].triangles[0]: degenerate"},
    {BODY("'type': 'mesh', 'positions': [[0,0,0]], 'triangles': [[0,-1,0]]"),
     "4: bodies[1].triangles[0][1]: '-1' is not a whole number from 0 to 4294967295"},
    {BODY("'type': 'particles', 'positions': [[0,0,0],\n[1,2]]"),
     "5: bodies[1].positions[1]: '[1,2]' is not a list of 3 numbers"},
    {BODY("'type': 'particles', 'positions': [[0,0,0]], 'masses': [1,2]"),
     "4: bodies[1].masses: has 2 masses for 1 particles"},
    {BODY("'type': 'particles', 'positions': [[0,0,0]], 'masses': [0]"),
     "4: bodies[1].masses[0]: '0' is not a number from 1e-12 to 1e+12"},
    {BODY("'type': 'composite', 'links': []"), "4: bodies[1].positions: missing key"},
    {BODY("'type': 'composite', 'positions': [[0,0,0]],\n'links': [{'a': 0}]"),
     "5: bodies[1].links[0].b: missing key"},
    {BODY("'type': 'composite', 'positions': [[0,0,0]],\n'links': [{'a': 0, 'b': 1}]"),
     "5: bodies[1].links[0].b: there are 1 particles, numbered from 0"},
    {BODY("'type': 'composite', 'positions': [[0,0,0],[0,0,0]],\n'links': [{'a': 0, 'b': 1}]"),
     "5: bodies[1].links[0]: degenerate"},
    {BODY("'type': 'composite', 'positions': [[0,0,0]],\n'scale': 0"),
     "5: bodies[1].scale: '0' is not a number from 1e-06 to 1e+06"},
    // ready-made bodies
    {BODY("'type': 'ragdoll',\n'joints': [[0,0,0]]"),
     "5: bodies[1].joints: has 1 joints, and a ragdoll has 15"},
    {BODY("'type': 'rope',\n'points': [[0,0,0]]"),
     "5: bodies[1].points: has 1 point, and a rope has two or more"},
    {BODY("'type': 'rope',\n'points': [[0,0,0],\n[0,0,0]]"), "6: bodies[1].points[1]: degenerate"},
    {BODY("'type': 'robe'"),
     "4: bodies[1].type: 'robe' is not a type of body (did you mean rope?)"},
    {BODY("'type': 'rope',\n'segments': 0"),
     "5: bodies[1].segments: '0' is not a whole number from 1 to 1000000"},
    {BODY("'type': 'rope',\n'end': [0, 0, 0]"), "5: bodies[1].end: degenerate"},
    {BODY("'type': 'rope',\n'mode': 'compress'"),
     "5: bodies[1].mode: 'compress' is not one of both, stretch"},
    {BODY("'type': 'circle',\n'radius': 0"),
     "5: bodies[1].radius: '0' is not a number from 1e-06 to 1e+06"},
    {BODY("'type': 'circle', 'pin': 'hub'"), "4: bodies[1].pin: 'hub' is not a part of a circle"},
    {BODY("'type': 'circle',\n'across': [0, 1, 0]"), "4: bodies[1].up: out of range"},
    {BODY("'type': 'box',\n'columns': 1"),
     "5: bodies[1].columns: '1' is not a whole number from 2 to 1000"},
    {BODY("'type': 'box',\n'tear_ratio': 0.5"), "5: bodies[1].tear_ratio: out of range"},
    {BODY("'type': 'triangle',\n'radius': 1"), "5: bodies[1].radius: unknown key"},
    {BODY("'type': 'tire',\n'spoke_compliance': -1"),
     "5: bodies[1].spoke_compliance: '-1' is not a number from 0 to 1e+12"},
    {BODY("'type': 'double_pendulum',\n'lengths': [1]"),
     "5: bodies[1].lengths: '[1]' is not a list of 2 numbers"},
    {BODY("'type': 'double_pendulum',\n'masses': [1,\n0]"),
     "6: bodies[1].masses[1]: '0' is not a number from 1e-12 to 1e+12"},
    {BODY("'type': 'ragdoll',\n'pin': 'tail'"),
     "5: bodies[1].pin: 'tail' is not a part of a ragdoll"},
    {BODY("'type': 'tree',\n'branches': 16, 'depth': 16"),
     "4: bodies[1]: brings the scene to 4581298464 particles, and 16777216 are the most"},
    {BODY("'type': 'tree', 'branches': 4,\n'depth': 11"),
     "5: bodies[1].depth: more than the limit"},
    {BODY("'type': 'web',\n'radials': 10000, 'rings': 1000"),
     "5: bodies[1].rings: more than the limit"},
    {BODY("'type': 'ball',\n'level': 6"),
     "5: bodies[1].level: '6' is not a whole number from 0 to 5"},
    {BODY("'type': 'box',\n'pressure': 5"),
     "5: bodies[1].pressure: empty where at least one is needed"},
    // links
    {WITH("'links': [7]"), "2: links[0]: '7' is not an object"},
    // seams
    {WITH("'seams': 3"), "2: seams: '3' is not a list"},
    {WITH("'seams': [{'to': 's'}]"), "2: seams[0].from: missing key"},
    {WITH("'seams': [{'from': 's',\n'to': 't'}]"), "3: seams[0].to: no body is called 't'"},
    {WITH("'seams': [{'from': 's', 'to': 's',\n'particle': 'top'}]"),
     "3: seams[0].particle: unknown key (did you mean particles?)"},
    {WITH("'seams': [{'from': 's', 'to': 's',\n'particles': 'middle'}]"),
     "3: seams[0].particles: 'middle' is not a part of a sheet"},
    {WITH("'seams': [{'from': 's', 'to': 's', 'particles': 'top',\n'to_particles': 'left'}]"),
     "3: seams[0].to_particles: 4 particles of s are to be sewn to 3 of s"},
    {WITH("'seams': [{'from': 's', 'to': 's',\n'particles': []}]"),
     "3: seams[0].particles: 0 particles of s are to be sewn to 0 of s"},
    {WITH("'seams': [{'from': 's', 'to': 's',\n'closing_time': -1}]"),
     "3: seams[0].closing_time: '-1' is not a number from 0 to 1e+06"},
    {WITH("'seams': [{'from': 's', 'to': 's'}]"),
     "2: seams[0]: pairs: a link from a particle to itself"},
    {WITH("'world': {'max_joints': 3},\n'seams': [{'from': 's', 'to': 's', 'particles': 'top',\n"
          "'to_particles': 'bottom'}]"),
     "3: seams[0]: max_joints: more than the limit"},
    // pairs of materials
    {WITH("'material_pairs': [{'a': 1}]"), "2: material_pairs[0].b: missing key"},
    {WITH("'material_pairs': [{'a': 1,\n'b': 16}]"),
     "3: material_pairs[0].b: '16' is not a whole number from 0 to 15"},
    {WITH("'material_pairs': [{'a': 1, 'b': 2}]"),
     "2: material_pairs[0]: friction_rule: off in the def of the world"},
    {WITH("'world': {'friction_rule': 'table'}, 'material_pairs': [{'a': 1, 'b': 2,\n"
          "'dynamic_friction': 1}]"),
     "3: material_pairs[0].dynamic_friction: out of range"},
    {WITH("'world': {'friction_rule': 'tables'}"),
     "2: world.friction_rule: 'tables' is not one of root_sum_squares, mean, table"},
    {BODY("'type': 'sheet', 'contact': {\n'material': 16}"),
     "5: bodies[1].contact.material: '16' is not a whole number from 0 to 15"},
    {WITH("'colliders': [{'shape': 'plane',\n'material': -1}]"),
     "3: colliders[0].material: '-1' is not a whole number from 0 to 15"},
    {WITH("'force_curves': [{'strains': [0, 1]}]"), "2: force_curves[0].forces: missing key"},
    {WITH("'force_curves': [{'strains': [0, 1],\n'forces': [0, 1, 2]}]"),
     "3: force_curves[0].forces: has 3 numbers, and `strains` has 2"},
    {WITH("'force_curves': [{'strains': [0, 1,\n0.5], 'forces': [0, 1, 2]}]"),
     "3: force_curves[0].strains[2]: out of range"},
    {WITH("'force_curves': [{'monotone': true, 'strains': [0, 1],\n'forces': [3, 2]}]"),
     "3: force_curves[0].forces[1]: out of range"},
    {WITH("'links': [{'from': 's[0]'}]"), "2: links[0].to: missing key"},
    {WITH("'links': [{'from': 's[0]', 'to': 't[0]'}]"), "2: links[0].to: no body is called 't'"},
    {WITH("'links': [{'from': 's[0]', 'to': 'ss[0]'}]"),
     "2: links[0].to: no body is called 'ss' (did you mean s?)"},
    {WITH("'links': [{'from': 's[0]', 'to': 's'}]"),
     "2: links[0].to: 's' is not a particle, such as name[3]"},
    {WITH("'links': [{'from': 's[0]', 'to': 's[4,0]'}]"),
     "2: links[0].to: 's[4,0]' is not a particle, such as s[3]"},
    {WITH("'links': [{'from': 's[0]', 'to': 's[12]'}]"),
     "2: links[0].to: 's[12]': s has 12 particles, numbered from 0"},
    {WITH("'links': [{'from': 's[0]', 'to': 's[1'}]"),
     "2: links[0].to: 's[1' is not a particle, such as s[3]"},
    {WITH("'links': [\n{'from': 's[0]', 'to': 's[11]'},\n{'from': 's[3]', 'to': 's[3]'}]"),
     "4: links[1]: a link from a particle to itself"},
    {WITH("'links': [{'from': 's[0]', 'to': 's[1,0]'}]"), "2: links[0]: the same one twice"},
    {WITH("'links': [{'from': 's[0]', 'to': 's[9]', 'rest_length': 0}]"),
     "2: links[0].rest_length: '0' is not a number above 0"},
    {WITH("'links': [{'from': 's[0]', 'to': 's[9]', 'mode': 'rope'}]"),
     "2: links[0].mode: 'rope' is not one of both, stretch, compress, range"},
    {WITH("'links': [{'from': 's[0]', 'to': 's[9]',\n'max_length': 1}]"),
     "2: links[0]: out of range"},
    // events
    {EVENT("'to': 1"), "2: events[0].do: missing key"},
    {EVENT("'do': 'unpinn'"), "3: events[0].do: 'unpinn' is not an event (did you mean unpin?)"},
    {EVENT("'do': 'pin'"), "2: events[0].body: missing key"},
    {EVENT("'do': 'pin', 'body': 'cloth'"), "3: events[0].body: no body is called 'cloth'"},
    {EVENT("'do': 'pin', 'body': 's', 'particles': 'middle'"),
     "3: events[0].particles: 'middle' is not a part of a sheet"},
    {EVENT("'do': 'pin', 'body': 's', 'by': [0,0,0]"), "3: events[0].by: unknown key"},
    {EVENT("'do': 'move', 'body': 's'"), "2: events[0].by: missing key"},
    {EVENT("'do': 'move', 'body': 's',\n'for': -1, 'by': [0,0,0]"),
     "4: events[0].for: '-1' is not a number from 0 to 1e+06"},
    // settings of the world
    {WITH("'bounds': {'lower': [1,0,0], 'upper': [0,1,1]}"), "2: bounds.lower: out of range"},
    {WITH("'bounds': {'restitution': 2}"),
     "2: bounds.restitution: '2' is not a number from 0 to 1"},
    {WITH("'wind': {'drag': -1}"), "2: wind.drag: '-1' is not a number of 0 or more"},
    {WITH("'wind': {'gust_period': 0}"), "2: wind.gust_period: '0' is not a number above 0"},
    {EVENT("'do': 'cut'"), "2: events[0].a: missing key"},
    {EVENT("'do': 'tear', 'from': [0,0,0],\n'radius': 0"),
     "4: events[0].radius: '0' is not a number above 0"},
    {EVENT("'do': 'drag', 'from': [0,0,0], 'to': [1,0,0], 'radius': 0"),
     "3: events[0].radius: '0' is not a number above 0"},
    {EVENT("'do': 'remove', 'body': 't'"), "3: events[0].body: no body is called 't'"},
    {EVENT("'do': 'force', 'body': 's'"), "2: events[0].newtons: missing key"},
    {BODY("'type': 'sheet', 'columns': 4, 'rows': 3, 'pressure': 5"),
     "4: bodies[1].pressure: degenerate"},
    // contacts
    {BODY("'type': 'sheet',\n'contact': 3"), "5: bodies[1].contact: '3' is not an object"},
    {BODY("'type': 'sheet',\n'contact': {'shape': 'wool'}"),
     "5: bodies[1].contact.shape: 'wool' is not one of point, cloth, sphere, box, ellipsoid"},
    {BODY("'type': 'sheet',\n'contact': {'radios': 1}"),
     "5: bodies[1].contact.radios: unknown key (did you mean radius?)"},
    {BODY("'type': 'sheet', 'contact': {'shape': 'cloth',\n'radius': 0}"),
     "4: bodies[1].contact.half_size: out of range"},
    {BODY("'type': 'sheet', 'contact': {'radius': 1,\n'half_size': [1, 1, 1]}"),
     "4: bodies[1].contact.radius: half_size is given, too"},
    {BODY("'type': 'sheet', 'contact': {\n'dynamic_friction': 0.5}"),
     "5: bodies[1].contact.dynamic_friction: out of range"},
    {BODY("'type': 'sheet', 'contact': {\n'mask': 4294967296}"),
     "5: bodies[1].contact.mask: '4294967296' is not a whole number from 0 to 4294967295"},
    {WITH("'contact_limits': {\n'max_pairs': 1073741825}"),
     "3: contact_limits.max_pairs: '1073741825' is not a whole number from 0 to 1073741824"},
    {WITH("'colliders': 3"), "2: colliders: '3' is not a list"},
    {WITH("'colliders': [3]"), "2: colliders[0]: '3' is not an object"},
    {WITH("'colliders': [{'radius': 3}]"), "2: colliders[0].shape: missing key"},
    {WITH("'colliders': [{'shape': 'plain'}]"),
     "2: colliders[0].shape: 'plain' is not a shape (did you mean plane?)"},
    {WITH("'colliders': [{'shape': 'plane'},\n{'shape': 'box', 'radius': 1}]"),
     "3: colliders[1].radius: unknown key"},
    {WITH("'colliders': [{'shape': 'sphere',\n'radius': 0}]"),
     "3: colliders[0].radius: '0' is not a number from 1e-06 to 1e+09"},
    {WITH("'colliders': [{'shape': 'sphere',\n'rotation': [0, 0, 0]}]"),
     "3: colliders[0].rotation: '[0,0,0]' is not a list of 4 numbers"},
    {WITH("'colliders': [{'shape': 'sphere',\n'rotation': [0, 0, 0, 2]}]"),
     "3: colliders[0].rotation: out of range"},
    {WITH("'colliders': [{'shape': 'sphere',\n'dynamic_friction': 2}]"),
     "3: colliders[0].dynamic_friction: out of range"},
    {WITH("'colliders': [{'shape': 'hull'}]"), "2: colliders[0].points: missing key"},
    {WITH("'colliders': [{'shape': 'hull',\n'points': [[0, 0, 0],\n[1, 0]]}]"),
     "4: colliders[0].points[1]: '[1,0]' is not a list of 3 numbers"},
    {WITH("'colliders': [{'shape': 'mesh', 'points': [[0, 0, 0]]}]"),
     "2: colliders[0].triangles: missing key"},
    {WITH("'colliders': [{'shape': 'mesh', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, "
          "0]],\n'triangles': [[0, 1, 2],\n[0, 1, 3]]}]"),
     "4: colliders[0].triangles[1]: index past the end"},
    {WITH("'colliders': [{'shape': 'mesh', 'file': 'a.obj',\n'points': [[0, 0, 0]]}]"),
     "2: colliders[0].file: points or triangles are given, too"},
    {WITH("'colliders': [{'shape': 'mesh',\n'file': 'no/such.obj'}]"),
     "3: colliders[0].file: no/such.obj: No such file or directory"},
    {WITH("'colliders': [{'shape': 'mesh',\n'file': 'a.stl'}]"),
     "3: colliders[0].file: a.stl: is not an .obj, .ply, .gltf or .glb file"},
    {WITH("'colliders': [{'shape': 'heightfield', 'columns': 2, 'rows': 3,\n'heights': [0, 0, 0, "
          "0, 0]}]"),
     "3: colliders[0].heights: has 5 numbers, and 6 are wanted"},
    {WITH("'colliders': [{'shape': 'heightfield', 'columns': 2, 'rows': 2,\n'heights': [0, 0, 'x', "
          "0]}]"),
     "3: colliders[0].heights[2]: 'x' is not a number"},
    {WITH("'colliders': [{'shape': 'distance_grid', 'columns': 2, 'rows': 2, 'layers': "
          "2,\n'distances': [1]}]"),
     "3: colliders[0].distances: has 1 numbers, and 8 are wanted"},
};

enum { BAD_FILES = sizeof bad_files / sizeof bad_files[0] };

LOOP_TEST(what_is_wrong_is_said_with_its_line_and_the_way_to_it, 0, BAD_FILES) {
  const bad_file* bad = &bad_files[_i];
  const sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  tool_message why;
  char expected[1024], text[1024];
  snprintf(text, sizeof text, "%s", bad->text);
  for (char* at = text; (at = strchr(at, '\'')) != NULL;) *at = '"';
  write_bytes(text, strlen(text));
  snprintf(expected, sizeof expected, "%s:%s", path, bad->expected);
  ck_assert_int_eq(sim_run_create(path, &settings, &run, &why), SIM_FAILED);
  ck_assert_ptr_null(run);
  ck_assert_str_eq(why.text, expected);
  unlink(path);
}

TEST(what_is_no_text_is_refused) {
  static const struct {
    const char* bytes;
    size_t length;
  } cases[] = {{"{\"about\": \"\xff\xfe\"}", 14}, {"{\0}", 3}, {"\xef\xbb\xbf{}", 5}, {" ", 1}};
  const sim_settings settings = sim_default_settings();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sim_run* run = NULL;
    tool_message why;
    write_bytes(cases[i].bytes, cases[i].length);
    ck_assert_int_eq(sim_run_create(path, &settings, &run, &why), SIM_FAILED);
    ck_assert_ptr_nonnull(strstr(why.text, "test_bad_scene_file.json:1: "));
  }
  unlink(path);
}

TEST(a_file_too_large_is_not_read) {
  const sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  tool_message why;
  write_bytes("{", 1);
  ck_assert_int_eq(truncate(path, (64 << 20) + 1), 0);
  ck_assert_int_eq(sim_run_create(path, &settings, &run, &why), SIM_FAILED);
  ck_assert_str_eq(why.text,
                   "test_bad_scene_file.json: has 67108865 bytes, and 67108864 are the most");
  unlink(path);
}
