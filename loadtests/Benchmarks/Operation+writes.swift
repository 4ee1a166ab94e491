import Database
import Dispatch
import Importing
import SocialGraph
import Synchronization

/// Writes without concurrent fan-out: their jobs stay in the outbox.
extension Operation {
    static let writes = [
        Operation("publish", repetitions: 32) { site, measure in
            let graph = try site.graph()
            let fans = try await graph.fans()
            try await measure { number in _ = try await graph.posts.publish(Network.post(number, by: fans[number])) }
        },
        publishInOneGroup(of: 64),
        Operation("follow", repetitions: 32) { site, measure in
            let graph = try site.graph()
            let (fans, authors) = (try await graph.fans(), try await graph.authors())
            try await measure { number in try await graph.follows.follow(fans[number], authors[number]) }
        },
        Operation("unfollow", repetitions: 32) { site, measure in
            let graph = try site.graph()
            let (fans, authors) = (try await graph.fans(), try await graph.authors())
            for (fan, author) in zip(fans, authors) { try await graph.follows.follow(fan, author) }
            try await measure { number in try await graph.follows.unfollow(fans[number], authors[number]) }
        },
        Operation("like", repetitions: 32) { site, measure in
            let graph = try site.graph()
            let (fans, author) = (try await graph.fans(), try await graph.authors()[0])
            let posts = try await graph.feeds.authorFeed(of: author, below: nil, limit: 2)
            try await measure { number in _ = try await graph.likes.like(posts[number % posts.count], by: fans[number])
            }
        },
        importOfFollows(1_000),
    ]

    /// Publishes posts that all wait for the writer, which is held until they are there, so that one commit takes them
    /// all. The writer is held by an empty write, which is counted with them.
    private static func publishInOneGroup(of size: Int) -> Operation {
        Operation("publish, \(size) in one group", warmUp: 1, repetitions: 2) { site, measure in
            let database = try site.database()
            let graph = site.graph(over: database)
            let fans = try await graph.fans()
            try await measure { number in
                let hold = Hold()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await database.write { _ in hold.begin() } }
                    while !hold.hasBegun { try await Task.sleep(for: .milliseconds(1)) }
                    for place in 0..<size {
                        let post = Network.post(number * size + place, by: fans[place])
                        group.addTask { _ = try await graph.posts.publish(post) }
                    }
                    while database.waitingWrites < size { try await Task.sleep(for: .milliseconds(1)) }
                    hold.end()
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Each import has the same followers and other followees.
    private static func importOfFollows(_ count: Int) -> Operation {
        Operation("import of \(count) follows", warmUp: 1, repetitions: 2) { site, measure in
            var importer = FollowImporter(graph: try site.graph())
            let followers = 100
            try await measure { number in
                try await importer.write(
                    (0..<count).map { edge in
                        let author = number * (count / followers) + edge / followers
                        return (follower: Network.fan(edge % followers), followee: Network.author(author))
                    })
            }
        }
    }
}

/// Blocks the writer's thread until it is released.
private final class Hold: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let begun = Atomic(false)

    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    func begin() {
        begun.store(true, ordering: .releasing)
        gate.wait()
    }

    func end() { gate.signal() }
}
