// The same program as consumer.c, in C++.
#include <weft/weft.hpp>

#include <cinttypes>
#include <cstdio>

int main() {
  weft::scene scene;
  const weft_sheet_def sheet = weft_default_sheet_def();
  scene.add(sheet);
  scene.pin(0, sheet.columns);
  weft::world world(weft_default_world_def(), scene);
  world.step(60);
  std::printf("weft %s: state %016" PRIx64 "\n", weft_version(), world.hash());
}
