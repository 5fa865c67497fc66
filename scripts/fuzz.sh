#!/usr/bin/env bash
# Fuzzes the parsers of files and server responses under the address sanitizer.
#
#   scripts/fuzz.sh [SECONDS]      for 60 s by default; the corpus is kept in .build-fuzz/corpus
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build

out=.build-fuzz
corpus=$out/corpus
mkdir -p "$corpus"
say "building"
# libFuzzer has its own main, and needs all fuzzed code in one module.
parsed=$out/sources
rm -rf "$parsed" && mkdir -p "$parsed"
cp Sources/GstPlayer/Tags/{ID3Frames,MP4Chapters,ProgramMap}.swift Sources/Playback/Values/{Chapter,MonotonicTime}.swift \
  Sources/PlaylistFormats/*.swift Sources/TextCoding/*.swift "$parsed"
sed -i -E '/^(package )?import (Playback|TextCoding)$/d' "$parsed"/*.swift
swiftc -O -swift-version 6 -parse-as-library -sanitize=fuzzer,address -module-name Parsers -package-name parsers \
  -Xcc -fmodule-map-file=Sources/CExpat/module.modulemap -Xcc -fmodule-map-file=Sources/CZlib/module.modulemap -o "$out/parsers" \
  scripts/fuzz/Parsers.swift "$parsed"/*.swift \
  2>&1 | { grep -v 'Cannot export local symbol' || true; }

# The corpus starts with one input of each format.
printf '3#EXTM3U\n#EXTINF:12.5 tvg-logo="a.png",One - Two\nfile:///a%%20b.flac\n#EXTVLCOPT:start-time=3\nb.mp3\n' >"$corpus/m3u"
printf 'P[playlist]\nFile1=http://localhost/\nTitle1=One\nLength1=-1\nNumberOfEntries=1\n' >"$corpus/pls"
printf 'X<?xml version="1.0"?><playlist xmlns="http://xspf.org/ns/0/"><trackList><track><location>a</location><duration>9</duration></track></trackList></playlist>' >"$corpus/xspf"
printf 'CFILE "a.wav" WAVE\n  TRACK 01 AUDIO\n    TITLE "One"\n    INDEX 00 00:00:00\n    INDEX 01 00:02:00\n' >"$corpus/cue"
printf 'FfLaC\x85\0\0\x10aaaaaaaaaaaaaaaa' >"$corpus/flac"
printf '4\0\0\0\x08ftyp\0\0\0\x28moov\0\0\0\x20udta\0\0\0\x18chpl\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0' >"$corpus/mp4"
printf 'ICHAP\0\0\0\x1e\0\0one\0\0\0\0\0\0\0\x10\0\xff\xff\xff\xff\xff\xff\xff\xffTIT2\0\0\0\x04\0\0\x03One' >"$corpus/id3"
printf 'IPOPM\0\0\0\x0b\0\0a@b.org\0\xff\0\0\0\x07' >"$corpus/popm"
printf 'IPCNT\0\0\0\x04\0\0\0\0\0\x07' >"$corpus/pcnt"
printf 'IUSLT\0\0\0\x0c\0\0\x03eng\0One two' >"$corpus/uslt"
printf 'ICTOC\0\0\0\x0b\0\0toc\0\x03\x01one\0' >"$corpus/ctoc"

{
  printf 'TG\x50\0\x10\0\x02\xb0\x23\0\x01\xc1\0\0\xe1\0\xf0\0\x15\xe1\x02\xf0\x11\x26\x0f\xff\xffID3 \xffID3 \0\x0f\0\0'
  printf '\xff%.0s' {1..160}
} >"$corpus/map"

say "fuzzing for ${1:-60} seconds"
# libFuzzer prints the trace of a crash, together with the input.
SWIFT_BACKTRACE=enable=no "$out/parsers" -max_total_time="${1:-60}" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
  -artifact_prefix="$out/" -print_final_stats=1 -verbosity=0 "$corpus"
