// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring

/// Does the work of one path, for `scripts/bench-counts` to count.
///
/// Without an argument it prints the names of the paths; with one, how many operations were
/// counted.
@main
enum Counts {
  private static let paths = [LifePath.all, ClientPath.all, StatePath.all].reduce(into: [:]) {
    $0.merge($1) { left, _ in left }
  }

  static func main() {
    guard let name = CommandLine.arguments.dropFirst().first else {
      return print(paths.keys.sorted().joined(separator: "\n"))
    }
    CallingThread.main.run {
      do {
        guard let path = paths[name] else { throw BenchmarkFailure("there is no such path") }
        print(try await path())
        exit(0)
      } catch {
        BenchmarkFailure("\(name): \(error)").end()
      }
    }
  }
}
