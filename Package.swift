// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors where this package is developed, and not in packages that depend on it: a newer compiler has new warnings.
let warningsAreErrors: [SwiftSetting] =
  Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]  // SE-0443

/// The one list of settings; every target of ours gets it, tests included.
let settings: [SwiftSetting] =
  warningsAreErrors + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .strictMemorySafety(),  // SE-0458
  ]

/// A product that only the daemon and its command line use.
///
/// A package that depends on a library with `traits: []` does not fetch it.
func ofDaemon(_ product: String, package: String) -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: ["Daemon"]))
}

/// The publishers of AVFoundation are built only with the trait of this name; otherwise SwiftPM does not fetch it.
let openCombinePackage = Package.Dependency.package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")
func openCombine(_ product: String) -> Target.Dependency {
  .product(name: product, package: "OpenCombine", condition: .when(traits: ["OpenCombine"]))
}
let publishers = openCombine("OpenCombine")

let package = Package(
  name: "mpris-playerd",
  products: [
    .executable(name: "mpris-playerd", targets: ["mpris-playerd"]),
    .executable(name: "mpris-playerd-engine", targets: ["mpris-playerd-engine"]),
    .library(name: "GstPlayer", targets: ["GstPlayer"]),
    .library(name: "Playback", targets: ["Playback"]),
    .library(name: "MPRISService", targets: ["MPRISService"]),
    .library(name: "PlayerMPRIS", targets: ["PlayerMPRIS"]),
    .library(name: "DBus", targets: ["DBus", "EventLoop"]),
    .library(name: "CoreMedia", targets: ["CoreMedia"]),
    .library(name: "AVFAudio", targets: ["AVFAudio"]),
    .library(name: "AVFoundation", targets: ["AVFoundation"]),
    .library(name: "AVKit", targets: ["AVKit"]),
    .library(name: "MediaPlayer", targets: ["MediaPlayer"]),
  ],
  traits: [
    .trait(name: "Daemon", description: "The daemon and its command line, and their packages"),
    .trait(name: "OpenCombine", description: "Adds publisher(for:options:) to AVFoundation"),
    .default(enabledTraits: ["Daemon"]),
  ],
  dependencies: [
    openCombinePackage,
    // Only the daemon has them, so a program that uses the libraries is free to have other versions.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
  ],
  targets: [
    // The C boundary: one module map and one shim each.
    .systemLibrary(
      name: "CGst", pkgConfig: "gstreamer-audio-1.0",
      providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
    .systemLibrary(name: "CEbur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
    // Not linked: it is used only if GStreamer's plug-in has loaded it.
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Not linked: it is loaded when a terminal is shown.
    .systemLibrary(name: "CTerminfo", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CMd", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),

    // Bytes of URIs and of text in files, for both columns; the standard library alone.
    .target(name: "TextCoding", swiftSettings: settings),

    // Two columns that never import each other. Playback decides, with the standard library alone; GstPlayer plays.
    .target(name: "Playback", exclude: ["Machine/README.md"], swiftSettings: settings),
    // The clock and the timers of players, with libdispatch.
    .target(name: "PlayerClock", dependencies: ["Playback"], swiftSettings: settings),
    // The samples of a plan of parts as one run, for an output; pure.
    .target(name: "Joining", dependencies: ["Playback"], swiftSettings: settings),
    .target(
      name: "GstPlayer",
      dependencies: [
        "CEbur128", "CGst", "CPulse", "EngineProcess", "Joining", "Playback", "PlayerClock", "TextCoding",
      ],
      swiftSettings: settings),
    .target(name: "EventLoop", dependencies: ["CLinux"], swiftSettings: settings),
    // Any engine of Playback in a process of its own: both ends of the socket.
    .target(
      name: "EngineProcess",
      dependencies: ["CLinux", "EventLoop", "Joining", "Playback", "PlayerClock", "TextCoding"],
      swiftSettings: settings),
    // The restrictions of that process; only its program links libseccomp.
    .target(
      name: "EngineSandbox", dependencies: ["CLinux", "CSeccomp", "EngineProcess"], swiftSettings: settings),
    .target(name: "DBus", dependencies: ["CDBus", "EventLoop"], swiftSettings: settings),
    .target(name: "MPRISService", dependencies: ["DBus", "EventLoop", "TextCoding"], swiftSettings: settings),
    // A player of Playback as an MPRIS player.
    .target(
      name: "PlayerMPRIS", dependencies: ["MPRISService", "Playback", "TextCoding"], swiftSettings: settings),
    .target(name: "PlayerdInterfaces", dependencies: ["DBus", "MPRISService"], swiftSettings: settings),

    // The times of Apple's framework of this name; with Foundation, for NSValue.
    .target(name: "CoreMedia", swiftSettings: settings),

    // The audio player and the audio session of Apple's framework of this name, over GstPlayer.
    .target(
      name: "AVFAudio", dependencies: ["CLinux", "CoreMedia", "DBus", "EventLoop", "GstPlayer"], swiftSettings: settings
    ),

    // The player and the media of Apple's framework of this name, over GstPlayer.
    .target(
      name: "AVFoundation", dependencies: ["AVFAudio", "CoreMedia", "GstPlayer", publishers], swiftSettings: settings),

    // The import of Apple's framework of this name, without its views.
    .target(name: "AVKit", dependencies: ["AVFoundation"], swiftSettings: settings),

    // The now playing info and the remote commands of Apple's framework of this name, over MPRIS.
    .target(
      name: "MediaPlayer", dependencies: ["AVFAudio", "AVFoundation", "DBus", "MPRISService", "PlayerMPRIS"],
      swiftSettings: settings),

    // Text in, values out: it knows neither of the columns.
    .target(name: "PlaylistFormats", dependencies: ["CExpat", "CZlib", "TextCoding"], swiftSettings: settings),

    // Processes, files and text, as the daemon and the command line need them; nothing of playback and of the bus.
    .target(
      name: "PlayerdSystem",
      dependencies: ["CMd", "EventLoop", "TextCoding", ofDaemon("Logging", package: "swift-log")],
      swiftSettings: settings),
    // The keys of the configuration and where their values come from; the only user of TOMLKit.
    .target(
      name: "PlayerdConfiguration",
      dependencies: [
        "EngineProcess", "MPRISService", "Playback", "PlayerMPRIS", "PlayerdSystem", "TextCoding",
        ofDaemon("Logging", package: "swift-log"),
        ofDaemon("TOMLKit", package: "TOMLKit"),
      ],
      swiftSettings: settings),
    // The files that outlast a daemon: its session, its positions in long files, its playlists.
    .target(
      name: "PlayerdStorage",
      dependencies: [
        "DBus", "MPRISService", "Playback", "PlayerdInterfaces", "PlayerdSystem", "PlaylistFormats", "TextCoding",
        ofDaemon("Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // The media framework of the daemon, of the commands and of doctor: the processes of the engine.
    .target(
      name: "PlayerdMedia",
      dependencies: [
        "EngineProcess", "Playback", "PlayerClock", "PlayerdConfiguration", "PlayerdSystem",
        ofDaemon("Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // The daemon, over any media framework.
    .target(
      name: "PlayerdService",
      dependencies: [
        "DBus", "EngineProcess", "EventLoop", "MPRISService", "Playback", "PlayerMPRIS", "PlayerdConfiguration",
        "PlayerdInterfaces", "PlayerdMedia", "PlayerdStorage", "PlayerdSystem", "PlaylistFormats", "TextCoding",
        ofDaemon("Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // A running daemon as its clients see it, over the bus alone: its state as text, the screen, `watch`.
    .target(
      name: "PlayerdClient",
      dependencies: [
        "CTerminfo", "DBus", "EventLoop", "MPRISService", "PlayerdInterfaces", "PlayerdSystem", "TextCoding",
        ofDaemon("Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // The checks of `doctor`.
    .target(
      name: "PlayerdDoctor",
      dependencies: [
        "DBus", "EventLoop", "MPRISService", "Playback", "PlayerdClient", "PlayerdConfiguration", "PlayerdInterfaces",
        "PlayerdMedia", "PlayerdStorage", "PlayerdSystem", "TextCoding",
      ],
      swiftSettings: settings),
    // The commands: the only user of ArgumentParser.
    .target(
      name: "Playerd",
      dependencies: [
        "DBus", "EventLoop", "MPRISService", "Playback", "PlayerMPRIS", "PlayerdClient", "PlayerdConfiguration",
        "PlayerdDoctor", "PlayerdInterfaces", "PlayerdMedia", "PlayerdService", "PlayerdStorage", "PlayerdSystem",
        "PlaylistFormats", "TextCoding",
        ofDaemon("ArgumentParser", package: "swift-argument-parser"),
        ofDaemon("Logging", package: "swift-log"),
      ],
      swiftSettings: settings),

    // The command line and the daemon do not link GStreamer; it runs in the engine's program.
    .executableTarget(name: "mpris-playerd", dependencies: ["Playerd"], swiftSettings: settings),
    .executableTarget(
      name: "mpris-playerd-engine", dependencies: ["EngineProcess", "EngineSandbox", "GstPlayer"],
      swiftSettings: settings),

    // Programs of a page each; they are built with the tests, so they stay true.
    .executableTarget(
      name: "quarters", dependencies: ["GstPlayer"], path: "Examples/Quarters", swiftSettings: settings),
    .executableTarget(
      name: "hello-mpris", dependencies: ["MPRISService"], path: "Examples/HelloMPRIS", swiftSettings: settings),
    .executableTarget(
      name: "media-keys", dependencies: ["MPRISService"], path: "Examples/MediaKeys", swiftSettings: settings),
    .executableTarget(
      name: "watch-name", dependencies: ["DBus"], path: "Examples/WatchName", swiftSettings: settings),
    .executableTarget(
      name: "avfoundation-examples", dependencies: ["AVFoundation"], path: "Examples/AVFoundation",
      swiftSettings: settings),
    .executableTarget(
      name: "now-playing", dependencies: ["AVFoundation", "MediaPlayer"], path: "Examples/NowPlaying",
      swiftSettings: settings),

    .systemLibrary(
      name: "CGLib", path: "Examples/CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .executableTarget(
      name: "glib-loop", dependencies: ["CGLib", "DBus", "MPRISService"], path: "Examples/GLibLoop",
      swiftSettings: settings),
    // Empty without the trait OpenCombine.
    .target(
      name: "CombineExample", dependencies: ["AVFoundation", openCombine("OpenCombineShim")], path: "Examples/Combine",
      swiftSettings: settings),

    // A program with a main loop of GLib, as GTK and Qt run it.
    .executableTarget(
      name: "glib-program", dependencies: ["AVFoundation", "CGst", "MediaPlayer"], path: "Tests/GLibProgram",
      swiftSettings: settings),

    // Players and parts of the daemon over a simulated engine, bus, disk and login manager; no product contains them.
    .target(
      name: "Simulation",
      dependencies: [
        "CDBus", "DBus", "EngineProcess", "EventLoop", "MPRISService", "Playback", "PlayerdConfiguration",
        "PlayerdInterfaces", "PlayerdMedia", "PlayerdService", "PlayerdStorage", "PlayerdSystem",
        ofDaemon("Logging", package: "swift-log"),
      ],
      path: "Tests/Simulation", swiftSettings: settings),
    .executableTarget(
      name: "simulate", dependencies: ["Playback", "Simulation"], path: "Tests/Simulate", swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["DBus", "EventLoop"], path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(name: "TextCodingTests", dependencies: ["TextCoding"], swiftSettings: settings),
    .testTarget(name: "JoiningTests", dependencies: ["Joining", "Playback"], swiftSettings: settings),
    .testTarget(name: "PlaybackTests", dependencies: ["Playback", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SimulationTests", dependencies: ["Playback", "Simulation"], exclude: ["Reports"], swiftSettings: settings),
    // The model of the simulation beside GStreamer.
    .testTarget(
      name: "ModelAgreementTests", dependencies: ["CGst", "GstPlayer", "Playback", "Simulation", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "GstPlayerTests",
      dependencies: [
        "CGst", "EngineProcess", "EventLoop", "GstPlayer", "Joining", "Playback", "PlayerClock", "TestSupport",
        "TextCoding",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DeckTests",
      dependencies: [
        "CGst", "EngineProcess", "EventLoop", "GstPlayer", "Joining", "Playback", "PlayerClock", "TestSupport",
        "TextCoding",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EngineProcessTests",
      dependencies: [
        "mpris-playerd-engine", "CLinux", "CSeccomp", "EngineProcess", "EngineSandbox", "EventLoop", "GstPlayer",
        "Joining", "Playback", "PlayerClock", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PlaylistFormatsTests", dependencies: ["PlaylistFormats", "TestSupport", "TextCoding"],
      swiftSettings: settings),
    .testTarget(
      name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "DBusTests", dependencies: ["CDBus", "DBus", "EventLoop", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "MPRISServiceTests", dependencies: ["MPRISService", "DBus", "EventLoop", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PlayerMPRISTests",
      dependencies: ["DBus", "GstPlayer", "MPRISService", "PlayerMPRIS", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "PlayerdInterfacesTests",
      dependencies: ["PlayerdInterfaces", "MPRISService", "DBus", "EventLoop", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "mpris-playerd", "DBus", "EngineProcess", "EventLoop", "GstPlayer", "MPRISService", "Playback", "Playerd",
        "PlayerdClient", "PlayerdConfiguration", "PlayerdDoctor", "PlayerdInterfaces", "PlayerdMedia", "PlayerdService",
        "PlayerMPRIS", "PlayerdStorage", "PlayerdSystem", "PlaylistFormats", "TestSupport", "TextCoding",
        ofDaemon("ArgumentParser", package: "swift-argument-parser"),
        ofDaemon("Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .testTarget(name: "CoreMediaTests", dependencies: ["CoreMedia"], swiftSettings: settings),
    .testTarget(
      name: "AVFAudioTests", dependencies: ["AVFAudio", "AVKit", "DBus", "EventLoop", "GstPlayer", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AVFoundationTests",
      dependencies: [
        "AVFAudio", "AVFoundation", "avfoundation-examples", "CombineExample", "GstPlayer", "Playback", "TestSupport",
        openCombine("OpenCombineShim"), publishers,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MediaPlayerTests",
      dependencies: [
        "glib-program", "now-playing",
        "AVFAudio", "AVFoundation", "DBus", "EventLoop", "GstPlayer", "MPRISService", "MediaPlayer", "TestSupport",
      ],
      swiftSettings: settings),
    // Code for Apple's systems from before Swift 6.
    .testTarget(
      name: "Swift5Tests",
      dependencies: ["AVFAudio", "AVFoundation", "AVKit", "GstPlayer", "MediaPlayer", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // The code of the documentation's pages.
    .testTarget(
      name: "ListingTests",
      dependencies: [
        "AVFAudio", "AVFoundation", "CoreMedia", "GstPlayer", "DBus", "EventLoop", "MPRISService", "MediaPlayer",
        "PlayerMPRIS", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "glib-loop", "hello-mpris", "media-keys", "mpris-playerd", "mpris-playerd-engine", "watch-name",
        "DBus", "EventLoop", "Playback", "Simulation", "TestSupport",
      ],
      exclude: ["Fixtures"], swiftSettings: settings),
  ]
)

// Only `make docs` needs the plugin: programs that use the libraries do not fetch it.
if Context.environment["MAKE_DOCS"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}

// `make lint` compares the public API of the libraries with the last release, and builds them alone: SwiftPM 6.3 passes the
// module map of TOMLKit's C target to swift-api-digester twice, which is an error.
if Context.environment["API_ONLY"] != nil {
  package.dependencies = [openCombinePackage]
  package.products.removeAll { $0 is Product.Executable }
  package.targets.removeAll {
    [.executable, .test].contains($0.type) || $0.name.hasPrefix("Playerd")
      || ["CGLib", "Simulation"].contains($0.name)
  }
}

// `scripts/build.sh` builds both programs with one command, because a second one would begin with the largest module of the
// engine when the first one has ended.
if Context.environment["PROGRAMS_ONLY"] != nil {
  var kept: Set = ["mpris-playerd", "mpris-playerd-engine"]
  var isComplete = false
  while !isComplete {
    let needed = package.targets.filter { kept.contains($0.name) }.flatMap(\.dependencies).compactMap {
      if case .byNameItem(let name, _) = $0, !kept.contains(name) { name } else { String?.none }
    }
    isComplete = needed.isEmpty
    kept.formUnion(needed)
  }
  package.products.removeAll { !($0 is Product.Executable) }
  package.targets.removeAll { !kept.contains($0.name) }
}
