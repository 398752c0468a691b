// SPDX-License-Identifier: Apache-2.0

/// The number of the last input of each client that a session remembers, so that no input is
/// applied twice.
///
/// It is a part of the saved state: sealed in the same commit as what the input has changed.
struct ClientMemory: Sendable, Equatable {
  /// How many clients a session remembers, unless a simulation says less.
  static let limit = 8

  /// The greatest number of an input.
  static let lastNumber: UInt64 = (1 << 53) - 1

  /// One client.
  struct Client: Sendable, Equatable {
    let identifier: ClientIdentifier
    /// The number of the last input that was applied; no earlier one is applied any more.
    var last: UInt64
  }

  /// The clients, the one that has been without a line for the longest time first.
  private(set) var clients: [Client] = []

  /// No client has sent input yet.
  init() {}

  /// The clients of a saved state; nil for more than can be remembered, for one that comes twice,
  /// and for one without input.
  init?(_ clients: [Client]) {
    guard clients.count <= Self.limit, clients.allSatisfy({ $0.last > 0 }),
      Set(clients.map(\.identifier)).count == clients.count
    else { return nil }
    self.clients = clients
  }

  /// The number of the last input of a client; nil if it is not remembered.
  func last(of client: ClientIdentifier) -> UInt64? {
    clients.first { $0.identifier == client }?.last
  }

  /// Notes the last input of a client, which is the last one to be forgotten from now on.
  ///
  /// Of more clients than can be remembered, the one goes that has been without a line for the
  /// longest time.
  mutating func note(_ last: UInt64, of client: ClientIdentifier, limit: Int = limit) {
    if clients.last?.identifier == client {
      clients[clients.count - 1].last = last
      return
    }
    if let place = clients.firstIndex(where: { $0.identifier == client }) {
      clients.remove(at: place)
    } else if clients.count >= limit {
      clients.removeFirst()
    }
    clients.append(Client(identifier: client, last: last))
  }

  /// Notes that a client has a line, or had one until now.
  mutating func touch(_ client: ClientIdentifier) {
    if let last = last(of: client) { note(last, of: client) }
  }
}

extension ClientMemory {
  /// What an input is, by the number that its client has given it.
  enum Judgement: Sendable, Equatable {
    /// The next one: it is to be applied.
    case next
    /// It was applied before.
    case repeated
    /// Another one has to come before it.
    case wrong(expected: UInt64)
  }

  /// What a client is that asks for a line.
  enum Greeting: Sendable, Equatable {
    /// All its input up to a number was applied, and none after it.
    case known(last: UInt64)
    /// It may have sent input of which nothing is remembered: none of it is applied any more.
    case forgotten
    /// It is about to number its input as other inputs of it were numbered.
    case behind(last: UInt64)
  }

  /// Says what a client is that asks for a line.
  ///
  /// A memory with room has forgotten no client: of one that it does not know nothing was applied.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - next: The number that its next new input will have: greater than all that it has used.
  ///   - limit: How many clients are remembered.
  /// - Returns: What it is.
  func greet(_ client: ClientIdentifier, next: UInt64, limit: Int = limit) -> Greeting {
    guard let last = last(of: client) else {
      return next == 1 || clients.count < limit ? .known(last: 0) : .forgotten
    }
    return next > last ? .known(last: last) : .behind(last: last)
  }

  /// Says what an input is.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - client: Its client.
  ///   - first: The numbers that the first input over a line may have, if it is the first. Some may
  ///     be left out: input that was acknowledged before it was durable, and lost since.
  /// - Returns: What it is.
  func judge(
    _ number: UInt64, of client: ClientIdentifier, first: ClosedRange<UInt64>?
  ) -> Judgement {
    let last = last(of: client)
    if let last, number <= last { return .repeated }
    let expected = first ?? (last ?? 0) + 1...(last ?? 0) + 1
    return expected.contains(number) ? .next : .wrong(expected: expected.lowerBound)
  }
}
