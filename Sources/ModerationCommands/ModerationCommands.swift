import ArgumentParser
import Moderation

/// The commands of moderators, which speak HTTP to a server.
package enum ModerationCommands {
    /// In the order in which help lists them.
    package static let all: [any ParsableCommand.Type] = [
        LoginCommand.self, LogoutCommand.self, ReportCommand.self, HeldCommand.self, AppealCommand.self,
        PostCommand.self, CommentCommand.self, MemberCommand.self, CommunityCommand.self, UserCommand.self,
        RulesCommand.self, ClassifiersCommand.self, ModlogCommand.self, UndoCommand.self, DashboardCommand.self,
    ]
}
