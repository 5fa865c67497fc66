#!/usr/bin/env bash
# Builds the documentation of the libraries as one static site in .build-docs/site; a warning of DocC is an error.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build
# The libraries for other programs; each has a catalog. SwiftPM does not extract the declarations of Playback that GstPlayer
# exports, so the page of GstPlayer lists them with links to that archive; an archive links only to those that it depends on.
targets=()
for target in Playback GstPlayer EventLoop DBus MPRISService PlayerMPRIS CoreMedia AVFAudio AVFoundation AVKit MediaPlayer; do
  targets+=(--target "$target")
done
site=.build-docs/site
rm -rf "$site"
mkdir -p .build-docs
# The manifest adds the plugin only with MAKE_DOCS.
MAKE_DOCS=1 swift package --scratch-path .build-docs -debug-info-format none --allow-writing-to-directory .build-docs \
  generate-documentation "${targets[@]}" --enable-experimental-combined-documentation --warnings-as-errors \
  --transform-for-static-hosting --output-path "$site" >&2
say "the site is in $site: python3 -m http.server --bind 127.0.0.1 --directory $site 8000, then open http://127.0.0.1:8000/documentation/"
