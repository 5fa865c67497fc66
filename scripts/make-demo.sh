#!/usr/bin/env bash
# Composes data/demo: three short tracks and their cover, made by the project and dedicated to the public under CC0-1.0.
# Needs sox, flac, vorbis-tools and lame. The sounds are computed, so every run makes the same music.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

for tool in sox flac oggenc lame base64; do command -v "$tool" >/dev/null || die "$tool is not installed"; done
demo=$PWD/data/demo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$demo"

album=Demonstration artist="The Windowless Trio" year=2026

# tune NAME: begins a track; its notes follow.
tune() {
  name=$1
  notes=()
}

# note START LENGTH VOICE PITCH LEFT RIGHT: adds a note; pitches in sox's notation, the channel levels from 0 to 1.
note() {
  local file=$work/$name.${#notes[@]}.wav
  sox -R -r 44100 -c 1 -n -b 24 -c 2 "$file" synth "$2" "$3" "$4" fade h 0.01 "$2" "$(awk "BEGIN { print $2 * 0.6 }")" \
    pad "$1" remix "1v$5" "1v$6"
  notes+=("$file")
}

# chord START LENGTH VOICE PITCH…: adds simultaneous notes, spread from left to right.
chord() {
  local start=$1 length=$2 voice=$3 left=0.30
  shift 3
  for pitch in "$@"; do
    note "$start" "$length" "$voice" "$pitch" "$left" "$(awk "BEGIN { print 0.45 - $left }")"
    left=$(awk "BEGIN { print $left - 0.06 }")
  done
}

# melody STEP VOICE SIDE PITCH…: adds successive notes; "-" is a rest.
melody() {
  local step=$1 voice=$2 left=$3 start=0
  shift 3
  for pitch in "$@"; do
    if [ "$pitch" != - ]; then
      note "$start" "$(awk "BEGIN { print $step * 2.4 }")" "$voice" "$pitch" "$left" "$(awk "BEGIN { print 0.8 - $left }")"
    fi
    start=$(awk "BEGIN { print $start + $step }")
  done
}

# finish SECONDS: mixes the notes into one WAV file, with reverberation.
finish() {
  sox -R -D -m "${notes[@]}" -b 16 "$work/$name.wav" reverb 35 fade t 0.01 "$1" 0.8 trim 0 "$1" norm -3
}

say "composing"
tune porch
chord 0.0 3.0 pluck C3 G3 E4
chord 1.2 3.0 pluck A2 E3 C4
chord 2.4 3.0 pluck F2 C3 A3
chord 3.6 3.0 pluck G2 D3 B3
melody 0.3 pluck 0.5 G4 C5 E5 D5 C5 A4 - E4 A4 C5 F5 E5 D5 B4 G4 C5
finish 5.6

tune boats
chord 0.0 2.4 triangle D3 A3 F#4
chord 1.8 2.4 triangle B2 F#3 D4
chord 3.6 2.6 triangle G2 D3 B3
melody 0.6 sine 0.3 F#5 A5 - D5 F#5 B4 - G4 B4 D5
finish 6.4

tune train
melody 0.25 pluck 0.4 A2 E3 A3 E3 A2 E3 A3 E3 F2 C3 F3 C3 G2 D3 G3 B3 A2 E3 A3 C4
melody 0.5 triangle 0.2 A4 - C5 B4 A4 - E5 D5 C5 - A4
finish 5.6

say "drawing the cover"
# The cover is the spectrogram of the album.
sox -D "$work"/{porch,boats,train}.wav "$work/album.wav"
sox -R -D "$work/album.wav" -n remix 1,2 rate 11025 spectrogram -r -x 257 -y 257 -z 90 -o "$demo/cover.png"

# uint32 NUMBER: prints four bytes in big-endian order.
uint32() { printf '%b' "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)))"; }

# picture_block: prints the cover as in Ogg files, as FLAC's picture block in base 64.
picture_block() {
  {
    uint32 3
    uint32 9
    printf image/png
    uint32 0
    uint32 257
    uint32 257
    uint32 24
    uint32 0
    uint32 "$(stat -c %s "$demo/cover.png")"
    cat "$demo/cover.png"
  } | base64 -w 0
}

say "encoding"
flac --silent --best --force -o "$demo/01 Porch Light.flac" --picture="3||||$demo/cover.png" \
  -T "TITLE=Porch Light" -T "ARTIST=$artist" -T "ALBUM=$album" -T TRACKNUMBER=1 -T "DATE=$year" "$work/porch.wav"
oggenc --quiet -q 3 --serial 1 -o "$demo/02 Paper Boats.ogg" -c "METADATA_BLOCK_PICTURE=$(picture_block)" \
  -t "Paper Boats" -a "$artist" -l "$album" -N 2 -d "$year" "$work/boats.wav"
lame --quiet -V 4 --id3v2-only --ti "$demo/cover.png" \
  --tt "Night Train" --ta "$artist" --tl "$album" --tn 3 --ty "$year" "$work/train.wav" "$demo/03 Night Train.mp3"
ls -l "$demo" >&2
