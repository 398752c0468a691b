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

  /// Begins a callback that is an asynchronous function: up to where it first waits it runs now.
  ///
  /// It is no child task, as nothing waits for it; it is cancelled when the process ends.
  func run(callback: @escaping @MainActor () async -> Void) {
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
