// swift-tools-version: 6.2
import PackageDescription

/// The one list of settings; every target of ours gets it, tests included.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .strictMemorySafety(),  // SE-0458
  .treatAllWarnings(as: .error),  // SE-0443
]

let package = Package(
  name: "mpris-playerd",
  products: [
    .executable(name: "mpris-playerd", targets: ["mpris-playerd"]),
    .library(name: "GstPlayer", targets: ["GstPlayer"]),
    .library(name: "Playback", targets: ["Playback"]),
    .library(name: "MPRISService", targets: ["MPRISService"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    // The C boundary: one module map and one shim each.
    .systemLibrary(
      name: "CGst", pkgConfig: "gstreamer-audio-1.0",
      providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),

    // Two columns that never import each other. Playback decides, with the standard library alone; GstPlayer plays.
    .target(name: "Playback", swiftSettings: settings),
    .target(name: "GstPlayer", dependencies: ["CGst", "Playback"], swiftSettings: settings),
    .target(name: "EventLoop", dependencies: ["CLinux"], swiftSettings: settings),
    .target(name: "DBus", dependencies: ["CDBus", "EventLoop"], swiftSettings: settings),
    .target(name: "MPRISService", dependencies: ["DBus"], swiftSettings: settings),
    .target(name: "PlayerdInterfaces", dependencies: ["DBus", "MPRISService"], swiftSettings: settings),

    // Text in, values out: it knows neither of the columns.
    .target(name: "PlaylistFormats", dependencies: ["CExpat"], swiftSettings: settings),

    // The only place that sees both.
    .executableTarget(
      name: "mpris-playerd",
      dependencies: [
        "GstPlayer", "DBus", "EventLoop", "MPRISService", "PlayerdInterfaces", "PlaylistFormats",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        "TOMLKit",
      ],
      swiftSettings: settings),

    // Programs of a page each; they are built with the tests, so they stay true.
    .executableTarget(
      name: "quarters", dependencies: ["GstPlayer"], path: "Examples/Quarters", swiftSettings: settings),

    .target(name: "TestSupport", dependencies: ["DBus"], path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(name: "PlaybackTests", dependencies: ["Playback", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "GstPlayerTests", dependencies: ["CGst", "GstPlayer", "Playback", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "PlaylistFormatsTests", dependencies: ["PlaylistFormats", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "DBusTests", dependencies: ["DBus", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "MPRISServiceTests", dependencies: ["MPRISService", "DBus", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "PlayerdInterfacesTests", dependencies: ["PlayerdInterfaces", "MPRISService", "DBus", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "mpris-playerd", "DBus", "GstPlayer", "MPRISService", "Playback", "PlayerdInterfaces", "PlaylistFormats",
        "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests", dependencies: ["mpris-playerd", "DBus", "TestSupport"], swiftSettings: settings),
  ]
)
