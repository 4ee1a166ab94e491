import Database
import SocialGraph

/// The judgement of what is about to be written, made before the transaction that writes it. It names the versions of
/// the rules it was made with, so that the transaction can tell whether it still holds.
struct Screening: Sendable {
    var community: CommunityID?
    var versions = RuleVersions()
    /// Verdicts of the scopes that have rules or classifiers and judge the author.
    var judgements: [ScopeJudgement] = []
    /// The texts as they were judged.
    var texts: [String] = []

    func judgement(of community: CommunityID?) -> ScopeJudgement? {
        judgements.first { $0.community == community }
    }
}

/// Versions of the rules that apply to one post or comment; nil: the scope has never had any.
struct RuleVersions: Sendable, Equatable {
    var site: String?
    var community: String?

    var isEmpty: Bool { site == nil && community == nil }

    func version(of community: CommunityID?) -> String? { community == nil ? site : self.community }
}

/// Verdict of the rules of one scope on a content, as far as it is known before the write.
struct ScopeJudgement: Sendable {
    /// Nil: the site.
    let community: CommunityID?
    let book: RuleBook
    /// The strongest match among the rules about content.
    var strongest: RuleMatch?
    /// The rule at which the steps of the scope ran out; those after it have not been asked.
    var stoppedAt: CompiledRule?
    let author: ScreenedAuthor
}

struct RuleMatch: Sendable {
    /// The place of the rule among those of its scope.
    let index: Int
    let rule: CompiledRule
    /// For people to read.
    let matched: String
}

/// The transaction has found other rules, another standing of the author, or another text than were judged.
struct StaleScreening: Error {
    /// Content to judge instead; nil: the same.
    var texts: [String]?
}

/// An author's volume of writing, for rules about rates and new accounts, read from a snapshot.
struct ScreenedAuthor: Sendable {
    var accountCreatedAt: Int64 = 0
    /// Posts published before, counted to the most that a rule asks for.
    var posts: Int64 = 0
    /// Posts and comments as far back as a rule looks, ascending; what is later is asked for in the transaction.
    var written: [Int64] = []
    /// The id up to which `written` is complete.
    var upTo: Int64 = 0
}
