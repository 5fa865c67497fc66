#!/usr/bin/env bash
# Compares the release build of the daemon with minimal programs and other players, prints the figures, and writes them to
# docs/performance.md and its chart, with a mark at each missed target. Takes about 25 minutes after the build, and needs an idle
# machine, but no audio device.
#
# DAEMON=PATH measures that executable, with the engine beside it, and PARTS="start sound" only these parts; neither changes the document.
#
# Memory, CPU and wake-ups are those of the daemon and all of its processes.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

document=()
[ -n "${DAEMON:-}${PARTS:-}" ] || document=(--document)

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

# Starts the sound server with a null sink.
start_sound() {
  command -v pulseaudio >/dev/null || die "pulseaudio is not installed, and these parts need it: ${PARTS:-$parts}"
  export PULSE_SERVER=unix:$work/sound
  run pulse.log pulseaudio -n --daemonize=no --use-pid-file=no --disable-shm=yes --exit-idle-time=-1 --realtime=no \
    --high-priority=no -L "module-native-protocol-unix socket=$work/sound auth-anonymous=1" \
    -L "module-null-sink sink_name=null"
  until_true test -S "$work/sound"
}

ours=org.mpris.MediaPlayer2.playerd
floor=org.mpris.MediaPlayer2.floor

# start_daemon ARGUMENT…: starts the daemon and waits until it replies; sets $pid.
start_daemon() {
  run daemon.log "$DAEMON" "$@"
  until_true "$work/probe" answers "$ours"
}

# MARK: Results

declare -A result

# measure PREFIX COMMAND…: stores the output lines `key value` of a command under the prefix; takes at most ten minutes.
measure() {
  local prefix=$1 key value
  shift
  while read -r key value; do result[$prefix.$key]=$value; done < <(timeout -k 2 600 "$@" || say "failed: $*")
}

# section TITLE: begins a table of the document.
section() {
  say "$1"
  printf '# %s\n' "$1" >>"$work/results"
}

# row NAME TARGET OURS [OTHER]: adds a line to the table, from the keys of two results.
row() {
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "${result[$3]:-}" "${result[${4:-none}]:-}" >>"$work/results"
}

# MARK: Measurements

measure_start() {
  section "Start"
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
  section "Calls"
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
  section "Commands and their signals"
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

measure_play() {
  section "Processor time, wake-ups and memory"
  local daemon
  start_daemon --quiet --no-session
  daemon=$pid
  # By then the remains of the start, such as idle threads, are gone.
  sleep 6
  measure rest "$work/probe" load 4 "$daemon"
  end "$daemon"
  start_daemon "$work/1.flac"
  daemon=$pid
  # During the first seconds, buffers are filled.
  sleep 2
  measure play "$work/probe" load 6 "$daemon"
  "$work/probe" send "$ours" Pause
  # The output is released after five seconds, and idle threads end after another five.
  sleep 11
  measure pause "$work/probe" load 4 "$daemon"
  end "$daemon"
  measure_peer playbin "$work/playbin" pulsesink "file://$work/1.flac"
  start_daemon "$work/1.mp3"
  daemon=$pid
  sleep 2
  measure play.mp3 "$work/probe" load 6 "$daemon"
  end "$daemon"
  measure_peer playbin.mp3 "$work/playbin" pulsesink "file://$work/1.mp3"
  measure_peer gst-play gst-play-1.0 --quiet --no-interactive --audiosink=pulsesink "$work/1.flac"
  row "stopped, wake-ups/s" "0" rest.wakes
  row "stopped, ms of CPU/s" "" rest.cpu
  row "paused for more than 5 s, wake-ups/s" "0" pause.wakes
  row "paused for more than 5 s, ms of CPU/s" "" pause.cpu
  row "playing FLAC, wake-ups/s, of playbin's" "≤ 12" play.wakes playbin.wakes
  row "playing FLAC, ms of CPU/s, of playbin's" "≤ 2.2" play.cpu playbin.cpu
  row "playing MP3, wake-ups/s, of playbin's" "≤ 15" play.mp3.wakes playbin.mp3.wakes
  row "playing MP3, ms of CPU/s, of playbin's" "≤ 3.5" play.mp3.cpu playbin.mp3.cpu
  row "playing FLAC, ms of CPU/s, of gst-play's" "≤ 0.5 ×" play.cpu gst-play.cpu
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
  say "plays, stops, and waits beside the next measurements"
  local bus=$DBUS_SESSION_BUS_ADDRESS
  export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/other-bus
  run other-bus.log dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS"
  until_true test -S "$work/other-bus"
  # The time after which the engine ends is the default one.
  start_daemon --no-session "$work/1.flac"
  stopped=$pid
  sleep 8
  "$work/probe" send "$ours" Stop
  stopped_at=$SECONDS
  export DBUS_SESSION_BUS_ADDRESS=$bus
}

# Measures the stopped daemon, two minutes after it has played.
measure_after() {
  local left=$((stopped_at + 120 - SECONDS))
  section "Stopped after playing"
  [ "$left" -le 0 ] || sleep "$left"
  measure played "$work/probe" load 4 "$stopped"
  end "$stopped"
  row "stopped, two minutes after playing, PSS in MB" "≤ 8" played.pss
  row "stopped, two minutes after playing, wake-ups/s" "" played.wakes
}

# Compares the position with a straight line, after each event that starts the output.
measure_position() {
  section "Position, compared with a line"
  local daemon event
  for event in start seek resume; do
    start_daemon "$work/1.flac"
    daemon=$pid
    [ "$event" = start ] || sleep 2
    measure "line.$event" "$work/probe" line 10 "$event" "$ours"
    end "$daemon"
    row "Position from 0.3 s after a $event, off a straight line, ms" "≤ 2" "line.$event.deviation"
    row "Position from 0.3 s after a $event, off the clock, %" "" "line.$event.slope"
  done
}

measure_boundaries() {
  section "Boundaries in a program"
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
  section "Boundaries and lyrics on the bus"
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
  section "A queue of 100 000 tracks"
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
  section "A folder of 10 000 files"
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

# Compares a playbin with a D-Bus interface: files that were not opened before, and the same ones again.
measure_commands() {
  section "Commands to the sound server"
  local daemon
  start_daemon --no-session --audio-sink pulsesink --loop playlist "$work/new"
  daemon=$pid
  measure new "$work/probe" jump 15 "$ours"
  end "$daemon"
  start_daemon --no-session --audio-sink pulsesink --loop playlist "${three[@]}"
  daemon=$pid
  # All tags are known after the first round.
  measure known "$work/probe" jump 4 "$ours"
  measure known "$work/probe" jump 15 "$ours"
  measure opened "$work/probe" open 15 "$ours" "file://$work/new/"{120..134}.flac
  measure again "$work/probe" open 15 "$ours" "file://$work/1.flac"
  end "$daemon"
  run player.log "$work/player" "$floor.player" pulsesink "file://$work/new/"{100..140}.flac
  daemon=$pid
  until_true "$work/probe" get "$floor.player"
  measure new.floor "$work/probe" jump 15 "$floor.player"
  measure opened.floor "$work/probe" open 15 "$floor.player" "file://$work/new/"{120..134}.flac
  end "$daemon"
  row "Next → Metadata, an unknown file, ms, of playbin's" "≤ 1 ×" new.next.p50 new.floor.next.p50
  row "Next → Metadata, a known file, ms, of playbin's" "≤ 1 ×" known.next.p50 new.floor.next.p50
  row "OpenUri → Playing, an unknown file, ms, of playbin's" "≤ 1 ×" opened.open.p50 opened.floor.open.p50
  row "OpenUri → Playing, the same file, ms, of playbin's" "≤ 1 ×" again.open.p50 opened.floor.open.p50
  row "SetPosition → Seeked, a new track, ms, of playbin's" "≤ 3" new.seeked.p50 new.floor.seeked.p50
  row "SetPosition → Seeked, ms, of playbin's" "≤ 3" known.seeked.p50 new.floor.seeked.p50
}

# Measures at the monitor of the sound server.
measure_sound() {
  section "Sound at the monitor of the sink"
  measure heard "$work/heard" start 15 "$work/playbin" pulsesink "file://$work/1.flac" -- "$DAEMON" "${three[@]}"
  row "exec with three files → audible, ms, of playbin's" "≤ 1 ×" heard.1.start.p50 heard.0.start.p50
  local daemon
  start_daemon --no-session --loop playlist "$work/1.flac" "$work/quiet.flac"
  daemon=$pid
  measure heard "$work/heard" next 14 "$ours"
  end "$daemon"
  start_daemon --no-session "$work/halves.flac"
  daemon=$pid
  measure heard "$work/heard" seek 14 "$ours"
  end "$daemon"
  start_daemon --no-session "$work/halves.flac"
  daemon=$pid
  measure killed "$work/heard" kill 1 "$ours"
  end "$daemon"
  row "engine killed → audible again, ms" "≤ 300" killed.kill.p50
  row "engine killed, error of the position, ms" "≤ 50" killed.position.p50
  row "Next → audible, ms" "≤ 15" heard.next.p50
  row "SetPosition → audible, ms" "≤ 10" heard.seek.p50
}

# Compares the memory one minute after a long queue was cleared with that of a new daemon.
measure_storm() {
  section "Memory a minute after long queues"
  local daemon number
  start_daemon --quiet --no-session
  daemon=$pid
  sleep 6
  measure fresh "$work/probe" load 1 "$daemon"
  mkdir -p "$work/many"
  for ((number = 1; number <= 2000; number++)); do ln "$work/1.flac" "$work/many/$number.flac"; done
  "$DAEMON" --paused "$work/many" >/dev/null
  # Clients read the metadata of a window of tracks.
  for ((number = 0; number < 200; number++)); do "$DAEMON" next --quiet; done
  "$DAEMON" queue clear --quiet
  sleep 60
  measure storm.tracks "$work/probe" load 1 "$daemon"
  awk -v file="$work/1.flac" 'BEGIN { for (i = 0; i < 1000000; i++) print file }' >"$work/million.m3u"
  "$DAEMON" --paused "$work/million.m3u" >/dev/null
  "$DAEMON" queue clear --quiet
  sleep 60
  measure storm.million "$work/probe" load 1 "$daemon"
  end "$daemon"
  row "a minute after 2 000 tracks, PSS in MB, of a new daemon's" "≤ 1.3 ×" storm.tracks.pss fresh.pss
  row "a minute after a million tracks, PSS in MB, of a new daemon's" "≤ 1.3 ×" storm.million.pss fresh.pss
}

# start_noise: starts the daemon with the noise. A recording that begins later lowers the latency of the sink during
# playback, and not at the start of the stream, after which the position would be corrected for a minute.
start_noise() {
  start_daemon --no-session "$work/noise.flac"
  sleep 3
}

# Compares the position with what is heard: quiet, beside busy loops, and after events of the output.
measure_heard() {
  section "Position, compared with the sound"
  local length=60 daemon module offset number
  "$work/noise" wav "$work/noise.wav" 44100 0 $((44100 * (length + 200)))
  flac --silent -o "$work/noise.flac" "$work/noise.wav"
  rm "$work/noise.wav"
  start_noise
  daemon=$pid
  measure position "$work/noise" position "$ours" null 44100 "$length"
  end "$daemon"
  row "Position − audible position, worst of $length s, ms" "≤ 2" position.off.max
  # Without the delay of the recording, nothing can be compared.
  offset=${result[position.offset]:-}
  [ -n "$offset" ] || return 0
  start_noise
  daemon=$pid
  local -a loops=()
  for number in {1..15}; do
    run busy.log sh -c 'while :; do :; done'
    loops+=("$pid")
  done
  measure position.loaded "$work/noise" position "$ours" null 44100 "$length" "$offset"
  kill -KILL "${loops[@]}"
  end "$daemon"
  module=$(pactl load-module module-null-sink sink_name=second)
  start_noise
  daemon=$pid
  measure position.events "$work/noise" events "$ours" null second 44100 40 "$offset"
  end "$daemon"
  pactl unload-module "$module"
  row "Position − audible position, worst of $length s beside 15 busy loops, ms" "≤ 15" position.loaded.off.max
  row "Position − audible position, median of $length s beside 15 busy loops, ms" "" position.loaded.off.p50
  row "Position − audible position, worst after 40 events of the output, ms" "≤ 5" position.events.off.max
  local event
  for event in suspension pause move restart; do
    row "Position − audible position, worst after a $event, ms" "" "position.events.$event.max"
  done
}

# encode FORMAT WAV FILE: encodes a part; `frames` is its length.
encode() {
  local -a ffmpeg=(ffmpeg -v error -y -i "$2" -fflags +bitexact -map_metadata -1)
  case $1 in
    flac) flac --silent -o "$3" "$2" ;;
    wav) cp "$2" "$3" ;;
    vorbis) oggenc -Q -q 6 -o "$3" "$2" ;;
    opus) opusenc --quiet --bitrate 160 "$2" "$3" ;;
    lame) lame --quiet -b 128 "$2" "$3" ;;
    lavc) "${ffmpeg[@]}" -c:a libmp3lame -b:a 128k "$3" ;;
    edits) "${ffmpeg[@]}" -c:a aac -b:a 160k "$3" ;;
    itunes)
      "${ffmpeg[@]}" -c:a aac -b:a 160k -use_editlist 0 "$3"
      # The frames before the media, and those of the media, in iTunes' tag of the padding.
      AtomicParsley "$3" --rDNSatom "$(printf ' 00000000 %08X 00000000 %016X 00000000 00000000' 1024 "$frames")" \
        name=iTunSMPB domain=com.apple.iTunes --overWrite >/dev/null
      ;;
  esac
}

# Counts the frames that are added or lost at five joins of the parts of one noise.
measure_joins() {
  section "Joins"
  local -a names=(FLAC WAV "Ogg Vorbis" Opus "MP3 of LAME" "MP3 of FFmpeg" "AAC with an edit list" "AAC with iTunSMPB")
  local -a formats=(flac wav vorbis opus lame lavc edits itunes) suffixes=(flac wav ogg opus mp3 mp3 m4a m4a)
  # None is a multiple of the frames of a codec, or exceeds one of 1152 by 1 to 46: FFmpeg then writes too small a
  # padding into an MP3 file, and plays up to 46 frames more itself.
  local -a lengths=(88211 99991 80021 95003 84991 90007)
  local index format rate first frames number module
  for index in "${!formats[@]}"; do
    format=${formats[$index]} rate=44100 first=0 number=0
    [ "$format" != opus ] || rate=48000
    local -a files=()
    mkdir -p "$work/joins"
    for frames in "${lengths[@]}"; do
      number=$((number + 1))
      "$work/noise" wav "$work/joins/part.wav" "$rate" "$first" "$frames"
      files+=("$work/joins/$format.$number.${suffixes[$index]}")
      encode "$format" "$work/joins/part.wav" "${files[-1]}"
      first=$((first + frames))
    done
    module=$(pactl load-module module-null-sink sink_name=joins rate="$rate")
    pactl set-default-sink joins
    measure "joins.$format" "$work/noise" joins joins "$rate" "${lengths[@]}" -- "$DAEMON" --no-session "${files[@]}"
    pactl set-default-sink null
    pactl unload-module "$module"
    row "frames added or lost at a join, worst of five: ${names[$index]}" "0" "joins.$format.worst"
  done
}

# Starts two players at one instant.
measure_pair() {
  section "Two players at one instant"
  local seed
  for seed in 1 2; do
    "$work/noise" wav "$work/pair.wav" 44100 0 $((44100 * 10)) "$seed" 0.4
    flac --silent -o "$work/pair.$seed.flac" "$work/pair.wav"
  done
  measure pair "$work/noise" pair 10 null 44100 "$work/pair.1.flac" "$work/pair.2.flac" .build-bench/release/start-at
  row "two players at one instant, frames apart" "≤ 2.5" pair.apart.p50
  row "two players at one instant, frames apart, worst of ten" "≤ 50" pair.apart.max
}

build
start_bus
load=$(cut -d ' ' -f 1-3 /proc/loadavg)
printf '%s\n' "Commit $(git describe --always --dirty), $(date --utc +%F), $(nproc) processors, load $load at the start." >"$work/results"
parts="start calls wire queue folder commands sound play storm stopped position heard joins pair boundaries"
stopped=
for part in ${PARTS:-$parts}; do
  case $part in
    start | calls | wire | queue | folder) ;;
    # The others need the sound server, beside which the first ones would be disturbed.
    *) [ -n "${PULSE_SERVER:-}" ] || start_sound ;;
  esac
  "measure_$part"
done
[ -z "$stopped" ] || measure_after
cp "$work/results" .build-bench/results
scripts/bench/report.py "${document[@]}" .build-bench/results
