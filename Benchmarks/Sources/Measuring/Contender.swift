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
  ///   - name: The name that it prints, which is also that of its folder.
  ///   - title: Its name in the results, if that is another one.
  ///   - folder: Its folder, if it has another name.
  ///   - path: The path that it measures.
  ///   - flags: More of its flags.
  ///   - parameter: The parameter of the result, such as `callers=8`; any if it is nil.
  /// - Returns: The rival, or nothing.
  package static func rival(
    _ name: String, as title: String? = nil, folder: String? = nil, path: String, flags: [String],
    parameter: String? = nil
  ) -> [Self] {
    guard let rivals = Scale.current.rivals else { return [] }
    let program = RivalProgram(folder: "\(rivals)/\(folder ?? name)")
    return [
      Self(name: title ?? name, role: .rival) {
        try program.measure(name, path: path, flags: flags, parameter: parameter)
      }
    ]
  }
}
