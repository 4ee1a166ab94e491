import Database
import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore
import Sessions
import SocialGraph

/// What handlers take out of a request, each with the problem that is answered when it is not there.
extension GraphRequestContext {
    /// The verified caller. Routes behind ``Authentication`` always have one.
    package func requireCaller() throws -> UserID {
        guard let id = caller.userID else {
            throw BearerToken.missing
        }
        return UserID(rawValue: id)
    }

    /// The verified caller with what the token says of the log-in.
    package func requireVerifiedCaller() throws -> VerifiedCaller {
        VerifiedCaller(
            user: try requireCaller(), session: caller.session.map(SessionID.init(rawValue:)),
            authenticatedAt: caller.authenticatedAt)
    }

    /// The user named by `{id}`, or by another part of the path; what is not an id names nobody.
    package func userID(_ name: String = "id") throws -> UserID {
        guard let id = parameters.get(name).flatMap({ TextRules.parseID($0) }) else {
            throw Problem(.userNotFound, "There is no such user.")
        }
        return UserID(rawValue: id)
    }

    package func postID(_ name: String = "id") throws -> PostID {
        guard let id = parameters.get(name).flatMap({ TextRules.parseID($0) }) else {
            throw Problem(.postNotFound, "There is no such post.")
        }
        return PostID(rawValue: id)
    }

    func sessionID() throws -> SessionID {
        guard let id = parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw Problem(.notFound, "There is no such session.")
        }
        return SessionID(rawValue: id)
    }

    package func collectionID(_ name: String = "id") throws -> CollectionID {
        guard let id = parameters.get(name).flatMap({ TextRules.parseID($0) }) else {
            throw GraphError.collectionNotFound
        }
        return CollectionID(rawValue: id)
    }

    package func communityID() throws -> CommunityID {
        guard let id = parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw Problem(.communityNotFound, "There is no such community.")
        }
        return CommunityID(rawValue: id)
    }
}

extension Request {
    /// The body, whole. Throws 413 beyond the limit.
    package func bodyBytes(upTo limit: Int = RequestLimits.bodyBytes) async throws -> [UInt8] {
        do {
            let buffer = try await body.collect(upTo: limit)
            return Array(buffer.readableBytesView)
        } catch let error as NIOTooManyBytesError {
            throw Problem(describing: error, bodyLimit: limit)
        } catch let error where error is IOError || error is ChannelError {
            throw Self.cutOff(error)
        }
    }

    /// The client has gone away before its body was whole.
    static func cutOff(_ error: any Error) -> Problem {
        Problem(.badRequest, "The body is cut off.", advice: [.newConnection], underlying: error)
    }

    /// The body of a request that logs somebody in.
    func credentials() async throws -> [UInt8] { try await bodyBytes(upTo: RequestLimits.credentialBodyBytes) }

    /// The body where a route can do without one; nil if none came.
    package func optionalObject() async throws -> StrictObject? {
        let bytes = try await bodyBytes()
        return bytes.isEmpty ? nil : try StrictObject(bytes)
    }

    /// The query of a list: `limit` and `cursor`, and no other parameter.
    func paging() throws -> (limit: Int, cursor: Int64?) {
        var query = try QueryParameters(uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        try query.end()
        return (limit, cursor)
    }

    /// Refuses a query string on a route that knows no parameters.
    package func refuseQuery() throws { try QueryParameters(uri.query).end() }
}

extension QueryParameters {
    /// The `nextCursor` of an earlier page, handed in as `cursor`.
    package mutating func cursor() throws -> Int64? {
        guard let text = string("cursor") else { return nil }
        guard let id = TextRules.parseID(text) else {
            throw Problem(.invalidCursor, "\"cursor\" must be the nextCursor of an earlier page.", field: "cursor")
        }
        return id
    }
}
