extension Problem {
    /// The answer to a write for which the disk has no room.
    package static var storageFull: Problem {
        Problem(
            .storageFull, "The server's disk is full: it can be read, and nothing can be added until there is room.",
            advice: [.retryWhenThereIsRoom])
    }
}
