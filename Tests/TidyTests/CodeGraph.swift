// SPDX-License-Identifier: Apache-2.0

/// Which file uses which, and how large the types are: what shows whether code has a direction.
///
/// A path begins with the name of a target; what is between that and the file's name is its folder.
struct CodeGraph: Sendable {
  /// A symbol that one file of a target uses and another defines.
  struct Use: Hashable, Sendable {
    let user: String
    let used: String
    let symbol: String
  }

  struct Site: Sendable {
    /// The line of the first use.
    let line: Int
    var count: Int
  }

  /// A type with all its extensions.
  struct NominalType: Sendable {
    /// With the names of the types around it.
    let name: String
    let path: String
    /// Methods and initializers that are written.
    var methods = 0
    /// Without those of types inside it.
    var lines = 0
    var isProtocol = false
    /// What conforms to it in the sources, and elsewhere, directly or by another protocol.
    var conformers: Set<String> = []
    var otherConformers: Set<String> = []
  }

  /// The number of lines of each file.
  var lines: [String: Int] = [:]
  var uses: [Use: Site] = [:]
  var types: [NominalType] = []

  static func target(of path: String) -> String { String(path.prefix { $0 != "/" }) }

  static func folder(of path: String) -> String {
    let folders = path.split(separator: "/").dropFirst().dropLast()
    return folders.isEmpty ? "." : folders.joined(separator: "/")
  }

  var targets: [String] { Set(lines.keys.map(Self.target)).sorted() }

  func folders(of target: String) -> [String: [String]] {
    Dictionary(grouping: lines.keys.filter { Self.target(of: $0) == target }, by: Self.folder)
  }

  func lineCount(of files: [String]) -> Int { files.reduce(0) { $0 + lines[$1, default: 0] } }

  /// The sets of files that use each other, the largest first.
  func fileCycles(of target: String) -> [[String]] { cycles(of: target) { $0 } }

  /// The sets of folders whose files use each other, the largest first.
  func folderCycles(of target: String) -> [[String]] { cycles(of: target, Self.folder) }

  private func cycles(of target: String, _ group: (String) -> String) -> [[String]] {
    var edges: [String: Set<String>] = [:]
    for use in uses.keys where Self.target(of: use.user) == target {
      let (user, used) = (group(use.user), group(use.used))
      if user != used { edges[user, default: []].insert(used) }
    }
    return Cycles.find(in: edges)
  }

  /// What is over a limit, and its size.
  func findings() -> [String: Int] {
    var findings: [String: Int] = [:]
    func limit(_ subject: String, _ value: Int, to most: Int) {
      if value > most { findings[subject] = value }
    }
    for target in targets {
      for (folder, files) in folders(of: target) {
        limit("\(target): files of folder \(folder)", files.count, to: 30)
        limit("\(target): lines of folder \(folder)", lineCount(of: files), to: 4_000)
      }
      limit("\(target): folders in cycles", folderCycles(of: target).joined().count, to: 0)
      let cycle = fileCycles(of: target).first ?? []
      limit("\(target): files of the largest cycle", cycle.count, to: 12)
    }
    for type in types {
      let name = "\(Self.target(of: type.path)): \(type.name)"
      limit("\(name): methods and initializers", type.methods, to: 40)
      limit("\(name): lines", type.lines, to: 900)
      if type.isProtocol, type.conformers.count < 2, type.otherConformers.isEmpty {
        limit("\(name): protocol without two conformers", 1, to: 0)
      }
    }
    return findings
  }

  /// How findings differ from what is allowed of them.
  static func complaints(_ findings: [String: Int], allowed: [String: Int]) -> [String] {
    Set(findings.keys).union(allowed.keys).sorted().compactMap { subject in
      let (value, most) = (findings[subject] ?? 0, allowed[subject] ?? 0)
      if value > most { return "\(subject): \(value), and \(most) are allowed" }
      return value < most ? "\(subject): \(value), lower the allowance of \(most)" : nil
    }
  }
}
