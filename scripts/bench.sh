#!/usr/bin/env bash
# Compares the release build of the daemon with minimal programs and other players, prints a table, and writes
# .build-bench/bench.json. Takes about 20 minutes after the build, and needs no audio device.
#
# DAEMON=PATH measures that executable instead, with the engine beside it, and PARTS="start sound" only these parts.
# STORM=1 also measures the memory one minute after long queues. LONG=1 compares the position with what is heard for five
# minutes.
#
# Memory, CPU and wake-ups are those of the daemon and all of its processes.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=scripts/bench/playback.sh
. scripts/bench/playback.sh
# shellcheck source=scripts/bench/noise.sh
. scripts/bench/noise.sh

need_swift
scripts/install-deps.sh build run bench

work=$(mktemp -d "${TMPDIR:-/tmp}/bench.XXXXXX")
children=()
leave() {
  trap - EXIT
  [ ${#children[@]} = 0 ] || kill -KILL "${children[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT TERM

# The bus, the sound server and the folders of the desktop are not used.
home=$HOME
unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS PULSE_SERVER
export HOME=$work XDG_RUNTIME_DIR=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state

# MARK: Setup

build() {
  say "building"
  if [ -z "${DAEMON:-}" ]; then
    HOME=$home scripts/build.sh
    DAEMON=$(HOME=$home swift build --configuration release --static-swift-stdlib --show-bin-path)/mpris-playerd
  fi
  HOME=$home XDG_CACHE_HOME=$home/.cache swift build --package-path Benchmarks --scratch-path .build-bench \
    --configuration release >&2
  boundary_error=.build-bench/release/boundary-error
  local program
  for program in echo probe heard noise; do
    # shellcheck disable=SC2046 # the flags are words
    gcc -O2 -Wall -Wextra -Werror -o "$work/$program" "Benchmarks/floor/$program.c" $(pkg-config --cflags --libs dbus-1) -lm
  done
  for program in playbin player; do
    # shellcheck disable=SC2046
    gcc -O2 -Wall -Wextra -Werror -o "$work/$program" "Benchmarks/floor/$program.c" \
      $(pkg-config --cflags --libs gstreamer-1.0 dbus-1)
  done
  "$work/probe" wav "$work/1.wav" 60
  flac --silent -o "$work/1.flac" -T TITLE=One -T ALBUM=Bench "$work/1.wav"
  flac --silent -o "$work/2.flac" -T TITLE=Two -T ALBUM=Bench "$work/1.wav"
  cp "$work/2.flac" "$work/3.flac"
  lame --quiet "$work/1.wav" "$work/1.mp3"
  three=("$work/1.flac" "$work/2.flac" "$work/3.flac")
  # Files that were not opened before.
  mkdir "$work/new"
  local number
  for number in {100..140}; do cp "$work/1.flac" "$work/new/$number.flac"; done
  # Sounds of two levels, for the measurements at the monitor of the sound server.
  "$work/probe" wav "$work/quiet.wav" 60 0.2
  "$work/probe" wav "$work/halves.wav" 60 0.2 1
  flac --silent -o "$work/quiet.flac" -T TITLE=Quiet -T ALBUM=Bench "$work/quiet.wav"
  flac --silent -o "$work/halves.flac" -T TITLE=Halves -T ALBUM=Bench "$work/halves.wav"
  rm "$work"/*.wav
}

# run FILE PROGRAM…: starts a program in the background with its output in FILE; sets $pid. It ends with the script.
run() {
  local log=$1
  shift
  "$@" >"$work/$log" 2>&1 &
  pid=$!
  children+=("$pid")
  disown "$pid"
}

# end PID: ends a program; the daemon shuts down in order.
end() {
  kill -TERM "$1" 2>/dev/null || true
  timeout 3 tail --pid="$1" -f /dev/null || kill -KILL "$1" 2>/dev/null || true
}

# until_true COMMAND…: repeats the command until it succeeds, for at most five seconds.
until_true() {
  local tries=0
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || die "timed out after 5 s: $*"
    sleep 0.05
  done
}

start_bus() {
  export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus XDG_DATA_HOME=$work/share
  local services=$work/share/dbus-1/services
  mkdir -p "$services"
  printf '[D-BUS Service]\nName=%s\nExec=%s --quiet\n' "$ours" "$(realpath "$DAEMON")" >"$services/ours.service"
  printf '[D-BUS Service]\nName=%s\nExec=%s %s\n' "$floor.start" "$work/echo" "$floor.start" >"$services/floor.service"
  run bus.log dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS"
  until_true test -S "$work/bus"
  run echo.log "$work/echo" "$floor"
  until_true "$work/probe" answers "$floor"
}

# Starts the audio server with a null sink; without an audio server all programs play against the clock.
start_sound() {
  sink="fakesink sync=true"
  if ! command -v pulseaudio >/dev/null; then
    say "pulseaudio is not installed: playback is measured against the clock"
    return 0
  fi
  export PULSE_SERVER=unix:$work/sound
  run pulse.log pulseaudio -n --daemonize=no --use-pid-file=no --disable-shm=yes --exit-idle-time=-1 --realtime=no \
    --high-priority=no -L "module-native-protocol-unix socket=$work/sound auth-anonymous=1" \
    -L "module-null-sink sink_name=null"
  until_true test -S "$work/sound"
  sink=pulsesink
}

ours=org.mpris.MediaPlayer2.playerd
floor=org.mpris.MediaPlayer2.floor

# start_daemon ARGUMENT…: starts the daemon and waits until it replies; sets $pid.
start_daemon() {
  run daemon.log "$DAEMON" "$@"
  until_true "$work/probe" answers "$ours"
}

# MARK: Results

# The output of playback; empty until the sound server runs.
sink=
declare -A result

# measure PREFIX COMMAND…: stores the output lines `key value` of a command under the prefix; takes at most ten minutes.
measure() {
  local prefix=$1 key value
  shift
  while read -r key value; do result[$prefix.$key]=$value; done < <(timeout -k 2 600 "$@" || say "failed: $*")
}

rows=()
missing=()

# row NAME TARGET OURS [OTHER]: adds a line to the table, from the keys of two results.
row() {
  local value=${result[$3]:-} other=${result[${4:-none}]:-} ratio=-
  if [ -z "$value" ]; then
    missing+=("$1: not measured")
    return 0
  fi
  [ -z "$other" ] || ratio=$(awk -v a="$value" -v b="$other" 'BEGIN { if (b > 0) printf "%.2f", a / b; else print "-" }')
  rows+=("$(printf '%s\t%.2f\t%s\t%s\t%s' "$1" "$value" "$([ -z "$other" ] && printf - || printf %.2f "$other")" "$ratio" "$2")")
}

table() {
  {
    printf 'what\tours\tfloor/peer\tratio\ttarget\n'
    printf '%s\n' "${rows[@]}"
  } >"$work/table"
  scripts/bench_report.py text <"$work/table" | LC_ALL=C.UTF-8 column -t -s $'\t' -R 2,3,4
  scripts/bench_report.py json "$sink" <"$work/table" >.build-bench/bench.json
  [ ${#missing[@]} = 0 ] || printf '%s\n' "${missing[@]}"
  printf '%s\n' "" "Times are medians unless p99 is stated. The floor of calls and signals is a D-Bus echo in C without audio," \
    "that of playback is a playbin in C with the same sink ($sink). Ratios hold for one machine and one run." \
    "The load, of 1, 5 and 15 minutes, was $load at the start, and is $(cut -d ' ' -f 1-3 /proc/loadavg)."
}

# MARK: Measurements

measure_start() {
  say "from exec to the first reply"
  "$DAEMON" --version >/dev/null 2>&1 || true
  # The first start writes GStreamer's plug-in registry.
  measure warm "$work/probe" start 1 "$ours" "$DAEMON" --audio-sink "fakesink sync=true" "$work/1.flac"
  # As a user starts it with items, and as the session bus starts it.
  measure start "$work/probe" start 15 "$floor.start" "$work/echo" "$floor.start" -- "$ours" "$DAEMON" "${three[@]}" -- \
    "$ours" "$DAEMON" --quiet
  measure start "$work/probe" activate 15 "$floor.start" "$ours"
  row "exec with three files → name owned, ms" "≤ 3 ×" start.1.owned.p50 start.0.owned.p50
  row "exec with three files → GetAll answered, ms" "" start.1.answered.p50 start.0.answered.p50
  row "exec → name owned, ms" "≤ 2.5 ×" start.2.owned.p50 start.0.owned.p50
  row "exec → GetAll answered, ms" "" start.2.answered.p50 start.0.answered.p50
  row "StartServiceByName → reply, ms" "≤ 2.5 ×" start.1.activated.p50 start.0.activated.p50
}

measure_calls() {
  say "calls"
  start_daemon --audio-sink "fakesink sync=true" --loop playlist "$work/1.flac" "$work/2.flac"
  local daemon=$pid
  measure calls "$work/probe" calls 2000 quiet "$ours" "$floor"
  row "Get(Position) while playing, µs" "≤ 1.15 ×" calls.0.get.p50 calls.1.get.p50
  row "Get(Position) p99, µs" "" calls.0.get.p99 calls.1.get.p99
  row "Get(Position), µs of CPU a call" "≤ 12" calls.0.get.cpu calls.1.get.cpu
  row "GetAll(Player) while playing, µs" "≤ 1.15 ×" calls.0.getall.p50 calls.1.getall.p50
  row "GetAll(Player) p99, µs" "" calls.0.getall.p99 calls.1.getall.p99
  row "GetAll(Player), µs of CPU a call" "≤ 25" calls.0.getall.cpu calls.1.getall.cpu
  measure flight "$work/probe" flight 2000 "$ours" "$floor"
  row "32 in flight, calls a second" "≥ 0.6 ×" flight.0.rate.p50 flight.1.rate.p50
  measure seek "$work/probe" calls 1000 seek "$ours" "$floor"
  row "Get(Position) p99 while seeking, µs" "≤ 5000" seek.0.get.p99 seek.1.get.p99
  row "GetAll(Player) p99 while seeking, µs" "" seek.0.getall.p99 seek.1.getall.p99
  say "latencies"
  measure latency "$work/probe" latency 15 60 "$ours"
  measure latency.floor "$work/probe" latency 15 5 "$floor"
  row "Pause → PropertiesChanged, ms" "≤ 0.5" latency.pause.p50 latency.floor.pause.p50
  row "Play → PropertiesChanged, ms" "" latency.play.p50 latency.floor.play.p50
  row "Seek → Seeked, ms" "≤ 2" latency.seek.p50 latency.floor.seek.p50
  row "Next → Metadata, ms" "≤ 1" latency.next.p50 latency.floor.next.p50
  measure hang "$work/probe" calls 1000 hang "$ours" "$floor"
  row "Get(Position) p99 while a server hangs, µs" "≤ 5000" hang.0.get.p99 hang.1.get.p99
  row "GetAll(Player) p99 while a server hangs, µs" "" hang.0.getall.p99 hang.1.getall.p99
  end "$daemon"
}

# measure_peer KEY PROGRAM…: measures another player while the daemon does not run, so that they share no memory.
measure_peer() {
  local key=$1
  shift
  run "$key.log" "$@"
  local peer=$pid
  sleep 2
  measure "$key" "$work/probe" load 6 "$peer"
  end "$peer"
}

# start_playing FILE: starts the daemon with a file.
start_playing() {
  if [ "$sink" = pulsesink ]; then start_daemon "$@"; else start_daemon --audio-sink "$sink" "$@"; fi
}

measure_play() {
  say "playing, paused and stopped"
  local daemon
  start_daemon --quiet --no-session
  daemon=$pid
  # By then the remains of the start, such as idle threads, are gone.
  sleep 6
  measure rest "$work/probe" load 4 "$daemon"
  end "$daemon"
  start_playing "$work/1.flac"
  daemon=$pid
  # During the first seconds, buffers are filled.
  sleep 2
  measure play "$work/probe" load 6 "$daemon"
  "$work/probe" send "$ours" Pause
  # The output is released after five seconds, and idle threads end after another five.
  sleep 11
  measure pause "$work/probe" load 4 "$daemon"
  end "$daemon"
  measure_peer playbin "$work/playbin" "$sink" "file://$work/1.flac"
  start_playing "$work/1.mp3"
  daemon=$pid
  sleep 2
  measure play.mp3 "$work/probe" load 6 "$daemon"
  end "$daemon"
  measure_peer playbin.mp3 "$work/playbin" "$sink" "file://$work/1.mp3"
  if command -v gst-play-1.0 >/dev/null; then
    measure_peer gst-play gst-play-1.0 --quiet --no-interactive --audiosink="${sink%% *}" "$work/1.flac"
  else
    missing+=("gst-play-1.0 is not installed: not compared")
  fi
  row "stopped, wake-ups/s" "0" rest.wakes
  row "stopped, ms of CPU/s" "" rest.cpu
  row "paused for more than 5 s, wake-ups/s" "0" pause.wakes
  row "paused for more than 5 s, ms of CPU/s" "" pause.cpu
  row "playing FLAC, wake-ups/s, of playbin's" "≤ 12" play.wakes playbin.wakes
  row "playing FLAC, ms of CPU/s, of playbin's" "≤ 2.2" play.cpu playbin.cpu
  row "playing MP3, wake-ups/s, of playbin's" "≤ 15" play.mp3.wakes playbin.mp3.wakes
  row "playing MP3, ms of CPU/s, of playbin's" "≤ 3.5" play.mp3.cpu playbin.mp3.cpu
  if [ -n "${result[gst-play.cpu]:-}" ]; then
    row "playing FLAC, ms of CPU/s, of gst-play's" "≤ 0.5 ×" play.cpu gst-play.cpu
  fi
  row "playing FLAC, PSS in MB, of playbin's" "≤ 26" play.pss playbin.pss
  row "stopped, nothing played yet, PSS in MB" "≤ 8" rest.pss
  local kind thread
  for kind in code data libraries heap other; do
    row "playing FLAC, PSS of $kind in MB, of playbin's" "" "play.pss.$kind" "playbin.pss.$kind"
  done
  for thread in $(printf '%s\n' "${!result[@]}" | sed -n 's/^play\.wakes\.//p' | LC_ALL=C sort); do
    row "playing FLAC, wake-ups/s of the thread $thread" "" "play.wakes.$thread"
  done
}

# Plays and stops with another bus, and leaves the daemon alone beside the next measurements; see measure_after.
measure_stopped() {
  say "stopped after playing"
  local bus=$DBUS_SESSION_BUS_ADDRESS
  export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/other-bus
  run other-bus.log dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS"
  until_true test -S "$work/other-bus"
  # The time after which the engine ends is the default one.
  start_playing --no-session "$work/1.flac"
  stopped=$pid
  sleep 8
  "$work/probe" send "$ours" Stop
  stopped_at=$SECONDS
  export DBUS_SESSION_BUS_ADDRESS=$bus
}

# Measures the stopped daemon, two minutes after it has played.
measure_after() {
  local left=$((stopped_at + 120 - SECONDS))
  say "stopped for two minutes"
  [ "$left" -le 0 ] || sleep "$left"
  measure played "$work/probe" load 4 "$stopped"
  end "$stopped"
  row "stopped, two minutes after playing, PSS in MB" "≤ 8" played.pss
  row "stopped, two minutes after playing, wake-ups/s" "" played.wakes
}

# Compares the position with a straight line, after each event that starts the output.
measure_position() {
  say "the position"
  local daemon event
  for event in start seek resume; do
    start_playing "$work/1.flac"
    daemon=$pid
    [ "$event" = start ] || sleep 2
    measure "line.$event" "$work/probe" line 10 "$event" "$ours"
    end "$daemon"
    row "Position from 0.3 s after a $event, off a straight line, ms" "≤ 2" "line.$event.deviation"
    row "Position from 0.3 s after a $event, off the clock, %" "" "line.$event.slope"
  done
}

measure_boundaries() {
  say "boundaries"
  measure boundary "$boundary_error" "file://$work/1.flac"
  local pending
  for pending in one thousand; do
    row "boundary, $pending pending, after its instant, ms" "" "boundary.$pending.computed.p50"
    row "boundary, $pending pending, after its instant, p99, ms" "" "boundary.$pending.computed.p99"
    row "boundary, $pending pending, off the output, ms" "" "boundary.$pending.heard.p50"
    row "boundary, $pending pending, off the output, p99, ms" "≤ 5" "boundary.$pending.heard.p99"
  done
}

measure_wire() {
  say "boundaries over the bus"
  start_daemon --audio-sink "fakesink sync=true" --loop playlist "$work/1.flac" "$work/2.flac"
  local daemon=$pid
  measure wire.one "$work/probe" boundaries 80 1 "$ours"
  measure wire.thousand "$work/probe" boundaries 1000 1000 "$ours"
  end "$daemon"
  local pending
  for pending in one thousand; do
    row "crossing → BoundaryReached at the client, $pending pending, ms" "" "wire.$pending.wire.p50"
    row "crossing → BoundaryReached at the client, $pending pending, p99, ms" "≤ 5" "wire.$pending.wire.p99"
  done
  cp "$work/1.flac" "$work/sung.flac"
  awk 'BEGIN { for (i = 8; i < 128; i++) printf "[00:%05.2f]line %d\n", i / 4, i }' >"$work/sung.lrc"
  start_daemon --audio-sink "fakesink sync=true" "$work/sung.flac"
  daemon=$pid
  measure lyrics "$work/probe" lyrics 100 "$ours"
  end "$daemon"
  row "start of a line → LyricsLine at the client, ms" "≤ 20" "lyrics.lyrics.p50"
  row "start of a line → LyricsLine at the client, p99, ms" "" "lyrics.lyrics.p99"
}

# Compares a queue of two tracks with one of 100,000.
measure_queue() {
  say "a long queue"
  awk -v folder="$work" 'BEGIN { for (i = 0; i < 50000; i++) print folder "/1.flac\n" folder "/2.flac" }' >"$work/long.m3u"
  local daemon length key
  local -a items
  for length in 2 100000; do
    key=queue.$length
    items=("$work/1.flac" "$work/2.flac")
    [ "$length" = 2 ] || items=("$work/long.m3u")
    measure "$key" "$work/probe" playing 5 "$length" "$ours" "$DAEMON" --no-session --audio-sink "fakesink sync=true" \
      "${items[@]}"
    start_daemon --no-session --audio-sink "fakesink sync=true" --loop playlist "${items[@]}"
    daemon=$pid
    # By then the list is read and the daemon is idle.
    sleep 3
    measure "$key" "$work/probe" load 2 "$daemon"
    measure "$key" "$work/probe" calls 1000 quiet "$ours"
    measure "$key" "$work/probe" latency 15 60 "$ours"
    measure "$key.add" "$work/probe" add 10 "file://$work/1.flac" "$ours"
    end "$daemon"
  done
  row "100 000 tracks, of 2: exec → playing, ms" "≤ 150" queue.100000.playing.p50 queue.2.playing.p50
  row "100 000 tracks, of 2: exec → all in the queue, ms" "" queue.100000.whole.p50 queue.2.whole.p50
  row "100 000 tracks, of 2: PSS in MB" "12 more" queue.100000.pss queue.2.pss
  row "100 000 tracks, of 2: GetAll(Player), µs" "1 ×" queue.100000.0.getall.p50 queue.2.0.getall.p50
  row "100 000 tracks, of 2: Next → Metadata, ms" "1 ×" queue.100000.next.p50 queue.2.next.p50
  row "100 000 tracks, of 2: AddTrack, ms" "1 ×" queue.100000.add.answered.p50 queue.2.add.answered.p50
  row "100 000 tracks, of 2: AddTrack, ms of CPU" "" queue.100000.add.cpu queue.2.add.cpu
}

# Compares a folder of two files with one of ten thousand.
measure_folder() {
  say "a large folder"
  local length number
  for length in 2 10000; do
    mkdir -p "$work/folder.$length"
    for ((number = 1; number <= length; number++)); do ln "$work/1.flac" "$work/folder.$length/$number.flac"; done
    measure "folder.$length" "$work/probe" playing 5 "$length" "$ours" "$DAEMON" --no-session \
      --audio-sink "fakesink sync=true" "$work/folder.$length"
  done
  row "a folder of 10 000 files, of 2: exec → playing, ms" "≤ 300" folder.10000.playing.p50 folder.2.playing.p50
  row "a folder of 10 000 files, of 2: exec → all in the queue, ms" "" folder.10000.whole.p50 folder.2.whole.p50
}

build
start_bus
load=$(cut -d ' ' -f 1-3 /proc/loadavg)
stopped=
parts="start calls wire queue folder commands sound play storm stopped position heard joins pair boundaries"
for part in ${PARTS:-$parts}; do
  case $part in
    start | calls | wire | queue | folder) ;;
    # The others need the sound server, beside which the first ones would be disturbed.
    *) [ -n "$sink" ] || start_sound ;;
  esac
  "measure_$part"
done
[ -z "$stopped" ] || measure_after
table
