# Turns rows of `weft-bench scaling` and `tools/predict threads` into blocks, fields between tabs, two empty lines after each:
#
#   block "measured"    workers, speed-up, lower and upper quartile
#   block "predicted"   workers, speed-up, lower and upper quartile: rows that are not measured
#
# The first lines are comments: "#= what was run" and "#most" with the largest number of workers.

BEGIN { FS = ","; OFS = "\t" }

NR == 1 {
  for (i = 1; i <= NF; ++i) column[$i] = i
  split("scene size workers speed_up speed_up_low speed_up_high", needed, " ")
  for (i in needed) if (!(needed[i] in column)) fail("the column " needed[i] " is missing")
  next
}

{
  scene = $column["scene"] " " $column["size"]
  kind = "predicted" in column && ($column["predicted"] == "true" || $column["predicted"] + 0 > 0) ? \
    "predicted" : "measured"
  if ($column["workers"] + 0 > most) most = $column["workers"] + 0
  rows[kind] = rows[kind] $column["workers"] OFS $column["speed_up"] OFS $column["speed_up_low"] OFS \
    $column["speed_up_high"] "\n"
}

END {
  if (failed) exit 1
  if (most == 0) fail("no rows")
  print "#= " scene
  print "#most " most
  print "# measured\n" rows["measured"] "\n\n# predicted\n" rows["predicted"]
}

function fail(reason) {
  print "plot: " reason > "/dev/stderr"
  failed = 1
  exit 1
}
