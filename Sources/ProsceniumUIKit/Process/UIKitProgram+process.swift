// SPDX-License-Identifier: Apache-2.0

import Proscenium

// From the launch of a program to the end of its process.
extension UIKitProgram {
  /// Begins a process.
  func begin(_ process: Application) -> UIApplication {
    let application = UIApplication(process, of: self)
    self.application = application
    application.delegate = makeApplicationDelegate?()
    return application
  }

  /// How many callbacks that may not have returned are remembered.
  private static let callbackLimit = 1_000

  /// Begins a callback that is an asynchronous function: up to where it first waits it runs now.
  ///
  /// It is no child task, as nothing waits for it; it is cancelled when the process ends.
  func run(callback: @escaping @MainActor () async -> Void) {
    // Most have returned; the oldest are forgotten, which is to leave them to themselves.
    if callbacks.count == Self.callbackLimit { callbacks.removeFirst() }
    callbacks.append(Task.immediate { await callback() })
  }

  /// Ends the process: its objects are let go of.
  package func end() {
    for callback in callbacks { callback.cancel() }
    callbacks = []
    application?.release()
    application = nil
    if Self.running === self { Self.running = nil }
  }
}
