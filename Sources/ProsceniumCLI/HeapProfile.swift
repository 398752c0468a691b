// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CJemalloc
import Foundation
import ProsceniumLoad
import ProsceniumPrimitives
import ProsceniumTerminal

/// Writes what jemalloc's profiler has seen: who has allocated how much.
///
/// The profiler has to be switched on before the program's first allocation, so that the program
/// replaces itself by one with which it is.
final class HeapProfile: Sendable {
  /// Samples about every 128 kB, and keeps what was freed in the sums.
  private static let options = "prof:true,prof_accum:true,lg_prof_sample:17"

  private enum Name: String {
    case begin
    case end
  }

  private let folder: String
  private let written = Guarded<Set<Name>>([])

  /// Prepares a folder for the profiles.
  ///
  /// - Parameter folder: Where they go; it is made unless it is there.
  /// - Throws: What is wrong with the folder or with the allocator.
  init(in folder: String) throws {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ValidationError("expected a folder for --heap-profile that can be made: '\(folder)'.")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw ValidationError("expected a folder that can be written to, found '\(folder)'.")
    }
    guard Self.flag("config.prof") else {
      throw ValidationError("the jemalloc of this program was built without its profiler.")
    }
    if !Self.flag("opt.prof") { try Self.restart() }
  }

  /// Writes a profile when the load begins, and one when its sessions are asked what they remember.
  func see(_ step: LoadTest.Step) {
    let name: Name? =
      switch step {
      case .running: .begin
      case .verifying, .measuringFloor: .end
      case .opening, .warmingUp: nil
      }
    guard let name else { return }
    // A test can do either several times.
    let isFirst = written.withLock { $0.insert(name).inserted }
    if isFirst { write(name) }
  }

  /// The line that says what to do with the profiles.
  var hint: String {
    "heap profile: jeprof --text --cum --alloc_space --base=\(folder)/begin.heap"
      + " \(CommandLine.arguments[0]) \(folder)/end.heap | swift demangle --simplified\n"
  }

  private func write(_ name: Name) {
    let path = "\(folder)/\(name.rawValue).heap"
    let result = unsafe path.withCString { path in
      var path: UnsafePointer<CChar>? = unsafe path
      return unsafe mallctl("prof.dump", nil, nil, &path, MemoryLayout.size(ofValue: path))
    }
    if result != 0 { Terminal.writeError("the profile \(path) could not be written.\n") }
  }

  /// Starts the program again in this process, with the profiler.
  private static func restart() throws {
    let given = ProcessInfo.processInfo.environment["MALLOC_CONF"].map { [$0] } ?? []
    guard !given.contains(where: { $0.contains("prof:") }) else {
      throw ValidationError("expected no prof in MALLOC_CONF with --heap-profile.")
    }
    // Neither is given back: the program ends here, or with an error.
    let arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
    unsafe setenv("MALLOC_CONF", (given + [options]).joined(separator: ","), 1)
    unsafe execv(Bundle.main.executablePath ?? CommandLine.arguments[0], arguments)
    throw ValidationError("the program could not be started again with the profiler.")
  }

  private static func flag(_ name: String) -> Bool {
    var value = false
    var size = MemoryLayout<Bool>.size
    return unsafe mallctl(name, &value, &size, nil, 0) == 0 && value
  }
}
