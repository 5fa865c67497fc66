#!/usr/bin/env bash
# Builds the examples as a package outside the tree would, in the Swift 5 mode and in the Swift 6 mode, and runs them on a private bus
# with a private sound server.
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
  say "Swift $1 mode: all examples ran"
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
mapfile -t examples < <(find Examples -name '*.swift' -printf '%h\n' | sort -u)
cp -r "${examples[@]}" "$package/Sources/"
# Code for Apple's systems from before Swift 6, which the tests run.
cp Tests/Swift5Tests/PlainPlayer.swift "$package/Sources/PlainPlayer/"

# target EXAMPLE: prints the target of an example; its dependencies are the libraries that it imports.
target() {
  local products
  products=$(sed -nE 's/^import (GstPlayer|Playback|MPRISService|PlayerMPRIS|DBus|AVFAudio|AVFoundation|AVKit|CoreMedia|MediaPlayer)$/\1/p' "$1"/*.swift | sort -u |
    sed 's/.*/.product(name: "&", package: "mpris-playerd")/' | paste -sd ,)
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
  printf '%s\n' "  ]," "  swiftLanguageModes: [.v$1])"
}

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
