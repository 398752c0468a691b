// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation

  /// A process that removes a server when the process of the tests has ended.
  ///
  /// It reads from a socket whose other end only the process of the tests has, which the system
  /// closes also when that process is killed.
  final class Watchdog: Sendable {
    private let end: LocalSocket

    /// Watches over a server's folder, which does not have to be there yet.
    init(over home: String) async throws {
      let (reading, writing) = try LocalSocket.pair()
      end = writing
      let input = FileHandle(fileDescriptor: reading.descriptor, closeOnDealloc: true)
      defer { try? input.close() }
      _ = try await ServerPrograms.run(
        ServerPrograms.asOwner(["bash", "-c", Self.watchScript, "bash", home]), input: input)
    }

    deinit {
      end.close()
    }

    /// Ends a server's processes and removes its folder, also in a task that was cancelled.
    static func remove(_ home: String) async throws {
      _ = try await ServerPrograms.run(
        ServerPrograms.asOwner(["bash", "-c", removeScript + "remove", "bash", home]),
        toItsEnd: true)
      // In a folder where only root may remove it, it is there still, and empty.
      if FileManager.default.fileExists(atPath: home) {
        try FileManager.default.removeItem(atPath: home)
      }
    }

    /// Kills all processes of a server, and waits until they have ended.
    static func killAll(in home: String) async throws {
      _ = try await ServerPrograms.run(
        ServerPrograms.asOwner(["bash", "-c", removeScript + "end_processes 0", "bash", home]))
    }

    /// Leaves a process behind that waits; it has none of the files of the process of the tests.
    private static let watchScript = """
      \(removeScript)
      watch() {
        trap '' INT TERM HUP
        \(ServerPrograms.closeFiles)
        while read -r _; do :; done
        remove
      }
      watch <&0 >/dev/null 2>&1 &
      """

    /// The processes of a server are those whose folder is in the server's own.
    ///
    /// In the first seconds they are asked to end at once, as then the server leaves no shared
    /// memory behind, and after these killed. `initdb`, which has the file with the password, is
    /// left to its end for the same reason.
    private static let removeScript = """
      home="$1"
      processes() {
        find /proc -mindepth 2 -maxdepth 2 -name cwd -lname "$home*" 2>/dev/null | cut -d / -f 3
      }
      end_processes() {
        local rounds=0 signal=QUIT list
        while [[ -e "$home/password" && -n "$(processes)" ]] && ((rounds++ < 300)); do
          sleep 0.2
        done
        rounds=0
        while list="$(processes)" && [[ -n "$list" ]] && ((rounds < 600)); do
          if ((rounds++ >= $1)); then signal=KILL; fi
          kill -s "$signal" $list 2>/dev/null
          kill -s CONT $list 2>/dev/null
          sleep 0.05
        done
      }
      remove() {
        local rounds=0 memory
        while [[ -e "$home" ]] && ((rounds++ < 20)); do
          end_processes 60
          memory="$(sed -nE '7s/^ *[0-9]+ +([0-9]+).*/\\1/p' \
            "$home/data/postmaster.pid" 2>/dev/null)"
          if [[ -n "$memory" ]]; then ipcrm --shmem-id "$memory"; fi
          rm -rf "$home" 2>/dev/null || sleep 0.05
        done
        end_processes 0
      }

      """
  }
#endif
