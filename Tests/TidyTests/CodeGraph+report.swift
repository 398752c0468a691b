// SPDX-License-Identifier: Apache-2.0

extension CodeGraph {
  /// What a developer who looks for a direction wants to know of a target.
  func report(on target: String) -> String {
    let uses = uses.filter { Self.target(of: $0.key.user) == target }
    let sorted = uses.sorted { ($0.key.user, $0.value.line) < ($1.key.user, $1.value.line) }
    var counts: [String: [String: Int]] = [:]
    for (use, site) in uses {
      let (user, used) = (Self.folder(of: use.user), Self.folder(of: use.used))
      if user != used { counts[user, default: [:]][used, default: 0] += site.count }
    }
    var report = ["== \(target)", "folder (files, lines): folders that it uses, and how often"]
    for (folder, files) in folders(of: target).sorted(by: { $0.key < $1.key }) {
      let used = (counts[folder] ?? [:]).sorted { $0.key < $1.key }
      let list = used.map { " \($0.key) \($0.value)" }.joined(separator: ",")
      report.append("  \(folder) (\(files.count), \(lineCount(of: files))):\(list)")
    }
    for cycle in folderCycles(of: target) {
      report.append("cycle of \(cycle.count) folders: \(cycle.joined(separator: ", "))")
      for user in cycle {
        for used in cycle {
          // Of two ways between folders the one with fewer uses is the one to cut.
          guard let count = counts[user]?[used], let back = counts[used]?[user],
            (count, user) < (back, used)
          else { continue }
          report.append("  \(user) uses \(used) \(count) times, which uses it \(back) times")
          for (use, site) in sorted
          where Self.folder(of: use.user) == user && Self.folder(of: use.used) == used {
            report.append("    \(use.user):\(site.line) uses \(use.symbol) of \(use.used)")
          }
        }
      }
    }
    for cycle in fileCycles(of: target) {
      report.append("cycle of \(cycle.count) files, \(lineCount(of: cycle)) lines")
      for user in cycle {
        let used = Set(uses.keys.filter { $0.user == user }.map(\.used)).intersection(cycle)
        report.append("  \(user) uses \(used.sorted().joined(separator: ", "))")
      }
    }
    report.append("type: methods and initializers, lines")
    let types = types.filter { Self.target(of: $0.path) == target }
    for type in types.sorted(by: { (-$0.methods, $0.name) < (-$1.methods, $1.name) }).prefix(12) {
      report.append("  \(type.name): \(type.methods), \(type.lines)")
    }
    return report.joined(separator: "\n") + "\n"
  }

  /// Each use: its file, its line, the file that it uses, the symbol, how often, between tabs.
  var table: String {
    let rows = uses.map { use, site in
      "\(use.user)\t\(site.line)\t\(use.used)\t\(use.symbol)\t\(site.count)\n"
    }
    return rows.sorted().joined()
  }
}
