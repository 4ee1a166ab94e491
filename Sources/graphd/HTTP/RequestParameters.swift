import Hummingbird
import NIOCore
import SocialGraph

/// What handlers take out of a request, each with the problem that is answered when it is not there.
extension GraphRequestContext {
    /// The verified caller. Routes behind ``Authentication`` always have one.
    func requireCaller() throws -> UserID {
        guard let id = caller.userID else {
            throw BearerToken.problem(.tokenMissing, "This needs the header \"Authorization: Bearer <token>\".")
        }
        return UserID(rawValue: id)
    }

    /// The user named by `{id}`; what is not an id names nobody.
    func userID() throws -> UserID {
        guard let id = parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw Problem(.userNotFound, "There is no such user.")
        }
        return UserID(rawValue: id)
    }

    func postID() throws -> PostID {
        guard let id = parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw Problem(.postNotFound, "There is no such post.")
        }
        return PostID(rawValue: id)
    }
}

extension Request {
    /// The body, whole. Throws 413 beyond the limit.
    func bodyBytes() async throws -> [UInt8] {
        let buffer = try await body.collect(upTo: RequestLimits.bodyBytes)
        return Array(buffer.readableBytesView)
    }

    /// Refuses a query string on a route that knows no parameters.
    func refuseQuery() throws { try QueryParameters(uri.query).end() }
}

extension QueryParameters {
    /// The `nextCursor` of an earlier page, handed in as `cursor`.
    mutating func cursor() throws -> Int64? {
        guard let text = string("cursor") else { return nil }
        guard let id = TextRules.parseID(text) else {
            throw Problem(.invalidCursor, "\"cursor\" must be the nextCursor of an earlier page.", field: "cursor")
        }
        return id
    }
}
