import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Permissions by the table of roles: every action and every moderation endpoint, called by every persona.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ModerationMatrixTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test func `every action is allowed to those whom the table names`() async throws {
        let scene = try await ModerationScene(on: server)
        for action in ModerationAction.orderable {
            for isInCommunity in action == .warnUser ? [true, false] : [true] {
                let order = Self.order(action, in: scene, isInCommunity: isInCommunity)
                for persona in scene.personas {
                    let answer = try await scene.client(persona).post("/v1/moderation/actions", order)
                    let isHere = isInCommunity && !Self.isOfSite(action)
                    let isAllowed = RoleTable.allows(action, to: isHere ? persona.here : persona.site)
                    let what = Comment(rawValue: "\(persona): \(order): \(answer)")
                    if persona.person == nil || persona.isSuspended || !isAllowed {
                        let (status, code) = persona.refusal
                        #expect(answer.status == status, what)
                        #expect(try answer.json["code"] == .string(code), what)
                    } else {
                        // The only other refusals are for subjects that are missing or in another state.
                        #expect([200, 404, 409].contains(answer.status), what)
                    }
                }
            }
        }
    }

    private static func isOfSite(_ action: ModerationAction) -> Bool {
        switch action {
        case .silenceUser, .suspendUser, .reinstateUser, .setSiteRole: true
        default: false
        }
    }

    /// A dry run of `action`, as JSON.
    private static func order(_ action: ModerationAction, in scene: ModerationScene, isInCommunity: Bool) -> String {
        let subject =
            switch action.subjectKind {
            case .post: #"{"postId":"\#(scene.post)"}"#
            case .comment: #"{"commentId":"\#(scene.comment)"}"#
            case .user: #"{"userId":"\#(scene.victim.idText)"}"#
            case .community: #"{"communityId":"\#(scene.community)"}"#
            case .report: #"{"reportId":"\#(scene.report)"}"#
            case .appeal: #"{"appealId":"\#(scene.appeal)"}"#
            }
        let detail =
            switch action {
            case .setMemberRole, .setSiteRole: #","role":"moderator""#
            case .renameCommunity: #","name":"another name""#
            case .transferCommunity: #","successorId":"\#(scene.victim.idText)""#
            case .resolveReport: #","resolution":"dismissed""#
            case .decideAppeal: #","decision":"denied""#
            default: ""
            }
        let isNamed = action.needsCommunity || action == .warnUser && isInCommunity
        let community = isNamed ? #","communityId":"\#(scene.community)""# : ""
        let members = #""subjects":[\#(subject)],"reason":"r","dryRun":true\#(detail)\#(community)"#
        return #"{"action":"\#(action.rawValue)",\#(members)}"#
    }

    /// The callers that an endpoint admits.
    private enum Access {
        case everybody
        /// Everybody, the suspended included.
        case ownAffair
        /// Holders of any moderating role.
        case moderating
        case here(ModeratorRole)
        case site(ModeratorRole)

        func admits(_ persona: ModerationScene.Persona) -> Bool {
            if persona.person == nil { return false }
            switch self {
            case .ownAffair: return true
            case .everybody: return !persona.isSuspended
            case .moderating: return persona.isModerating
            case .here(let role): return persona.here >= role
            case .site(let role): return persona.site >= role
            }
        }
    }

    private struct Endpoint {
        let method: String
        /// The path template, as in the route table.
        let route: String
        let path: String
        var body: String?
        let access: Access
        /// The status for moderators of other communities where the endpoint hides the reason of the refusal.
        var hides: Int?
    }

    private static func endpoints(of scene: ModerationScene) -> [Endpoint] {
        let (community, victim) = (scene.community, scene.victim.idText)
        func get(
            _ route: String, _ path: String? = nil, _ query: String = "", _ access: Access, hides: Int? = nil
        ) -> Endpoint {
            Endpoint(
                method: "GET", route: "/v1\(route)", path: "/v1\(path ?? route)\(query)", access: access, hides: hides)
        }
        let here = "?communityId=\(community)"
        return [
            get("/moderation/reports", nil, here, .here(.communityModerator)),
            get("/moderation/reports", nil, "", .moderating),
            get("/moderation/cases", nil, here, .here(.communityModerator)),
            get("/moderation/cases", nil, "", .moderating),
            get(
                "/moderation/reports/{id}", "/moderation/reports/\(scene.report)", "", .here(.communityModerator),
                hides: 404),
            get("/moderation/appeals", nil, here, .here(.communityModerator)),
            get("/moderation/appeals", nil, "", .moderating),
            get("/moderation/modlog", nil, here, .here(.communityModerator)),
            get("/moderation/modlog", nil, "", .moderating),
            get("/moderation/modlog/verify", nil, "", .site(.siteModerator)),
            get("/moderation/users", nil, "?q=vic", .site(.siteModerator)),
            get("/moderation/users/{id}", "/moderation/users/\(victim)", "", .site(.siteModerator)),
            get("/moderation/users/{id}", "/moderation/users/\(victim)", here, .here(.communityModerator)),
            get("/moderation/users/{id}/home", "/moderation/users/\(victim)/home", "", .site(.siteModerator)),
            get(
                "/moderation/users/{id}/why/{postId}", "/moderation/users/\(victim)/why/\(scene.post)", "",
                .site(.siteModerator)),
            get("/moderation/communities", nil, "", .everybody),
            get("/moderation/communities/{id}", "/moderation/communities/\(community)", "", .here(.communityModerator)),
            get(
                "/moderation/communities/{id}/members", "/moderation/communities/\(community)/members", "",
                .here(.communityModerator)),
            get(
                "/moderation/communities/{id}/members", "/moderation/communities/\(community)/members", "?banned=true",
                .here(.communityModerator)),
            get("/moderation/dashboard", nil, "", .site(.siteModerator)), get("/modlog", nil, here, .everybody),
            get("/me/moderation", nil, "", .ownAffair),
            get("/me/strikes", nil, "", .ownAffair),
            get("/appeals", nil, "", .ownAffair),
            Endpoint(
                method: "POST", route: "/v1/reports", path: "/v1/reports",
                body: #"{"communityId":"\#(community)","reason":"r"}"#, access: .everybody),
            Endpoint(
                method: "POST", route: "/v1/moderation/batches/{batch}/undo",
                path: "/v1/moderation/batches/\(scene.batch)/undo", body: #"{"dryRun":true}"#,
                access: .here(.communityModerator)),
            Endpoint(
                method: "DELETE", route: "/v1/moderation/modlog/{entryId}/note",
                path: "/v1/moderation/modlog/\(scene.entry)/note", access: .site(.admin)),
        ]
    }

    private static func ruleEndpoints(of scene: ModerationScene) -> [Endpoint] {
        let rule = #""name":"r","action":"flag","kind":"keyword","definition":{"words":["zzz"]}"#
        let here = #""communityId":"\#(scene.community)""#
        func endpoint(
            _ method: String, _ route: String, _ path: String? = nil, _ body: String? = nil,
            _ access: Access = .here(.communityModerator)
        ) -> Endpoint {
            Endpoint(
                method: method, route: "/v1/moderation/\(route)", path: "/v1/moderation/\(path ?? route)", body: body,
                access: access)
        }
        let query = "?communityId=\(scene.community)"
        return [
            endpoint("GET", "queue", "queue\(query)"), endpoint("GET", "rules", "rules\(query)"),
            endpoint("GET", "rules", nil, nil, .site(.siteModerator)),
            endpoint("GET", "classifiers", "classifiers\(query)", nil, .here(.communityOwner)),
            endpoint("POST", "rules", nil, "{\(here),\(rule)}"),
            endpoint("POST", "rules", nil, "{\(rule)}", .site(.siteModerator)),
            endpoint("POST", "rules/dry-run", nil, #"{"rule":{\#(here),\#(rule)},"last":1}"#),
            endpoint("GET", "rules/{id}", "rules/\(scene.rule)"),
            endpoint("PATCH", "rules/{id}", "rules/\(scene.rule)", #"{"enabled":false}"#),
        ]
    }

    @Test func `every endpoint is for those whom the table names`() async throws {
        let scene = try await ModerationScene(on: server)
        let endpoints = Self.endpoints(of: scene) + Self.ruleEndpoints(of: scene)
        for endpoint in endpoints {
            for persona in scene.personas {
                let answer = try await scene.client(persona).send(
                    endpoint.method, endpoint.path, body: endpoint.body.map { Array($0.utf8) })
                let what = Comment(rawValue: "\(persona): \(endpoint.method) \(endpoint.path): \(answer)")
                if endpoint.access.admits(persona) {
                    #expect((200..<300).contains(answer.status), what)
                } else if persona.isModerating, let hidden = endpoint.hides {
                    #expect(answer.status == hidden, what)
                } else {
                    let (status, code) = persona.refusal
                    #expect(answer.status == status, what)
                    #expect(try answer.json["code"] == .string(code), what)
                }
            }
        }
        // Orders, the end of rules, classifiers and the audit have tests of their own. An appeal belongs to the caller.
        let others: Set = [
            "GET /v1/admin/audit",
            "POST /v1/moderation/actions", "POST /v1/appeals", "DELETE /v1/moderation/rules/{id}",
            "POST /v1/moderation/classifiers", "PATCH /v1/moderation/classifiers/{id}",
            "DELETE /v1/moderation/classifiers/{id}",
        ]
        let tested = Set(endpoints.map { "\($0.method) \($0.route)" }).union(others)
        #expect(try Set(APIDescription.moderation().map(\.description)) == tested)
    }
}

extension ModerationScene.Persona {
    /// The refusal of a persona without permission.
    fileprivate var refusal: (status: Int, code: String) {
        if person == nil { return (401, "token_missing") }
        return (403, isSuspended ? "account_suspended" : "not_permitted")
    }
}
