// SPDX-License-Identifier: Apache-2.0

/// A CSV file as RFC 4180 reads it.
struct CSVTable {
  let header: [String]
  private(set) var rows: [[String: String]] = []

  init(_ text: String) {
    var records: [[String]] = [[]]
    var field = ""
    var isQuoted = false
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"":
        // Two of them inside quotes are one.
        if !isQuoted, previous == "\"" { field.unicodeScalars.append(scalar) }
        isQuoted.toggle()
      case "," where !isQuoted:
        records[records.count - 1].append(field)
        field = ""
      case "\n" where !isQuoted:
        records[records.count - 1].append(field)
        records.append([])
        field = ""
      case "\r" where !isQuoted: break
      default: field.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    records.removeLast()
    header = records.first ?? []
    for record in records.dropFirst() {
      let pairs = zip(header, record).map { ($0, $1) }
      rows.append(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    }
  }

  func value(of metric: String) -> String? {
    rows.first { $0["metric"] == metric }?["value"]
  }
}
