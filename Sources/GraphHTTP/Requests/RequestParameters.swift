import Database
import GraphServices
import HTTPTypes
import Hummingbird
import NIOCore
import Sessions
import Saves
import SocialGraph

/// The parts of a request that handlers read, each with the problem for its absence.
extension GraphRequestContext {
    /// Returns the verified caller. Routes after ``Authentication`` always have one.
    package func requireCaller() throws -> UserID {
        guard let id = caller.userID else {
            throw BearerToken.missing
        }
        return UserID(rawValue: id)
    }

    /// Returns the verified caller with the log-in details of the token.
    package func requireVerifiedCaller() throws -> VerifiedCaller {
        VerifiedCaller(
            user: try requireCaller(), session: caller.session.map(SessionID.init(rawValue:)),
            authenticatedAt: caller.authenticatedAt)
    }

    /// Returns the user named by `{id}`, or by another part of the path; a text that is not an id names nobody.
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

    func mediaID() throws -> MediaID {
        guard let id = parameters.get("id").flatMap({ TextRules.parseID($0) }) else { throw GraphError.mediaNotFound }
        return MediaID(rawValue: id)
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
    /// Reads the whole body. Throws 413 beyond the limit.
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

    /// Reads the whole body, and returns the request with it. Throws 413 beyond the limit.
    func collected() async throws -> Request {
        var request = self
        request.body = RequestBody(buffer: ByteBuffer(bytes: try await bodyBytes()))
        return request
    }

    /// The client disconnected before its body was complete.
    static func cutOff(_ error: any Error) -> Problem {
        Problem(.badRequest, "The body ends too early.", advice: [.newConnection], underlying: error)
    }

    /// Reads the body of a request that logs a user in.
    func credentials() async throws -> [UInt8] { try await bodyBytes(upTo: RequestLimits.credentialBodyBytes) }

    /// Reads an optional body; nil if there is none.
    package func optionalObject() async throws -> StrictObject? {
        let bytes = try await bodyBytes()
        return bytes.isEmpty ? nil : try StrictObject(bytes)
    }

    /// Reads the query of a list: `limit` and `cursor`, and no other parameter.
    package func paging() throws -> (limit: Int, cursor: Int64?) {
        var query = try QueryParameters(uri.query)
        let (limit, cursor) = (try query.limit(), try query.cursor())
        try query.end()
        return (limit, cursor)
    }

    /// Refuses a query string on a route without parameters.
    package func refuseQuery() throws { try QueryParameters(uri.query).end() }
}

extension QueryParameters {
    /// Reads `cursor`, the `nextCursor` of an earlier page.
    package mutating func cursor() throws -> Int64? {
        guard let text = string("cursor") else { return nil }
        guard let id = TextRules.parseID(text) else {
            throw Problem(.invalidCursor, "\"cursor\" must be the nextCursor of an earlier page.", field: "cursor")
        }
        return id
    }
}
