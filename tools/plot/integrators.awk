# Turns the table of `weft-sim run integrators` into blocks of rows, fields between tabs, two empty lines
# after each:
#
#   block "SYSTEM INTEGRATOR"   step in seconds, error, error of the energy
#
# The first lines are comments: "#systems" and "#integrators" with those that there are. What is not above
# 0, or missing because it was not finite, has no place on the chart: "nan".

BEGIN { FS = ","; OFS = "\t" }

NR == 1 {
  for (i = 1; i <= NF; ++i) column[$i] = i
  split("system integrator step error energy_error", needed, " ")
  for (i in needed) if (!(needed[i] in column)) fail("the column " needed[i] " is missing")
  next
}

{
  s = $column["system"]
  m = $column["integrator"]
  if (!(s in seen)) { seen[s]; systems = systems " " s }
  if (!(m in seen)) { seen[m]; integrators = integrators " " m }
  if (!((s, m) in rows)) order[++count] = s " " m
  rows[s, m] = rows[s, m] $column["step"] OFS above($column["error"]) OFS \
    above($column["energy_error"]) "\n"
}

END {
  if (failed) exit 1
  if (count == 0) fail("no rows")
  print "#systems" systems
  print "#integrators" integrators
  for (i = 1; i <= count; ++i) {
    split(order[i], key, " ")
    print "# " order[i]
    print rows[key[1], key[2]] "\n"
  }
}

function above(value) {
  return value + 0 > 0 ? value : "nan"
}

function fail(reason) {
  print "plot: " reason > "/dev/stderr"
  failed = 1
  exit 1
}
