import GraphServices
import SocialGraph

/// The fields of orders, reports and appeals.
extension StrictObject {
    /// Reads `{postId}`, `{commentId}` and so on: exactly one of `kinds`.
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

    /// Reads a time such as `2026-12-01T00:00:00.000Z`, in milliseconds since 1970; nil if it is absent.
    package mutating func optionalTime(_ name: String) throws -> Int64? {
        guard let text = try optionalAnyString(name) else { return nil }
        guard let time = TimeText.milliseconds(text) else {
            throw Problem(
                .invalidValue, "\"\(name)\" must be a time such as 2026-12-01T00:00:00.000Z.", field: name)
        }
        return time
    }
}

extension ModerationSubjectKind {
    /// The name of its field in the encoding.
    package var field: String { "\(rawValue)Id" }
}
