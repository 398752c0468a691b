// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a package gets that depends on this one.
struct EmbedderTests {
  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(
      name: "embedder", platforms: [.macOS(.v15)],
      dependencies: [.package(name: "proscenium", path: "\(root)", traits: [])],
      targets: [
        .executableTarget(
          name: "Embedder", dependencies: [.product(name: "Proscenium", package: "proscenium")])
      ])
    """

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  @Test func `the runtime alone brings a log and metrics, and nothing else`() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("Package.swift", Self.manifest)
    let run = try await ProgramRun(
      shell: """
        cd '\(folder.path)' && mkdir -p Sources/Embedder && touch Sources/Embedder/main.swift
        unset PROSCENIUM_TESTS
        swift package resolve > log.txt 2>&1 || cat log.txt
        ls .build/checkouts
        """)
    #expect(run.output == "swift-log\nswift-metrics\n")
  }
}
