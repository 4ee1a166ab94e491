import Database
import Moderation
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import GraphServices

/// A classifier that hangs or fails does not delay the requests to others.
@Suite(.timeLimit(.unit))
struct ClassifierFairnessTests {
    @Test
    func `a community's tar pit keeps neither the site's classifier waiting nor another community's`() async throws {
        try await ClassifierFixture.with { house in
            let graph = house.graph
            let slow = try await graph.communities.createCommunity(name: "slow", description: "", by: house.author).id
            let quick = try await graph.communities.createCommunity(name: "quick", description: "", by: house.author).id
            try await house.classifier("site", timeout: 600_000, fallback: .allow)
            for (name, community) in [("pit", slow), ("fine", quick)] {
                let new = NewClassifier(
                    name, url: house.url, secret: ClassifierFixture.secret, timeout: 600_000, fallback: .allow,
                    community: community)
                _ = try await graph.classifiers.createClassifier(new, by: house.admin)
            }
            // Moderators' own texts are not judged in their community.
            let member = try await graph.accounts.createAccount(username: "member", email: nil, passwordHash: nil).id
            for community in [slow, quick] {
                try await graph.communities.joinCommunity(community, by: member)
                for index in 0..<64 where community == slow || index < 8 {
                    _ = try await graph.posts.publish(
                        NewPost(author: member, caption: "post", mediaURL: "/media/1", community: community))
                }
            }
            let (answered, continuation) = AsyncStream<String>.makeStream()
            let (gate, opening) = AsyncStream<Void>.makeStream()
            let inPit = Occupancy()
            let service = ClassifierService(
                graph: graph, formerOwner: .isDead, logger: .silent, now: { house.clock.now }
            ) { classifier, _, _ in
                if classifier.name == "pit" {
                    inPit.enter()
                    for await _ in gate {}
                    inPit.leave()
                    return .failed("at last")
                }
                continuation.yield(classifier.name)
                return .answered(ClassifierAnswer(.hold))
            }
            let running = Task { try await service.run() }
            var names: [String: Int] = [:]
            for await name in answered {
                names[name, default: 0] += 1
                if names["site"] == 72, names["fine"] == 8 { break }
            }
            #expect(inPit.most <= ClassifierService.capacity.ofOneCommunity)
            opening.finish()
            running.cancel()
            try await running.value
        }
    }

    @Test
    func `a classifier that keeps failing is left alone, and tried by one question at a time`() async throws {
        try await ClassifierFixture.with { house in
            let classifier = try await house.classifier(timeout: 600_000, fallback: .allow)
            let classifierIsWell = Occupancy()
            let asked = Occupancy()
            let breakers = ClassifierBreakers()
            let service = ClassifierService(
                graph: house.graph, formerOwner: .isDead, logger: .silent, breakers: breakers,
                now: { house.clock.now }
            ) { _, _, _ in
                asked.enter()
                return classifierIsWell.most > 0 ? .answered(ClassifierAnswer(.allow)) : .failed("500")
            }
            for _ in 0..<20 { _ = try await house.post() }
            await service.runUntilIdle()
            #expect(breakers[classifier.id].state == .open && asked.most >= ClassifierBreaker.threshold)
            let before = asked.most
            house.clock.advance(by: .seconds(2))
            await service.runUntilIdle()
            #expect(asked.most == before)
            house.clock.advance(by: .seconds(600 - 10))
            classifierIsWell.enter()
            await service.runUntilIdle()
            #expect(breakers[classifier.id] == ClassifierBreaker())
            #expect(asked.most > before)
        }
    }

    @Test
    func `a breaker opens after failures in a row, lets one through, and waits longer each time`() {
        let pauses = PushBackoff(first: 5_000, factor: 2, longest: 300_000, attempts: .max, random: { 0 })
        var breaker = ClassifierBreaker()
        for failure in 1...ClassifierBreaker.threshold {
            let admitted = breaker.admit(at: 0, probe: 100).isAdmitted
            #expect(admitted)
            let opened = breaker.failed(at: 0, pauses)
            #expect(opened == (failure == ClassifierBreaker.threshold))
        }
        var pause = breaker.retryAt
        #expect(breaker.state == .open && pause > 0)
        for _ in 0..<3 {
            let now = breaker.retryAt
            let early = breaker.admit(at: now - 1, probe: 100)
            #expect(!early.isAdmitted && early.retryAt == now)
            let first = breaker.admit(at: now, probe: 100)
            #expect(first.isAdmitted && breaker.state == .halfOpen)
            let second = breaker.admit(at: now, probe: 100)
            #expect(!second.isAdmitted && second.retryAt == now + 100)
            let opened = breaker.failed(at: now, pauses)
            #expect(opened && breaker.retryAt - now > pause)
            pause = breaker.retryAt - now
        }
        // The probe request never returned.
        _ = breaker.admit(at: breaker.retryAt, probe: 100)
        let late = breaker.admit(at: breaker.retryAt, probe: 100)
        #expect(late.isAdmitted)
        breaker.succeeded()
        #expect(breaker == ClassifierBreaker())
    }
}

/// The present and the highest number of occupants.
private final class Occupancy: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func enter() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
    func leave() { counts.withLock { $0.now -= 1 } }
}
