// SPDX-License-Identifier: Apache-2.0

import Logging

/// What the program asked for that means nothing here, each said once.
///
/// A call such as `UIApplication.registerForRemoteNotifications()` is accepted, since programs make
/// it, and does nothing. So that no test takes it for more, its name is logged as a notice the
/// first time, with the label `UIKit`, and kept for the test to look at.
@MainActor
package enum Notices {
  /// How many names are kept; those beyond are neither kept nor said.
  static let limit = 1_000

  private static let log = Logger(label: "UIKit")

  /// What was said so far, in the order of the first calls.
  package private(set) static var said: [String] = []

  /// Says that a call does nothing, unless that was said before.
  ///
  /// - Parameters:
  ///   - call: Its name as the program writes it, such as `UIViewController.present`.
  ///   - reason: What it has instead, as the rest of a sentence.
  static func say(_ call: String, _ reason: String = "does nothing here") {
    let sentence = "\(call) \(reason)"
    guard said.count < limit, !said.contains(sentence) else { return }
    said.append(sentence)
    log.notice("\(sentence)")
  }
}
