import Database
import SocialGraph

/// A fault that readiness reports.
package struct ReadinessProblem: Sendable, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        case databaseCorrupt = "database_corrupt"
        case databaseDown = "database_down"
        case diskFull = "disk_full"
        case diskLow = "disk_low"
        case clockJumped = "clock_jumped"
        case readOnly = "read_only"
        case notCurrent = "not_current"
        case mediaDown = "media_down"
    }

    package let code: Code
    /// Description of the fault, and an operator's remedy.
    package let detail: String
    /// True if a load balancer should send requests elsewhere.
    package let isSevere: Bool

    package init(code: Code, detail: String, isSevere: Bool) {
        self.code = code
        self.detail = detail
        self.isSevere = isSevere
    }
}

extension StorageState {
    /// The faults of disk and database, the worst first.
    package var problems: [ReadinessProblem] {
        var problems: [ReadinessProblem] = []
        if health.corruption != nil {
            problems.append(
                .init(
                    code: .databaseCorrupt,
                    detail: "A page of graph.db is damaged. Stop the server and restore graph.db from a backup, or "
                        + "recover what can be read: \"Damaged database\" in docs/operations/disk-and-clock.md.",
                    isSevere: true))
        }
        if health.isFull || level == .critical {
            problems.append(
                .init(
                    code: .diskFull,
                    detail: "The disk is full: reads are served and writes are refused. Free space on the disk; "
                        + "writes then resume on their own.", isSevere: true))
        } else if level == .low {
            problems.append(
                .init(
                    code: .diskLow,
                    detail: "Less than the reserve of \(reserve) bytes is free: uploads are refused. Free space on the "
                        + "disk.", isSevere: false))
        }
        if let reason = readOnly.reason {
            problems.append(
                .init(
                    code: .readOnly,
                    detail:
                        "Changes are refused: \(reason) Switch it off with 'graphd read-only off', or restart without "
                        + "--read-only.", isSevere: false))
        }
        return problems
    }
}

extension ReadinessProblem {
    /// The database could not be read.
    package static func databaseDown(_ error: any Error) -> ReadinessProblem {
        let reason = if case DatabaseError.storage(let detail) = error { detail } else { "\(error)" }
        return ReadinessProblem(
            code: .databaseDown,
            detail: "The database does not answer: \(reason). Requests that need it are answered 503 until it is back.",
            isSevere: true)
    }
}

extension SteadyClock {
    package var problems: [ReadinessProblem] {
        guard let jump else { return [] }
        return [
            .init(
                code: .clockJumped,
                detail:
                    "The clock has jumped by \(jump / 1_000) s: bans, sessions and everything else that expires follow "
                    + "the former time for a day. If the new time is right, restart with --accept-clock.",
                isSevere: false)
        ]
    }
}
