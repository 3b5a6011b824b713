# Turns the JSON of `weft-bench limits`, which has one member a line, into blocks of rows, fields
# between tabs, two empty lines after each:
#
#   block "rows N"    particles, billions of link solves a second: scenes on N threads
#
# The first lines are comments: "#threads" with all N, "#l1 N" and "#l2 N" with the ceilings of one
# thread, "#memory N" with the solves that would be possible if each sweep read its particles from
# memory, in billions a second.

/^ *"memory": \[/ { inside = "memory" }
/^ *"ceilings": \[/ { inside = "ceilings" }
/^  "results": \[/ { inside = "results" }
/^ *\{/ { split("", row) }
/^ *"[a-z_0-9]+": / { read_member() }
/^ *\}/ { keep() }

END {
  if (failed) exit 1
  if (thread_count == 0) fail("no results")
  printf "#threads"
  for (i = 1; i <= thread_count; ++i) printf " %s", threads[i]
  printf "\n#l1 %g\n#l2 %g\n#memory %g\n", l1, l2, memory
  for (i = 1; i <= thread_count; ++i) print "# rows " threads[i] "\n" rows[threads[i]] "\n"
}

function keep(    n) {
  if (inside == "memory" && "read_gb_per_s" in row && row["threads"] >= most) {
    most = row["threads"]
    rate = row["read_gb_per_s"] > row["triad_gb_per_s"] ? row["read_gb_per_s"] : row["triad_gb_per_s"]
    # 28 bytes a particle and sweep; sheets have four links a particle
    memory = rate / 28 * 4
  } else if (inside == "ceilings" && "resident" in row) {
    if (row["resident"] ~ /L1/) l1 = 1 / row["ns_per_link"]
    else l2 = 1 / row["ns_per_link"]
  } else if (inside == "results" && "share_of_l2_ceiling" in row && row["scene"] == "sheet") {
    n = row["threads"]
    if (!(n in rows)) threads[++thread_count] = n
    rows[n] = rows[n] row["particles"] "\t" 1 / row["ns_per_link"] "\n"
  }
  split("", row)
}

function fail(reason) {
  print "plot: " reason > "/dev/stderr"
  failed = 1
  exit 1
}
