// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A team's program, and its tests on Linux; scripts/test-consumers says where Proscenium is.
let uiKit: [SwiftSetting] = [
  .unsafeFlags(
    [
      "-module-alias", "UIKit=ProsceniumUIKit",
      "-module-alias", "_Testing_UIKit=_Testing_Foundation",
    ], .when(platforms: [.linux]))
]

let package = Package(
  name: "recipes",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(
      url: Context.environment["PROSCENIUM_URL"] ?? "file:///proscenium", from: "0.1.0", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "Recipes",
      dependencies: [
        "Elsewhere",
        .product(
          name: "ProsceniumUIKit", package: "proscenium", condition: .when(platforms: [.linux])),
      ],
      exclude: ["Info.plist"], swiftSettings: uiKit),
    .target(name: "Elsewhere"),
    .testTarget(
      name: "RecipesTests",
      dependencies: [
        "Recipes", "Elsewhere",
        .product(
          name: "ProsceniumUIKitTestKit", package: "proscenium",
          condition: .when(platforms: [.linux])),
      ], swiftSettings: uiKit),
  ]
)
