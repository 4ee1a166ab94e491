import CommandSupport
import Moderation
import SocialGraph
import StrictJSON

/// One action on any number of subjects, before it is sent.
struct OrderDraft: Sendable {
    let action: ModerationAction
    /// Ids of ``ModerationAction/subjectKind``.
    var subjects: [String]
    /// The subjects as given on the command line, for questions.
    var names: [String]
    /// The community of the action. Posts and comments must belong to it.
    var communityID: String?
    var reason: String
    var note: String?
    /// Additional members of the request, for some actions.
    var details: [JSONMember] = []

    /// Maximum number of subjects in one request. The server changes all of them, or none.
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

    /// A description of the coming change, in a line or two.
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
