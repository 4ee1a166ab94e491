import CommandSupport
import Database
import Foundation
import GraphServices
import MediaFiles
import SocialGraph

/// Copies the files of a graph from one place to another. Files that are there already are skipped, so a copy that was
/// interrupted goes on where it was, and a second one beside a running server brings the files that came meanwhile.
package struct MediaCopy: Sendable {
    /// Rows that are read at once.
    private static let rowsAtOnce = 256
    /// Files that are copied at once.
    private static let filesAtOnce = 8

    /// The outcome of a copy.
    package struct Summary: Sendable, Equatable {
        package var copied: Int64 = 0
        package var copiedBytes: Int64 = 0
        /// Files that were there before.
        package var present: Int64 = 0
        /// Files that are not at the source, or not what their rows say.
        package var missing: [String] = []
    }

    fileprivate enum Outcome {
        case copied(Int64), present(Int64), missing(String)
    }

    let graph: GraphStore
    let from: any FileStorage
    let to: any FileStorage
    /// A directory for files under way, in the file system of the target if that is a directory. No other copy uses it
    /// meanwhile.
    let folder: String
    /// True if each copied file is read again from the target and compared with its digest.
    let readsBack: Bool

    package init(
        of graph: GraphStore, from: any FileStorage, to: any FileStorage, folder: String, readsBack: Bool
    ) {
        self.graph = graph
        self.from = from
        self.to = to
        self.folder = folder
        self.readsBack = readsBack
    }

    /// - Throws: `StorageFailure`, ``DamagedFile`` for a file that the target has changed, ``FileFault``. What is
    ///   copied by then stays. `CommandFailure` if another copy has the directory.
    package func run() async throws -> Summary {
        let underWay = try CopyFolder(folder)
        defer { underWay.remove() }
        let total = try await graph.database.read { try FileRows($0).total() }
        var bar = ProgressBar(label: "copying media", unit: .bytes, total: Int(total.bytes))
        defer { bar.finish() }
        var (summary, done, last) = (Summary(), 0, MediaID(rawValue: 0))
        while true {
            let page = try await graph.database.read { [last] in
                try FileRows($0).files(above: last, limit: Self.rowsAtOnce)
            }
            guard let end = page.last else { return summary }
            try await copy(page) { outcome in
                summary.count(outcome)
                done += outcome.bytes
                bar.update(done: done)
            }
            last = end.id
        }
    }

    private func copy(_ files: [FileDescription], _ note: (Outcome) -> Void) async throws {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (index, file) in files.enumerated() {
                if index >= Self.filesAtOnce, let outcome = try await group.next() { note(outcome) }
                group.addTask { try await copy(file) }
            }
            for try await outcome in group { note(outcome) }
        }
    }

    private func copy(_ file: FileDescription) async throws -> Outcome {
        if try await to.has(file) { return .present(file.bytes) }
        let path = "\(folder)/\(file.fileName)"
        do {
            try await FetchedFile.fetch(file, from: from, to: path)
        } catch is StoredFileFault {
            return .missing(file.fileName)
        } catch is DamagedFile {
            return .missing(file.fileName)
        }
        defer { unlink(path) }
        try await to.put([SpooledFile(path: path, description: file)], for: .server)
        if readsBack { try await FetchedFile.check(file, in: to) }
        return .copied(file.bytes)
    }
}

extension MediaCopy.Outcome {
    fileprivate var bytes: Int {
        switch self {
        case .copied(let bytes), .present(let bytes): Int(bytes)
        case .missing: 0
        }
    }
}

extension MediaCopy.Summary {
    fileprivate mutating func count(_ outcome: MediaCopy.Outcome) {
        switch outcome {
        case .copied(let bytes):
            copied += 1
            copiedBytes += bytes
        case .present: present += 1
        case .missing(let name): missing.append(name)
        }
    }
}
