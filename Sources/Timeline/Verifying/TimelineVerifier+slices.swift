import Algorithms
import SocialGraph

extension TimelineVerifier {
    /// Timelines in one slice.
    private static let slice = 512
    /// Concurrent slices: as many as there are readers of SQLite.
    private static let slicesAtOnce = 4

    /// Verifies many timelines, a few slices at a time.
    ///
    /// - Parameter progress: called with the number verified so far.
    package func verifySlices(of viewers: [UserID], progress: (Int) -> Void = { _ in }) async throws -> Report {
        try await withThrowingTaskGroup(of: Report.self) { group in
            var report = Report()
            var rest = viewers.chunks(ofCount: Self.slice)[...]
            for slice in rest.prefix(Self.slicesAtOnce) { group.addTask { try await verify(Array(slice)) } }
            rest = rest.dropFirst(Self.slicesAtOnce)
            while let done = try await group.next() {
                report.add(done)
                progress(report.timelines)
                if let slice = rest.popFirst() { group.addTask { try await verify(Array(slice)) } }
            }
            return report
        }
    }
}
