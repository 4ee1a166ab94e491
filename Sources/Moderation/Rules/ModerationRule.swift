import SocialGraph

/// What a rule does with a post or comment that it is against; the strongest of several is done.
package enum RuleAction: String, Sendable, CaseIterable, Comparable {
    /// Reported by graphd itself, and shown.
    case flag
    /// Waits in the queue, invisible to others.
    case hold
    /// Removed from its community, or taken down where it is in none.
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

/// A rule that judges posts and comments as they are written or edited.
package struct ModerationRule: Sendable, Equatable {
    package let id: RuleID
    /// Nil: of the whole site.
    package let community: CommunityID?
    package let name: String
    package let action: RuleAction
    package let definition: RuleDefinition
    package let isEnabled: Bool
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package let updatedAt: Int64
}

/// A rule as it is asked for.
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

/// What is changed of a rule; nil stays as it is.
package struct RuleChange: Sendable {
    package var name: String?
    package var action: RuleAction?
    package var definition: RuleDefinition?
    package var isEnabled: Bool?

    package init() {}
}

/// What a rule would have done with what is there.
package struct RuleDryRun: Sendable, Equatable {
    package struct Match: Sendable, Equatable {
        package let subject: ModerationSubject
        package let user: UserID
        package let username: String
        package let excerpt: String
        /// What it is against, in the text, or in words.
        package let matched: String
    }

    /// Posts and comments that were looked at, and those among them that the rule is against.
    package internal(set) var looked = 0
    package internal(set) var matched = 0
    /// Contents that the rule alone would take too many steps for (``ModerationLimits/screeningSteps``): they would be
    /// held.
    package internal(set) var tooCostly = 0
    /// The most steps that one content took, and all of them.
    package internal(set) var mostSteps = 0
    var steps = 0
    /// The newest of those: at most ``ModerationLimits/dryRunMatches``.
    package internal(set) var items: [Match] = []
}
