// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumInfoPlist
import ProsceniumLoad

/// What an Info.plist says about scenes, for people to read.
struct ManifestText {
  /// The lines, each with its line end.
  let text: String

  init(_ file: String, _ properties: InfoPropertyList) {
    text =
      "\(Terminal.printable(file))\n" + Self.facts(properties)
      + (properties.manifest.map(Self.configurations) ?? "")
  }

  private static func facts(_ properties: InfoPropertyList) -> String {
    var table = TextTable([.left, .left], indent: 2)
    if let manifest = properties.manifest {
      table.add("multiple scenes", manifest.supportsMultipleScenes ? "yes" : "no")
    } else {
      table.add("no scene manifest")
    }
    for (label, texts) in [
      ("activity types", properties.activityTypes ?? []),
      ("unknown keys", properties.manifest?.unknownKeys ?? []),
    ] {
      for (index, text) in texts.enumerated() {
        table.add(index == 0 ? label : "", Terminal.printable(text))
      }
    }
    return table.description
  }

  /// The roles, each with its configurations in columns that all roles share.
  private static func configurations(_ manifest: InfoPropertyList.Manifest) -> String {
    var table = TextTable([.left, .left, .left, .left, .left], indent: 4)
    table.add("", "configuration", "delegate class", "scene class", "storyboard")
    for role in manifest.roles {
      for (index, configuration) in role.configurations.enumerated() {
        table.add(
          index == 0 ? "default" : "", cell(configuration.name), cell(configuration.delegateClass),
          cell(configuration.sceneClass), cell(configuration.storyboard))
      }
    }
    var lines = table.description.split(separator: "\n", omittingEmptySubsequences: false)[...]
    let header = lines.removeFirst()
    return manifest.roles.map { role in
      let name = "\n  \(Terminal.printable(role.name))\n"
      guard !role.configurations.isEmpty else { return name + "    no configurations\n" }
      let rows = lines.prefix(role.configurations.count)
      lines = lines.dropFirst(rows.count)
      return name + ([header] + rows).joined(separator: "\n") + "\n"
    }.joined()
  }

  private static func cell(_ text: String?) -> String {
    text.map(Terminal.printable) ?? "-"
  }
}
