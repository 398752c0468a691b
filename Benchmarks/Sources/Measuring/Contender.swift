// SPDX-License-Identifier: Apache-2.0

/// Who does the work of a contest: the runtime, the floor, or a rival.
package struct Contender: Sendable {
  /// What its figures are compared with.
  package enum Role: Sendable {
    /// The runtime, whose allocations are counted too.
    case runtime
    /// What the machine allows: the same work in C, without anything that a runtime adds.
    case floor
    /// Another platform.
    case rival
  }

  /// The name in the results: `proscenium`, `floor`, or the platform's.
  package let name: String
  let role: Role
  let measure: @Sendable () async throws -> Reading

  /// The runtime.
  package static func runtime(
    _ name: String = "proscenium", _ measure: @escaping @Sendable () async throws -> Reading
  ) -> Self {
    Self(name: name, role: .runtime, measure: measure)
  }

  /// The floor.
  package static func floor(
    _ measure: @escaping @Sendable () async throws -> Reading
  ) -> Self {
    Self(name: "floor", role: .floor, measure: measure)
  }

  /// A rival that is a program of its own; nothing if rivals are not measured.
  ///
  /// - Parameters:
  ///   - name: Its name, which is also that of its folder.
  ///   - folder: Its folder, if it has another name.
  ///   - path: The path that it measures.
  ///   - sessions: How many sessions there are.
  ///   - seconds: How long it works.
  ///   - workers: How many producers or callers there are, or how many states in a group.
  ///   - files: A folder on the disk for its files, if the path needs one.
  /// - Returns: The rival, or nothing.
  package static func rival(
    _ name: String, folder: String? = nil, path: String, sessions: Int = 1,
    seconds: Double = Scale.current.seconds, workers: Int = 1, files: String? = nil
  ) -> [Self] {
    guard let rivals = Scale.current.rivals else { return [] }
    let program = RivalProgram(folder: "\(rivals)/\(folder ?? name)")
    let arguments = [path, "\(sessions)", "\(seconds)", "\(workers)"] + [files].compactMap(\.self)
    return [Self(name: name, role: .rival) { try program.measure(name, arguments) }]
  }
}
