#!/usr/bin/env bash
# Compares the stages of the CI job with those of .ci/run.
# usage: check_stages.sh REPOSITORY
set -euo pipefail
cd "$1"
in_job=$(sed -nE 's/^ *stage: \[(.*)\]$/\1/p' .github/workflows/ci.yml | tr -d ,)
in_script=$(.ci/run --list | xargs)
if [[ $in_job != "$in_script" ]]; then
  printf 'ci.yml has the stages %s\n.ci/run has       %s\n' "$in_job" "$in_script" >&2
  exit 1
fi
