#!/usr/bin/env bash
# Mutates Playback and MPRISService, and reports the mutants that no test catches.
#
#   scripts/mutants.sh [SEED [COUNT [MODULE]]]      MODULE is Playback or MPRISService; both by default
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build test
exec python3 -B scripts/mutants "$@"
