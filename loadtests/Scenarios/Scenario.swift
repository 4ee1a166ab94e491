import Foundation

/// A load described by a file: the graph, the stored posts, the mix and rate of requests, and the faults.
struct Scenario: Codable, Sendable {
    let name: String
    /// A sentence, with the source of the mix.
    let title: String
    let graph: Graph
    /// Number of posts before the run, by authors drawn in proportion to followers.
    let posts: Int
    /// Weights of the operations; they need not add up to 100.
    let mix: [Operation: Double]
    /// Number of users who send requests; drawn once from those who follow somebody.
    let readers: Int
    let arrivals: ArrivalPlan
    let warmUp: Double
    let seconds: Double
    let runs: Int
    var arguments: [String]?
    var events: [Event]?

    enum Operation: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
        case home, deepHome, profile, publicTimeline, filtered, compose, follow, unfollow, signIn, health
    }

    struct Graph: Codable, Sendable {
        enum Kind: String, Codable, Sendable { case powerLaw, egoTwitter, lift, reed98, celebrity }
        let kind: Kind
        var users: Int?
        var followees: Int?
        var copies: Int?
    }

    struct ArrivalPlan: Codable, Sendable {
        /// Requests a second.
        var perSecond: Double?
        /// Share of the server's measured maximum rate with the same mix.
        var ofCapacity: Double?
        /// Speed at which the activity file's events are replayed, as a multiple of the original.
        var replayAt: Double?
    }

    struct Event: Codable, Sendable {
        enum Kind: String, Codable, Sendable { case loseRedis }
        /// Seconds from the start of a run.
        let at: Double
        let kind: Kind
    }

    /// Reads a scenario. Throws a sentence that names the file and the error.
    static func read(_ path: String) throws -> Scenario {
        guard let file = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw Program.Failure(
                description: "\(path): no such file, or it cannot be read. Scenarios lie in loadtests/Scenarios/Files.")
        }
        do {
            let scenario = try JSONDecoder().decode(Scenario.self, from: file)
            try scenario.check()
            return scenario
        } catch let error as DecodingError {
            throw Program.Failure(description: "\(path): \(error)")
        } catch let failure as Program.Failure {
            throw Program.Failure(description: "\(path): \(failure.description)")
        }
    }

    private func check() throws {
        let plans = [arrivals.perSecond, arrivals.ofCapacity, arrivals.replayAt].compactMap(\.self)
        guard plans.count == 1, plans[0] > 0 else {
            throw Program.Failure(
                description: "arrivals must have one of perSecond, ofCapacity, replayAt, above zero")
        }
        guard !mix.isEmpty, mix.values.allSatisfy({ $0 > 0 }) else {
            throw Program.Failure(description: "mix must name operations with parts above zero")
        }
        guard readers > 0, seconds > 0, warmUp >= 0, runs > 0, posts >= 0 else {
            throw Program.Failure(description: "readers, seconds, runs must be above zero, posts and warmUp not below")
        }
        switch graph.kind {
        case .powerLaw where graph.users == nil || graph.followees == nil:
            throw Program.Failure(description: "a powerLaw graph needs users and followees")
        case .lift where graph.copies == nil: throw Program.Failure(description: "a lift needs copies")
        case .celebrity where graph.users == nil: throw Program.Failure(description: "a celebrity needs users")
        default: break
        }
    }
}

extension Scenario.Graph {
    func source(_ graphs: RealGraphs) -> GraphSource {
        switch kind {
        case .powerLaw: .powerLaw(users: users ?? 0, followees: followees ?? 0, seed: 1)
        case .egoTwitter: graphs.follows()
        case .lift: graphs.follows(copies: copies ?? 1)
        case .reed98: graphs.friendships
        case .celebrity: .celebrity(followers: users ?? 0)
        }
    }
}
