# Modules: folders of engine/modules, in the order in which their stages follow each other within a
# phase of a step. A line names the module's stages and, of these, the ones with kernels.
weft_module(integrators STAGES velocities)
weft_module(spheres STAGES turning bodies KERNELS bodies)
weft_module(articulated STAGES trees rods)
weft_module(bending STAGES lines plates KERNELS lines plates)
weft_module(garment STAGES skin KERNELS skin)
weft_module(ccd STAGES ccd KERNELS ccd)
weft_module(sleep STAGES sleep)
weft_module(multirate STAGES multirate)
weft_module(query STAGES index)
