import Foundation

/// The open files of the processes of this machine, as far as `/proc` shows them: those of other users are shown to
/// root only.
enum OpenFiles {
    /// Returns the first process that has a file open for whose link text, such as `socket:[4711]` or a path,
    /// `isWanted` is true; nil if none is found.
    static func holder(proc: String = "/proc", where isWanted: (String) -> Bool) -> Int? {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: proc)) ?? []
        return processes.compactMap { Int($0) }.sorted().first { pid in
            names(of: pid, proc: proc).contains { descriptor in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(proc)/\(pid)/fd/\(descriptor)"))
                    .map(isWanted) ?? false
            }
        }
    }

    /// Returns the numbers of the descriptors of a process, as text.
    static func names(of pid: Int, proc: String = "/proc") -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(proc)/\(pid)/fd")) ?? []
    }
}
