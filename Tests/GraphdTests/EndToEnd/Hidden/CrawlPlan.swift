import Database
import Saves
import ServiceTestSupport
import SocialGraph

/// The requests of a crawl: every documented GET with all useful values of its parameters. An unknown path or query
/// parameter fails the crawl, so that new parameters get values here.
struct CrawlPlan {
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    let world: HiddenWorld
    let reader: HiddenWorld.Reader

    /// Endless answers, which are tested separately.
    static let streams: Set<String> = ["/v1/stream", "/v1/posts/{id}/stream"]

    func requests(for operation: APIDescription.Operation) throws -> [String] {
        let addresses = try addresses(operation.path)
        // The path names the post to explain. The filters only narrow the answer.
        let parameters = operation.path.contains("/why/") ? [] : try APIDescription.queryParameters(of: operation)
        let queries = try queries(of: parameters, operation.path)
        return addresses.flatMap { address in queries.map { address + $0 } }
    }

    // MARK: Paths

    private func addresses(_ template: String) throws -> [String] {
        var addresses = [""]
        for part in template.split(separator: "/") {
            let values =
                part.hasPrefix("{") ? try values(of: part.dropFirst().dropLast(), in: template) : [String(part)]
            addresses = addresses.flatMap { head in values.map { "\(head)/\($0)" } }
        }
        return addresses
    }

    private func values(of parameter: Substring, in template: String) throws -> [String] {
        switch parameter {
        case "postId": return posts
        case "username": return users.map(\.username)
        case "category": return canaries
        case "collectionId": return collections
        case "file": return ["none.mp4", "none.js"]
        case "id": break
        default: throw Unknown(description: "{\(parameter)} of \(template)")
        }
        let owners: [(String, [String])] = [
            ("/posts/{id}", posts), ("/post/{id}", posts), ("/video/{id}", posts), ("/videos/{id}", posts),
            ("/users/{id}", users.map(\.idText)), ("/user/{id}", users.map(\.idText)),
            ("/timeline/{id}", users.map(\.idText)), ("/notifications/{id}", users.map(\.idText)),
            ("/communities/{id}", world.communities.map { String($0.rawValue) }),
            ("/comments/{id}", comments), ("/collections/{id}", collections),
            ("/webhooks/{id}", ["1"]), ("/media/{id}", ["1"]), ("/reports/{id}", ["1"]), ("/rules/{id}", ["1"]),
        ]
        for (part, values) in owners where template.contains(part) { return values }
        throw Unknown(description: "{id} of \(template)")
    }

    private var posts: [String] { (world.hidden.map(\.post) + [world.open]).map { String($0.rawValue) } }
    private var comments: [String] {
        (world.hidden.map(\.comment) + world.openComments).map { String($0.rawValue) }
    }
    private var canaries: [String] { HiddenWorld.Kind.allCases.map(\.canary) }
    /// Everybody who hides or is hidden, the reader, and a stranger.
    private var users: [Person] {
        let people = world.authors + [reader, .stranger].compactMap { world.readers[$0] }
        return Set(people).sorted { $0.id < $1.id }
    }
    /// The reader's collections, and those of a stranger.
    private var collections: [String] {
        let place =
            HiddenWorld.Reader.allCases.compactMap { world.readers[$0] }.sorted { $0.id < $1.id }
            .firstIndex { $0.id == world.readers[reader]?.id } ?? 0
        return [place, (place + 1) % world.collections.count].map { String(world.collections[$0].rawValue) }
    }

    // MARK: Queries

    /// The plain request, and one for each value of each parameter.
    private func queries(of parameters: [String], _ path: String) throws -> [String] {
        var common: [String] = []
        if parameters.contains("limit") { common.append("limit=100") }
        // Searches require `q`.
        if parameters.contains("q"), path.contains("/search/") { common.append("q=\(canaries[0])") }
        func query(_ more: [String]) -> String {
            let names = Set(more.map { $0.prefix { $0 != "=" } })
            let all = common.filter { !names.contains($0.prefix { $0 != "=" }) } + more
            return all.isEmpty ? "" : "?" + all.joined(separator: "&")
        }
        var queries = [query([])]
        for parameter in parameters {
            for value in try values(ofQuery: parameter) { queries.append(query([value])) }
        }
        return queries
    }

    private func values(ofQuery name: String) throws -> [String] {
        switch name {
        case "q", "category", "algorithms", "algorithmFilter", "workoutType", "cuisineType", "difficultyLevel":
            return canaries.map { "\(name)=\($0)" }
        case "attributes": return canaries.map { "attributes.kestrel=\($0)" } + ["attributes.kestrel=nothing"]
        case "explain": return ["explain=true"]
        case "thread": return ["thread=all"]
        case "parentCommentId": return comments.map { "parentCommentId=\($0)" }
        case "sort": return ["sort=recency", "sort=popularity", "sort=recent", "sort=popular"]
        case "window": return ["window=1h", "window=24h", "window=7d"]
        case "author": return users.map { "author=\($0.idText)" }
        case "community": return world.communities.map { "community=\($0.rawValue)" }
        case "communityId": return world.communities.map { "communityId=\($0.rawValue)" }
        case "format": return ["format=vtt"]
        case "unread": return ["unread=true"]
        case "userId", "user_id", "uid": return (world.readers[reader].map { ["\(name)=\($0.idText)"] }) ?? []
        // Parameters that only narrow the answer to the plain request.
        case "limit", "cursor", "lastVisible", "startAfter", "duration", "since", "until", "kind", "status",
            "difficulty",
            "muscleGroup", "cookingTime":
            return []
        // Parameters of links to files.
        case "expiresIn", "user", "expires", "signature": return []
        // Parameters of moderators' lists, which are closed to the readers of the crawl.
        case "action", "actorId", "banned", "batch", "commentId", "postId", "subjectId", "username": return []
        default: throw Unknown(description: "the query parameter \(name)")
        }
    }
}
