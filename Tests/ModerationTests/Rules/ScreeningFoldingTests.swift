import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// The cost of folding texts that are judged.
@Suite(.timeLimit(.unit))
struct ScreeningFoldingTests {
    @Test func `a text is folded only if a rule examines it`() async throws {
        try await withModeration { house in
            let state = house.graph.screeningState
            _ = try await house.graph.rules.createRule(
                NewRule("new", .newAccount(maxAgeSeconds: 0, minPosts: 1), action: .flag), by: house.admin)
            let long = String(repeating: "\u{FDFA}", count: 500)
            #expect(try await house.write(long, by: house.member, inCommunity: true) == .reported)
            #expect(state.foldedScalars == 0)
            // A rule of any scope is enough.
            _ = try await house.graph.rules.createRule(
                NewRule(
                    "spam", .keyword(words: ["spam"], wholeWords: true), action: .hold, community: house.community),
                by: house.owner)
            #expect(try await house.write(long + " spam", by: house.member, inCommunity: true) == .held)
            #expect(state.foldedScalars > 18 * 500)
        }
    }

    @Test func `a long text is not judged by the thread that serves the request, even if rules take no steps`() {
        let limit = ScreeningStore.stepsInline
        #expect(!ScreeningStore.isShort([String(repeating: "\u{FDFA}", count: limit / 2)], weights: [0]))
        #expect(ScreeningStore.isShort([String(repeating: "a", count: limit - 1)], weights: [0]))
        #expect(!ScreeningStore.isShort([String(repeating: "a", count: limit / 2)], weights: [0, 2]))
        #expect(!ScreeningStore.isShort(["a"], weights: [0, nil]))
        #expect(ScreeningStore.isShort(["a"], weights: []))
    }
}
