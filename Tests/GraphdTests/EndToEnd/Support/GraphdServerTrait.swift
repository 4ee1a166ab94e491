import Testing

/// Gives a suite one running server, which its tests share: each of them uses people of its own.
struct GraphdServerTrait: SuiteTrait, TestScoping {
    @TaskLocal static var current: GraphdServer?
    /// Suites begin all at once. Without turns each would keep a server for as long as the whole run takes, and an idle
    /// server of a debug build takes 3 % of a processor.
    private static let turns = Turns(4)
    var arguments: [String] = []

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.turns.take {
            try await GraphdServer.running(arguments) { server in
                try await Self.$current.withValue(server) { try await function() }
            }
        }
    }
}

extension Trait where Self == GraphdServerTrait {
    static var sharedGraphd: GraphdServerTrait { GraphdServerTrait() }

    /// The same, with flags of `serve`.
    static func sharedGraphd(_ arguments: String...) -> GraphdServerTrait { GraphdServerTrait(arguments: arguments) }
}

extension GraphdServer {
    /// The server of the suite that runs now.
    static var shared: GraphdServer {
        get throws { try #require(GraphdServerTrait.current, "the suite needs the trait .sharedGraphd") }
    }
}
