#!/usr/bin/env bash
# Builds a player with a window of GTK 4 outside the tree, and controls it with playerctl on a private bus and display: the
# main loop of GTK serves the main queue. Argument: a command before the program, by default xvfb-run.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run test gtk
tree=$PWD
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
mkdir -p "$package/Sources/GtkPlayer" "$package/Sources/CGtk"
cp scripts/gtk/main.swift "$package/Sources/GtkPlayer/"
printf '%s\n' 'module CGtk [system] {' '  umbrella header "shim.h"' '  export *' '}' >"$package/Sources/CGtk/module.modulemap"
printf '%s\n' '#include <gtk/gtk.h>' >"$package/Sources/CGtk/shim.h"
cat >"$package/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GtkPlayer",
  dependencies: [.package(name: "mpris-playerd", path: "$tree", traits: [])],
  targets: [
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4"),
    .executableTarget(
      name: "GtkPlayer",
      dependencies: [
        "CGtk", .product(name: "AVFoundation", package: "mpris-playerd"),
        .product(name: "MediaPlayer", package: "mpris-playerd"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ])
SWIFT
say "a player with a window of GTK 4"
swift build --package-path "$package" -debug-info-format none
PATH=$package/.build/debug:$PATH dbus-run-session -- scripts/gtk/run.sh "$@"
