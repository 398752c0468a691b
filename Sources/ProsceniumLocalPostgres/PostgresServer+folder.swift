// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation

  /// Where the server is, and how it is made.
  extension PostgresServer {
    private static let usualSettings = [
      "listen_addresses": "127.0.0.1",
      "unix_socket_directories": "",
      "max_connections": "200",
      "shared_buffers": "16MB",
      "huge_pages": "off",
      // In the folder, and not in a file elsewhere that a killed server would leave.
      "dynamic_shared_memory_type": "mmap",
      "max_wal_size": "256MB",
    ]

    /// The folder in which the server's folder is made.
    static func parent(onDisk: Bool) -> String {
      let memory = "/dev/shm"
      let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory)
      let free = (attributes?[.systemFreeSize] as? NSNumber)?.uint64Value ?? 0
      // A container often has 64 MB there, which is less than an empty server needs.
      let isLarge = free > 1 << 30 && FileManager.default.isWritableFile(atPath: memory)
      // Without symbolic links: the watchdog knows processes by the folder that they are in.
      return isLarge && !onDisk
        ? memory : FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    }

    /// Makes the folder and the data in it.
    func make(_ settings: [String: String]) async throws {
      try FileManager.default.createDirectory(
        atPath: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      if ServerPrograms.isRoot {
        try FileManager.default.setAttributes(
          [.ownerAccountName: ServerPrograms.owner], ofItemAtPath: home)
      }
      let lines = Self.usualSettings.merging(settings) { $1 }.sorted { $0.key < $1.key }
        .map { "\($0.key) = '\($0.value.replacing("'", with: "''"))'\n" }.joined()
      _ = try await ServerPrograms.run(
        ServerPrograms.asOwner([
          "bash", "-c", Self.makeScript, "bash", programs.path("initdb"), folder, lines,
        ]), in: home, environment: ["PGPASSWORD": password])
    }

    private static let makeScript = """
      set -eu
      umask 077
      printf '%s\\n' "$PGPASSWORD" >password
      "$1" --pgdata="$2" --username=postgres --pwfile=password --auth=scram-sha-256 \
        --encoding=UTF8 --locale=C --no-sync
      rm password
      printf '%s' "$3" >>"$2/postgresql.conf"
      """

    /// `Process` takes a program for running while any process has the files that it was started
    /// with: the server is to have none.
    static let startScript = """
      (
        \(ServerPrograms.closeFiles)
        exec "$1" --pgdata="$2" --log="$3" --options="-p $4" --wait --timeout=60 --silent start
      )
      status=$?
      if ((status != 0)); then tail -n 20 "$3" >&2; fi
      exit "$status"
      """

    /// Copies the data of the server, which must not run, under a name in its folder.
    package func copyData(to name: String) async throws {
      _ = try await ServerPrograms.run(
        ServerPrograms.asOwner(["cp", "-a", folder, "\(home)/\(name)"]), in: home)
    }

    /// Puts data back that was copied; the server must not run.
    package func putBackData(from name: String) async throws {
      _ = try await ServerPrograms.run(ServerPrograms.asOwner(["rm", "-rf", folder]), in: home)
      _ = try await ServerPrograms.run(
        ServerPrograms.asOwner(["cp", "-a", "\(home)/\(name)", folder]), in: home)
    }

    /// A port that is free, and that the system gives to no connection of another program.
    package static func freePort() throws -> Int {
      let range = try? String(
        contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
      let first = range?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 32_768
      let ports = 10_000..<max(20_000, min(first, 32_768))
      var system = SystemRandomNumberGenerator()
      for _ in 0..<1_000 {
        let port = Int.random(in: ports, using: &system)
        if LocalSocket.isFree(port) { return port }
      }
      throw ProgramFailure(description: "no free port among \(ports)")
    }

    /// Whether the last start failed because another program had got the port.
    var foundPortTaken: Bool {
      let text = try? String(contentsOfFile: log, encoding: .utf8)
      return text?.contains("could not bind") ?? false
    }
  }
#endif
