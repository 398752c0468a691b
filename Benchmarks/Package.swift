// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that who embeds the runtime never builds it.
let package = Package(
  name: "proscenium-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "proscenium", path: ".."),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibcrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(
      name: "CFloors", dependencies: ["CLibcrypto"], cSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "Measuring",
      dependencies: [
        "CFloors",
        .product(name: "Proscenium", package: "proscenium"),
        .product(name: "ProsceniumSQLite", package: "proscenium"),
        .product(name: "ProsceniumLoad", package: "proscenium"),
        .product(name: "ProsceniumJemalloc", package: "proscenium"),
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .executableTarget(
      name: "Results",
      dependencies: [.product(name: "ProsceniumLoad", package: "proscenium")]),
  ],
  swiftLanguageModes: [.v6]
)

/// A suite is a program of its own, in the folder of its name.
func suite(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "Measuring", "CFloors",
      .product(name: "Benchmark", package: "benchmark"),
      .product(name: "Proscenium", package: "proscenium"),
      .product(name: "ProsceniumSQLite", package: "proscenium"),
    ] + dependencies,
    path: name)
}

package.targets += [
  suite("Delivery"),
  suite("Launch"),
  suite("Memory"),
  suite("Requests"),
  suite("Restore"),
  suite(
    "Simulation", [.product(name: "ProsceniumSimulation", package: "proscenium")]),
  suite("Routing", [.product(name: "ProsceniumLoad", package: "proscenium")]),
  suite("Snapshot"),
  .executableTarget(
    name: "Counts",
    dependencies: [
      "Measuring", "CFloors",
      .product(name: "Proscenium", package: "proscenium"),
      .product(name: "ProsceniumLoad", package: "proscenium"),
      .product(name: "ProsceniumPredicate", package: "proscenium"),
      .product(name: "ProsceniumSQLite", package: "proscenium"),
      .product(name: "ProsceniumSimulation", package: "proscenium"),
    ],
    path: "Counts"),
]

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

for target in package.targets where !target.name.hasPrefix("C") {
  target.swiftSettings = settings
}
