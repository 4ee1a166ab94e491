import SocialGraph

extension AttributeVocabulary {
    /// Preferences of users.
    package static let preferences: [String: Kind] = [
        "skillLevel": .text, "primaryGoal": .text, "goals": .list, "preferredTypes": .list,
        "preferredWorkoutTypes": .list, "preferredDifficulty": .text, "preferredCuisines": .list,
        "cookingTime": .number, "maxDuration": .number,
    ]
}
