weft_module(magnet STAGES magnet)
