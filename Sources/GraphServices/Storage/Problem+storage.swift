extension Problem {
    /// The answer to a write for which the disk has no room.
    package static var storageFull: Problem {
        Problem(
            .storageFull, "The server's disk is full. Reads are served; writes are refused until there is space.",
            advice: [.retryWhenThereIsRoom])
    }

    /// The answer to a change in read-only mode.
    package static func readOnly(_ reason: String) -> Problem {
        Problem(.readOnly, "Nothing can be changed at present: \(reason)", advice: [.retry(afterSeconds: 60)])
    }
}
