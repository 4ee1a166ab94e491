import CommandSupport
import Moderation
import SocialGraph
import StrictJSON

/// One action on any number of subjects, as it is sent.
struct OrderDraft: Sendable {
    let action: ModerationAction
    /// Ids of ``ModerationAction/subjectKind``.
    var subjects: [String]
    /// As they were given, for questions.
    var names: [String]
    /// In which it is done; of posts and comments, that of which they must be.
    var communityID: String?
    var reason: String
    var note: String?
    /// Members of the request that only some actions have.
    var details: [JSONMember] = []

    /// A server takes so many subjects at a time, all of which it changes, or none.
    static let subjectsPerRequest = ModerationLimits.subjectsPerOrder

    func body(_ subjects: ArraySlice<String>, isDryRun: Bool) -> JSONValue {
        let kind = ModerationSubjectName(rawValue: action.subjectKind.rawValue) ?? .user
        let list = subjects.map { JSONValue.object([JSONMember(name: kind.member, value: .string($0))]) }
        let body = JSONValue.members(
            ("action", .string(action.rawValue)), ("subjects", .array(list)),
            ("communityId", communityID.map { .string($0) }), ("reason", .string(reason)),
            ("note", note.map { .string($0) }), ("dryRun", isDryRun ? .bool(true) : nil))
        return details.reduce(body) { $0.setting($1.name, to: $1.value) }
    }

    /// What is about to happen, in a line or two.
    var sentence: String {
        let words = TableRendering.words(action.rawValue)
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        let details = details.filter { $0.name != "duration" }.map { " \($0.name) \(TableRendering.summary($0.value))" }
        let seconds = self.details.first { $0.name == "duration" }?.value.integerValue
        let ending = seconds.map { ", for \(Self.duration($0))" } ?? ""
        return "\(words): \(names.count == 1 ? shown : "\(names.count), \(shown)")\(details.joined())\(ending). "
            + "Reason: \(reason)"
    }

    private static func duration(_ seconds: Int64) -> String {
        for (unit, length) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)] where seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
