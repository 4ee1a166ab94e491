import Database
import GraphHTTP
import Moderation
import ProductAPIs
import SocialGraph

/// The readers of a body's fields, each fed with a body of one member. A reader without a row here fails a test.
extension InputParser {
    /// The readers by their names in ``StrictObject``.
    static let readers: [(name: String, read: @Sendable (inout StrictObject) throws -> Void)] = [
        ("string", { _ = try $0.string("f", maxLength: 2_200) }),
        ("optionalString", { _ = try $0.optionalString("f", maxLength: 2_200) }),
        ("optionalText", { _ = try $0.optionalText("f", maxLength: 2_200) }),
        ("optionalWording", { _ = try $0.optionalWording("f", maxLength: 2_200) }),
        ("title", { _ = try $0.title("f", maxLength: 150) }),
        ("choice", { _ = try $0.choice("f", of: RuleAction.allCases) }),
        ("optionalChoice", { _ = try $0.optionalChoice("f", of: RuleAction.allCases) }),
        ("choices", { _ = try $0.choices("f", of: RuleAction.allCases) }),
        ("strings", { _ = try $0.strings("f", maxCount: 30, maxLength: 64) }),
        ("optionalStrings", { _ = try $0.optionalStrings("f", maxCount: 500, maxLength: 100) }),
        ("url", { _ = try $0.url("f") }),
        ("optionalURL", { _ = try $0.optionalURL("f") }),
        ("email", { _ = try $0.email("f") }),
        ("optionalEmail", { _ = try $0.optionalEmail("f") }),
        ("username", { _ = try $0.username("f") }),
        ("optionalUsername", { _ = try $0.optionalUsername("f") }),
        ("anyString", { _ = try $0.anyString("f") }),
        ("optionalAnyString", { _ = try $0.optionalAnyString("f") }),
        ("bool", { _ = try $0.bool("f") }),
        ("optionalBool", { _ = try $0.optionalBool("f") }),
        ("integer", { _ = try $0.integer("f", in: 0...10) }),
        ("optionalInteger", { _ = try $0.optionalInteger("f", in: 0...10) }),
        ("id", { _ = try $0.id("f") }),
        ("optionalID", { _ = try $0.optionalID("f") }),
        ("ids", { _ = try $0.ids("f", maxCount: 1_000) }),
        ("optionalBytes", { _ = try $0.optionalBytes("f") }),
        ("optionalAttributes", { _ = try $0.optionalAttributes("f", vocabulary: AttributeVocabulary.posts) }),
        ("optionalAlgorithms", { _ = try $0.optionalAlgorithms("f") }),
        ("conditions", { _ = try $0.conditions("f") }),
        ("optionalExpiry", { _ = try $0.optionalExpiry(now: 0) }),
        ("optionalTime", { _ = try $0.optionalTime("f") }),
        ("videoTime", { _ = try $0.videoTime("f") }),
        ("optionalVideoTime", { _ = try $0.optionalVideoTime("f") }),
        ("embedding", { _ = try $0.embedding("f") }),
        ("optionalEmbedding", { _ = try $0.optionalEmbedding("f") }),
        ("optionalObject", { _ = try $0.optionalObject("f") }),
        ("objects", { body in _ = try body.objects("f", maxCount: 1_000) { _ = try $0.string("g", maxLength: 9) } }),
        ("subject", { _ = try $0.subject() }),
        ("take", { _ = $0.take("f") }),
        ("value", { _ = $0.value(of: "f") }),
        ("isNull", { _ = $0.isNull("f") }),
        ("required", { body in _ = try body.required("f", body.take("f")) }),
        ("filledID", { _ = try $0.filledID("f") }),
        ("filledURL", { _ = try $0.filledURL("f") }),
        ("filledUsername", { _ = try $0.filledUsername("f") }),
        ("filledIDs", { _ = try $0.filledIDs("f", maxCount: 1_000) }),
        ("filledPicture", { _ = try $0.filledPicture("f") }),
        ("description", { _ = try $0.description("f", maxLength: 2_200) }),
        ("comment", { _ = try $0.comment("f") }),
        ("isBlank", { body in if body.isBlank("f") { _ = body.take("f") } }),
        ("requireOwn", { try $0.requireOwn("f", UserID(rawValue: 17)) }),
    ]

    static let fields: [InputParser] = readers.map { name, read in
        InputParser(
            "field-\(name)", limit: 262_144,
            corpus: [
                #"{"f":"text"}"#, #"{"f":["a","b"]}"#, #"{"f":{"g":1}}"#, #"{"f":17}"#, #"{"f":"https://a.example/b"}"#,
            ],
            frames: [("{\"f\":\"", "\"}"), ("{\"f\":[", "]}")]
        ) { bytes in
            var body = try StrictObject(bytes)
            try read(&body)
            try body.end()
        }
    }
}
