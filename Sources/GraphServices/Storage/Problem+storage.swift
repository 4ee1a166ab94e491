extension Problem {
    /// The answer to a write for which the disk has no room.
    package static var storageFull: Problem {
        Problem(
            .storageFull, "The server's disk is full. Reads are served; writes are refused until there is space.",
            advice: [.retryWhenThereIsRoom])
    }
}
