import Foundation

/// Posts and reads in the order of acts on a real network (SNAP higgs-twitter: lines of `actor target seconds kind`).
///
/// A mention or a reply is a post, a retweet is a reading of home timelines. Every actor of the file represents one of
/// our users: as an author, one drawn in proportion to followers; as a reader, one drawn uniformly from a number of
/// readers. Users busy there are busy here. To reach the requested rate of reads, a retweet represents several reads,
/// those after the first by newly drawn readers.
struct ActivityWorkload {
    enum Act: Sendable {
        case post(author: Int)
        case read(reader: Int)
    }

    let acts: [Act]

    /// - Parameters:
    ///   - from: seconds since 1970; earlier lines are left out.
    ///   - readers: largest number of different readers.
    init(
        file: String, from start: Int, posts: Int, reads: Int, readers: Int, of graph: FollowGraph, seed: UInt64
    ) throws {
        let kinds = try Self.kinds(file, from: start, posts: posts)
        let retweets = kinds.count { !$0.isPost }
        guard retweets > 0 || reads == 0, kinds.count - retweets == posts else {
            throw Program.Failure(description: "\(file) has fewer than \(posts) posts since \(start)")
        }
        var generator = SeededGenerator(seed: seed)
        let (byFollowers, alike) = (graph.authors(), graph.readers())
        let pool = (0..<readers).map { _ in alike.draw(using: &generator) }
        var authors: [Int: Int] = [:]
        var acts: [Act] = []
        var seen = 0
        for kind in kinds {
            if kind.isPost {
                let author = authors[kind.actor] ?? byFollowers.draw(using: &generator)
                authors[kind.actor] = author
                acts.append(.post(author: author))
                continue
            }
            seen += 1
            let count = reads * seen / retweets - reads * (seen - 1) / retweets
            for number in 0..<count {
                let place = number == 0 ? kind.actor % readers : Int.random(in: 0..<readers, using: &generator)
                acts.append(.read(reader: pool[place]))
            }
        }
        self.acts = acts
    }

    var authors: Set<Int> { Set(acts.compactMap { if case .post(let author) = $0 { author } else { nil } }) }
    var readers: Set<Int> { Set(acts.compactMap { if case .read(let reader) = $0 { reader } else { nil } }) }

    private static func kinds(_ file: String, from start: Int, posts: Int) throws -> [(actor: Int, isPost: Bool)] {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        var kinds: [(actor: Int, isPost: Bool)] = []
        var left = posts
        for line in text.split(separator: "\n") where left > 0 {
            let fields = line.split(separator: " ")
            guard fields.count == 4, let actor = Int(fields[0]), let second = Int(fields[2]), second >= start else {
                continue
            }
            let isPost = fields[3] != "RT"
            kinds.append((actor, isPost))
            if isPost { left -= 1 }
        }
        return kinds
    }
}
