/// A value of a typed map: a post's attributes, a user's preferences.
package enum AttributeValue: Sendable, Equatable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([String])

    /// The kind of a value; the raw value is stored and stable.
    enum Kind: String, Sendable, CaseIterable { case text, number, flag, list }

    var kind: Kind {
        switch self {
        case .text: .text
        case .number: .number
        case .flag: .flag
        case .list: .list
        }
    }
}

/// The names with one meaning in every product, each with the only kind of value that it accepts. Other names take any
/// kind.
package enum AttributeVocabulary {
    package enum Kind: String, Sendable {
        case text = "a string"
        case number = "a number"
        case flag = "true or false"
        case list = "an array of strings"
    }

    /// Attributes of posts. Durations are seconds, cooking times minutes.
    package static let posts: [String: Kind] = [
        "workoutType": .text, "difficulty": .text, "difficultyLevel": .text, "muscleGroup": .text, "duration": .number,
        "cuisineType": .text, "cookingTime": .number, "servings": .number, "calories": .number, "equipment": .list,
        "ingredients": .list,
    ]

    package static func accepts(_ value: AttributeValue, as kind: Kind?) -> Bool {
        switch (kind, value) {
        case (nil, _), (.text, .text), (.number, .number), (.flag, .flag), (.list, .list): true
        default: false
        }
    }
}
