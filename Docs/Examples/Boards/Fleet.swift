// SPDX-License-Identifier: Apache-2.0

#if Live && Links && Complete && os(Linux)
  import Foundation
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import UnixSignals

  /// Runs the nodes of a cluster, each in a process of its own, and a front that visitors come to:
  /// starts a node again that has died, and replaces all nodes one by one.
  ///
  /// Services have one of their own: what starts processes, and a proxy.
  actor Fleet {
    /// A process that is a node, or becomes one.
    private struct Node {
      let name: String
      let port: Int
      let process: Process
      /// Its number in the cluster, once it serves visitors.
      var number: Int32?
      /// The port of the node whose place it takes.
      var replaced: Int?
      var isLeaving = false
    }

    /// What the fleet waits for.
    private enum Event: Sendable {
      case said(port: Int, [Substring])
      case died(port: Int, status: Int32, wasKilled: Bool)
      case due(name: String)
      case told
    }

    private let arguments: [String]
    private let database: String
    private let lease: Int
    private let front: Front
    private var nodes: [Int: Node] = [:]
    private var build: Int32 = 1
    /// The ports of the nodes that are to be replaced, in turn.
    private var old: [Int] = []
    private var isDeployWanted = false
    private var isTold = false
    private let events: AsyncStream<Event>
    private let sink: AsyncStream<Event>.Continuation

    /// - Parameters:
    ///   - arguments: What each process is told.
    ///   - database: The address of the database, which is told apart: others can read arguments.
    ///   - lease: How long a node is not heard of until it is buried, in seconds.
    ///   - front: What visitors come to.
    init(_ arguments: [String], database: String, lease: Int, front: Front) {
      self.arguments = arguments
      self.database = database
      self.lease = lease
      self.front = front
      (events, sink) = AsyncStream.makeStream()
    }

    /// Runs nodes until the process is told to end, and then until they have ended.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - isReady: Is called once all nodes serve.
    /// - Throws: That a node has ended by itself, or that the front cannot listen.
    func run(_ count: Int, isReady: @escaping @Sendable () -> Void) async throws {
      let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
      try await withThrowingTaskGroup { group in
        // The first that ends, ends all: a front that cannot listen, or the last node.
        group.addTask { [sink] in for await _ in signals { sink.yield(.told) } }
        group.addTask { [front] in try await front.run() }
        group.addTask { try await self.supervise(count, isReady) }
        defer {
          group.cancelAll()
          // Children of this process, and no others.
          for node in nodes.values where node.process.isRunning { node.process.terminate() }
        }
        try await group.next()
      }
    }

    /// Tells the front which nodes there are.
    private func show() {
      let ready = nodes.values.filter { $0.number != nil }
      front.pass(to: Set(ready.map(\.port)), staying: ready.filter { !$0.isLeaving }.map(\.port))
    }

    private func supervise(_ count: Int, _ isReady: @escaping @Sendable () -> Void) async throws {
      for index in 0..<count { try start("\(UnicodeScalar(UInt8(97 + index)))") }
      var waiting = count
      for await event in events {
        switch event {
        case .told:
          isTold = true
          for node in nodes.values { node.process.terminate() }
        case .said(let port, let words):
          try await hear(words, of: port)
          if words.first == "ready", waiting > 0 {
            waiting -= 1
            if waiting == 0 { isReady() }
          }
        case .due(let name):
          if !isTold, !nodes.values.contains(where: { $0.name == name }) { try start(name) }
        case .died(let port, let status, let wasKilled):
          try died(port, status: status, wasKilled: wasKilled)
          if isTold, nodes.isEmpty { return }
        }
        if !isTold { try deployIfWanted() }
      }
    }

    private func hear(_ words: [Substring], of port: Int) async throws {
      switch words.first {
      case "ready":
        nodes[port]?.number = words.last.flatMap { Int32($0) }
        show()
        guard let before = nodes[port]?.replaced else { return }
        guard let number = nodes[before]?.number else { return try replaceNext() }
        nodes[before]?.isLeaving = true
        show()
        // It gives its slices to the new one, and its tabs follow; one that has just died cannot.
        try? await ClusterStatus.drain(number, at: database)
      case "plug":
        guard let node = words.last.flatMap({ Int($0) }).flatMap({ nodes[$0] }) else { return }
        kill(node.process.processIdentifier, SIGKILL)
      case "deploy": isDeployWanted = !isDeploying
      default: print("node at \(port): \(words.joined(separator: " "))")
      }
    }

    private var isDeploying: Bool {
      nodes.values.contains { $0.isLeaving || ($0.replaced != nil && $0.number == nil) }
    }

    /// Begins to replace the nodes once none is on its way: that one would be left out.
    private func deployIfWanted() throws {
      guard isDeployWanted, nodes.values.allSatisfy({ $0.number != nil }) else { return }
      isDeployWanted = false
      build += 1
      old = nodes.values.sorted { $0.name < $1.name }.map(\.port)
      try replaceNext()
    }

    /// Starts a node in the place of the next old one that still lives.
    private func replaceNext() throws {
      while let port = old.first {
        old.removeFirst()
        if let node = nodes[port] { return try start(node.name, replacing: port) }
      }
    }

    private func died(_ port: Int, status: Int32, wasKilled: Bool) throws {
      let died = nodes.removeValue(forKey: port)
      show()
      guard let node = died, !isTold else { return }
      if node.isLeaving { return try replaceNext() }
      guard wasKilled else { throw Supervisor.Failure(status: status) }
      print("node \(node.name) was killed by signal \(status)")
      fflush(nil)
      // The one whose place it was to take goes on.
      if node.replaced != nil, node.number == nil { return old = [] }
      // It stays dead for a while, so that one sees what the others do.
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2 * lease)) { [sink] in
        sink.yield(.due(name: node.name))
      }
    }

    private func start(_ name: String, replacing replaced: Int? = nil) throws {
      let port = try PostgresServer.freePort()
      let process = Process()
      process.executableURL = Bundle.main.executableURL
      process.arguments =
        ["node"] + arguments + ["--port", "\(port)", "--name", name, "--build", "\(build)"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        [NodeHost.databaseVariable: database]) { $1 }
      let output = Pipe()
      process.standardOutput = output
      output.fileHandleForReading.readabilityHandler = { [sink] handle in
        let data = handle.availableData
        if data.isEmpty { handle.readabilityHandler = nil }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
          sink.yield(.said(port: port, line.split(separator: " ")))
        }
      }
      process.terminationHandler = { [sink] process in
        sink.yield(
          .died(
            port: port, status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal))
      }
      try process.run()
      nodes[port] = Node(
        name: name, port: port, process: process, replaced: replaced)
    }
  }
#endif
