// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLocalPostgres

  /// A link between this machine and a network namespace that has one process, and goes with it.
  struct NetworkLink: Sendable {
    /// The addresses of both ends: they mean something on one link alone.
    static let (here, there) = ("169.254.77.1", "169.254.77.2")

    /// The names of both ends.
    private let outer = "ps\(getpid())a"
    private let inner = "ps\(getpid())b"

    /// Whether this process may make one.
    static var isPossible: Bool {
      geteuid() == 0
        && ["/usr/bin/unshare", "/sbin/ip"].allSatisfy(FileManager.default.isExecutableFile)
    }

    /// Makes both ends; this machine has its address from here on.
    init() async throws {
      try await Self.ip("link", "add", outer, "type", "veth", "peer", "name", inner)
      try await Self.ip("address", "add", "\(Self.here)/30", "dev", outer)
    }

    /// What starts a program in a namespace of its own, as soon as the link is there.
    var wrapper: [String] {
      [
        "unshare", "--net", "bash", "-c",
        """
        until ip address add \(Self.there)/30 dev \(inner) 2>/dev/null; do sleep 0.02; done
        ip link set \(inner) up
        exec "$@"
        """, "bash",
      ]
    }

    /// Gives one end to the namespace of a process.
    func connect(_ process: Int32) async throws {
      // The process is in its namespace as soon as that is another one than ours.
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
      while try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/net")
        == own
      {
        // Nothing tells when it is there.
        try await Task.sleep(for: .milliseconds(5))
      }
      try await Self.ip("link", "set", inner, "netns", "\(process)")
      try await set(isUp: true)
    }

    /// Takes the link down, or up.
    func set(isUp: Bool) async throws {
      try await Self.ip("link", "set", outer, isUp ? "up" : "down")
    }

    private static func ip(_ arguments: String...) async throws {
      _ = try await ServerPrograms.run(["/sbin/ip"] + arguments)
    }
  }

  extension PostgresServer {
    /// Takes connections from another address than this machine's.
    func accept(from address: String) async throws {
      let line = "host all all \(address)/32 scram-sha-256\n"
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + "/pg_hba.conf"))
      try file.seekToEnd()
      try file.write(contentsOf: Data(line.utf8))
      try file.close()
      // It listens to an address that was not there when it started.
      try await restart()
    }
  }
#endif
