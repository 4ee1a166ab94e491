import CommandSupport
import Foundation
import Processes

/// A program of PostgreSQL's clients, such as `pg_dump`.
struct PostgreSQLProgram: Sendable {
    let name: String
    let path: String

    /// The folders in which the programs are looked for.
    struct Folders: Sendable {
        /// Folders of one major version each. Debian's `/usr/bin/pg_dump` chooses among them by rules of its own.
        var versioned: [(version: Int64, path: String)]
        var others: [String]

        /// Those of Debian and Red Hat, and those of `PATH`.
        static func usual(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Folders {
            var versioned: [(version: Int64, path: String)] = []
            for (parent, prefix, rest) in [("/usr/lib/postgresql", "", "/bin"), ("/usr", "pgsql-", "/bin")] {
                for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
                where name.hasPrefix(prefix) {
                    guard let version = Int64(name.dropFirst(prefix.count)) else { continue }
                    versioned.append((version, "\(parent)/\(name)\(rest)"))
                }
            }
            let others = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
            return Folders(versioned: versioned.sorted { $0.version < $1.version }, others: others)
        }
    }

    /// Finds a program that can be used with a server: one of the same major version, or the next newer one.
    ///
    /// - Parameter serverVersion: major and minor version, as in 150004.
    /// - Throws: ``CommandFailure``, which says what to install.
    init(_ name: String, for serverVersion: Int64, in folders: Folders = .usual()) throws {
        let wanted = serverVersion / 10_000
        let installation =
            "Install PostgreSQL's client programs, version \(wanted) or later (on Debian: apt-get install "
            + "postgresql-client-\(wanted))."
        var found: (version: Int64, path: String)?
        for folder in folders.versioned where access("\(folder.path)/\(name)", X_OK) == 0 {
            found = (folder.version, "\(folder.path)/\(name)")
            if folder.version >= wanted { break }
        }
        if (found?.version ?? 0) < wanted {
            for folder in folders.others where access("\(folder)/\(name)", X_OK) == 0 {
                guard let version = Self.version(of: "\(folder)/\(name)") else { continue }
                found = (version, "\(folder)/\(name)")
                if version >= wanted { break }
            }
        }
        guard let found else { throw CommandFailure("The program \(name) is not installed. \(installation)") }
        guard found.version >= wanted else {
            throw CommandFailure(
                "\(found.path) is of PostgreSQL \(found.version), and the server is \(wanted). \(installation)")
        }
        (self.name, path) = (name, found.path)
    }

    /// The major version in the answer to `--version`, such as `pg_dump (PostgreSQL) 15.14`.
    private static func version(of path: String) -> Int64? {
        let log = NSTemporaryDirectory() + "graphd-version-\(UUID().uuidString)"
        defer { unlink(log) }
        var launch = Launch(path, ["--version"])
        launch.output = .path(log)
        guard let process = try? ChildProcess(launch, endsWithParent: true), process.waitBlocking() == .exited(0),
            let answer = try? String(contentsOfFile: log, encoding: .utf8)
        else { return nil }
        return answer.firstMatch(of: #/\(PostgreSQL\) (\d+)/#).flatMap { Int64($0.output.1) }
    }
}

extension PostgreSQLProgram {
    /// Pause between two looks at the progress.
    private static let pause = Duration.milliseconds(200)
    /// Bytes of the program's messages that are shown.
    private static let messageLimit = 2_000

    /// Runs the program, which ends at the latest with this process. Blocks.
    ///
    /// - Parameters:
    ///   - folder: a folder for the program's messages meanwhile.
    ///   - progress: called every now and then.
    /// - Throws: ``CommandFailure`` with the program's messages if it does not exit with 0.
    func run(
        _ arguments: [String], environment: [String: String], messagesIn folder: String,
        progress: () -> Void = {}
    ) throws {
        let log = "\(folder)/.\(name).log"
        defer { unlink(log) }
        var launch = Launch(path, arguments, environment: environment)
        launch.error = .path(log)
        let process: ChildProcess
        do { process = try ChildProcess(launch, endsWithParent: true) } catch let failure as LaunchFailure {
            throw CommandFailure(failure.description)
        }
        while true {
            guard let end = process.waitBlocking(atMost: Self.pause) else {
                progress()
                continue
            }
            if end == .exited(0) { return }
            throw CommandFailure("\(name) has failed (\(Self.shown(end))): \(Self.messages(in: log))")
        }
    }

    private static func shown(_ end: ChildProcess.End) -> String {
        switch end {
        case .exited(let status): "exit status \(status)"
        case .signalled(let signal): "ended by signal \(signal)"
        }
    }

    private static func messages(in log: String) -> String {
        let bytes = (try? RegularFile(log)).flatMap { file -> [UInt8]? in
            var bytes: [UInt8] = []
            _ = try? file.read { bytes.append(contentsOf: $0.prefix(max(messageLimit - bytes.count, 0))) }
            return bytes
        }
        let lines = String(decoding: bytes ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.isEmpty ? "it has said nothing." : TerminalText.safe(lines.joined(separator: " "))
    }
}
