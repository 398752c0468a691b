// SPDX-License-Identifier: Apache-2.0

/// The version of the program and of the package, by the rules of semantic versioning.
enum ProgramVersion {
  static let current = "0.1.0"
}
