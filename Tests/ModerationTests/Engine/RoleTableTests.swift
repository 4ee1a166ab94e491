import Foundation
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Permissions of roles: the table, its documentation, and the engine.
@Suite(.timeLimit(.unit))
struct RoleTableTests {
    static var markdown: String {
        let heads = ["action", "user", "community moderator", "community owner", "site moderator", "admin"]
        var lines = ["| " + heads.joined(separator: " | ") + " |", "|---|" + String(repeating: ":-:|", count: 5)]
        for action in ModerationAction.orderable {
            let cells = ModeratorRole.allCases.map { RoleTable.allows(action, to: $0) ? "yes" : "–" }
            lines.append("| `\(action.rawValue)` | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    @Test
    func `the documentation shows the table`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/moderation.md"), encoding: .utf8)
        let parts = page.components(separatedBy: "<!-- roles -->")
        try #require(parts.count == 3, "the table stands between two markers")
        #expect(parts[1].trimmingCharacters(in: .whitespacesAndNewlines) == Self.markdown)
    }

    @Test
    func `every role may do exactly what the table says, and in its own community only`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let victim = town.members[2]
            let warning = try await town.order(.warnUser, [.user(victim)], in: town.square, by: town.owner)
            let entry = try #require(warning.results[0].entry)
            let appeal = try await town.appeal(entry, by: victim, in: town.square)
            let callers: [(user: UserID, here: ModeratorRole, onSite: ModeratorRole)] = [
                (town.members[1], .user, .user), (town.elsewhere[0], .user, .user), (town.elsewhere[1], .user, .user),
                (town.moderators[0], .communityModerator, .user), (town.owner, .communityOwner, .user),
                (town.siteModerator, .siteModerator, .siteModerator), (town.admin, .admin, .admin),
            ]
            for action in ModerationAction.orderable {
                for order in Self.orders(action, town, victim, appeal) {
                    let isOfSite = order.isOfSite
                    for caller in callers {
                        let role = isOfSite ? caller.onSite : caller.here
                        let refused = await Self.isRefused(order.order, by: caller.user, town.graph)
                        #expect(refused == !RoleTable.allows(action, to: role), "\(action) by \(caller)")
                    }
                }
            }
        }
    }

    private static func isRefused(_ order: ModerationOrder, by user: UserID, _ graph: GraphStore) async -> Bool {
        do {
            _ = try await graph.moderation.moderate(order, by: user, isDryRun: true)
            return false
        } catch ModerationError.notPermitted {
            return true
        } catch {
            // The role allows the order, but its subject does not.
            return false
        }
    }

    /// Orders of an action in the community, and on the site if the action is the site's or possible there as well.
    private static func orders(
        _ action: ModerationAction, _ town: ModerationTown, _ victim: UserID, _ appeal: AppealID
    ) -> [(order: ModerationOrder, isOfSite: Bool)] {
        let subjects: [ModerationSubject] =
            switch action.subjectKind {
            case .post: [.post(town.posts[2]), .post(town.loose)]
            case .comment: [.comment(town.comments[1])]
            case .user: [.user(victim)]
            case .community: [.community(town.square)]
            case .report: town.reports.map { .report($0) }
            case .appeal: [.appeal(appeal)]
            }
        return subjects.flatMap { subject in
            var order = ModerationOrder(action, [subject], reason: "because")
            order.detail = order.sampleDetail(successor: victim)
            if action.needsCommunity { order.community = town.square }
            let isLoose = subject == .post(town.loose) || subject == .report(town.reports[1])
            let isOfPerson = action.subjectKind == .user && order.community == nil
            var all = [(order, isLoose || isOfPerson)]
            if action == .warnUser {
                order.community = town.square
                all.append((order, false))
            }
            return all
        }
    }

    @Test
    func `nobody acts on themselves or on those who stand as high`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (senior, junior) = (town.moderators[0], town.moderators[1])
            let square = town.square
            func refusal(_ action: ModerationAction, _ user: UserID, by actor: UserID) async throws
                -> ModerationError?
            {
                var order = ModerationOrder(action, [.user(user)], reason: "because")
                order.detail = order.sampleDetail(successor: user)
                if action.needsCommunity { order.community = square }
                do {
                    _ = try await town.graph.moderation.moderate(order, by: actor, isDryRun: true)
                    return nil
                } catch let error as ModerationError {
                    return error
                }
            }
            #expect(try await refusal(.banMember, senior, by: senior) == .ownAffair)
            #expect(try await refusal(.banMember, senior, by: junior) == .outranked)
            #expect(try await refusal(.banMember, junior, by: senior) == nil)
            #expect(try await refusal(.banMember, town.owner, by: senior) == .outranked)
            #expect(try await refusal(.banMember, town.siteModerator, by: town.owner) == .outranked)
            #expect(try await refusal(.setMemberRole, senior, by: town.owner) == nil)
            #expect(try await refusal(.suspendUser, town.admin, by: town.siteModerator) == .outranked)
            #expect(try await refusal(.suspendUser, town.siteModerator, by: town.admin) == nil)
            #expect(try await refusal(.suspendUser, town.owner, by: town.siteModerator) == nil)
            #expect(try await refusal(.setSiteRole, town.admin, by: town.admin) == .ownAffair)
            var new = NewPost.sample(senior)
            new.community = square
            let post = try await town.graph.posts.publish(new).id
            await #expect(throws: ModerationError.outranked) {
                try await town.order(.removePost, [.post(post)], by: junior)
            }
            await #expect(throws: ModerationError.ownAffair) {
                try await town.order(.restorePost, [.post(post)], by: senior)
            }
            #expect(try await town.order(.pinPost, [.post(post)], by: senior).results[0].isChanged)
        }
    }
}
