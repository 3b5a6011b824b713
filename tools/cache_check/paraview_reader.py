"""Compares an XDMF file, read by both of ParaView's readers, with the OBJ sequence.
usage: pvpython paraview_reader.py STEM FPS"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
from paraview import servermanager, simple
from paraview.vtk.util.numpy_support import vtk_to_numpy
from reference import read_frames, require, same_bits

# a reader does not find the data of a relative path
stem, fps = os.path.abspath(sys.argv[1]), float(sys.argv[2])
frames = read_frames(stem)


def leaves(data):
    """Grids of a data set: itself, or its blocks."""
    if data.IsA("vtkUnstructuredGrid"):
        return [data]
    if data.IsA("vtkMultiPieceDataSet"):
        parts = [data.GetPiece(i) for i in range(data.GetNumberOfPieces())]
    else:
        parts = [data.GetBlock(i) for i in range(data.GetNumberOfBlocks())]
    return [grid for part in parts if part for grid in leaves(part)]


for reader in simple.XDMFReader(FileNames=[stem + ".xdmf"]), simple.Xdmf3ReaderS(FileName=[stem + ".xdmf"]):
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    require(np.allclose(times, np.arange(len(frames)) / fps), "ParaView finds the times")
    for frame, time in zip(frames, times):
        reader.UpdatePipeline(time)
        wanted = [cells for cells in (frame.faces, frame.lines, frame.points) if len(cells)]
        found = leaves(servermanager.Fetch(reader))
        require(len(found) == len(wanted), "ParaView finds the kinds of cells")
        for grid, cells in zip(found, wanted):
            require(same_bits(vtk_to_numpy(grid.GetPoints().GetData()), frame.positions),
                    "the positions that ParaView reads")
            corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
            require(np.array_equal(corners.reshape(-1, cells.shape[1]), cells),
                    "the cells that ParaView reads")
    print("XDMF: ParaView (%s) reads %d frames: the same bits" % (reader.GetXMLName(), len(frames)))
