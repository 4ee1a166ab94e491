import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct AttributeConditionTests {
    private let attributes: [String: AttributeValue] = [
        "cuisineType": .text("Crème Brûlée"), "cookingTime": .number(15), "equipment": .list(["Mat", "Rope"]),
        "vegan": .flag(true), "none": .list([]),
    ]

    @Test(arguments: [
        ("cuisineType", "CRÈME brûlée", true), ("cuisineType", "creme", false), ("cuisineType", "Crème", false),
        ("equipment", "rope", true), ("equipment", "rop", false), ("none", "", false),
        ("vegan", "true", true), ("vegan", "false", false), ("vegan", "1", false), ("unknown", "x", false),
        ("cookingTime", "15", true), ("cookingTime", "15.0", true), ("cookingTime", "14", false),
        ("cookingTime", "..15", true), ("cookingTime", "..14.9", false), ("cookingTime", "15..", true),
        ("cookingTime", "15.1..", false), ("cookingTime", "10..20", true), ("cookingTime", "16..20", false),
        ("cookingTime", "20..10", false), ("cookingTime", "..", false), ("cookingTime", "x", false),
        ("cookingTime", "nan", false), ("cookingTime", "1..inf", false), ("cookingTime", "1..2..3", false),
    ])
    func `a condition is met by an equal text, flag or entry, or a number within its range`(
        name: String, text: String, isMet: Bool
    ) {
        #expect(AttributeCondition(name: name, text: text).matches(attributes) == isMet)
    }

    @Test
    func `texts of the vocabulary lead to posts, other names and numbers do not`() {
        let source = FeedSource.attribute(name: "muscleGroup", key: "legs")
        #expect(AttributeCondition(name: "muscleGroup", text: "Legs").source == source)
        for name in ["cookingTime", "unknown"] { #expect(AttributeCondition(name: name, text: "x").source == nil) }
    }
}
