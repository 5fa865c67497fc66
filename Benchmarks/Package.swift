// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]
let dependencies: [Target.Dependency] = [.product(name: "GstPlayer", package: "mpris-playerd")]

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "mpris-playerd", path: "..")],
  targets: [
    .executableTarget(name: "boundary-error", dependencies: dependencies, swiftSettings: settings),
    .executableTarget(name: "start-at", dependencies: dependencies, swiftSettings: settings),
  ]
)
