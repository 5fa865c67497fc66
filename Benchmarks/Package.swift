// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "mpris-playerd", path: "..")],
  targets: [
    .executableTarget(
      name: "boundary-error", dependencies: [.product(name: "GstPlayer", package: "mpris-playerd")],
      swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)])
  ]
)
