/// Posts by given authors, one after the other.
struct PostSequence: Workload {
    let kinds = [Scenario.Operation.compose.rawValue]
    private let tokens: [String]
    private var number = 0

    /// - Parameter tokens: the authors' tokens, in the order of their posts.
    init(_ tokens: [String]) { self.tokens = tokens }

    mutating func next() -> LoadRequest? {
        guard number < tokens.count else { return nil }
        defer { number += 1 }
        return LoadRequest(
            kind: 0, "POST", "/v1/posts", token: tokens[number], body: SampleGraph.draftBody(number))
    }
}

extension Server {
    /// Publishes posts by the owners of `tokens`, in that order, and waits until all are delivered. Each of so many
    /// connections sends its next post when the previous one is answered. Fails if one is refused.
    func publish(_ tokens: [String], connections: Int) async throws {
        let plan = LoadGenerator.Plan(
            port: port, connections: connections, pace: .closed, warmUp: 0, seconds: 3_600)
        let result = try await LoadGenerator.run(plan, PostSequence(tokens))
        guard result.failed == 0, result.answered == tokens.count else {
            throw Program.Failure(description: "posts were refused: \(result.failures)")
        }
        try await client.waitUntilOutboxIsEmpty()
    }
}
