import ArgumentParser
import Moderation
import SocialGraph
import TestSupport
import Testing

@testable import graphd

/// Parity of the command line with the API.
@Suite(.timeLimit(.unit))
struct ModerationParityTests {
    /// The command of each action.
    private static let actions: [ModerationAction: String] = [
        .removePost: "post remove", .restorePost: "post restore", .takedownPost: "post takedown",
        .reinstatePost: "post reinstate", .holdPost: "post hold", .approvePost: "post approve",
        .pinPost: "post pin", .unpinPost: "post unpin", .featurePost: "post feature", .unfeaturePost: "post unfeature",
        .removeComment: "comment remove", .restoreComment: "comment restore", .takedownComment: "comment takedown",
        .reinstateComment: "comment reinstate", .holdComment: "comment hold", .approveComment: "comment approve",
        .banMember: "member ban", .unbanMember: "member unban", .setMemberRole: "member role",
        .approveRequest: "community approve", .declineRequest: "community decline",
        .lockCommunity: "community lock", .unlockCommunity: "community unlock",
        .archiveCommunity: "community archive", .unarchiveCommunity: "community unarchive",
        .makeCommunityPrivate: "community private", .makeCommunityPublic: "community public",
        .renameCommunity: "community rename", .transferCommunity: "community transfer", .warnUser: "user warn",
        .silenceUser: "user silence", .suspendUser: "user suspend", .reinstateUser: "user reinstate",
        .setSiteRole: "user role", .claimReport: "report claim", .releaseReport: "report release",
        .resolveReport: "report resolve", .decideAppeal: "appeal decide",
    ]

    /// The command of each operation of the API.
    private static let operations = [
        "POST /v1/moderation/actions": "post remove", "POST /v1/moderation/batches/{batch}/undo": "undo",
        "POST /v1/reports": "report file", "GET /v1/moderation/reports": "report list",
        "GET /v1/moderation/cases": "report cases",
        "GET /v1/moderation/reports/{id}": "report show", "POST /v1/appeals": "appeal file",
        "GET /v1/appeals": "appeal mine", "GET /v1/moderation/appeals": "appeal list",
        "GET /v1/moderation/queue": "queue list", "GET /v1/moderation/modlog": "modlog list",
        "GET /v1/moderation/modlog/verify": "modlog verify",
        "DELETE /v1/moderation/modlog/{entryId}/note": "modlog erase-note", "GET /v1/modlog": "modlog public",
        "GET /v1/me/moderation": "modlog mine", "GET /v1/me/strikes": "user strikes",
        "GET /v1/moderation/users": "user list", "GET /v1/moderation/users/{id}": "user show",
        "GET /v1/moderation/users/{id}/home": "user home", "GET /v1/moderation/users/{id}/why/{postId}": "user why",
        "GET /v1/moderation/communities": "community list", "GET /v1/moderation/communities/{id}": "community show",
        "GET /v1/moderation/communities/{id}/members": "community members",
        "GET /v1/communities/{id}/requests": "community requests", "GET /v1/moderation/dashboard": "dashboard",
        "GET /v1/moderation/rules": "rules list", "POST /v1/moderation/rules": "rules add",
        "GET /v1/moderation/rules/{id}": "rules show", "PATCH /v1/moderation/rules/{id}": "rules edit",
        "DELETE /v1/moderation/rules/{id}": "rules remove", "POST /v1/moderation/rules/dry-run": "rules dry-run",
        "GET /v1/moderation/classifiers": "classifiers list", "POST /v1/moderation/classifiers": "classifiers add",
        "PATCH /v1/moderation/classifiers/{id}": "classifiers edit",
        "DELETE /v1/moderation/classifiers/{id}": "classifiers remove",
    ]

    /// Every command without subcommands, as its words.
    private static func leaves(
        of command: any ParsableCommand.Type = Graphd.self, _ words: [String] = []
    ) -> [String: any ParsableCommand.Type] {
        let children = command.configuration.subcommands
        guard !children.isEmpty else { return [words.joined(separator: " "): command] }
        return children.reduce(into: [:]) { leaves, child in
            leaves.merge(self.leaves(of: child, words + [child.configuration.commandName ?? "?"])) { $1 }
        }
    }

    private static let moderation: Set<String> = [
        "login", "logout", "report", "queue", "appeal", "post", "comment", "member", "community", "user", "rules",
        "classifiers", "modlog", "undo", "dashboard",
    ]

    @Test
    func `every action that can be ordered, and every operation of moderation, has a command`() throws {
        let leaves = Self.leaves()
        #expect(Set(ModerationAction.orderable) == Set(Self.actions.keys))
        for command in Array(Self.actions.values) + Self.operations.values {
            #expect(leaves[command] != nil, "\(command)")
        }
        let ours = try APIDescription.registered().filter { operation in
            ["/v1/moderation/", "/v1/reports", "/v1/appeals", "/v1/modlog", "/v1/me/strikes", "/v1/me/moderation"]
                .contains { operation.path.hasPrefix($0) }
        }
        #expect(ours.count > 20)
        for operation in ours { #expect(Self.operations[operation.description] != nil, "\(operation)") }
    }

    @Test
    func `every moderation command has the common flags, an example and its exit statuses`() {
        let reading = Set([
            "list", "cases", "show", "members", "requests", "mine", "public", "verify", "strikes", "home", "why",
        ])
        for (words, command) in Self.leaves() {
            let parts = words.split(separator: " ").map(String.init)
            guard let noun = parts.first, Self.moderation.contains(noun) else { continue }
            // They change the data directory of the machine, without a server.
            guard !["user password", "user totp"].contains(words) else { continue }
            let help = command.helpMessage(columns: 1_000)
            for flag in ["--server <url>", "--token <token>", "--json", "--yes"] {
                #expect(help.contains(flag), "\(words) lacks \(flag)")
            }
            #expect(help.contains("Example:\n  graphd \(words)"), "\(words)")
            #expect(help.contains("Exit status: 0"), "\(words)")
            let isReading = reading.contains(parts.last ?? "") || ["login", "logout", "dashboard"].contains(noun)
            #expect(isReading || words == "rules dry-run" || help.contains("--dry-run"), "\(words)")
            guard let action = Self.actions.first(where: { $0.value == words })?.key else { continue }
            #expect(help.contains("--reason <text>") && help.contains("--note <text>"), "\(words)")
            // Closing a report is final, but the action taken on it may expire.
            #expect(help.contains("--for <duration>") == (action.canExpire || action == .resolveReport), "\(words)")
        }
    }
}
