# Turns rows of `weft-bench throughput` into one line a scene, fields between tabs:
#
#   scene, particles, four rates, three ratios, many
#
# The rates are billions of link solves a second: serial in natural order, serial in colour order,
# weft on one thread, weft on `many` threads. The ratios say how many times the first rate the
# others are. A rate that was not measured is 0, a ratio to or of it is empty. Where a scene was
# measured more than once, the best rate counts.

BEGIN { FS = ","; OFS = "\t" }

NR == 1 {
  for (i = 1; i <= NF; ++i) column[$i] = i
  split("scene size particles solver threads links_per_second", needed, " ")
  for (i in needed) if (!(needed[i] in column)) fail("the column " needed[i] " is missing")
  next
}

{
  scene = $column["scene"]
  if (scene == "sheet") scene = copies() " " $column["size"] "²"
  sub(/[.](obj|ply)$/, "", scene)
  if (!(scene in particles)) scenes[++scene_count] = scene
  particles[scene] = $column["particles"]
  solver = $column["solver"]
  threads = $column["threads"] + 0
  if (solver == "engine" && threads > 1) {
    # the largest number of threads is the one that is drawn
    if (threads < many) next
    if (threads > many) { many = threads; for (s in particles) delete best[s, "many"] }
    keep("many")
  } else {
    keep(solver)
  }
}

END {
  if (failed) exit 1
  if (scene_count == 0) fail("no rows")
  for (i = 1; i <= scene_count; ++i) {
    s = scenes[i]
    print s, size_text(particles[s]), \
      rate("serial-natural"), rate("serial-colored"), rate("engine"), rate("many"), \
      ratio("serial-colored"), ratio("engine"), ratio("many"), many + 0
  }
}

# files without the column "count" have no copies
function copies() {
  return "count" in column && $column["count"] > 1 ? $column["count"] " sheets" : "sheet"
}

function size_text(count) {
  if (count >= 999500) return sprintf("%.2f M particles", count / 1e6)
  if (count >= 9950) return sprintf("%.0f k particles", count / 1e3)
  return count " particles"
}

function keep(series,    value) {
  value = $column["links_per_second"] / 1e9
  if (value > best[scene, series]) best[scene, series] = value
}

function rate(series) {
  return sprintf("%.4f", best[s, series])
}

function ratio(series) {
  if (!(best[s, series] > 0) || !(best[s, "serial-natural"] > 0)) return ""
  value = best[s, series] / best[s, "serial-natural"]
  return sprintf(value < 9.95 ? "%.1f×" : "%.0f×", value)
}

function fail(reason) {
  print "plot: " reason > "/dev/stderr"
  failed = 1
  exit 1
}
