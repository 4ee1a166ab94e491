import GraphServices
import SocialGraph

/// What orders, reports and appeals are made of.
extension StrictObject {
    /// `{postId}`, `{commentId}` and so on: one of `kinds`, and nothing else.
    package mutating func subject(
        of kinds: [ModerationSubjectKind] = ModerationSubjectKind.allCases
    ) throws -> ModerationSubject {
        var found: [ModerationSubject] = []
        for kind in kinds {
            if let id = try optionalID(kind.field) { found.append(ModerationSubject(kind, id)) }
        }
        guard let subject = found.first, found.count == 1 else {
            let fields = kinds.map { "\"\($0.field)\"" }.joined(separator: ", ")
            throw Problem(.missingField, "Exactly one of \(fields) is required.", field: kinds[0].field)
        }
        return subject
    }

    /// A time as `2026-12-01T00:00:00.000Z`, in milliseconds since 1970; nil if it is absent.
    package mutating func optionalTime(_ name: String) throws -> Int64? {
        guard let text = try optionalAnyString(name) else { return nil }
        guard let time = TimeText.milliseconds(text) else {
            throw Problem(
                .invalidValue, "\"\(name)\" must be a time like 2026-12-01T00:00:00.000Z.", field: name)
        }
        return time
    }
}

extension ModerationSubjectKind {
    /// Its name on the wire.
    package var field: String { "\(rawValue)Id" }
}
