import ArgumentParser
import Moderation

/// The commands of moderators. They access a server over HTTP.
package enum ModerationCommands {
    /// All commands in the order of the help.
    package static let all: [any ParsableCommand.Type] = [
        LoginCommand.self, LogoutCommand.self, ReportCommand.self, HeldCommand.self, AppealCommand.self,
        PostCommand.self, CommentCommand.self, MemberCommand.self, CommunityCommand.self, UserCommand.self,
        RulesCommand.self, ClassifiersCommand.self, ModlogCommand.self, UndoCommand.self, DashboardCommand.self,
        AuditCommand.self, ServiceTokenCommand.self,
    ]
}
