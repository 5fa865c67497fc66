#!/usr/bin/env bash
# Kills the daemon at random moments of a scripted session, COUNT times, and checks what is left: the session file is
# whole, nothing of the queue is lost, at most five seconds of the position. kill9.sh [COUNT]; DAEMON=PATH takes that
# executable instead of a fresh build.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

count=${1:-20}
if [ -z "${DAEMON:-}" ]; then
  need_swift
  swift build --product mpris-playerd >&2
  DAEMON=$(swift build --show-bin-path)/mpris-playerd
fi
export DAEMON

work=$(mktemp -d "${TMPDIR:-/tmp}/kill9.XXXXXX")
trap 'rm -rf "$work"' EXIT
# The desktop around it is left out: its buses, its sound and its folders.
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work XDG_RUNTIME_DIR=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent
dbus-run-session -- python3 scripts/kill9.py "$work" "$count"
