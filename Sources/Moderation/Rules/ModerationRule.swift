import SocialGraph

/// The action of a rule on a matching post or comment. If several rules match, the strongest action is taken.
package enum RuleAction: String, Sendable, CaseIterable, Comparable {
    /// Reported by graphd itself, and visible.
    case flag
    /// Held for review, invisible to others.
    case hold
    /// Removed from its community, or taken down if it is in none.
    case remove

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.strength < rhs.strength }

    private var strength: Int {
        switch self {
        case .flag: 1
        case .hold: 2
        case .remove: 3
        }
    }
}

/// A rule that judges posts and comments when they are written or edited.
package struct ModerationRule: Sendable, Equatable {
    package let id: RuleID
    /// The community; nil for the whole site.
    package let community: CommunityID?
    package let name: String
    package let action: RuleAction
    package let definition: RuleDefinition
    package let isEnabled: Bool
    /// The time of creation in milliseconds since 1970.
    package let createdAt: Int64
    package let updatedAt: Int64
}

/// The fields of a rule to create.
package struct NewRule: Sendable, Equatable {
    package var community: CommunityID?
    package var name: String
    package var action: RuleAction
    package var definition: RuleDefinition
    package var isEnabled: Bool

    package init(
        _ name: String, _ definition: RuleDefinition, action: RuleAction, community: CommunityID? = nil,
        isEnabled: Bool = true
    ) {
        self.community = community
        self.name = name
        self.action = action
        self.definition = definition
        self.isEnabled = isEnabled
    }
}

/// The changed fields of a rule. Nil leaves a field unchanged.
package struct RuleChange: Sendable {
    package var name: String?
    package var action: RuleAction?
    package var definition: RuleDefinition?
    package var isEnabled: Bool?

    package init() {}
}

/// The result of applying a rule to existing content without acting on it.
package struct RuleDryRun: Sendable, Equatable {
    package struct Match: Sendable, Equatable {
        package let subject: ModerationSubject
        package let user: UserID
        package let username: String
        package let excerpt: String
        /// The match, as quoted text or as a description.
        package let matched: String
    }

    /// The number of posts and comments examined, and of matches among them.
    package internal(set) var looked = 0
    package internal(set) var matched = 0
    /// The number of contents for which the rule alone would exceed its steps (``ModerationLimits/screeningSteps``).
    /// They would be held.
    package internal(set) var tooCostly = 0
    /// The maximum number of steps for one content, and the total.
    package internal(set) var mostSteps = 0
    var steps = 0
    /// The newest matches: at most ``ModerationLimits/dryRunMatches``.
    package internal(set) var items: [Match] = []
}
