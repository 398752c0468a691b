// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import ProsceniumInfoPlist
import Testing

/// Files of all kinds, most of them broken: nothing traps, nothing hangs, and a refusal has its
/// place in the file.
///
/// `PROSCENIUM_FUZZ_INPUTS` sets the number of files; a million take a debug build about a minute.
@Suite struct InfoPropertyListFuzzTests {
  static let count =
    ProcessInfo.processInfo.environment["PROSCENIUM_FUZZ_INPUTS"].flatMap { Int($0) } ?? 20_000

  enum Kind: CaseIterable {
    case bytes, tokens, mutatedXML, mutatedBinary
  }

  private static let tokens = [
    "<plist>", "</plist>", "<plist version=\"1.0\">", "<dict>", "</dict>", "<dict/>", "<array>",
    "</array>", "<array/>", "<key>", "</key>", "<key/>", "<string>", "</string>", "<true/>",
    "<true>", "</true>", "<false/>", "<integer>", "</integer>", "<real/>", "<date/>", "<data/>",
    "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE", "[", "]", "<", ">", "/", "\"", "'",
    "&amp;", "&#65;", "&#x", "&", ";", "UIApplicationSceneManifest", "UISceneConfigurations",
    "<key>UIApplicationSceneManifest</key>", "<key>UISceneConfigurations</key>", "a", "é", "\0",
    "<key>NSUserActivityTypes</key>", "<key>a</key>", " ", "\n", "\u{FEFF}", "🤡",
  ]

  @Test(arguments: Kind.allCases)
  func `no file traps or hangs, and each refusal has its place`(kind: Kind) throws {
    let seed: UInt64 = 11
    var random = SplitMix64(seed: seed)
    let samples = try Self.samples()
    var acceptedCount = 0
    var slowest = Duration.zero
    for number in 0..<Self.count / Kind.allCases.count {
      let bytes = Self.input(kind, samples, &random)
      var error: ManifestError?
      slowest = max(
        slowest, ContinuousClock().measure { error = SamplePropertyList.refusal(bytes) })
      guard let error else {
        acceptedCount += 1
        continue
      }
      guard Self.isSound(error, bytes) else {
        Issue.record("seed \(seed), file \(number) \(bytes): \(error)")
        continue
      }
    }
    // The files are near enough to the format to reach what lies behind the readers.
    #expect(kind == .bytes || kind == .tokens || acceptedCount > 0)
    // A limit that only a circle would meet, on any machine.
    #expect(slowest < .seconds(10), "seed \(seed)")
  }

  private static func isSound(_ error: ManifestError, _ bytes: [UInt8]) -> Bool {
    let isInside =
      switch error.place {
      case .byte(let offset): 0...bytes.count ~= offset
      case .line(let line, let column):
        1...bytes.count { $0 == 0x0A } + 1 ~= line && 1...bytes.count + 1 ~= column
      case nil: error.code == .notAPropertyList || error.code == .damaged
      }
    // What breaks the format has no keys, and what is there twice has some.
    let isKeyed =
      switch error.code {
      case .notAPropertyList, .damaged: error.keyPath.isEmpty
      case .duplicate: !error.keyPath.isEmpty
      default: true
      }
    return isInside && isKeyed && !error.expected.isEmpty && !error.found.isEmpty
  }

  // MARK: - Files

  private static func samples() throws -> [Kind: [UInt8]] {
    let object: [String: Any] = [
      "a": 1, "b": 1.5, "c": Date(timeIntervalSince1970: 0), "d": Data([1]), "e": ["é", [true]],
      "NSUserActivityTypes": ["x.edit"],
      "UIApplicationSceneManifest": [
        "UIApplicationSupportsMultipleScenes": true, "f": [:] as [String: Any],
        "UISceneConfigurations": [
          "R": [["UISceneConfigurationName": "A"], ["UISceneDelegateClassName": "A"]]
        ],
      ],
    ]
    return [
      .mutatedXML: try SamplePropertyList.written(object, .xml),
      .mutatedBinary: try SamplePropertyList.written(object, .binary),
    ]
  }

  private static func input(
    _ kind: Kind, _ samples: [Kind: [UInt8]], _ random: inout SplitMix64
  ) -> [UInt8] {
    switch kind {
    case .bytes:
      let rest = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      return Array(["", "bplist00", "<plist>"].randomElement(using: &random)?.utf8 ?? "".utf8)
        + rest
    case .tokens:
      let start = Bool.random(using: &random) ? "<plist><dict>" : ""
      return Array(start.utf8)
        + (0..<Int.random(in: 0...20, using: &random)).flatMap { _ in token(&random) }
    case .mutatedXML, .mutatedBinary:
      var bytes = samples[kind] ?? []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        mutate(&bytes, kind == .mutatedXML ? token(&random) : number(&random), &random)
      }
      return bytes
    }
  }

  private static func token(_ random: inout SplitMix64) -> [UInt8] {
    Array((tokens.randomElement(using: &random) ?? "").utf8)
  }

  /// Bytes that are often a size, a reference, or the marker of a type.
  private static func number(_ random: inout SplitMix64) -> [UInt8] {
    let byte: UInt8 =
      [0, 1, 7, 8, 0x7F, 0x80, 0xFF, 0xAF, 0xDF, 0x5F].randomElement(using: &random) ?? 0
    return [UInt8](repeating: byte, count: [1, 1, 2, 8].randomElement(using: &random) ?? 1)
  }

  private static func mutate(
    _ bytes: inout [UInt8], _ addition: [UInt8], _ random: inout SplitMix64
  ) {
    let index = Int.random(in: 0...bytes.count, using: &random)
    let end = min(index + addition.count, bytes.count)
    switch Int.random(in: 0...9, using: &random) {
    case 0...3 where index < bytes.count:
      bytes[index] = UInt8.random(in: .min ... .max, using: &random)
    case 4...6: bytes.replaceSubrange(index..<end, with: addition)
    case 7: bytes.insert(contentsOf: addition, at: index)
    case 8:
      bytes.insert(
        contentsOf: bytes[index...].prefix(Int.random(in: 0...40, using: &random)), at: index)
    default: bytes.removeSubrange(index..<end)
    }
  }
}
