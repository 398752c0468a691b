// SPDX-License-Identifier: Apache-2.0

import Logging
import ProsceniumUIKit

/// Which of a test program's devices has a process: one at a time, in the order in which they ask.
@MainActor
final class DeviceTurn {
  static let shared = DeviceTurn()

  private struct Holder {
    let program: UIKitProgram
    let task: Int?
    let place: String
  }

  private struct Waiter {
    let number: Int
    let holder: Holder
    /// Ends when it is the holder's turn.
    let turn: AsyncStream<Never>.Continuation
  }

  private var holder: Holder?
  private var waiters: [Waiter] = []
  private var count = 0
  private let log = Logger(label: "UIKitDevice")

  /// How many launches wait.
  var waitingCount: Int { waiters.count }

  /// Waits for the turn of a device.
  ///
  /// - Parameters:
  ///   - program: The device's program.
  ///   - place: Where the launch is, for who waits for it.
  /// - Throws: `otherDevice` if the same task has launched the device that has the turn;
  ///   `CancellationError` if the task is cancelled while it waits.
  func take(for program: UIKitProgram, at place: String) async throws {
    let asking = Holder(program: program, task: Self.currentTask, place: place)
    guard let holder, holder.program !== program else {
      begin(asking)
      return
    }
    if let task = asking.task, task == holder.task {
      throw UIKitDeviceError(
        .otherDevice,
        "another device was launched at \(holder.place); expected that its process was killed or "
          + "terminated before: one device has a process at a time")
    }
    log.debug("\(place) waits until the process that was launched at \(holder.place) has ended")
    let turn = AsyncStream<Never>.makeStream()
    count += 1
    let number = count
    waiters.append(Waiter(number: number, holder: asking, turn: turn.continuation))
    for await _ in turn.stream {}
    guard waiters.contains(where: { $0.number == number }) else { return }
    waiters.removeAll { $0.number == number }
    throw CancellationError()
  }

  /// Gives the turn of a device to the next one.
  func give(of program: UIKitProgram) {
    guard holder?.program === program else { return }
    guard !waiters.isEmpty else {
      holder = nil
      return
    }
    let next = waiters.removeFirst()
    begin(next.holder)
    next.turn.finish()
  }

  private func begin(_ next: Holder) {
    holder = next
    UIKitProgram.running = next.program
    // What an earlier device left is not this one's.
    _ = Faults.take()
  }

  private static var currentTask: Int? {
    unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
  }
}
