import Database
import SocialGraph

/// The judgement of content, made before the transaction that writes it. It holds the versions of the rules applied, so
/// that the transaction can detect a stale judgement.
struct Screening: Sendable {
    var community: CommunityID?
    var versions = RuleVersions()
    /// The verdicts of the scopes that have rules or classifiers and judge the author.
    var judgements: [ScopeJudgement] = []
    /// The judged texts.
    var texts: [String] = []

    func judgement(of community: CommunityID?) -> ScopeJudgement? {
        judgements.first { $0.community == community }
    }
}

/// Versions of the rules that apply to one post or comment. A version is nil if the scope has never had any rules.
struct RuleVersions: Sendable, Equatable {
    var site: String?
    var community: String?

    var isEmpty: Bool { site == nil && community == nil }

    func version(of community: CommunityID?) -> String? { community == nil ? site : self.community }
}

/// The verdict of the rules of one scope on a content, as far as it is known before the write.
struct ScopeJudgement: Sendable {
    /// The community; nil for the site.
    let community: CommunityID?
    let book: RuleBook
    /// The strongest match among the rules about content.
    var strongest: RuleMatch?
    /// The rule at which the steps of the scope ran out, so that later rules have not been applied, or the first rule
    /// that is too large to be applied.
    var stoppedAt: CompiledRule?
    let author: ScreenedAuthor
}

struct RuleMatch: Sendable {
    /// The position of the rule among those of its scope.
    let index: Int
    let rule: CompiledRule
    /// The match, for display.
    let matched: String
}

/// The transaction has found other rules, another status of the author, or another text than were judged.
struct StaleScreening: Error {
    /// The content to judge instead; nil for the same.
    var texts: [String]?
}

/// The volume of an author's writing, for rules about rates and new accounts, read from a snapshot.
struct ScreenedAuthor: Sendable {
    var accountCreatedAt: Int64 = 0
    /// The number of earlier posts, counted up to the maximum needed by a rule.
    var posts: Int64 = 0
    /// Ids of posts and comments in the period needed by the rules, ascending. The transaction adds later ones.
    var written: [Int64] = []
    /// The id up to which `written` is complete.
    var upTo: Int64 = 0
}
