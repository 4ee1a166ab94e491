import Database
import Saves
import TestSupport
import Testing

@testable import SocialGraph

/// Sets take as many round trips as one member, and each member gets what it would get alone.
@Suite(.timeLimit(.unit))
struct RoundTripGrowthTests {
    @Test
    func `a page of notifications takes few round trips and shows each group as it is alone`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(5))
            var posts: [PostID] = []
            for number in 0..<12 {
                let post = try await fixture.post(users[0])
                posts.append(post)
                for user in users[1...(1 + number % 4)] { try await graph.likes.like(post, by: user) }
            }
            // The newest act of some groups is hidden, and all acts of others.
            try await graph.setSuspended(true, users[1])
            try await graph.setSilenced(true, users[2])
            var trips: [Int] = []
            for limit in [1, 12] {
                trips.append(
                    try await fixture.roundTrips { graph in
                        let groups = try await graph.notifications.notificationGroups(
                            of: users[0], below: nil, limit: limit)
                        #expect(groups.count == limit)
                        for group in groups {
                            let alone = try await fixture.graph.notifications.notificationGroups(
                                of: users[0], below: group.place + 1, limit: 1)
                            #expect(alone == [group])
                        }
                    })
            }
            #expect(trips.max() ?? .max <= 4, "\(trips)")
            let none = try await graph.notifications.notificationGroups(of: users[1], below: nil, limit: 12)
            #expect(none.isEmpty)
        }
    }

    @Test
    func `the communities of a user come in their order, in two round trips`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            var made: [CommunityID] = []
            for number in 0..<7 {
                made.append(
                    try await fixture.graph.communities.createCommunity(
                        name: "Place \(number)", description: "", by: ann
                    ).id)
            }
            let trips = try await fixture.roundTrips { graph in
                let found = try await graph.communities.communities(of: ann)
                #expect(found.map(\.community.id) == made.reversed())
                #expect(found.map(\.membership.community) == made.reversed())
            }
            #expect(trips == 2)
        }
    }

    @Test(arguments: [1, 7, 1_000])
    func `pushes asked about together have the audiences that each has alone`(limit: Int) async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(12))
            for reader in users.indices {
                for author in users.indices where reader != author && (reader + author) % 3 != 0 {
                    try await graph.follows.follow(users[reader], users[author])
                }
            }
            var requests: [PushRequest] = []
            for (number, author) in users.enumerated() {
                let others = number % 4 == 1 ? [users[0], users[2]].filter { $0 != author } : []
                let post = try await fixture.post(author, with: others)
                requests.append(PushRequest(posts: [post], author: author, cursor: .start))
                let more = [post, try await fixture.post(author), try await fixture.post(author)]
                requests.append(PushRequest(posts: more, author: author, cursor: .start))
            }
            // A dead post, a suspended author and a hub.
            try await graph.posts.deletePost(requests[6].posts[0], by: users[3])
            try await graph.setSuspended(true, users[5])
            try await graph.hubs.setHubThreshold(6)
            var alone: [PushAudience] = []
            for request in requests {
                alone += try await graph.audiences.pushAudiences(of: [request], limit: limit, deliveries: 1)
            }
            let together = try await graph.audiences.pushAudiences(of: requests, limit: limit, deliveries: .max)
            #expect(together.count == requests.count && alone.count == requests.count)
            for (one, other) in zip(together, alone) {
                #expect(one.posts == other.posts && one.apart == other.apart)
                #expect(one.members == other.members && one.next == other.next)
            }
            // Answers end with the first at which there is enough.
            let enough = alone.prefix(5).reduce(0) { $0 + $1.deliveries }
            let some = try await graph.audiences.pushAudiences(of: requests, limit: limit, deliveries: enough)
            var (sum, count) = (0, 0)
            for answer in alone where sum < enough {
                sum += answer.deliveries
                count += 1
            }
            #expect(some.count == count)
        }
    }

    @Test
    func `pushes of many authors take as many round trips as that of one`() async throws {
        try await withGraph { fixture in
            var requests: [PushRequest] = []
            for author in try await fixture.users(30) {
                requests.append(PushRequest(posts: [try await fixture.post(author)], author: author, cursor: .start))
            }
            var trips: [Int] = []
            for count in [1, 30] {
                trips.append(
                    try await fixture.roundTrips { graph in
                        _ = try await graph.audiences.pushAudiences(
                            of: Array(requests.prefix(count)), limit: 1_000, deliveries: 1_000_000)
                    })
            }
            #expect(trips == [4, 4])
            #expect(try await fixture.graph.audiences.pushAudiences(of: [], limit: 9, deliveries: 9).isEmpty)
        }
    }

    @Test
    func `readers served first are those who follow an author`() async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(90))
            // Accepts the invitation, because the author is followed.
            try await graph.follows.follow(users[1], users[0])
            let post = try await fixture.post(users[0], with: [users[1]])
            for (number, user) in users.enumerated().dropFirst(2) where number % 3 != 0 {
                try await graph.follows.follow(user, users[number % 2])
            }
            let priority = PriorityRecipients(leastFollowers: 1) { Array(users[2...].reversed()) + [users[2]] }
            let request = PushRequest(posts: [post], author: users[0], cursor: .start)
            let answer = try await graph.audiences.pushAudiences(
                of: [request], limit: 3, deliveries: 1, priority: priority)
            let followers = users.indices.dropFirst(2).filter { $0 % 3 != 0 }.map { users[$0] }
            #expect(Array(answer[0].members.prefix(followers.count)) == followers.reversed())
        }
    }

    @Test
    func `a threshold switches more authors than are looked up at once`() async throws {
        try await withGraph { fixture in
            let count = HubStore.checkedAtOnce + 1
            _ = try await fixture.users(count)
            try await fixture.database.write { try $0.execute("UPDATE account SET followers_count = 100", []) }
            #expect(try await fixture.graph.hubs.setHubThreshold(99) == count)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM hub WHERE phase = 'pulled'") == Int64(count))
            #expect(try await fixture.graph.hubs.setHubThreshold(99) == 0)
            #expect(try await fixture.graph.hubs.setHubThreshold(0) == count)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM hub WHERE phase = 'returning'") == Int64(count))
        }
    }

    @Test(arguments: [1, 7, 1_000])
    func `an erasure withdraws all notifications of its user and no others, whatever its steps`(
        limit: Int
    ) async throws {
        try await withGraph { fixture in
            let (graph, users) = (fixture.graph, try await fixture.users(9))
            let (gone, stays) = (users[0], users[1])
            for user in users[2...] {
                let posts = [try await fixture.post(user), try await fixture.post(user)]
                for actor in [gone, stays] {
                    for post in posts { try await graph.likes.like(post, by: actor) }
                    try await graph.follows.follow(actor, user)
                }
            }
            try await graph.erasures.deleteAccount(gone)
            while try await graph.erasures.eraseSome(of: gone, limit: limit) == .removed {}
            let told = try await fixture.integers("SELECT DISTINCT actor_id FROM notification")
            #expect(told == [stays.rawValue])
            for user in users[2...] {
                let groups = try await graph.notifications.notificationGroups(of: user, below: nil, limit: 9)
                #expect(groups.count == 3 && groups.allSatisfy { $0.actorsCount == 1 })
            }
        }
    }

    @Test
    func `saves are replaced as a whole or not at all`() async throws {
        try await withGraph { fixture in
            let (saves, users) = (fixture.graph.saves, try await fixture.users(2))
            var posts: [PostID] = []
            for _ in 0..<5 { posts.append(try await fixture.post(users[0])) }
            func saved() async throws -> [PostID] {
                try await saves.saves(by: users[1], below: nil, limit: 9).map(\.post)
            }
            try await saves.replace([], with: [], by: users[1])
            #expect(try await saved() == [])
            try await saves.replace([posts[0]], with: [posts[1], posts[2], posts[1]], by: users[1])
            #expect(try await saved() == [posts[2], posts[1]])
            let collection = try await fixture.graph.collections.createCollection(named: "c", by: users[1]).id
            try await fixture.graph.collections.collect(posts[1], in: collection, by: users[1])
            await #expect(throws: GraphError.postNotFound) {
                try await saves.replace([posts[1]], with: [posts[3], PostID(rawValue: 1)], by: users[1])
            }
            #expect(try await saved() == [posts[2], posts[1]])
            let trips = try await fixture.roundTrips { graph in
                try await graph.saves.replace(
                    [posts[1], posts[1]], with: [posts[4], posts[2], posts[3]], by: users[1])
            }
            #expect(trips == 4)
            #expect(try await saved() == [posts[3], posts[4], posts[2]])
            #expect(try await fixture.graph.collections.collection(collection, of: users[1]).postsCount == 0)
        }
    }
}
