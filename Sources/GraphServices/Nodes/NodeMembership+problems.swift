import Database

extension NodeMembership {
    /// The fault of a node beside others that has not committed a heartbeat for too long.
    package var problems: [ReadinessProblem] {
        guard node.isShared, !isCurrent else { return [] }
        if let staleness {
            return [
                .init(
                    code: .notCurrent,
                    detail: "No heartbeat of this node has been committed for \(staleness.components.seconds) s. It "
                        + "shows what it knew then, and refuses changes (--stale-reads). See whether the database has "
                        + "a primary.", isSevere: false)
            ]
        }
        return [
            .init(
                code: .notCurrent,
                detail: "No heartbeat of this node has been committed for some seconds, so it answers no request "
                    + "until one is. See whether the database can be reached and is not overloaded.", isSevere: true)
        ]
    }
}

extension Problem {
    /// The answer of a node that cannot know whether it sees what others have written.
    static var notCurrent: Problem {
        Problem(
            .notCurrent, "This node has lost touch with the database. Another node may answer.",
            advice: [.retry(afterSeconds: 1)])
    }

    /// The answer to an upload where other nodes could not read the file.
    package static var mediaNotShared: Problem {
        Problem(
            .mediaNotShared,
            "Files are stored on the disk of one node, and several nodes serve this graph. No file can be uploaded.")
    }
}
