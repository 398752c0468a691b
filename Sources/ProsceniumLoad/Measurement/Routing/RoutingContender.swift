// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// One way to make the decisions of a workload, by a number of threads.
struct RoutingContender: Sendable {
  let way: RoutingResult.Way
  let threads: Int
  /// How many lookups are made between two looks at the clock.
  let chunk: Int
  /// Makes the decisions for some lookups on one of the threads, and counts the wrong ones.
  let countWrong: @Sendable (_ lookups: Range<Int>, _ thread: Int) throws -> Int
  /// Counts what was left behind wrong, when everything has been timed.
  var countWrongAtEnd: @Sendable () throws -> Int = { 0 }

  private static let singleChunk = 512

  /// What one thread changes, kept between the rounds.
  private final class Writer: Sendable {
    let list: Guarded<RoutingChangeList>

    init(_ list: RoutingChangeList) {
      self.list = Guarded(list)
    }
  }

  /// Decisions of a router, one by one.
  static func router(
    _ router: ContentRouter, _ workload: RoutingWorkload, threads: Int
  ) -> Self {
    Self(way: .router, threads: threads, chunk: singleChunk) { range, _ in
      var wrong = 0
      for index in range {
        let choice = try router.choose(workload.lookups[index])
        if !workload.isRight(choice, index) { wrong += 1 }
      }
      return wrong
    }
  }

  /// Decisions of a router, so many in one call.
  static func router(
    _ router: ContentRouter, _ workload: RoutingWorkload, threads: Int, batch: Int
  ) -> Self {
    Self(way: .routerBatched, threads: threads, chunk: batch) { range, _ in
      let choices = try router.choose(all: workload.lookups[range])
      var wrong = 0
      for (index, choice) in zip(range, choices) where !workload.isRight(choice, index) {
        wrong += 1
      }
      return wrong + range.count - choices.count
    }
  }

  /// Decisions of an application, one by one.
  static func application(_ application: Application, _ workload: RoutingWorkload) -> Self {
    Self(way: .application, threads: 1, chunk: singleChunk) { range, _ in
      var wrong = 0
      for index in range {
        let decision = try application.route(workload.lookups[index])
        if !workload.isRight(decision, index) { wrong += 1 }
      }
      return wrong
    }
  }

  /// Decisions of an application, so many in one call.
  static func application(
    _ application: Application, _ workload: RoutingWorkload, batch: Int
  ) -> Self {
    Self(way: .applicationBatched, threads: 1, chunk: batch) { range, _ in
      let decisions = try application.route(workload.lookups[range])
      var wrong = 0
      for (index, decision) in zip(range, decisions) where !workload.isRight(decision, index) {
        wrong += 1
      }
      return wrong + range.count - decisions.count
    }
  }

  /// Decisions of a router on two threads, each of which changes a session's conditions now and
  /// then.
  static func router(
    _ router: ContentRouter, _ changes: RoutingChanges, decisionsPerChange: Int
  ) -> Self {
    let writers = changes.lists.map { Writer($0) }
    return Self(
      way: .routerChanging, threads: writers.count, chunk: singleChunk,
      countWrong: { range, thread in
        var wrong = 0
        for index in range {
          let choice = try router.choose(changes.workload.lookups[index])
          if !changes.isRight(choice, index) { wrong += 1 }
          if index % decisionsPerChange == 0 {
            writers[thread].list.withLock { $0.changeNext(router) }
          }
        }
        return wrong
      },
      countWrongAtEnd: {
        try writers.reduce(0) { try $0 + $1.list.withLock { try $0.countWrong(router) } }
      })
  }

  /// Lookups in the floor's table.
  static func floor(
    _ table: FloorTable, threads: Int, prefetches: Bool
  ) -> Self {
    let way: RoutingResult.Way = prefetches ? .floorPrefetching : .floor
    return Self(way: way, threads: threads, chunk: singleChunk) { range, _ in
      table.countWrong(range, prefetches: prefetches)
    }
  }

  /// Decisions by evaluating every predicate.
  static func scan(_ workload: RoutingWorkload) -> Self {
    Self(way: .scan, threads: 1, chunk: 1) { range, _ in
      range.count { !workload.isRight(NaiveScan.choose(workload.lookups[$0], workload), $0) }
    }
  }
}
