#!/usr/bin/env bash
# Builds the daemon and plays the arguments, or the demo tracks. Starts a message bus if the session has none.
set -euo pipefail
caller=$PWD
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run
scripts/build.sh
daemon=$PWD/.build/release/mpris-playerd
if [ $# = 0 ]; then set -- "$PWD/data/demo"; else cd "$caller"; fi

# bus_answers: whether the session bus replies at the address that clients use.
bus_answers() {
  if [ -z "${DBUS_SESSION_BUS_ADDRESS:-}" ]; then
    [ -S "${XDG_RUNTIME_DIR:-/nonexistent}/bus" ] || return 1
    export DBUS_SESSION_BUS_ADDRESS="unix:path=$XDG_RUNTIME_DIR/bus"
  fi
  dbus-send --session --print-reply=literal --reply-timeout=5000 \
    --dest=org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.GetId >/dev/null 2>&1
}

# start_private_bus: starts a bus that ends with this script, even if the script is killed.
start_private_bus() {
  bus_folder=$(mktemp -d "${TMPDIR:-/tmp}/mpris-playerd.XXXXXX")
  export DBUS_SESSION_BUS_ADDRESS="unix:path=$bus_folder/bus"
  # dbus-daemon prints its address when it listens, so reading the address waits for that. Ctrl-C would end it before the daemon.
  exec {ready}< <(trap '' INT; exec setpriv --pdeathsig TERM dbus-daemon --session --nofork --nopidfile \
    --address="$DBUS_SESSION_BUS_ADDRESS" --print-address 2>"$bus_folder/log")
  bus=$!
  trap 'kill "$bus" 2>/dev/null || true; rm -rf "$bus_folder"' EXIT
  read -r -u "$ready" _ || die "dbus-daemon did not start: $(cat "$bus_folder/log")"
}

explain() {
  printf '\nControl it from another terminal:\n\n' >&2
  [ -z "${bus:-}" ] || printf "    export DBUS_SESSION_BUS_ADDRESS='%s'\n" "$DBUS_SESSION_BUS_ADDRESS" >&2
  cat >&2 <<'TEXT'
    playerctl -p playerd play-pause         stop, next, previous
    playerctl -p playerd position 3         seconds; 2+ and 2- are steps
    playerctl -p playerd volume 0.5
    playerctl -p playerd loop playlist      shuffle on
    playerctl -p playerd metadata --follow --format '{{status}} {{artist}} - {{title}}'

Ctrl-C quits.

TEXT
}

if bus_answers; then
  explain
  exec "$daemon" "$@"
fi

say "no session bus found: starting a private one"
start_private_bus
explain
"$daemon" "$@" &
player=$!
trap 'kill -TERM "$player" 2>/dev/null || true' INT TERM HUP
# A signal ends the first wait early; the last wait returns the daemon's exit status.
status=0
wait "$player" || status=$?
while kill -0 "$player" 2>/dev/null; do
  status=0
  wait "$player" || status=$?
done
exit "$status"
