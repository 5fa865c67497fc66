#!/usr/bin/env bash
# Plays every file below FOLDER with the daemon, first with one process per file, then all files in one queue. Checks
# that each track ends once or fails once, that no process crashes, and that neither a display nor an element for video
# is used. play-corpus.sh FOLDER; DAEMON=PATH uses that executable instead of a build.
set -euo pipefail
if [ $# != 1 ] || [ ! -d "$1" ]; then
  printf '%s\n' "usage: play-corpus.sh FOLDER" >&2
  exit 64
fi
folder=$(cd "$1" && pwd)
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ -z "${DAEMON:-}" ]; then
  need_swift
  swift build --product mpris-playerd-daemon >&2
  DAEMON=$(swift build --show-bin-path)/mpris-playerd-daemon
fi
export DAEMON

work=$(mktemp -d "${TMPDIR:-/tmp}/play-corpus.XXXXXX")
trap 'rm -rf "$work"' EXIT
# The buses and the folders of the desktop are not used.
export HOME=$work XDG_RUNTIME_DIR=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent LC_ALL=C.UTF-8
dbus-run-session -- python3 scripts/play_corpus.py "$work" "$folder"
