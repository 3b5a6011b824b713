#!/usr/bin/env bash
# Builds weft-view and its page, and runs it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/view.sh [--build] [ARGUMENT...]

Installs what is missing, bundles the page into build/view, builds build/release/tools/weft-view and runs it
with the arguments: `tools/view.sh curtain`; `tools/view.sh --help-view` prints its help. --build only builds.
The packages of the page are those of tools/view/page/package-lock.json, in build/npm.
END
}

# packages of the lock file, once for each version of it
fetch_packages() {
  local page=tools/view/page
  mkdir -p build/npm
  if ! cmp -s "$page/package-lock.json" build/npm/.installed; then
    cp "$page"/package.json "$page"/package-lock.json "$page"/.npmrc build/npm
    npm --prefix build/npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
    cp "$page/package-lock.json" build/npm/.installed
  fi
}

bundle() {
  local page=tools/view/page
  mkdir -p build/view
  NODE_PATH=build/npm/node_modules build/npm/node_modules/.bin/esbuild "$page/main_native.js" --bundle --minify \
    --format=esm --target=es2022 --log-level=warning --outfile=build/view/view.js
  cp "$page/index.html" "$page/view.css" build/view
}

main() {
  case ${1:-} in -h | --help) usage && return ;; esac
  ./tools/setup.sh view
  fetch_packages
  bundle
  ./tools/build.sh release -DWEFT_BUILD_TOOLS=ON
  case ${1:-} in
    --build) return ;;
    --help-view) exec ./build/release/tools/weft-view --help ;;
  esac
  exec ./build/release/tools/weft-view "$@"
}

main "$@"
