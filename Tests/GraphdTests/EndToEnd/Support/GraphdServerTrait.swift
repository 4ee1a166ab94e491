import Coordination
import Testing

/// Gives a suite one running server, which its tests share. Each test creates people of its own.
struct GraphdServerTrait: SuiteTrait, TestScoping {
    @TaskLocal static var current: GraphdServer?
    /// Limits the number of servers. Suites begin all at once, and each would otherwise keep a server for the whole
    /// run; an idle server of a debug build takes 3 % of a processor.
    private static let turns = ConcurrencyLimit(4)
    let place: GraphdServer.Place
    let arguments: [String]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.turns.run {
            try await GraphdServer.running(arguments, in: place) { server in
                try await Self.$current.withValue(server) { try await function() }
            }
        }
    }
}

extension Trait where Self == GraphdServerTrait {
    /// A server in either place.
    static var sharedGraphd: GraphdServerTrait { GraphdServerTrait(place: .either, arguments: []) }

    /// The same, with flags of `serve`.
    static func sharedGraphd(_ arguments: String...) -> GraphdServerTrait {
        GraphdServerTrait(place: .either, arguments: arguments)
    }

    /// The real program in a process of its own, for suites to which the process matters.
    static var graphdProcess: GraphdServerTrait { GraphdServerTrait(place: .process, arguments: []) }
}

extension GraphdServer {
    /// The server of the running suite.
    static var shared: GraphdServer {
        get throws {
            try #require(GraphdServerTrait.current, "the suite needs the trait .sharedGraphd or .graphdProcess")
        }
    }
}
