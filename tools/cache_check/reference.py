"""Frames of the OBJ sequence, the reference of the other files."""
import glob

import numpy as np


class Frame:
    def __init__(self, path):
        words = [line.split() for line in open(path) if line[0] in "vflp"]
        self.positions = np.array([w[1:] for w in words if w[0] == "v"], np.float32)
        self.faces = np.array([w[1:] for w in words if w[0] == "f"], np.int64).reshape(-1, 3) - 1
        self.lines = np.array([w[1:] for w in words if w[0] == "l"], np.int64).reshape(-1, 2) - 1
        self.points = np.array([w[1:] for w in words if w[0] == "p"], np.int64).reshape(-1, 1) - 1


def read_frames(stem):
    """Frames of STEM_0000.obj and so on."""
    return [Frame(path) for path in sorted(glob.glob(stem + "_[0-9]*.obj"))]


def require(holds, text):
    if not holds:
        raise SystemExit("not so: " + text)


def same_bits(a, b):
    return np.array_equal(np.asarray(a, np.float32).view(np.uint32),
                          np.asarray(b, np.float32).view(np.uint32))


def largest_error(a, b):
    return float(np.max(np.abs(np.asarray(a, np.float64) - np.asarray(b, np.float64))))


def split_faces(frames):
    """Faces of the first frame: first the faces of all frames, then the others, in order."""
    everywhere = set(map(tuple, frames[0].faces))
    for frame in frames:
        everywhere &= set(map(tuple, frame.faces))
    whole = [face for face in map(tuple, frames[0].faces) if face in everywhere]
    torn = [face for face in map(tuple, frames[0].faces) if face not in everywhere]
    return np.array(whole, np.int64).reshape(-1, 3), np.array(torn, np.int64).reshape(-1, 3)


def triangles(frame, whole, torn):
    """Corners of the faces, [count][3][3]; a missing face lies at its first corner."""
    present = set(map(tuple, frame.faces))
    faces = list(map(tuple, whole)) + [f if f in present else (f[0],) * 3 for f in map(tuple, torn)]
    return frame.positions[np.array(faces, np.int64).reshape(-1, 3)]
