"""Compares what Blender shows of a PC2 file on its mesh, of a glTF file and of an OBJ with the OBJ
sequence. usage: blender --background --python blender_reader.py -- STEM FPS"""
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import bpy
import numpy as np
from reference import largest_error, read_frames, require, same_bits, split_faces, triangles

# an add-on of Blender 3.4 uses a name that NumPy 1.24 has removed
np.bool = bool

stem, fps = sys.argv[-2], float(sys.argv[-1])
frames = read_frames(stem)
whole, torn = split_faces(frames)
size = max(float(np.abs(frame.positions).max()) for frame in frames)


def start_anew():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = int(fps)


def shown(thing, frame):
    """Mesh of an object in a frame, modifiers and shape keys applied: vertices and triangles."""
    bpy.context.scene.frame_set(frame)
    mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    vertices = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", vertices)
    faces = np.array([p.vertices[:] for p in mesh.polygons], np.int64).reshape(-1, 3)
    return vertices.reshape(-1, 3), faces


start_anew()
bpy.ops.import_scene.obj(filepath=stem + ".obj", split_mode="OFF") if not hasattr(
    bpy.ops.wm, "obj_import") else bpy.ops.wm.obj_import(filepath=stem + ".obj")
cloth = bpy.context.selected_objects[0]
modifier = cloth.modifiers.new("cache", "MESH_CACHE")
modifier.cache_format = "PC2"
modifier.filepath = stem + ".pc2"
for number, frame in enumerate(frames):
    vertices, faces = shown(cloth, number)
    require(same_bits(vertices, frame.positions), "Blender shows frame %d of the PC2 file" % number)
require(np.array_equal(faces, frames[0].faces), "Blender reads the faces of the OBJ file")
require(abs(cloth.matrix_world[2][1] - 1.0) < 1e-6, "y is up in the file, z in Blender")
print("PC2: Blender shows %d frames: the same bits" % len(frames))

for extension in (".gltf", ".glb"):
    start_anew()
    bpy.ops.import_scene.gltf(filepath=stem + extension)
    cloth = next(thing for thing in bpy.data.objects if thing.type == "MESH")
    error = 0.0
    for number, frame in enumerate(frames):
        vertices, faces = shown(cloth, number)
        wanted = triangles(frame, whole, torn)
        require(len(faces) == len(wanted), "Blender reads the faces of the glTF file")
        # Blender has y of the file as z, and z as -y
        places = vertices[faces][..., [0, 2, 1]] * np.array([1, 1, -1], np.float32)
        error = max(error, largest_error(places, wanted))
    require(error < 4e-7 * size, "Blender shows the glTF file: %g m off" % error)
    print("%s: Blender shows %d frames, %d faces of which %d tear: %.2g m off at most"
          % (extension, len(frames), len(faces), len(torn), error))
