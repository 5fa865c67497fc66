# shellcheck shell=bash disable=SC2153,SC2154 # bench.sh, which includes this, has the variables
# The measurements of the place of what is heard, with a noise that is found in a recording.

# has_sound: whether there is a sound server to record.
has_sound() {
  [ "$sink" = pulsesink ] || { missing+=("pulseaudio is not installed: nothing is recorded"); return 1; }
}

# start_noise: starts the daemon with the noise. A recording that begins later lowers the latency of the sink during
# playback, and not at the start of the stream, after which the position would be corrected for a minute.
start_noise() {
  start_daemon --no-session "$work/noise.flac"
  sleep 3
}

# Compares the position with what is heard: quiet, beside busy loops, and after events of the output.
measure_heard() {
  has_sound || return 0
  say "the position, compared with what is heard"
  local length=60 daemon module offset number
  [ -z "${LONG:-}" ] || length=300
  "$work/noise" wav "$work/noise.wav" 44100 0 $((44100 * (length + 200)))
  flac --silent -o "$work/noise.flac" "$work/noise.wav"
  rm "$work/noise.wav"
  start_noise
  daemon=$pid
  measure position "$work/noise" position "$ours" null 44100 "$length"
  end "$daemon"
  row "Position − heard, worst of $length s, ms" "≤ 2" position.off.max
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
  row "Position − heard, worst of $length s beside 15 busy loops, ms" "≤ 15" position.loaded.off.max
  row "Position − heard, median of $length s beside 15 busy loops, ms" "" position.loaded.off.p50
  row "Position − heard, worst after 40 events of the output, ms" "≤ 5" position.events.off.max
  local event
  for event in suspension pause move restart; do
    row "Position − heard, worst after a $event, ms" "" "position.events.$event.max"
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
      scripts/bench/tag.py "$3" 1024 "$frames"
      ;;
  esac
}

# Counts the frames that are added or lost at five joins of the parts of one noise.
measure_joins() {
  has_sound || return 0
  say "joins"
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
  has_sound || return 0
  say "two players at one instant"
  local seed
  for seed in 1 2; do
    "$work/noise" wav "$work/pair.wav" 44100 0 $((44100 * 10)) "$seed" 0.4
    flac --silent -o "$work/pair.$seed.flac" "$work/pair.wav"
  done
  measure pair "$work/noise" pair 10 null 44100 "$work/pair.1.flac" "$work/pair.2.flac" .build-bench/release/start-at
  row "two players at one instant, frames apart" "≤ 2.5" pair.apart.p50
  row "two players at one instant, frames apart, worst of ten" "≤ 50" pair.apart.max
}
