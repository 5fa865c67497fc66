#!/usr/bin/env bash
# Builds the examples as a program outside the tree would: a package that depends on this one by its path, and one import of a
# library in each example, and code in the Swift 5 mode. Then runs them on a private bus with a private audio server.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test
tree=$PWD
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT

# target FOLDER: prints the target of an example; its dependencies are the libraries that it imports.
target() {
  local products
  products=$(sed -nE 's/^import (GstPlayer|Playback|MPRISService|PlayerMPRIS|DBus|AVFAudio|AVFoundation|AVKit|CoreMedia|MediaPlayer)$/\1/p' "$1"/*.swift | sort -u |
    sed 's/.*/.product(name: "&", package: "mpris-playerd")/' | paste -sd ,)
  # The example of AVFoundation may not have the name of the module.
  printf '    .executableTarget(name: "%sExample", dependencies: [%s], path: "Sources/%s"),\n' \
    "$(basename "$1")" "$products" "$(basename "$1")"
}

mapfile -t examples < <(find Examples -name '*.swift' -printf '%h\n' | sort -u)
{
  printf '%s\n' "// swift-tools-version: 6.2" "import PackageDescription" 'let package = Package(name: "Adopter",' \
    "  dependencies: [.package(name: \"mpris-playerd\", path: \"$tree\", traits: [])]," "  targets: ["
  for example in "${examples[@]}"; do
    mkdir -p "$package/Sources"
    cp -r "$example" "$package/Sources/"
    target "$example"
  done
  # Code from before Swift 6, which the tests run.
  mkdir -p "$package/Sources/PlainPlayer"
  cp Tests/Swift5Tests/PlainPlayer.swift "$package/Sources/PlainPlayer/"
  printf '    .target(name: "PlainPlayer", dependencies: [%s], swiftSettings: [.swiftLanguageMode(.v5)]),\n' \
    "$(printf '.product(name: "%s", package: "mpris-playerd"),' AVFoundation AVKit MediaPlayer)"
  printf '%s\n' "  ])"
} >"$package/Package.swift"

say "${#examples[@]} examples in a package outside the tree"
swift build --package-path "$package" -debug-info-format none
[ -z "$(ls "$package/.build/checkouts" 2>/dev/null)" ] || die "packages were fetched: $(ls "$package/.build/checkouts")"

PATH=$package/.build/debug:$PATH dbus-run-session -- scripts/adopt/run.sh
