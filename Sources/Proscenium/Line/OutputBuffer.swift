// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The latest frames of one session, as a pure value.
///
/// Frames are numbered from 1 on. There is room for so many; when one more comes, the oldest go. A
/// frame that is held does not leave, and neither does any that comes after it, until what it shows
/// is durable.
struct OutputBuffer: Sendable {
  /// How much is kept.
  struct Limit: Sendable, Equatable {
    var frames: Int
    var bytes: Int
  }

  private let limit: Limit
  private var frames = Queue<SceneMessage>()
  /// The number of the first frame that is kept, or that will be.
  private(set) var first: UInt64 = 1
  /// The number that the next frame gets.
  private(set) var next: UInt64 = 1
  /// The number of the last frame that may leave; 0 if none ever could.
  private(set) var lastReleased: UInt64 = 0
  /// The number of the last frame that was held when it was appended.
  private var lastHeld: UInt64 = 0
  /// How many bytes the frames have that are kept.
  private(set) var byteCount = 0

  init(limit: Limit) {
    self.limit = limit
  }

  /// Goes on where another buffer was.
  ///
  /// - Parameters:
  ///   - limit: How much is kept.
  ///   - skipped: How many frames there were that are not kept.
  ///   - kept: The frames that are; all of them may leave.
  init(limit: Limit, skipped: UInt64, _ kept: [SceneMessage]) {
    self.limit = limit
    (first, next, lastReleased) = (skipped + 1, skipped + 1, skipped)
    for frame in kept { _ = append(frame, isHeld: false) }
  }

  /// The frames that are kept and may leave.
  var released: [SceneMessage] {
    lastReleased < first ? [] : Array(frames.elements.prefix(Int(lastReleased - first + 1)))
  }

  /// How many frames are kept.
  var count: Int { Int(next - first) }

  /// Appends a frame, and drops the oldest ones for which there is no room any more.
  ///
  /// - Parameters:
  ///   - content: What the client gets.
  ///   - isHeld: Whether it waits until its effect is durable.
  /// - Returns: The frame's number.
  mutating func append(_ content: SceneMessage, isHeld: Bool) -> UInt64 {
    frames.append(content)
    byteCount += content.count
    if isHeld {
      lastHeld = next
    } else if lastReleased == next - 1 {
      lastReleased = next
    }
    next += 1
    while count > limit.frames || byteCount > limit.bytes { dropFirst() }
    return next - 1
  }

  /// Lets frames leave that were held, since what they show is durable.
  ///
  /// - Parameter number: The last one; those behind it that were not held themselves leave as well.
  mutating func release(through number: UInt64) {
    lastReleased = number >= lastHeld ? next - 1 : max(lastReleased, number)
  }

  /// Takes back frames that were held and never left, since what they show is lost; their numbers
  /// are given again.
  ///
  /// - Parameter number: The first one; all behind it go as well.
  mutating func takeBack(from number: UInt64) {
    while next > max(number, lastReleased + 1), let frame = frames.popLast() {
      byteCount -= frame.count
      next -= 1
    }
    lastHeld = min(lastHeld, next - 1)
  }

  /// The frame with a number; nil if it is not kept, or may not leave yet.
  func frame(_ number: UInt64) -> SceneMessage? {
    guard number >= first, number <= lastReleased else { return nil }
    return frames[Int(number - first)]
  }

  /// Drops the frames up to a number, which no client needs any more.
  mutating func drop(through number: UInt64) {
    while first <= min(number, lastReleased) { dropFirst() }
  }

  private mutating func dropFirst() {
    guard let frame = frames.popFirst() else { return }
    byteCount -= frame.count
    first += 1
  }
}
