import Foundation

/// Files of real graphs in a directory. A missing one is replaced with a generated graph of about the same degrees.
struct RealGraphs: Sendable {
    /// The default directory, from the root of the repository; docs/performance/load-tests.md describes its contents.
    static let defaultDirectory = "data/graphs"

    let directory: String

    /// Number of users of the real graph, or of its replacement.
    var users: Int { hasEgoTwitter ? Self.egoTwitter : Self.generated }

    /// `follower,followee` with a header.
    private var egoTwitterPath: String { directory + "/ego-twitter-follows.csv.gz" }
    private var reed98Path: String { directory + "/socfb-Reed98.edges.gz" }
    /// Lines `actor target seconds kind`.
    var activityPath: String { directory + "/higgs-activity_time.txt.gz" }

    private var hasEgoTwitter: Bool { FileManager.default.fileExists(atPath: egoTwitterPath) }

    private static let (egoTwitter, generated) = (81_306, 40_000)
    private static let followees = 22
    private static let (reed98, friends) = (962, 39)

    /// Returns a graph of so many copies of the real one.
    func follows(copies: Int = 1) -> GraphSource {
        guard hasEgoTwitter else {
            return .powerLaw(users: Self.generated * copies, followees: Self.followees, seed: 1)
        }
        return copies == 1 ? .follows(egoTwitterPath) : .lift(egoTwitterPath, copies: copies)
    }

    /// Returns the follows among so many users of the real graph.
    func part(users: Int) -> GraphSource {
        guard hasEgoTwitter else { return .powerLaw(users: users, followees: Self.followees, seed: 1) }
        return .part(egoTwitterPath, users: users)
    }

    var friendships: GraphSource {
        guard FileManager.default.fileExists(atPath: reed98Path) else {
            return .powerLaw(users: Self.reed98, followees: Self.friends, seed: 1)
        }
        return .friendships(reed98Path)
    }

    /// The graphs of a run, for its report.
    var description: String {
        hasEgoTwitter ? "real graphs" : "generated graphs: \(directory) has none"
    }
}
