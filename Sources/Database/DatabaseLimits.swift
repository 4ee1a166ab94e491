/// Every bound of this module in one place. `assertConsistency()` states how they relate.
package enum DatabaseLimits {
    /// Milliseconds that the wall clock may be set forward or back before nothing ends by it, and before nothing is
    /// stamped with it; and how long it must then have stayed, until it is followed.
    package static let clockStep = 10 * Milliseconds.minute
    package static let clockJump = Milliseconds.day
    package static let clockConfirmation = Milliseconds.day
    /// Requests that share one transaction and one fsync.
    package static let commitGroupSize = 256
    /// Write requests that may wait for the writer.
    package static let commitQueueLength = 16_384
    /// Pages of the write-ahead log that are worth a checkpoint beside the writer, and those at which the writer makes
    /// one itself.
    static let logPagesToCopy = 1_000
    static let logPagesAtMost = 4_096
    /// Documents that fill a page of the text index, about; pages after which it is merged, those of one such step, and
    /// those that may be behind.
    static let documentsOfPage = 16
    static let pagesWorthMerging = 16
    static let pagesPerMerge = 64
    static let mergesOwed = 1_024

    package static func assertConsistency() {
        precondition(commitGroupSize <= commitQueueLength, "a group must fit into the queue")
        precondition(clockStep <= clockJump, "what ends for good needs the better clock")
        precondition(logPagesToCopy < logPagesAtMost, "the log must be copied before the writer has to do it")
        precondition(pagesWorthMerging <= pagesPerMerge && pagesPerMerge <= mergesOwed, "what is owed must be paid off")
    }
}
