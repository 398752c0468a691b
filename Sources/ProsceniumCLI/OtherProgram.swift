// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumTerminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program whose name begins with this one's: `proscenium load live` runs `proscenium-load-live`.
///
/// It is looked for where this program is. So that what needs more packages, such as a web host, is
/// a command of its own, and this program is built without it.
struct OtherProgram {
  /// The commands that this package has as programs of their own, and the trait of each.
  static let known = ["cluster": "Cluster", "load-cluster": "Links", "load-live": "Live"]

  /// How many words a command may have.
  private static let wordLimit = 2

  private let path: String
  private let arguments: [String]

  /// The arguments as they are, or behind the name of another program, if their command is one of
  /// its own: what concerns a store in PostgreSQL, and a load test of several nodes.
  static func completed(_ arguments: [String]) -> [String] {
    let hasNodes = arguments.contains { $0 == "--cluster" || $0.hasPrefix("--cluster=") }
    if hasNodes, arguments.first == "load", arguments.dropFirst().first != "live" {
      return ["load-cluster"] + arguments.dropFirst()
    }
    let isOther =
      switch arguments.first {
      case "inspect", "verify": arguments.contains(where: StoreAddress.isAddress)
      case "store": ["copy", "init"].contains(arguments.dropFirst().first)
      default: false
      }
    return isOther ? ["cluster"] + arguments : arguments
  }

  /// The program that some arguments ask for; nil if they are for this one.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, without the name of this program.
  ///   - commands: The names of this program's own commands: a program of one word with such a name
  ///     is not run.
  ///   - folder: Where programs are looked for.
  init?(_ arguments: [String], besides commands: Set<String>, in folder: String) {
    let words = arguments.prefix(Self.wordLimit).prefix { Self.isWord($0) }
    for count in stride(from: words.count, to: 0, by: -1) {
      let name = words.prefix(count).joined(separator: "-")
      let path = folder + "/proscenium-" + name
      guard !commands.contains(name), FileManager.default.isExecutableFile(atPath: path) else {
        continue
      }
      self.path = path
      self.arguments = Array(arguments.dropFirst(count))
      return
    }
    return nil
  }

  /// What to say of arguments that ask for a program of this package which is not there; otherwise
  /// nil.
  static func advice(_ arguments: [String]) -> String? {
    let names = (1...wordLimit).map { arguments.prefix($0).joined(separator: "-") }
    return names.lazy.compactMap { name in
      known[name].map { trait in
        "expected the program proscenium-\(name) next to this one; it is built by "
          + "'swift build --traits Complete,\(trait) --product proscenium-\(name)'."
      }
    }.first
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 32 && text.first != "-"
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  /// Becomes the program; returns only if that fails.
  func execute() {
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map {
      unsafe strdup($0)
    }
    unsafe words.append(nil)
    _ = unsafe execv(path, words)
    Terminal.writeError("proscenium: \(path) cannot be run: error \(errno)\n")
  }
}
