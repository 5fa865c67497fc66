# shellcheck shell=bash
# Functions of the client scripts, which source this file first.
#
# Sourcing it runs the script again in private namespaces: the only network interface is loopback, all processes end with
# the script, and /dev/shm, the home, the runtime folder and the message bus are private. Every wait has a limit.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
client=$(basename "$0" .sh)

pass() { printf 'PASS %s: %s\n' "$client" "$*" && exit 0; }
skip() { printf 'SKIP %s: %s\n' "$client" "$*" && exit 77; }
fail() {
  # The last lines of every log; KEEP=1 keeps the folder.
  tail -n 20 "$work"/log/* >&2 || true
  printf 'FAIL %s: %s\n' "$client" "$*" && exit 1
}
say() { printf '  %s: %s\n' "$client" "$*" >&2; }

if [ -z "${CLIENTS_WORK:-}" ]; then
  namespaces=(unshare --map-root-user --net --cgroup --pid --fork --mount-proc --kill-child)
  "${namespaces[@]}" true 2>/dev/null || skip "this system allows no private namespaces (${namespaces[*]})"
  # Not under TMPDIR: the path of a socket may have 107 characters.
  CLIENTS_WORK=$(mktemp -d /tmp/clients.XXXXXX)
  export CLIENTS_WORK
  # Bash handles a signal only after the command in the foreground ends, so unshare runs in the background. The end of
  # unshare kills all processes of the namespace.
  "${namespaces[@]}" bash "$0" "$@" &
  inner=$!
  trap '{ kill -KILL "$inner" && wait "$inner"; } 2>/dev/null || :; [ -n "${KEEP:-}" ] || rm -rf "$CLIENTS_WORK"' EXIT
  trap 'exit 143' INT TERM
  status=0
  wait "$inner" || status=$?
  exit "$status"
fi

work=$CLIENTS_WORK
mkdir -p "$work/log" "$work/home" "$work/run" "$work/media"
chmod 700 "$work/run"
# Reuses the plug-in registry of the user's home; scanning all plug-ins takes seconds.
export GST_REGISTRY_1_0=${GST_REGISTRY_1_0:-${XDG_CACHE_HOME:-$HOME/.cache}/gstreamer-1.0/registry.$(uname -m).bin}
export HOME=$work/home XDG_RUNTIME_DIR=$work/run TMPDIR=$work LC_ALL=C.UTF-8
export XDG_CONFIG_HOME=$HOME/.config XDG_STATE_HOME=$HOME/.state XDG_CACHE_HOME=$HOME/.cache XDG_DATA_HOME=$HOME/.data
unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS

BUS=org.mpris.MediaPlayer2.playerd
export BUS

# needs COMMAND PACKAGE: skips the client when the command is missing.
needs() { command -v "$1" >/dev/null || skip "$1 is not installed (Debian package $2)"; }

needs ip iproute2
needs dbus-daemon dbus-daemon
needs gdbus libglib2.0-bin
needs gst-launch-1.0 gstreamer1.0-tools
needs mount mount
if [ "${MESSAGE_BUS:-}" = dbus-broker ]; then needs dbus-broker dbus-broker; fi
ip link set lo up multicast on
# faketime names shared memory after process numbers, which start at 1 in each namespace.
mount -t tmpfs tmpfs /dev/shm

# A Python with GObject introspection; Debian's, if PATH has another one first.
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -I -c 'from gi.repository import Gio' 2>/dev/null; then python=$candidate && break; fi
done
[ -n "$python" ] || skip "python3 has no gi module (Debian package python3-gi)"
export PYTHONPATH=$here PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1

if [ -z "${BINARY:-}" ]; then
  for candidate in "$here"/../../.build/{debug,release}/mpris-playerd; do
    if [ -x "$candidate" ]; then BINARY=$candidate && break; fi
  done
fi
[ -x "${BINARY:-}" ] || skip "no mpris-playerd in .build: build it, or set BINARY"

# start_bus NAME: starts a message bus without activatable services, and prints its address; with MESSAGE_BUS=dbus-broker, that bus.
start_bus() {
  local address
  if [ "${MESSAGE_BUS:-}" = dbus-broker ]; then
    spawn "bus-$1" "$python" "$here/broker.py" "$work/run/bus-$1"
    await_line "bus-$1" '^unix:' >/dev/null || fail "dbus-broker has not started"
    printf '%s\n' "unix:path=$work/run/bus-$1"
    return
  fi
  cat >"$work/bus.conf" <<X
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=$work/run/bus-$1</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
X
  dbus-daemon --config-file="$work/bus.conf" --fork --nopidfile --print-address=1 2>>"$work/log/bus" | {
    read -r address
    printf '%s\n' "$address"
  }
}

# spawn NAME COMMAND…: runs a command in the background with its output in log/NAME; sets $spawned to its process number.
spawn() {
  local name=$1
  shift
  "$@" >>"$work/log/$name" 2>&1 </dev/null &
  spawned=$!
}

# await_name NAME: waits until the session bus has the name.
await_name() { gdbus wait --session --timeout 20 "$1" || fail "timed out waiting for the bus name $1"; }

# start_player ARGUMENT…: starts the daemon with a silent output in real time; sets $player to its process number.
start_player() {
  spawn player "$BINARY" --no-session --audio-sink "fakesink sync=true" "$@"
  # shellcheck disable=SC2034 # for the scripts that end it
  player=$spawned
  await_name "$BUS"
}

# player get KEY, player wait CONDITION…, player call METHOD [ARGUMENT…]: see player.py.
player() { "$python" "$here/player.py" "$@"; }

# expect WHAT CONDITION…: waits until the player meets all conditions, else fails.
expect() {
  local what=$1
  shift
  player wait "$@" || fail "$what: $(player get PlaybackStatus xesam:title Position Volume | tr '\n' ' ')"
}

# await_line LOG PATTERN [SECONDS [AFTER]]: waits until a line after line AFTER of log/LOG matches, and prints its number.
await_line() {
  local line tail lines number=${4:-0} found=1 deadline=$((SECONDS + ${3:-20}))
  touch "$work/log/$1"
  exec {lines}< <(exec tail -n +$((number + 1)) -f "$work/log/$1")
  tail=$!
  while [ "$found" != 0 ] && read -r -t $((deadline > SECONDS ? deadline - SECONDS : 1)) -u "$lines" line; do
    number=$((number + 1))
    ! [[ $line =~ $2 ]] || found=0
  done
  kill "$tail"
  exec {lines}<&-
  [ "$found" != 0 ] || printf '%s\n' "$number"
  return "$found"
}

# track TITLE SECONDS [ALBUM [VOLUME]]: makes a tagged file, in the folder of the album, and appends it to the array tracks.
tracks=()
track() {
  local number=$((${#tracks[@]} + 1)) album=${3:-Clients} file
  file=$work/media/${3:+$3/}$number.flac
  mkdir -p "${file%/*}"
  gst-launch-1.0 -q audiotestsrc volume="${4:-0.8}" freq=$((200 + 20 * number)) samplesperbuffer=4410 num-buffers=$((10 * $2)) ! \
    audio/x-raw,rate=44100,channels=1 ! \
    taginject "tags=\"title=\\\"$1\\\",artist=\\\"Artist $number\\\",album=\\\"$album\\\",track-number=(uint)$number\"" ! \
    flacenc ! filesink location="$file" >>"$work/log/media" 2>&1 || fail "gst-launch-1.0 could not make the test media"
  tracks+=("$file")
}

# start_crossfade: replaces the queue by two short tracks of different albums, Three and Four, with a crossfade of 3 s.
start_crossfade() {
  local setting
  tracks=()
  track Three 12 First
  track Four 10 Second
  spawn signals gdbus monitor --session --dest "$BUS" --object-path /org/mpris/MediaPlayer2
  await_line signals 'is owned by' >/dev/null || fail "gdbus does not monitor the player"
  for setting in "crossfade 3" "loop none" "shuffle off"; do
    # shellcheck disable=SC2086 # a command and its argument
    "$BINARY" --quiet $setting || fail "$setting"
  done
  "$BINARY" --quiet open "${tracks[@]}" || fail "the player does not open the tracks of the crossfade"
}

# once LOG PATTERN…: fails unless exactly one line of log/LOG matches each pattern.
once() {
  local pattern lines
  for pattern in "${@:2}"; do
    lines=$(grep -c "$pattern" "$work/log/$1") || :
    [ "$lines" = 1 ] || fail "$lines lines instead of one contain $pattern in the log $1"
  done
}

# end_crossfade: waits for the end of both tracks, and fails unless exactly one signal has announced each with its length.
#
# On a busy machine, a track that is opened is published after 200 ms, before its length is known.
end_crossfade() {
  LIMIT=30 expect "the end of the crossfade" PlaybackStatus=Stopped
  await_line signals "'PlaybackStatus': <'Stopped'>" >/dev/null || fail "the end of the crossfade has not been signalled"
  once signals "PropertiesChanged.*'mpris:length'.*'xesam:title': <'"{Three,Four}"'>"
}

DBUS_SESSION_BUS_ADDRESS=$(start_bus session)
export DBUS_SESSION_BUS_ADDRESS
