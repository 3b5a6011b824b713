# Turns the JSON of `weft-bench validate`, which has one member a line, into a row for each check, fields
# between tabs: place on the chart, where each test has a column, error over tolerance within 0.01 to 1000, 1
# if it holds. After two empty lines follows a row for each test: its column and its name.

/"results": \[/ { inside = 1; next }
inside && /^  \]/ { inside = 0 }
!inside { next }

/^    \{/ { split("", row) }
/^      "/ { read_member() }
/^    \}/ { keep() }

END {
  if (tests == 0) {
    print "plot: no results" > "/dev/stderr"
    exit 1
  }
  for (t = 1; t <= tests; ++t) {
    for (i = 1; i <= count[t]; ++i) {
      printf "%.4f\t%.6g\t%d\n", t + 0.7 * ((i - 0.5) / count[t] - 0.5), share[t, i], holds[t, i]
    }
  }
  print "\n"
  for (t = 1; t <= tests; ++t) printf "%d\t%s\n", t, name[t]
}

# an error that is not finite is drawn at the upper end
function keep(    value, i) {
  value = row["error"] == "null" ? 1000 : row["error"] / row["tolerance"]
  if (value < 0) value = -value
  if (value < 0.01) value = 0.01
  if (value > 1000) value = 1000
  if (row["test"] != name[tests]) name[++tests] = row["test"]
  i = ++count[tests]
  share[tests, i] = value
  holds[tests, i] = row["holds"] == "true"
}
