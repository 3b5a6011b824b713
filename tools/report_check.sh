#!/usr/bin/env bash
# Opens the report in headless Chromium on a wide and on a narrow screen. Fails for an error of the
# console, a picture that does not load, or a page wider than the screen.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/report_check.sh [PAGE]

Checks build/report/index.html, or another page, at 1280 and at 390 pixels,
light and dark, and leaves screenshots in build/report/screen-*.png.
END
}

# the page in a frame as wide as the screen: headless windows are no narrower than 500 pixels
frame() {
  cat <<END
<!doctype html><meta charset=utf-8><body style="margin:0">
<iframe id=page style="border:0;width:$1px;height:3000px"></iframe><pre id=found>pending</pre><script>
const frame = document.getElementById("page"), found = [];
frame.onload = () => {
  const page = frame.contentWindow, root = page.document.documentElement;
  if (root.scrollWidth > page.innerWidth) found.push("width " + root.scrollWidth);
  for (const image of page.document.images) if (!image.naturalWidth) found.push("image " + image.src);
  for (const picture of page.document.querySelectorAll("svg")) {
    const shown = page.getComputedStyle(picture).display !== "none";
    if (shown && !(picture.getBBox().width > 0)) found.push("empty picture");
  }
  const shown = [...page.document.querySelectorAll("svg")].filter(
    (picture) => page.getComputedStyle(picture).display !== "none").length;
  frame.style.height = root.scrollHeight + "px";
  document.getElementById("found").textContent =
    "checked: " + shown + " charts, height " + root.scrollHeight + ". " + (found.join("; ") || "fine");
};
frame.src = "$2";
</script>
END
}

# screen WIDTH COLOURS PAGE
screen() {
  local width=$1 colors=$2 page=$3 said height flags
  flags=(--headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files
    --virtual-time-budget=5000 --enable-logging=stderr --user-data-dir="$folder/profile")
  [[ $colors == light ]] || flags+=(--force-dark-mode --blink-settings=preferredColorScheme=0)
  frame "$width" "file://$page" >"$folder/frame.html"
  chromium "${flags[@]}" --window-size="$width,3000" --dump-dom "file://$folder/frame.html" \
    >"$folder/dom" 2>"$folder/log"
  said=$(sed -n 's/.*\(checked: .*\)<\/pre>.*/\1/p' "$folder/dom")
  height=$(sed -n 's/.*height \([0-9]*\)\..*/\1/p' <<<"$said")
  chromium "${flags[@]}" --window-size="$((width < 500 ? 500 : width)),$((${height:-3000} + 40))" \
    --screenshot="$PWD/build/report/screen-$width-$colors.png" "file://$folder/frame.html" 2>/dev/null
  echo "report: $width pixels, $colors: ${said:-not loaded}"
  if grep -a CONSOLE "$folder/log"; then said=console; fi
  [[ $said == *fine ]]
}

main() {
  case ${1:-} in -h | --help) usage && return ;; esac
  [[ $# -le 1 ]] || { usage >&2 && exit 2; }
  local page failed=0
  page=$(realpath "${1:-build/report/index.html}")
  ./tools/setup.sh report
  mkdir -p build/report
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  for width in 1280 390; do
    for colors in light dark; do screen "$width" "$colors" "$page" || failed=1; done
  done
  exit "$failed"
}

main "$@"
