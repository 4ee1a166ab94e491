import SocialGraph
import Timeline

extension Operation {
    static let reads =
        [
            Operation("home page, window", batches: 48, repetitions: 1, changesThreads: true) { site, measure in
                try await site.withTimelines { timelines in
                    let reader = try await timelines.user(Network.reader(following: 20))
                    try await timelines.buildWindows(of: [reader])
                    try await measure { _ in try await timelines.readPage(of: reader) }
                }
            },
            // Each time for another reader, with other posts.
            Operation("home page, window, cold caches", batches: 24, repetitions: 1, changesThreads: true) {
                site, measure in
                try await site.withTimelines { timelines in
                    var readers: [UserID] = []
                    for name in Network.strangers { readers.append(try await timelines.user(name)) }
                    try await timelines.buildWindows(of: readers)
                    try await measure { number in try await timelines.readPage(of: readers[number]) }
                }
            },
            Operation("home page, filter window", warmUp: 8, batches: 48, repetitions: 1, changesThreads: true) {
                site, measure in
                try await site.withTimelines { timelines in
                    let reader = try await timelines.user(Network.reader(following: 1_000))
                    try await timelines.buildWindows(of: [reader])
                    guard
                        let topic = try await timelines.graph.topics.topics(.category, named: [Network.category(0)])[0]
                    else { throw BenchmarkError("no post has the category") }
                    let filter = FeedFilter(category: .topic(topic))
                    // Items that the home window does not fill are read from SQLite, which requests a filter window.
                    try await timelines.readPage(of: reader, filter: filter)
                    try await timelines.waitForJobs()
                    try await measure { _ in try await timelines.readPage(of: reader, filter: filter) }
                }
            },
        ] + Network.followeeCounts.map(homePageFromSQLite)

    private static func homePageFromSQLite(followees: Int) -> Operation {
        Operation("home page, SQLite, \(followees) followees", repetitions: 16) { site, measure in
            let timelines = try await Timelines(site, redis: .none)
            let reader = try await timelines.user(Network.reader(following: followees))
            try await measure { _ in try await timelines.readPage(of: reader) }
        }
    }
}
