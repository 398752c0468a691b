// SPDX-License-Identifier: Apache-2.0

import Foundation

extension SymbolGraph {
  /// Asks the compiler which public symbols a module of this build has.
  ///
  /// - Parameter module: The module.
  /// - Returns: Its symbols, without those that every type of their kind has.
  /// - Throws: If the tool fails, with what it said.
  static func extracted(from module: String) async throws -> SymbolGraph {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("proscenium-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let errors = folder.appendingPathComponent("errors")
    try Data().write(to: errors)
    let process = Process()
    // The `swift` of the path finds the tool that is next to it.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "symbolgraph-extract", "-module-name", module, "-I", build.path + "/Modules",
      "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder.path,
    ]
    for map in try moduleMaps() { process.arguments? += ["-Xcc", "-fmodule-map-file=" + map] }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let handle = try FileHandle(forWritingTo: errors)
    process.standardError = handle
    let (end, ended) = AsyncStream<Never>.makeStream()
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
    defer { if process.isRunning { process.terminate() } }
    try handle.close()
    // Awaited without a thread, which would run no other test.
    for await _ in end {}
    try Task.checkCancellation()
    guard process.terminationStatus == 0 else {
      throw ToolFailure(description: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
    let graph = try Data(contentsOf: folder.appendingPathComponent(module + ".symbols.json"))
    return SymbolGraph(try JSONDecoder().decode(File.self, from: graph))
  }

  /// The folder of the build that these tests are of: the modules are next to the tests' bundle.
  private static var build: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
  }

  /// What tells the compiler of the modules in C that Swift modules import.
  private static func moduleMaps() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: build.path).sorted()
      .filter { $0.hasSuffix(".build") }
      .map { build.path + "/" + $0 + "/module.modulemap" }
      .filter(FileManager.default.fileExists)
  }

  /// The tool has failed.
  private struct ToolFailure: Error, CustomStringConvertible {
    let description: String
  }
}
