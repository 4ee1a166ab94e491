import GraphdClient

/// Posts of several authors in turn, and the times until a follower of them all sees each.
struct PostSchedule: Sendable {
    let server: Server
    let authors: [GraphdClient]
    let watch: FollowerWatch

    private static let pause = Duration.milliseconds(1)

    /// Publishes posts one after the other. Returns milliseconds until each was seen, and until the outbox was empty
    /// again, which the next one waits for. Both include the request.
    func lone(_ count: Int) async throws -> (seen: Spread, delivered: Spread) {
        var (seen, delivered) = (Spread(), Spread())
        for number in 0..<count {
            let start = ContinuousClock.now
            let post = try await publish(number)
            seen.add(start.duration(to: try await watch.waitUntilSeen(post)))
            while (try await server.client.operations.readiness().outbox?.pending ?? 0) > 0 {
                try await Task.sleep(for: Self.pause)
            }
            delivered.add(start.duration(to: .now))
        }
        return (seen, delivered)
    }

    /// Publishes posts at equal intervals, whether the earlier ones are delivered or not. Returns milliseconds from the
    /// time at which each was due until it was seen, and the unfinished posts that each met.
    ///
    /// - Parameter warmUp: posts before these, which are not counted.
    func run(_ count: Int, after warmUp: Int, perSecond: Double) async throws -> (seen: Spread, backlog: Backlog) {
        let start = ContinuousClock.now
        let due = (0..<(warmUp + count)).map { start + .seconds(Double($0) / perSecond) }
        let posts = try await withThrowingTaskGroup(of: (number: Int, post: String).self) { group in
            for (number, time) in due.enumerated() {
                // Not for synchronisation: posts are sent at a rate.
                try await Task.sleep(until: time)
                group.addTask { (number, try await publish(number)) }
            }
            return try await group.reduce(into: Array(repeating: "", count: due.count)) { $0[$1.number] = $1.post }
        }
        var done: [ContinuousClock.Instant] = []
        for post in posts { done.append(try await watch.waitUntilSeen(post)) }
        try await server.client.waitUntilOutboxIsEmpty()
        var seen = Spread()
        for number in warmUp..<due.count { seen.add(due[number].duration(to: done[number])) }
        return (seen, Backlog(due: due, done: done, from: warmUp))
    }

    private func publish(_ number: Int) async throws -> String {
        try await authors[number % authors.count].publish(SampleGraph.draft(number))
    }
}
