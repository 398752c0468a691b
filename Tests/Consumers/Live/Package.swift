// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A program with pages; scripts/test-consumers says where the runtime is.
let package = Package(
  name: "counter",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      url: Context.environment["PROSCENIUM_URL"] ?? "file:///proscenium", from: "0.1.0",
      traits: ["Live"])
  ],
  targets: [
    .executableTarget(
      name: "Counter",
      dependencies: [
        .product(name: "ProsceniumLive", package: "proscenium"),
        .product(name: "ProsceniumSQLite", package: "proscenium"),
      ])
  ]
)
