// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A program that embeds the runtime alone; scripts/test-consumers says where the runtime is.
let package = Package(
  name: "plain",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      url: Context.environment["PROSCENIUM_URL"] ?? "file:///proscenium", from: "0.1.0", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "Plain", dependencies: [.product(name: "Proscenium", package: "proscenium")])
  ]
)
