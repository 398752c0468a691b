// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import ProsceniumInfoPlist
import Testing

/// Random files that Foundation writes are read as they were meant.
@Suite struct InfoPropertyListModelTests {
  private static let texts = [
    "", "a", "Default Configuration", "Notes.SceneDelegate", "$(PRODUCT_NAME)", "é", "e\u{301}",
    "日本", "🤡", "<&>'\"]]>", " a\n\tb ", "&amp;", "<!-- -->",
    String(repeating: "long ", count: 60),
  ]

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `a random file is read in both forms`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (file, expected) = Self.sample(&random)
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let bytes = try SamplePropertyList.written(file, format)
      let properties = try InfoPropertyList(bytes)
      #expect(Self.lines(properties) == expected, "seed \(seed)")
    }
  }

  /// A file, and the sorted lines that say what is in it.
  private static func sample(_ random: inout SplitMix64) -> ([String: Any], [String]) {
    var lines: [String] = []
    var file: [String: Any] = [:]
    for number in 0..<Int.random(in: 0...5, using: &random) {
      file["Key\(number)"] = noise(depth: 3, &random)
    }
    if Bool.random(using: &random) {
      let types = (0..<Int.random(in: 0...3, using: &random)).map { _ in text(&random) }
      file["NSUserActivityTypes"] = types
      lines.append("types \(types)")
    }
    guard Int.random(in: 0...9, using: &random) > 0 else { return (file, lines) }
    var manifest: [String: Any] = [:]
    let supports = Bool.random(using: &random)
    if supports || Bool.random(using: &random) {
      manifest["UIApplicationSupportsMultipleScenes"] = supports
    }
    lines.append("multiple \(supports)")
    for number in 0..<Int.random(in: 0...2, using: &random) {
      manifest["Unknown\(number)"] = noise(depth: 2, &random)
      lines.append("unknown UIApplicationSceneManifest.Unknown\(number)")
    }
    var roles: [String: Any] = [:]
    for number in 0..<Int.random(in: 0...3, using: &random) {
      let name = "Role\(number)"
      let list = (0..<Int.random(in: 0...3, using: &random)).map { index in
        configuration(index, of: name, &random, &lines)
      }
      roles[name] = list
      lines.append("role \(name) \(list.count)")
    }
    manifest["UISceneConfigurations"] = roles
    file["UIApplicationSceneManifest"] = manifest
    return (file, lines.sorted())
  }

  private static func configuration(
    _ index: Int, of role: String, _ random: inout SplitMix64, _ lines: inout [String]
  ) -> [String: Any] {
    var values: [String: Any] = [:]
    var texts: [String?] = []
    for key in ["ConfigurationName", "DelegateClassName", "ClassName", "StoryboardFile"] {
      var text = Bool.random(using: &random) ? text(&random) : nil
      if key == "ConfigurationName" { text = text.map { "\(index) \($0)" } }
      if let text { values["UIScene\(key)"] = text }
      texts.append(text)
    }
    lines.append("\(role)[\(index)] \(texts)")
    if Int.random(in: 0...3, using: &random) == 0 {
      values["Unknown"] = noise(depth: 1, &random)
      lines.append(
        "unknown UIApplicationSceneManifest.UISceneConfigurations.\(role)[\(index)].Unknown")
    }
    return values
  }

  private static func lines(_ properties: InfoPropertyList) -> [String] {
    var lines = properties.activityTypes.map { ["types \($0)"] } ?? []
    guard let manifest = properties.manifest else { return lines }
    lines.append("multiple \(manifest.supportsMultipleScenes)")
    lines += manifest.unknownKeys.map { "unknown \($0)" }
    for role in manifest.roles {
      lines.append("role \(role.name) \(role.configurations.count)")
      for (index, one) in role.configurations.enumerated() {
        let texts = [one.name, one.delegateClass, one.sceneClass, one.storyboard]
        lines.append("\(role.name)[\(index)] \(texts)")
      }
    }
    return lines.sorted()
  }

  private static func text(_ random: inout SplitMix64) -> String {
    texts.randomElement(using: &random) ?? ""
  }

  /// Any value, of a type that no manifest has too.
  private static func noise(depth: Int, _ random: inout SplitMix64) -> Any {
    switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
    case 0: return text(&random)
    case 1: return Int.random(in: .min ... .max, using: &random)
    case 2: return Double.random(in: -1e9...1e9, using: &random)
    case 3: return Bool.random(using: &random)
    case 4: return Date(timeIntervalSince1970: Double(Int.random(in: 0...1 << 32, using: &random)))
    case 5: return Data(text(&random).utf8)
    case 6:
      return (0..<Int.random(in: 0...20, using: &random)).map { _ in noise(depth: 0, &random) }
    default:
      var values: [String: Any] = [:]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        values[text(&random)] = noise(depth: depth - 1, &random)
      }
      return values
    }
  }
}
