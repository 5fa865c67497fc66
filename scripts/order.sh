#!/usr/bin/env bash
# Records the functions that the daemon calls in two sessions, and writes .build/used.ld, the linker script with which
# scripts/build.sh places them together. Takes about three minutes after the build, and needs no audio device.
#
# The kernel maps 64 KiB of a program around each page that is used for the first time. Without an order, the functions that a
# session uses are spread over all of the 14 MB of code: 2 MB more of them are in memory while the daemon is stopped, and
# 1.3 MB more while it plays.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run order
# Valgrind reads the symbols of one section of code alone.
rm -f .build/used.ld
scripts/build.sh
programs=$(swift build --configuration release --static-swift-stdlib --show-bin-path)

work=$(mktemp -d "${TMPDIR:-/tmp}/order.XXXXXX")
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS PULSE_SERVER
export HOME=$work XDG_RUNTIME_DIR=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus PULSE_SERVER=unix:$work/sound
dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" &
pulseaudio -n --daemonize=no --use-pid-file=no --disable-shm=yes --exit-idle-time=-1 --realtime=no --high-priority=no \
  -L "module-native-protocol-unix socket=$work/sound auth-anonymous=1" -L "module-null-sink sink_name=null" 2>/dev/null &
mkdir -p "$work/config/mpris-playerd"
# Valgrind is fifty times slower.
# Valgrind does not run in the sandbox.
printf '%s\n' 'volume = 80' 'load-timeout = 300' 'sandbox = "off"' >"$work/config/mpris-playerd/config.toml"
# Valgrind cannot read Swift's debug information.
strip --strip-debug -o "$work/mpris-playerd" "$programs/mpris-playerd"
strip --strip-debug -o "$work/mpris-playerd-engine" "$programs/mpris-playerd-engine"
gcc -O2 -Wall -Wextra -Werror -shared -fPIC -o "$work/pidfd.so" scripts/order/pidfd.c

# start ARGUMENT…: starts the daemon in valgrind, and returns when it answers.
start() {
  LD_PRELOAD=$work/pidfd.so valgrind --quiet --tool=callgrind --trace-children=yes --demangle=no --callgrind-out-file="$work/calls.%p" "$work/mpris-playerd" "$@" &
  daemon=$!
  local tries=0
  until "$programs/mpris-playerd" status >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 120 ] || die "the daemon does not answer"
    sleep 0.5
  done
}

# client COMMAND…: one command of playerctl, after which the daemon has time to carry it out.
client() {
  playerctl --player=playerd "$@" >/dev/null || die "failed: playerctl $*"
  sleep 2
}

say "recording a session with items"
start data/demo
# The title is known when the first item plays.
timeout 300 grep -q -m 1 . <(playerctl --player=playerd --follow metadata xesam:title) || die "the first item does not play"
for command in metadata pause play "position 2" "volume 0.7" next previous "loop Playlist" "shuffle On" stop play; do
  # shellcheck disable=SC2086 # a command and its argument
  client $command
done
# To the end of a track, gapless.
sleep 8
client pause
# The output is released after five seconds.
sleep 6
"$programs/mpris-playerd" quit
wait "$daemon"

say "recording a session as the session bus starts it"
start --quiet
client play
client position 1+
timeout 4 "$programs/mpris-playerd" watch >/dev/null || true
for command in "open --enqueue data/demo" "seek +1" "volume 50%" queue "loop none" "sleep 10" reload next stop; do
  # shellcheck disable=SC2086
  "$programs/mpris-playerd" $command >/dev/null || die "failed: mpris-playerd $command"
  sleep 1
done
"$programs/mpris-playerd" quit
wait "$daemon"

python3 scripts/order/used.py "$work"/calls.* >.build/used.ld
say "wrote .build/used.ld with $(grep -c '^    \*(.text' .build/used.ld) sections; the next build uses it"
