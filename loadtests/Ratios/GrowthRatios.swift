import Foundation
import GraphdClient

/// The cost of a delivery and of a page as the graph grows from 10,000 users on, with the same number of posts for each
/// user; and on the largest graph, memory under load and the benefit of windows.
///
/// Costs are processor time of graphd and Redis. The load is constant: on every graph, posts are by so many authors of
/// about 300 followers, and pages of so many readers of about 30 followees.
struct GrowthRatios: RatioMeasurement {
    var posts = 1_000
    var seconds = 2.0

    private static let (authorFollowers, readerFollowees) = (300, 30)
    private static let authors = 100
    private static let readers = 500

    let keys: [RatioKey] = [
        .growthOfDeliveries, .growthOfReads, .resident, .windowVsPull2, .windowVsPull6, .windowVsPull20,
        .windowVsPull200, .windowVsPull1000,
    ]

    /// A measured network, and its costs.
    private struct Subject {
        let network: RealNetwork
        let pages: CostOfPages
        let readers: [String]
        let authors: [Int]
        /// Microseconds, one for each run.
        var costs = (deliveries: [Double](), pages: [Double]())

        var users: Int { network.shape.names.count }
    }

    func measure(_ setting: RatioSetting) async throws -> RatioFindings {
        var networks: [RealNetwork] = []
        defer { for (number, network) in networks.enumerated() where !setting.isShared(number) { network.remove() } }
        for number in 0...setting.copies.count { networks.append(try await setting.growthNetwork(number)) }
        let subjects = try await subjects(networks, runs: setting.runs)
        var comparisons = Self.comparisons(subjects)
        var verification = Verification()
        for (number, network) in networks.enumerated() {
            let isLargest = number == setting.copies.count
            if isLargest { comparisons.append(try await Soak(network: network, seconds: setting.soak).comparison()) }
            verification.add(try await network.server.verification())
            if isLargest { comparisons += try await WindowVsPull(network: network).comparisons(setting) }
        }
        return RatioFindings(
            comparisons: comparisons, growth: Self.growth(subjects), verification: verification)
    }

    /// Measures networks in turn, so that a drift in the machine's speed changes all of them.
    private func subjects(_ networks: [RealNetwork], runs: Int) async throws -> [Subject] {
        var subjects: [Subject] = []
        for network in networks {
            let subject = Subject(
                network: network, pages: CostOfPages(server: network.server, seconds: seconds),
                readers: try network.tokens(network.readers(near: Self.readerFollowees, count: Self.readers)),
                authors: network.authors(near: Self.authorFollowers, count: Self.authors))
            try await subject.pages.warm(subject.readers)
            _ = try await deliveries(network, subject.authors)
            subjects.append(subject)
        }
        for _ in 0..<runs {
            for index in subjects.indices {
                let subject = subjects[index]
                subjects[index].costs.pages.append(try await subject.pages.microseconds(subject.readers))
            }
            for index in subjects.indices {
                let subject = subjects[index]
                subjects[index].costs.deliveries.append(try await deliveries(subject.network, subject.authors))
            }
        }
        return subjects
    }

    /// Returns microseconds for each delivery.
    private func deliveries(_ network: RealNetwork, _ authors: [Int]) async throws -> Double {
        let clients = try network.tokens(authors).map(network.server.client.with(token:))
        let before = try network.server.processorSeconds()
        _ = try await ClosedLoop(concurrency: 16).run(posts) { number in
            _ = try await clients[number % clients.count].publish(SampleGraph.draft(number))
        }
        try await network.server.client.waitUntilOutboxIsEmpty()
        let used = try network.server.processorSeconds() - before
        let deliveries = (0..<posts).reduce(0) { $0 + network.shape.followers[authors[$1 % authors.count]] }
        return used * 1e6 / Double(deliveries)
    }

    private static func comparisons(_ subjects: [Subject]) -> [LoadReport.Comparison] {
        guard let small = subjects.first, let large = subjects.last else { return [] }
        var (deliveries, pages) = (PairedFigure(.growthOfDeliveries), PairedFigure(.growthOfReads))
        for (ours, theirs) in zip(large.costs.deliveries, small.costs.deliveries) {
            deliveries.add(ours: ours, theirs: theirs)
        }
        for (ours, theirs) in zip(large.costs.pages, small.costs.pages) { pages.add(ours: ours, theirs: theirs) }
        let note = "\(large.users) users to \(small.users); graphd and Redis"
        return [
            deliveries.comparison(note: note + ", posting included, about \(authorFollowers) followers"),
            pages.comparison(note: note + ", HTTP included, about \(readerFollowees) followees"),
        ]
    }

    private static func growth(_ subjects: [Subject]) -> [LoadReport.Growth] {
        func points(_ values: (Subject) -> [Double]) -> [[Double]] {
            subjects.map { [Double($0.users), PairedFigure.median(values($0))] }
        }
        return [
            .init(title: "CPU of a delivery", unit: "µs", points: points(\.costs.deliveries)),
            .init(title: "CPU of a page", unit: "µs", points: points(\.costs.pages)),
        ]
    }
}

/// Processor time of requests.
struct CostOfPages {
    let server: Server
    var seconds = 2.0
    var operation = Scenario.Operation.home

    private static let connections = 8

    /// Requests two pages of each of `tokens`: the first one builds missing windows.
    func warm(_ tokens: [String]) async throws {
        let clients = tokens.map(server.client.with(token:))
        for _ in 0..<2 {
            _ = try await ClosedLoop(concurrency: Self.connections).run(clients.count) { number in
                _ = try await clients[number].timelines.home(limit: 20)
            }
        }
    }

    /// Returns processor time of graphd and Redis for each request with one of `tokens`, sent as fast as possible.
    func microseconds(_ tokens: [String]) async throws -> Double {
        let people = tokens.map { MixedWorkload.Person(id: "", token: $0, followers: 0) }
        let plan = LoadGenerator.Plan(
            port: server.port, connections: Self.connections, pace: .closed, warmUp: 0, seconds: seconds)
        let before = try server.processorSeconds()
        let result = try await LoadGenerator.run(
            plan, MixedWorkload([operation: 1], people: people, tags: [], seed: 1))
        guard result.failed == 0, result.answered > 0 else {
            throw Program.Failure(description: "pages failed: \(result.failures)")
        }
        return (try server.processorSeconds() - before) * 1e6 / Double(result.answered)
    }
}
