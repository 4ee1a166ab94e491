import SocialGraph

extension TimelineService {
    /// Stops the process if constants of this module contradict each other. Called by the service's initializer.
    static func assertTuning() {
        precondition(WindowDepth.caps.contains(WindowDepth.defaultCap))
        precondition(
            SocialGraphLimits.examinedRows > 2 * PageAssembly.candidatesAtOnce * SocialGraphLimits.pageSize.upperBound
                / 10,
            "a request must get further than its first steps")
        precondition(
            WindowDepth.caps.lowerBound >= PushBatch.postsPerCall / 2, "a call must not turn a whole window over twice")
        precondition(OutboxWorker.outboxBatch <= OutboxWorker.jobsInQueues, "a batch must fit into the author queues")
        precondition(PushRunner.earlyReaders <= JobRunner.audienceChunk, "those served first must fit into a chunk")
        precondition(PushRunner.largeAudience > JobRunner.audienceChunk, "a large audience has several chunks")
        precondition(
            PushBatch.entriesPerCall + PushBatch.postsPerCall <= 0xFFFF,
            "the groups of a call are numbered in two bytes")
        precondition(PushBatch.postsPerCall <= 0xFF, "the groups of a window are counted in a byte")
        precondition(JobRunner.audienceChunk.isMultiple(of: WindowWriter.windowsPerCall), "a chunk must fill its calls")
    }
}
