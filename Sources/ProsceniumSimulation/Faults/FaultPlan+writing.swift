// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

extension FaultPlan {
  /// The plan as the text of a file.
  var jsonValue: JSONValue {
    .object(
      [
        JSONMember("seed", .integer(Int(seed)))
      ]
        + Self.members([
          ("disconnects", disconnects.jsonValue),
          ("discards", discards.jsonValue),
          ("delegates", delegates.jsonValue),
          ("store", store.jsonValue),
          ("clockJumps", .list(clockJumps.map(\.jsonValue))),
          ("wallClockJumps", .list(wallClockJumps.map(\.jsonValue))),
          ("requests", requests.jsonValue),
          ("killsAtSeconds", .moments(kills)),
        ]))
  }

  /// The members that say anything.
  fileprivate static func members(_ members: [(key: String, value: JSONValue)]) -> [JSONMember] {
    members.filter { ![.integer(0), .list([]), .object([])].contains($0.value) }
      .map { JSONMember($0.key, $0.value) }
  }
}

extension FaultPlan.Strikes {
  fileprivate var jsonValue: JSONValue {
    .object(
      FaultPlan.members([("perSecond", .number(perSecond)), ("atSeconds", .moments(moments))]))
  }
}

extension FaultPlan.Delegates {
  fileprivate var jsonValue: JSONValue {
    .object(FaultPlan.members([("hogs", hogs.jsonValue), ("hangs", hangs.jsonValue)]))
  }
}

extension FaultPlan.Store {
  fileprivate var jsonValue: JSONValue {
    .object(
      FaultPlan.members([
        ("failedPerThousand", .integer(failedPerThousand)),
        ("fullPerThousand", .integer(fullPerThousand)),
        ("delays", delays.jsonValue),
        ("tornPerThousand", .integer(tornPerThousand)),
        ("powerLossesAtSeconds", .moments(powerLosses)),
      ]))
  }
}

extension FaultPlan.Requests {
  fileprivate var jsonValue: JSONValue {
    .object(
      FaultPlan.members([
        ("duplicatedPerThousand", .integer(duplicatedPerThousand)), ("delays", delays.jsonValue),
      ]))
  }
}

extension FaultPlan.Delay {
  fileprivate var jsonValue: JSONValue {
    if self == FaultPlan.Delay() { return .object([]) }
    return .object([
      JSONMember("perThousand", .integer(perThousand)),
      JSONMember("seconds", .moments([time.lowerBound, time.upperBound])),
    ])
  }
}

extension FaultPlan.Jump {
  fileprivate var jsonValue: JSONValue {
    .object([
      JSONMember("atSeconds", .seconds(moment)), JSONMember("bySeconds", .seconds(distance)),
    ])
  }
}

extension JSONValue {
  fileprivate static func moments(_ moments: [Duration]) -> JSONValue {
    .list(moments.map(seconds))
  }

  fileprivate static func seconds(_ duration: Duration) -> JSONValue {
    number((duration / .microseconds(1)).rounded() / 1_000_000)
  }

  /// A number, without a fraction if it has none.
  fileprivate static func number(_ number: Double) -> JSONValue {
    Int(exactly: number).map(JSONValue.integer) ?? .real(number)
  }
}
