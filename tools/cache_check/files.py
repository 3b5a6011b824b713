"""Compares a PC2 file, read by its layout, and an HDF5 file, read by h5py, with the OBJ sequence.
usage: files.py STEM FPS"""
import struct
import sys

import h5py
import numpy as np
from reference import read_frames, require, same_bits

stem, fps = sys.argv[1], float(sys.argv[2])
frames = read_frames(stem)
count = len(frames[0].positions)
require(len(frames) > 1, "there is more than one frame")

data = open(stem + ".pc2", "rb").read()
signature, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
require((signature, version) == (b"POINTCACHE2\0", 1), "the header of the PC2 file")
require((points, start, rate, samples) == (count, 0, 1, len(frames)), "the counts of the PC2 file")
positions = np.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3)
for frame, sample in zip(frames, positions):
    require(same_bits(frame.positions, sample), "the positions of the PC2 file")

with h5py.File(stem + ".h5", "r") as file:
    require(file["positions/0"].attrs["unit"] == b"m", "positions are in metres")
    require(len(file["positions"]) == len(frames), "the frames of the HDF5 file")
    require(np.allclose(file["times"], np.arange(len(frames)) / fps), "the times of the HDF5 file")
    for name in ("faces", "lines", "points"):
        if name not in file:
            require(all(len(getattr(frame, name)) == 0 for frame in frames), "there are no " + name)
            continue
        for frame, revision in zip(frames, file[name]["revision"]):
            cells = file[name][str(revision)][...]
            require(np.array_equal(cells, getattr(frame, name)), "the %s of the HDF5 file" % name)
    for number, frame in enumerate(frames):
        require(same_bits(frame.positions, file["positions/%d" % number]), "the positions of the HDF5 file")
    revisions = len(file["faces"]) - 1 if "faces" in file else 0
print("PC2 and HDF5: %d frames of %d particles, %d revisions of faces: the same bits"
      % (len(frames), count, revisions))
