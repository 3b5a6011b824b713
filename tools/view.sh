#!/usr/bin/env bash
# Builds weft-view and its page, and runs it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/view.sh [--build] [ARGUMENT...]

Installs what is missing, bundles the page into build/view, builds
build/release/tools/weft-view and runs it with the arguments: `tools/view.sh
curtain`; `tools/view.sh --help-view` builds it and prints its help. --build
only builds. The packages of the page are those of
tools/view/page/package-lock.json, in build/npm.
END
}

main() {
  case ${1:-} in -h | --help) usage && return ;; esac
  ./tools/setup.sh view
  ./tools/view/bundle.sh main_native.js build/view
  ./tools/build.sh release -DWEFT_BUILD_TOOLS=ON
  case ${1:-} in
    --build) return ;;
    --help-view) exec ./build/release/tools/weft-view --help ;;
  esac
  exec ./build/release/tools/weft-view "$@"
}

main "$@"
