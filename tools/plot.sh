#!/usr/bin/env bash
# Draws a chart of what weft-bench or weft-sim measured. A kind of chart is two files in tools/plot:
# KIND.awk (member.awk reads the JSON) turns the input into the chart's own small table, KIND.gp draws
# that. WEFT_PLOT_INLINE is 1 or 2 for a picture within a page, wide or narrow: without a title and a
# background.
set -euo pipefail
plot_folder=$(cd "$(dirname "$0")" && pwd)/plot

usage() {
  echo "usage: tools/plot.sh KIND IN OUT.svg"
  echo
  echo "KIND is one of:"
  for script in "$plot_folder"/*.gp; do
    sed -n '1s/^# //p' "$script" | fold -s -w 65 |
      sed "1s/^/  $(printf '%-12s' "$(basename "$script" .gp)") /; 1! s/^/               /; s/ *$//"
  done
}

main() {
  case ${1:-} in -h | --help) usage && return ;; esac
  [[ $# -eq 3 && -f $plot_folder/$1.gp ]] || { usage >&2 && exit 2; }
  local kind=$1 input=$2 output=$3
  "$plot_folder/../setup.sh" plot

  table=$(mktemp)
  trap 'rm -f "$table"' EXIT
  awk -f "$plot_folder/member.awk" -f "$plot_folder/$kind.awk" "$input" >"$table"
  # the labels are UTF-8, which gnuplot reads only under a locale that is
  LC_ALL=C.UTF-8 gnuplot -e "table = '$table'; picture = '$output'; inline = ${WEFT_PLOT_INLINE:-0}" "$plot_folder/$kind.gp"
}

main "$@"
