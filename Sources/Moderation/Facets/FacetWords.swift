import Database
import SocialGraph

/// The words of a stored state, read from first to last; "-" is an absent one. A missing, surplus or invalid word
/// throws ``DatabaseError/storageCorrupt(detail:)``.
struct FacetWords {
    private let text: String
    private var rest: ArraySlice<Substring>

    init(_ text: String) {
        self.text = text
        rest = text.split(separator: " ", omittingEmptySubsequences: false)[...]
    }

    private var malformed: DatabaseError { .undecodable(FacetState.self, text) }

    mutating func required<Value>(_ decode: (Substring) -> Value?) throws -> Value {
        guard let word = rest.popFirst(), let value = decode(word) else { throw malformed }
        return value
    }

    mutating func optional<Value>(_ decode: (Substring) -> Value?) throws -> Value? {
        try required { word in word == "-" ? .some(nil) : decode(word).map(Optional.some) }
    }

    mutating func number() throws -> Int64 { try required { Int64($0) } }
    mutating func optionalNumber() throws -> Int64? { try optional { Int64($0) } }
    mutating func optionalUser() throws -> UserID? { try optionalNumber().map(UserID.init(rawValue:)) }

    mutating func choice<Choice: RawRepresentable>(
        of type: Choice.Type = Choice.self
    ) throws -> Choice where Choice.RawValue == String {
        try required { Choice(rawValue: String($0)) }
    }

    mutating func optionalChoice<Choice: RawRepresentable>(
        of type: Choice.Type = Choice.self
    ) throws -> Choice? where Choice.RawValue == String {
        try optional { Choice(rawValue: String($0)) }
    }

    /// Checks that no word is left.
    func end() throws {
        guard rest.isEmpty else { throw malformed }
    }

    /// The number that makes up the whole of `text`.
    static func only(in text: String) throws -> Int64 {
        var words = FacetWords(text)
        let number = try words.number()
        try words.end()
        return number
    }

    // MARK: Writing

    static func text(_ words: String?...) -> String { words.map { $0 ?? "-" }.joined(separator: " ") }
    static func word(_ number: Int64?) -> String? { number.map(String.init) }
    static func word(_ user: UserID?) -> String? { word(user?.rawValue) }
    static func word(isInHome: Bool) -> String { isInHome ? "home" : "away" }

    static func isInHome(_ word: Substring) -> Bool? {
        switch word {
        case "home": true
        case "away": false
        default: nil
        }
    }
}
