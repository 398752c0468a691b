// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumLoad

/// Plays a log as the runtime should, and records it, so that tests can falsify the record.
struct PlayedRun {
  enum Call: Equatable {
    case saw(UInt32, line: Int)
    case restored(UInt32, ReplayStateSummary)
    case destroyed(UInt32, line: Int)
    case ended(UInt32, ReplayStateSummary)
  }

  private(set) var calls: [Call] = []
  private var states: [UInt32: ReplayState] = [:]
  private var windows: [ReplayUser: [UInt32]] = [:]
  private var nextSession: UInt32 = 100

  /// Plays the lines, which are numbered from 1; every third reuse restores the session.
  init(_ log: [AccessLogLine], windows limit: Int, tabs: Int) {
    var users = ReplayUsers()
    for (index, request) in log.enumerated() {
      let line = index + 1
      let user = users.user(of: request)
      let tab = ReplayIdentifier.tab(forPath: request.path)
      var own = windows[user] ?? []
      var session = own.last { states[$0]?.tabs.contains(tab) == true }
      if session == nil, request.referrer != nil { session = own.first }
      if let session, line % 3 == 0 {
        calls.append(.restored(session, (states[session] ?? ReplayState()).summary))
      }
      if session == nil, own.count >= limit {
        calls.append(.destroyed(own[0], line: line))
        states[own.removeFirst()] = nil
      }
      let chosen = session ?? nextSession
      if session == nil { nextSession += 1 }
      states[chosen, default: ReplayState()].note(
        tab: tab, bytes: request.bytes, line: line, capacity: tabs)
      windows[user] = own.filter { $0 != chosen } + [chosen]
      calls.append(.saw(chosen, line: line))
    }
    for session in states.keys.sorted() {
      calls.append(.ended(session, (states[session] ?? ReplayState()).summary))
    }
  }

  static func record(_ calls: [Call]) -> ReplayRun {
    var run = ReplayRun()
    for call in calls {
      switch call {
      case .saw(let session, let line): run.saw(session, line: line)
      case .restored(let session, let state): run.restored(session, state: state)
      case .destroyed(let session, let line): run.destroyed(session, before: line)
      case .ended(let session, let state): run.ended(session, state: state)
      }
    }
    return run
  }
}
