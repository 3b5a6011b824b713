# Reads a line of the JSON of weft-bench, `"name": value,`, into row[name].
function read_member(    line, at, name) {
  line = $0
  sub(/^ *"/, "", line)
  at = index(line, "\": ")
  name = substr(line, 1, at - 1)
  row[name] = substr(line, at + 3)
  sub(/,$/, "", row[name])
  gsub(/^"|"$/, "", row[name])
}
