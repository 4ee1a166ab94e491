import SocialGraph

/// Every bound of this module in one place. `assertConsistency()` states how they relate.
package enum ModerationLimits {
    /// Reports of one user that are not resolved yet, and entries of the modlog on a user's card.
    package static let openReports: Int64 = 100
    static let entriesOnUserCard = 20
    /// Subjects of one moderation order, and Unicode scalars of its reason, of a note, and of an appeal.
    package static let subjectsPerOrder = 1_000
    package static let moderationReasonLength = 500
    package static let moderationNoteLength = 2_000
    package static let appealLength = 2_000
    /// Rules and classifiers of one community or of the site, Unicode scalars of their names; words and domains of a
    /// rule, Unicode scalars of a word; the longest time that a rule looks back, in seconds.
    package static let rulesPerScope: Int64 = 100
    package static let classifiersPerScope: Int64 = 10
    package static let ruleNameLength = 100
    package static let ruleWords = 500
    package static let ruleDomains = 500
    package static let ruleWordLength = 100
    package static let ruleSeconds: Int64 = 366 * 24 * 3_600
    /// Unicode scalars of a pattern, instructions it may compile to (a search takes so many steps for each scalar of
    /// the text), repetitions of a part, groups in one another; a range of characters up to this long is folded.
    package static let patternLength = 500
    package static let patternInstructions = 1_000
    package static let patternRepetitions = 200
    package static let patternDepth = 32
    static let foldedRange = 2_000
    /// Steps that the rules of one scope may take over one post or comment, and more for each scalar of it; those that
    /// are at most taken where the request is served, and not on a thread of their own; judgements of one scope that
    /// may wait for that thread; times that a content is judged where rules change meanwhile.
    package static let screeningSteps = 1_000_000
    package static let screeningStepsOfScalar = 20
    static let screeningStepsInline = 50_000
    static let screeningsWaiting = 64
    static let screeningAttempts = 4
    /// Steps of a dry run, and contents that it reads at a time.
    package static let dryRunSteps = 20_000_000
    static let dryRunChunk = 25
    /// Posts and comments that a dry run looks at, those it shows, and comments it looks through for those of a
    /// community; Unicode scalars of an excerpt, and of what a rule has matched.
    package static let dryRunLength = 1...10_000
    package static let dryRunMatches = 100
    static let dryRunWalk: Int64 = 200_000
    package static let excerptLength = 200
    package static let matchedTextLength = 100
    /// Milliseconds that a classifier may be waited for; Unicode scalars of a reason that it gives, and its labels.
    package static let classifierTimeout: ClosedRange<Int64> = 100...600_000
    /// Scopes that are looked through for questions that are due.
    static let classifyingScopes = 256
    package static let verdictReasonLength = 200
    package static let verdictLabels = 20

    package static func assertConsistency() {
        precondition(screeningStepsInline < screeningSteps, "a judgement in passing must be within its budget")
        precondition(screeningSteps < dryRunSteps, "a dry run must be able to look at a content")
    }
}
