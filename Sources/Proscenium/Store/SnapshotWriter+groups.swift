// SPDX-License-Identifier: Apache-2.0

extension SnapshotWriter {
  /// Some batches that are committed together.
  struct Group {
    let batches: [Batch]
    let changes: [StoreChange]
    let bytes: Int

    init(_ batches: [Batch]) {
      self.batches = batches
      changes = batches.count == 1 ? batches[0].changes : batches.flatMap(\.changes)
      bytes = changes.reduce(0) { $0 + $1.byteCount }
    }

    /// As many batches as one commit holds, at least one.
    init(first waiting: ArraySlice<Batch>) {
      var count = 0
      var changes = 0
      var bytes = 0
      for batch in waiting {
        changes += batch.changes.count
        bytes += batch.bytes
        if count > 0,
          changes > SnapshotWriter.groupLimit.changes
            || bytes > SnapshotWriter.groupLimit.bytes
        {
          break
        }
        count += 1
      }
      self.init(Array(waiting.prefix(count)))
    }

    var isRestoring: Bool? { batches.last { $0.isRestoring != nil }?.isRestoring }

    var runningTime: Int64? { batches.compactMap(\.runningTime).max() }

    var oldestMark: Duration? { batches.compactMap(\.oldestMark).min() }

    /// Tells those who want to know at once; effects stay, since the state may still be committed.
    func withoutTickets(failing error: StoreError) -> [Batch] {
      batches.map { batch in
        var rest = batch
        rest.awaiting = []
        for awaited in batch.awaiting {
          if case .ticket(let ticket) = awaited.kind {
            ticket.answer(.failure(SnapshotWriter.refusal(error)))
          } else {
            rest.awaiting.append(awaited)
          }
        }
        return rest
      }
    }
  }
}

/// Who waits until a state is durable.
struct AwaitedCommit: Sendable {
  enum Kind: Sendable {
    /// A caller, who is told either way.
    case ticket(CompletionTicket)
    /// An effect, which runs only if the state is durable.
    case effect(@Sendable () -> Void)
  }

  let kind: Kind
  /// Whose state it is; `nil` for all of the batch, whose effect no caller waits for.
  let session: SessionIdentifier?

  /// Whether a commit is to begin for it at once.
  var isUrgent: Bool { session != nil }

  static func ticket(_ ticket: CompletionTicket, of session: SessionIdentifier) -> Self {
    Self(kind: .ticket(ticket), session: session)
  }

  static func effect(
    of session: SessionIdentifier? = nil, _ effect: @escaping @Sendable () -> Void
  ) -> Self {
    Self(kind: .effect(effect), session: session)
  }
}

extension SnapshotWriter.Batch {
  /// Tells those who wait that everything is durable but the changes of some sessions.
  func succeed(without refusals: [SessionIdentifier: StoreError]) {
    let isRefused =
      !refusals.isEmpty && changes.contains { refusals[$0.session] != nil }
    for awaited in awaiting {
      let refusal = awaited.session.flatMap { refusals[$0] }
      switch awaited.kind {
      case .ticket(let ticket):
        ticket.answer(refusal.map { .failure(SnapshotWriter.refusal($0)) } ?? .success(()))
      case .effect(let effect):
        if awaited.session == nil ? !isRefused : refusal == nil { effect() }
      }
    }
  }

  func fail(_ error: SceneError) {
    for awaited in awaiting {
      if case .ticket(let ticket) = awaited.kind { ticket.answer(.failure(error)) }
    }
  }
}
