# Nix. Not run: there is no nixpkgs in the project's checks. Checked with nix-instantiate --parse.
#
# nix-build -E '(import <nixpkgs> { }).callPackage ./package.nix { src = ./mpris-playerd-0.3.0.tar.xz; }'
#
# `src` is the archive of `make dist`, with the Swift packages. `swift` is a toolchain of version 6.2 or newer.
{
  lib,
  stdenv,
  src,
  swift,
  swiftpm,
  pkg-config,
  python3,
  makeWrapper,
  dbus,
  expat,
  gst_all_1,
  libebur128,
  libmd,
  libpulseaudio,
  libseccomp,
  zlib,
}:

assert lib.assertMsg (lib.versionAtLeast swift.version "6.2") "mpris-playerd requires Swift 6.2 or newer";

let
  plugins = with gst_all_1; [
    gst-plugins-base
    gst-plugins-good
    gst-plugins-bad
    gst-plugins-ugly
    gst-libav
  ];
in
stdenv.mkDerivation {
  pname = "mpris-playerd";
  version = "0.3.0";
  inherit src;

  nativeBuildInputs = [
    swift
    swiftpm
    pkg-config
    python3
    makeWrapper
  ];
  buildInputs = [
    dbus
    expat
    gst_all_1.gstreamer
    libebur128
    libmd
    libpulseaudio
    libseccomp
    zlib
  ]
  ++ plugins;

  postPatch = "patchShebangs scripts";

  buildPhase = ''
    runHook preBuild
    make build
    runHook postBuild
  '';

  installPhase = ''
    runHook preInstall
    make install PREFIX=$out BINARY=$PWD/.build/release/mpris-playerd
    runHook postInstall
  '';

  # The engine finds the plug-ins of GStreamer by this variable.
  postFixup = ''
    wrapProgram $out/libexec/mpris-playerd-engine \
      --prefix GST_PLUGIN_SYSTEM_PATH_1_0 : "${lib.makeSearchPath "lib/gstreamer-1.0" plugins}"
  '';

  meta = {
    description = "Music player without a window, controlled over D-Bus";
    license = lib.licenses.asl20;
    platforms = [
      "x86_64-linux"
      "aarch64-linux"
    ];
    mainProgram = "mpris-playerd";
  };
}
