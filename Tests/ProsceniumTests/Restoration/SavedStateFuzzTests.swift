// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
@testable import Proscenium
import Testing

/// Bytes of all kinds, most of them broken: decoding never traps.
///
/// `PROSCENIUM_FUZZ_INPUTS` sets the number of inputs.
@Suite struct SavedStateFuzzTests {
  static let count =
    ProcessInfo.processInfo.environment["PROSCENIUM_FUZZ_INPUTS"].flatMap { Int($0) } ?? 20_000

  enum Kind: CaseIterable {
    case bytes, structured, mutated, spliced
  }

  @Test(arguments: Kind.allCases)
  func `no bytes trap, and what is decoded has the same bytes`(kind: Kind) throws {
    let seed: UInt64 = 31
    var random = SplitMix64(seed: seed)
    let samples = try (0..<200).map { _ in
      try SavedState.random(&random).encoded(
        version: StateVersion(rawValue: UInt32.random(in: 0...200, using: &random)))
    }
    var acceptedCount = 0
    for number in 0..<Self.count / Kind.allCases.count {
      let bytes = Self.input(kind, samples, &random)
      // What is left encoded is refused for the same reason as what is decoded.
      #expect(Self.refusal(bytes) == Self.checkRefusal(bytes))
      do throws(SavedStateError) {
        let state = try SavedState(decoding: bytes)
        acceptedCount += 1
        if try Self.isFaithful(state, bytes) { continue }
      } catch {
        if Self.isSound(error, bytes) { continue }
      }
      Issue.record("seed \(seed), input \(number) \(bytes)")
    }
    // The inputs are near enough to the form to reach what lies behind the first checks.
    #expect(kind == .bytes || acceptedCount > 0)
  }

  private static func refusal(_ bytes: [UInt8]) -> SavedStateError? {
    do throws(SavedStateError) {
      _ = try SavedState(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }

  private static func checkRefusal(_ bytes: [UInt8]) -> SavedStateError? {
    var reader = SavedStateReader(bytes)
    do throws(SavedStateError) {
      _ = try reader.stateBesideActivity()
      return nil
    } catch {
      return error
    }
  }

  /// Whether a state has the bytes that it was decoded from, or fewer.
  ///
  /// It has fewer if there was a field of a later version, or two keys that Swift holds for equal.
  private static func isFaithful(
    _ state: SavedState, _ bytes: [UInt8]
  ) throws(SavedStateError) -> Bool {
    let limits = SavedStateLimits(byteCount: .max, depth: .max, valueCount: .max)
    let again = try state.encoded(version: try SavedState.version(of: bytes), limits: limits)
    return again == bytes || again.count < bytes.count
  }

  private static func isSound(_ error: SavedStateError, _ bytes: [UInt8]) -> Bool {
    guard let offset = error.offset, 0...bytes.count ~= offset, !error.description.isEmpty else {
      return false
    }
    return error.code == .damaged || error.code == .newerForm && bytes[0] > 1
  }

  private static func input(
    _ kind: Kind, _ samples: [[UInt8]], _ random: inout SplitMix64
  ) -> [UInt8] {
    switch kind {
    case .bytes:
      let start: [UInt8] = Bool.random(using: &random) ? [1] : []
      return start + [UInt8].random(&random)
    case .structured: return structured(&random)
    case .mutated:
      var bytes = samples.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, &random) }
      return bytes
    case .spliced:
      let first = samples.randomElement(using: &random) ?? []
      let second = samples.randomElement(using: &random) ?? []
      return first.prefix(Int.random(in: 0...first.count, using: &random))
        + second.suffix(Int.random(in: 0...second.count, using: &random))
    }
  }

  /// Fields of the right lengths, with values that are right as far as they go.
  private static func structured(_ random: inout SplitMix64) -> [UInt8] {
    var bytes: [UInt8] = [1, 2, 1, 0x61]
    var field: UInt8 = 2
    while field < 12 {
      field += UInt8.random(in: 1...8, using: &random)
      let content = tokens(&random)
      bytes += [field, UInt8(content.count)] + content
    }
    return bytes
  }

  private static func tokens(_ random: inout SplitMix64) -> [UInt8] {
    let count = UInt8.random(in: 0...6, using: &random)
    var bytes: [UInt8] = [count]
    for index in 0..<count {
      bytes += [1, 0x61 + index]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes += [UInt8.random(in: 0...0xAF, using: &random)]
      case 1: bytes += [0x30, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F]
      case 2: bytes += [0x82, 0x20, 0x00]
      case 3: bytes += [0x91, 0x01, 0x61, 0x11]
      case 4: bytes += [0xA2, 0x21, 0x22]
      case 5: bytes += [0x52, 0xC3, 0xA9]
      default: bytes += [0x10]
      }
    }
    return bytes
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let index = Int.random(in: 0...bytes.count, using: &random)
    let edges: [UInt8] = [0, 1, 0x0E, 0x0F, 0x10, 0x7F, 0x80, 0xAF, 0xBF, 0xFF]
    let byte = edges.randomElement(using: &random) ?? 0
    switch Int.random(in: 0...9, using: &random) {
    case 0...2 where index < bytes.count:
      bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 3...4 where index < bytes.count: bytes[index] = byte
    case 5 where index < bytes.count: bytes[index] &+= 1
    case 6: bytes.insert(byte, at: index)
    case 7: bytes.removeSubrange(index..<min(index + 3, bytes.count))
    case 8: bytes.removeLast(bytes.count - index)
    default:
      let count = Int.random(in: 1...9, using: &random)
      bytes.replaceSubrange(
        index..<min(index + count, bytes.count), with: [UInt8](repeating: byte, count: count))
    }
  }
}
