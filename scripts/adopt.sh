#!/usr/bin/env bash
# Builds the examples as a package outside the tree would, in the Swift 5 mode and in the Swift 6 mode, and the package of docs/APP.md, and
# runs them on a private bus with a private sound server.
#
# The package depends by its path on a copy of the tree, with a warning in each module: a newer compiler has new warnings, and they
# must not be errors for a dependent. SwiftPM hides the warnings of other dependencies; those of a path are compiled as they are.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# use MODE: runs the built examples on the session bus of the environment.
use() {
  local name
  folder=$(mktemp -d)
  trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
  export XDG_RUNTIME_DIR=$folder PULSE_SERVER=unix:$folder/native HOME=$folder
  pulseaudio -n --log-level=error --exit-idle-time=-1 --load=module-null-sink \
    --load="module-native-protocol-unix socket=$folder/native" &

  for name in one two; do
    gst-launch-1.0 -q audiotestsrc num-buffers=86 ! flacenc ! taginject tags="title=$name" ! filesink location="$folder/$name.flac"
  done
  expect "quarter reached" timeout 20 QuartersExample "file://$folder/one.flac" "file://$folder/two.flac"
  expect "ended at" timeout 20 AVFoundationExample progress "$folder/one.flac"

  HelloMPRISExample &
  gdbus wait --session --timeout 10 org.mpris.MediaPlayer2.hello_mpris
  expect "Minute 1" playerctl --player=hello_mpris metadata title
  playerctl --player=hello_mpris next
  expect "Minute 2" playerctl --player=hello_mpris metadata title
  expect "hello_mpris" MediaKeysExample
  expect "Playing" watch
  NowPlayingExample "$folder/one.flac" "$folder/two.flac" &
  gdbus wait --session --timeout 10 org.mpris.MediaPlayer2.nowplayingexample
  playerctl --player=nowplayingexample pause
  expect "Paused" playerctl --player=nowplayingexample status
  GLibLoopExample &
  gdbus wait --session --timeout 10 org.mpris.MediaPlayer2.egg_timer
  playerctl --player=egg_timer play
  expect "Boiling" playerctl --player=egg_timer metadata title
  say "Swift $1 mode: all examples ran"
}

# use_app: runs the program of docs/APP.md on the session bus of the environment, with the calls of the page.
use_app() {
  local tunes title
  folder=$(mktemp -d)
  trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
  export XDG_RUNTIME_DIR=$folder PULSE_SERVER=unix:$folder/native HOME=$folder
  pulseaudio -n --log-level=error --exit-idle-time=-1 --load=module-null-sink \
    --load="module-native-protocol-unix socket=$folder/native" &
  gst-launch-1.0 -q audiotestsrc num-buffers=860 ! flacenc ! filesink location="$folder/song.flac"

  Tunes &
  tunes=$!
  gdbus wait --session --timeout 10 org.mpris.MediaPlayer2.tunes
  expect "false" can_play
  kill "$tunes"
  wait "$tunes" || true
  Tunes "file://$folder/song.flac" &
  gdbus wait --session --timeout 10 org.mpris.MediaPlayer2.tunes
  expect "true" can_play
  expect "org.example.Tunes" gdbus call --session --dest org.mpris.MediaPlayer2.tunes --object-path /org/mpris/MediaPlayer2 \
    --method org.freedesktop.DBus.Properties.Get org.mpris.MediaPlayer2 DesktopEntry
  # A file without a title has its name, as soon as its tags have been read.
  title=''
  while [ -z "$title" ] && read -r title; do :; done < <(timeout 20 playerctl --player=tunes --follow metadata title)
  [ "$title" = song.flac ] || die "the title is $title"
  playerctl --player=tunes pause
  expect "Paused" playerctl --player=tunes status
}

can_play() {
  gdbus call --session --dest org.mpris.MediaPlayer2.tunes --object-path /org/mpris/MediaPlayer2 \
    --method org.freedesktop.DBus.Properties.Get org.mpris.MediaPlayer2.Player CanPlay
}

# listing FILE: prints the listing of docs/APP.md below the line with the name of the file.
listing() {
  awk -v name="**$1**" '$0 == name { found = 1 } found && /^```/ { if (inside) exit; inside = 1; next } inside' docs/APP.md
}

# expect TEXT COMMAND…: ends the script unless the output of the command contains the text.
expect() {
  local text=$1 output
  shift
  output=$("$@" 2>&1) || die "$*: exit status $?: $output"
  case $output in *"$text"*) printf '%s: %s\n' "$1" "$text" ;; *) die "$*: no $text in: $output" ;; esac
}

# The first line is the owner or the present value; the player then plays.
watch() {
  timeout 10 WatchNameExample org.mpris.MediaPlayer2.hello_mpris /org/mpris/MediaPlayer2 \
    org.mpris.MediaPlayer2.Player PlaybackStatus | {
    read -r _
    playerctl --player=hello_mpris play
    grep --max-count=1 Playing
  } || true
}

if [ "${1:-}" = use ]; then
  use "$2"
  exit
fi
if [ "${1:-}" = use-app ]; then
  use_app
  exit
fi

need_swift
scripts/install-deps.sh build run test
unset WARNINGS_AS_ERRORS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
library=$work/mpris-playerd package=$work/adopter
mkdir -p "$library" "$package/Sources/PlainPlayer"
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory "$library"
for module in "$library"/Sources/*; do
  if compgen -G "$module/*.swift" >/dev/null; then echo 'private func warned() { let value = 0 }' >"$module/Warning.swift"; fi
done
# Examples/Combine needs OpenCombine, and is part of the tests.
mapfile -t examples < <(find Examples -name '*.swift' -not -path 'Examples/Combine/*' -printf '%h\n' | sort -u)
cp -r "${examples[@]}" Examples/CGLib "$package/Sources/"
# Code for Apple's systems from before Swift 6, which the tests run.
cp Tests/Swift5Tests/PlainPlayer.swift "$package/Sources/PlainPlayer/"

# target EXAMPLE: prints the target of an example; its dependencies are the libraries that it imports.
target() {
  local products
  products=$(sed -nE 's/^import (GstPlayer|Playback|MPRISService|PlayerMPRIS|DBus|AVFAudio|AVFoundation|AVKit|CoreMedia|MediaPlayer)$/\1/p' "$1"/*.swift | sort -u |
    sed 's/.*/.product(name: "&", package: "mpris-playerd")/' | paste -sd ,)
  if grep -q '^import CGLib$' "$1"/*.swift; then products+=', "CGLib"'; fi
  # The example of AVFoundation may not have the name of the module.
  printf '    .executableTarget(name: "%sExample", dependencies: [%s], path: "Sources/%s"),\n' \
    "${1##*/}" "$products" "${1##*/}"
}

# manifest MODE: prints the manifest of the package.
manifest() {
  local example
  printf '%s\n' "// swift-tools-version: 6.2" "import PackageDescription" 'let package = Package(name: "Adopter",' \
    "  dependencies: [.package(path: \"../mpris-playerd\", traits: [])]," "  targets: ["
  for example in "${examples[@]}"; do target "$example"; done
  [ "$1" = 6 ] || printf '    .target(name: "PlainPlayer", dependencies: [%s]),\n' \
    "$(printf '.product(name: "%s", package: "mpris-playerd"),' AVFoundation AVKit MediaPlayer)"
  printf '%s\n' '    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0"),' "  ]," "  swiftLanguageModes: [.v$1])"
}

# The package of docs/APP.md. Its dependency has the path of the copy instead of the address.
app=$work/Tunes
for file in Package.swift Sources/Tunes/Tunes.swift org.example.Tunes.desktop; do
  mkdir -p "$(dirname "$app/$file")"
  listing "$file" | sed -E 's|url: "[^"]*/mpris-playerd", [a-z]+: "[^"]*"|path: "../mpris-playerd"|' >"$app/$file"
  [ -s "$app/$file" ] || die "docs/APP.md has no listing of $file"
done
if command -v desktop-file-validate >/dev/null; then desktop-file-validate "$app/org.example.Tunes.desktop"; fi
say "the package of docs/APP.md"
# In the folder of the examples, so that the libraries are compiled once.
swift build --package-path "$app" --scratch-path "$package/.build" -debug-info-format none
PATH=$package/.build/debug:$PATH dbus-run-session -- scripts/adopt.sh use-app

for mode in 5 6; do
  manifest "$mode" >"$package/Package.swift"
  say "Swift $mode mode: ${#examples[@]} examples in a package outside the tree"
  swift build --package-path "$package" -debug-info-format none 2>&1 | tee -a "$work/log"
  PATH=$package/.build/debug:$PATH dbus-run-session -- scripts/adopt.sh use "$mode"
done
[ -z "$(ls "$package/.build/checkouts" 2>/dev/null)" ] || die "packages were fetched: $(ls "$package/.build/checkouts")"
warnings=$(grep -oE '[A-Za-z]+/Warning.swift:1:[0-9]+: warning' "$work/log" | sort -u | wc -l)
[ "$warnings" -gt 0 ] || die "the warnings in the copy of the tree were not compiled"
say "the build prints the warnings of $warnings modules, and passes in both modes"
