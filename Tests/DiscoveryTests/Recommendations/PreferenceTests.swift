@testable import SocialGraph
import Database
import TestSupport
import Testing

@testable import Discovery

/// Effects of preferences on two recommended posts that differ in one attribute only.
@Suite(.timeLimit(.unit))
struct PreferenceTests {
    struct Case: Sendable {
        let preference: (String, AttributeValue)
        let wished: [String: AttributeValue]
        let other: [String: AttributeValue]
    }

    @Test(arguments: [
        Case(
            preference: ("preferredWorkoutTypes", .list(["Yoga"])), wished: ["workoutType": .text("yoga")],
            other: ["workoutType": .text("HIIT")]),
        Case(
            preference: ("preferredTypes", .list(["HIIT"])), wished: ["workoutType": .text("HIIT")],
            other: ["workoutType": .text("yoga")]),
        Case(
            preference: ("preferredCuisines", .list(["Thai", "Italian"])), wished: ["cuisineType": .text("italian")],
            other: ["cuisineType": .text("french")]),
        Case(
            preference: ("skillLevel", .text("Beginner")), wished: ["difficultyLevel": .text("beginner")],
            other: ["difficultyLevel": .text("advanced")]),
        Case(
            preference: ("preferredDifficulty", .text("hard")), wished: ["difficulty": .text("advanced")],
            other: ["difficulty": .text("easy")]),
        Case(
            preference: ("cookingTime", .number(20)), wished: ["cookingTime": .number(20)],
            other: ["cookingTime": .number(45)]),
        Case(
            preference: ("maxDuration", .number(600)), wished: ["duration": .number(500)],
            other: ["duration": .number(1_900)]),
        Case(
            preference: ("primaryGoal", .text("Legs")), wished: ["muscleGroup": .text("legs")],
            other: ["muscleGroup": .text("arms")]),
        Case(
            preference: ("goals", .list(["x", "cardio"])), wished: ["workoutType": .text("Cardio")],
            other: ["workoutType": .text("yoga")]),
    ])
    func `a post that meets a preference rises, one that goes against it falls`(_ sample: Case) async throws {
        try await withRecommendations { fixture in
            let reader = try await fixture.user("reader")
            let wished = try await fixture.post(by: "one", sample.wished)
            let plain = try await fixture.post(by: "two")
            let other = try await fixture.post(by: "three", sample.other)
            // Without the preference the newest comes first.
            #expect(try await fixture.list(reader) == [other, plain, wished])
            try await fixture.prefer([sample.preference.0: sample.preference.1], reader)
            #expect(try await fixture.list(reader) == [wished, plain, other])
            let (up, down) = (
                try await fixture.recommendation(wished, for: reader),
                try await fixture.recommendation(other, for: reader)
            )
            #expect(up.score > down.score + 0.2, "\(up.score) and \(down.score)")
            #expect(up.reasons[0] == RecommendationReason(.preference, value: sample.preference.0))
            #expect(PreferenceMatch.text(of: sample.preference.0) == up.reasons[0].text)
            #expect(!down.reasons.contains { $0.kind == .preference })
        }
    }

    @Test
    func `a preferred type may be a category or a tag`() async throws {
        try await withRecommendations { fixture in
            let reader = try await fixture.user("reader")
            let category = try await fixture.post(by: "one", category: "Yoga")
            let tag = try await fixture.post(by: "two", tags: ["yoga"])
            let neither = try await fixture.post(by: "three", tags: ["run"])
            try await fixture.prefer(["preferredWorkoutTypes": .list(["YOGA"])], reader)
            #expect(try await fixture.list(reader) == [tag, category, neither])
        }
    }

    @Test
    func `the further from a wish, the further down`() {
        let match = PreferenceMatch(["cookingTime": .number(10), "skillLevel": .text("beginner")], topics: [:])
        func agreement(_ attributes: [String: AttributeValue]) -> Double {
            match.verdict(
                RecommendablePost(
                    id: PostID(rawValue: 1), authors: [], topics: [], category: nil, attributes: attributes,
                    people: EngagementCounts(likes: 0, comments: 0, shares: 0))
            ).agreement
        }
        let times = [10.0, 12.5, 15, 20, 90].map { agreement(["cookingTime": .number($0)]) }
        #expect(times == [1, -0.25, -0.5, -1, -1])
        let levels = ["beginner", "intermediate", "advanced", "unheard of"].map {
            agreement(["difficultyLevel": .text($0)])
        }
        #expect(levels == [1, -0.25, -1, -0.5])
        #expect(agreement([:]) == 0 && agreement(["cookingTime": .number(10), "difficulty": .text("expert")]) == 0)
        #expect(PreferenceMatch(["cookingTime": .text("long"), "goals": .list([])], topics: [:]).isEmpty)
    }
}
