// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of the repository that the rules read, and the paths that links may name.
struct SourceTree: Sendable {
  let files: [SourceFile]
  private let paths: Set<String>

  init(files: [SourceFile], otherPaths: [String] = []) {
    self.files = files
    var paths = Set(otherPaths)
    for path in files.map(\.path) + otherPaths {
      // A folder exists where a file stands in it.
      var parts = path.split(separator: "/")[...]
      while !parts.isEmpty {
        paths.insert(parts.joined(separator: "/"))
        parts = parts.dropLast()
      }
    }
    self.paths = paths
  }

  func file(at path: String) -> SourceFile? { files.first { $0.path == path } }

  func contains(_ path: String) -> Bool { path.isEmpty || paths.contains(path) }

  /// The repository that this file stands in.
  static func repository() throws -> Self {
    try Self(root: root())
  }

  /// The repository's root.
  static func root(filePath: String = #filePath) -> URL {
    var root = URL(fileURLWithPath: filePath).resolvingSymlinksInPath()
    repeat {
      root.deleteLastPathComponent()
    } while root.path != "/" && !isRoot(root)
    return root
  }

  private static func isRoot(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
  }

  private init(root: URL) throws {
    var files: [SourceFile] = []
    var others: [String] = []
    for path in try Self.paths(under: "", of: root) {
      if Self.isText(path) {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        files.append(SourceFile(path: path, text: text))
      } else {
        others.append(path)
      }
    }
    self.init(files: files, otherPaths: others)
  }

  private static func paths(under folder: String, of root: URL) throws -> [String] {
    let manager = FileManager.default
    var paths: [String] = []
    let names = try manager.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    for name in names.sorted() where !isSkipped(name, in: folder) {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      let url = root.appendingPathComponent(path)
      if try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
        paths += try Self.paths(under: path, of: root)
      } else {
        paths.append(path)
      }
    }
    return paths
  }

  /// What git ignores, and git's own folder.
  private static func isSkipped(_ name: String, in folder: String) -> Bool {
    name.hasPrefix(".build") || name.hasSuffix(".xcodeproj") || [".git", ".swiftpm"].contains(name)
      || folder.isEmpty && ["out", "Package.resolved"].contains(name)
  }

  private static func isText(_ path: String) -> Bool {
    let texts = [".swift", ".md", ".c", ".h", ".modulemap", ".yml", "Makefile"]
    return texts.contains { path.hasSuffix($0) }
      || ["scripts/", ".ci/"].contains { path.hasPrefix($0) }
  }
}
