#!/usr/bin/env bash
# Bundles the page of the viewer: ENTRY of tools/view/page into FOLDER.
# usage: tools/view/bundle.sh ENTRY.js FOLDER
# The packages are those of tools/view/page/package-lock.json, in build/npm.
set -euo pipefail
cd "$(dirname "$0")/../.."
entry=$1 folder=$2
page=tools/view/page

# once for each version of the lock file
mkdir -p build/npm "$folder"
if ! cmp -s "$page/package-lock.json" build/npm/.installed; then
  cp "$page"/package.json "$page"/package-lock.json "$page"/.npmrc build/npm
  npm --prefix build/npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
  cp "$page/package-lock.json" build/npm/.installed
fi
NODE_PATH=build/npm/node_modules build/npm/node_modules/.bin/esbuild "$page/$entry" --bundle --minify \
  --format=esm --target=es2022 --log-level=warning --outfile="$folder/view.js"
cp "$page/index.html" "$page/view.css" "$folder"
