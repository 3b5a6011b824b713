# Turns the JSON of `weft-bench quality`, which has one member a line, into blocks of rows, fields
# between tabs, two empty lines after each:
#
#   block "points METHOD"   milliseconds a step, mean strain in percent: all settings of the method
#   block "front METHOD"    of those, from the fastest on, the ones that leave less strain than every
#                           faster one
#
# The first lines are comments: "#= what was run", and "#methods" with the methods that there are.

BEGIN { split("serial colored serial-lra colored-lra vertex-block plain substeps lra coarse", methods, " ") }

/"results": \[/ { inside = 1; next }
inside && /^  \]/ { inside = 0 }
!inside { next }

/^    \{/ { split("", row) }
/^      "/ { read_member() }
/^    \}/ { keep() }

END {
  if (failed) exit 1
  if (total == 0) fail("no results")
  print "#= " scene
  printf "#methods"
  for (m = 1; m in methods; ++m) if (count[methods[m]]) printf " %s", methods[m]
  print ""
  for (m = 1; m in methods; ++m) if (count[methods[m]]) print_method(methods[m])
}

# a strain of null, of a cloth that has gone wild, or of 0 has no place on the chart
function keep(    m, i) {
  if (!("step_ms_median" in row)) fail("the member step_ms_median is missing")
  m = row["method"]
  if (row["threads"] > threads) threads = row["threads"]
  scene = row["scene"] == "sheet" ? "sheet " row["size"] "²" : row["scene"]
  scene = scene ", " (threads > 1 ? threads " threads" : "1 thread")
  ++total
  if (!(row["strain_mean"] > 0) || row["strain_mean"] == "null") return
  i = ++count[m]
  ms[m, i] = row["step_ms_median"] + 0
  strain[m, i] = 100 * row["strain_mean"]
}

# sorted by time; there are few
function sort(m,    i, k, t) {
  for (i = 2; i <= count[m]; ++i) {
    for (k = i; k > 1 && ms[m, k] < ms[m, k - 1]; --k) {
      t = ms[m, k]; ms[m, k] = ms[m, k - 1]; ms[m, k - 1] = t
      t = strain[m, k]; strain[m, k] = strain[m, k - 1]; strain[m, k - 1] = t
    }
  }
}

function print_method(m,    i, least) {
  sort(m)
  print "# points " m
  for (i = 1; i <= count[m]; ++i) printf "%.6g\t%.6g\n", ms[m, i], strain[m, i]
  print "\n\n# front " m
  for (i = 1; i <= count[m]; ++i) {
    if (i > 1 && strain[m, i] >= least) continue
    least = strain[m, i]
    printf "%.6g\t%.6g\n", ms[m, i], strain[m, i]
  }
  print "\n"
}

function fail(reason) {
  print "plot: " reason > "/dev/stderr"
  failed = 1
  exit 1
}
