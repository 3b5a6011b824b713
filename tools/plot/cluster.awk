# Turns rows of `tools/predict cluster` into a block for each sheet and network, fields between tabs, two empty
# lines after each: ranks, efficiency in percent. The first line of a block is a comment, its title in quotes.
#
# The first lines are comments: "#= workers, partition and order", "#blocks" with their number, "#most" with the
# largest number of ranks.

BEGIN { FS = ","; OFS = "\t" }

NR == 1 {
  for (i = 1; i <= NF; ++i) column[$i] = i
  split("network particles ranks workers partition order efficiency", needed, " ")
  for (i in needed) if (!(needed[i] in column)) fail("the column " needed[i] " is missing")
  next
}

{
  title = sprintf("%s, %.0e particles", $column["network"], $column["particles"])
  sub(/e\+0*/, "e", title)
  if (!(title in rows)) titles[++count] = title
  rows[title] = rows[title] $column["ranks"] OFS 100 * $column["efficiency"] "\n"
  if ($column["ranks"] + 0 > most) most = $column["ranks"] + 0
  scene = $column["workers"] " workers a rank, " $column["partition"] ", order by " $column["order"]
}

END {
  if (failed) exit 1
  if (count == 0) fail("no rows")
  print "#= " scene
  print "#blocks " count
  print "#most " most
  for (i = 1; i <= count; ++i) print "# \"" titles[i] "\"\n" rows[titles[i]] "\n"
}

function fail(reason) {
  print "plot: " reason > "/dev/stderr"
  failed = 1
  exit 1
}
