import Database
import TestSupport
import Testing

@testable import SocialGraph

/// The answer to publishing, which is not read back from the database.
@Suite(.timeLimit(.unit))
struct PublishedPostTests {
    @Test(arguments: [1, 2, 3])
    func `a published post is the one that is stored`(seed: UInt64) async throws {
        var generator = SplitMix64(seed: seed)
        try await withGraph { fixture in
            let users = try await fixture.users(4)
            var change = ProfileChange()
            change.isPrivate = true
            try await fixture.graph.accounts.changeProfile(of: users[1], change)
            for number in 0..<60 {
                let draft = Self.draft(number, by: users, using: &generator)
                let published = try await fixture.graph.posts.publish(draft)
                let stored = try await fixture.database.read { try PostStore.Reader($0).requirePost(published.id) }
                #expect(published == stored)
            }
        }
    }

    private static func draft(
        _ number: Int, by users: [UserID], using generator: inout SplitMix64
    ) -> NewPost {
        func chance() -> Bool { .random(using: &generator) }
        var post = NewPost.sample(users[.random(in: 0..<3, using: &generator)], "post \(number) for @user3")
        let tags = ["Food", "food", "Été", "a", "b\(number)"]
        post.algorithmTags = Array(tags.shuffled(using: &generator).prefix(.random(in: 0...5, using: &generator)))
        if chance() { post.category = ["Food", "music \(number % 7)"].randomElement(using: &generator) }
        if chance() { post.link = "https://example.org/\(number)" }
        if chance() { post.title = "title \(number)" }
        if chance() { post.thumbnailURL = "https://example.org/\(number).jpg" }
        if chance() { post.visibility = .followers }
        if chance() { post.createdAt = 1_700_000_000_000 + Int64(number) }
        if chance() {
            post.attributes = [
                "level": .number(-0.5), "list": .list(["z", "y", "Z"]), "empty": .list([]), "flag": .flag(chance()),
                "text": .text("\u{e9} or e\u{301}"),
            ]
        }
        if number % 5 == 0 { post.collaborators = users.filter { $0 != post.author } }
        return post
    }
}
