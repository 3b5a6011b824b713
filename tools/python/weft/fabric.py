"""Materials of measured fabrics."""
from __future__ import annotations

from ._call import WeftError, check
from ._types import Fabric, FabricData, MaterialDef
from ._weft import ffi, lib


def _number(fabric: Fabric | str) -> int:
    """Number of a fabric, also by its name, such as "denim"."""
    if not isinstance(fabric, str):
        return int(fabric)
    found = ffi.new("weft_fabric*")
    result = lib.weft_find_fabric(fabric.encode(), found)
    if result.error:
        raise WeftError(result, f"{fabric!r} is not a fabric: see weft.Fabric")
    return int(found[0])


def fabric_data(fabric: Fabric | str) -> FabricData:
    """Measurements of a fabric.

    Raises WeftError with the field "name" or "fabric" where there is none.
    """
    data = ffi.new("weft_fabric_data*")
    check(lib.weft_get_fabric_data(_number(fabric), data))
    return FabricData._of(data)


def fabric_material(fabric: Fabric | str, membrane: bool = False) -> MaterialDef:
    """Material of a fabric: for SheetDef.material, or with `membrane` for MeshDef.material, which
    then needs uvs or a warp.

    Raises WeftError with the field "name" or "fabric" where there is none.
    """
    material = ffi.new("weft_material_def*")
    check(lib.weft_fabric_material(_number(fabric), membrane, material))
    return MaterialDef._of(material)
