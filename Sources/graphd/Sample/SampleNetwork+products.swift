import Discovery
import SocialGraph

/// The attributes and segments that make posts of the sample network videos of the products. They are derived from the
/// post, so that the network stays the same.
extension SampleNetwork.Post {
    private static let workouts = ["Fitness": "HIIT", "Running": "Cardio", "Yoga": "Yoga", "Climbing": "Strength"]
    private static let cuisines = ["Italian", "Mexican", "Japanese", "Nigerian", "Polish", "Thai"]
    private static let levels = ["beginner", "intermediate", "advanced"]
    private static let muscles = ["Legs", "Arms", "Core", "Back", "Full Body"]

    /// Returns a number that differs from post to post.
    private func number(below limit: Int) -> Int { Int(createdAt / 1_000 % Int64(limit)) }

    var attributes: [String: AttributeValue] {
        switch category {
        case "Fitness":
            let level = Self.levels[number(below: Self.levels.count)]
            return [
                "workoutType": .text(tags.lazy.compactMap { Self.workouts[$0] }.first ?? "HIIT"),
                "difficulty": .text(level), "difficultyLevel": .text(level),
                "muscleGroup": .text(Self.muscles[number(below: Self.muscles.count)]),
                "duration": .number(Double(300 + number(below: 2_400))),
            ]
        case "Food":
            return [
                "cuisineType": .text(Self.cuisines[number(below: Self.cuisines.count)]),
                "cookingTime": .number(Double(5 * (1 + number(below: 12)))), "duration": .number(480),
            ]
        default: return [:]
        }
    }

    /// The segments of workouts and recipes.
    var segments: [NewSegment] {
        let seconds: Int64 = 1_000
        let (labels, length): ([String], Int64) =
            switch category {
            case "Fitness": (["Intro", "Warm-up", "Squats", "Cardio", "Cool-down"], 60)
            case "Food": (["Intro", "Ingredients", "Chopping", "Sauce making", "Plating"], 90)
            default: ([], 0)
            }
        return labels.enumerated().map { index, label in
            let start = Int64(index) * length * seconds
            return NewSegment(label: label, start: start, end: start + length * seconds)
        }
    }
}
