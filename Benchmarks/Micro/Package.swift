// swift-tools-version: 6.2
import PackageDescription

// Apart from the package of the other benchmarks, because only these need package-benchmark.
let package = Package(
  name: "Micro",
  dependencies: [
    .package(name: "mpris-playerd", path: "../..", traits: []),
    .package(url: "https://github.com/ordo-one/package-benchmark", from: "1.29.0", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Micro",
      dependencies: [
        .product(name: "Benchmark", package: "package-benchmark"),
        .product(name: "DBus", package: "mpris-playerd"),
        .product(name: "MPRISService", package: "mpris-playerd"),
        .product(name: "Playback", package: "mpris-playerd"),
      ],
      path: "Benchmarks/Micro",
      swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)],
      plugins: [.plugin(name: "BenchmarkPlugin", package: "package-benchmark")])
  ]
)
