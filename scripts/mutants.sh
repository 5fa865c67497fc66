#!/usr/bin/env bash
# Mutates Playback, MPRISService and the saved session, and reports the mutants that no check catches.
#
#   scripts/mutants.sh [SEED [COUNT [MODULE]]]      MODULE is Playback, MPRISService or Session; all three by default
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build test
exec python3 -B scripts/mutants "$@"
