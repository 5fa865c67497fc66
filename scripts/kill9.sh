#!/usr/bin/env bash
# Kills the daemon COUNT times at random times of a scripted session and checks the remaining state: the session file is
# valid, the queue is complete, and at most five seconds of the position are lost. kill9.sh [COUNT]; DAEMON=PATH uses
# that executable instead of a build.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

count=${1:-20}
if [ -z "${DAEMON:-}" ]; then
  need_swift
  for program in mpris-playerd mpris-playerd-engine; do swift build --product "$program" >&2; done
  DAEMON=$(swift build --show-bin-path)/mpris-playerd
fi
export DAEMON

work=$(mktemp -d "${TMPDIR:-/tmp}/kill9.XXXXXX")
trap 'rm -rf "$work"' EXIT
# The buses, the sound server and the folders of the desktop are not used.
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work XDG_RUNTIME_DIR=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent
dbus-run-session -- python3 scripts/kill9.py "$work" "$count"
