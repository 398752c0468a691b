// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// Something that accompanies the applications of a load test, such as a live page.
///
/// A test can launch several applications, one after another; each is accompanied.
public protocol LoadCompanion: Sendable {
  /// Takes note of an event, in the task in which it happens; it must be short.
  func see(_ event: LifecycleEvent)

  /// Accompanies an application until the task is cancelled.
  ///
  /// - Parameters:
  ///   - application: The application.
  ///   - isReady: Is called once, when the load may begin.
  /// - Throws: Whatever makes the test end, before or after it is ready.
  func accompany(_ application: Application, isReady: @escaping @Sendable () -> Void) async throws
}
