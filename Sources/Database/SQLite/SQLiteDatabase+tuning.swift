extension SQLiteDatabase {
    /// Stops the process if constants of this module contradict each other. Called when a database is opened.
    static func assertTuning() {
        precondition(commitGroupSize <= commitQueueLength, "a group must fit into the queue")
        let terms = LeaseTerms.serving
        precondition(2 * terms.renewal + terms.margin < terms.length, "a renewal may fail once")
        precondition(SteadyClock.step <= SteadyClock.jump, "what ends for good needs the better clock")
        precondition(
            LogCheckpointer.pagesToCopy < LogCheckpointer.pagesAtMost,
            "the log must be copied before the writer has to do it")
        precondition(
            TextIndexMerger.pagesWorthMerging <= TextIndexMerger.pagesPerMerge
                && TextIndexMerger.pagesPerMerge <= TextIndexMerger.mergesOwed, "what is owed must be paid off")
    }
}
