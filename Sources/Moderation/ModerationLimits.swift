import SocialGraph

/// Limits of moderation that are visible to clients of the API. Constants that tune an algorithm are in its type.
/// ``assertConsistency()`` states their relations.
package enum ModerationLimits {
    /// Maximum number of unresolved reports by one user.
    package static let openReports: Int64 = 100
    /// Maximum number of subjects of one moderation order.
    package static let subjectsPerOrder = 1_000
    /// Maximum number of effects in force on one user's membership in one community.
    package static let effectsPerMembership = 100
    /// Maximum number of undos in a row, each of the one before, that follow an order.
    package static let undosInARow = 20
    /// Maximum number of a user's warnings in force in a list of them.
    package static let strikesShown = 100
    /// Maximum length of an order's reason, in Unicode scalars.
    package static let moderationReasonLength = 500
    /// Maximum length of a note, in Unicode scalars.
    package static let moderationNoteLength = 2_000
    /// Maximum length of an appeal, in Unicode scalars.
    package static let appealLength = 2_000

    // Rules.

    /// Maximum number of rules of one community, or of the site.
    package static let rulesPerScope: Int64 = 100
    /// Maximum length of the name of a rule or classifier, in Unicode scalars.
    package static let ruleNameLength = 100
    /// Maximum number of words in a rule.
    package static let ruleWords = 500
    /// Maximum number of domains in a rule.
    package static let ruleDomains = 500
    /// Maximum length of a word in a rule, in Unicode scalars.
    package static let ruleWordLength = 100
    /// Maximum length of a folded word in a rule, in Unicode scalars. Folding may make 18 scalars of one.
    package static let foldedWordLength = 100
    /// Maximum length of all words of a rule together, in scalars when folded.
    package static let foldedWordsPerRule = 20_000
    /// Maximum length of all words of the rules of one community, or of the site, in scalars when folded.
    package static let foldedWordsPerScope = 200_000
    /// Maximum time that a rule looks back, in seconds.
    package static let ruleSeconds: Int64 = 366 * 24 * 3_600
    /// Maximum length of a pattern, in Unicode scalars.
    package static let patternLength = 500
    /// Maximum number of instructions of a compiled pattern. A search takes at most this number of steps for each
    /// scalar of the text.
    package static let patternInstructions = 1_000
    /// Maximum number of repetitions of a part of a pattern.
    package static let patternRepetitions = 200
    /// Maximum nesting depth of groups in a pattern.
    package static let patternDepth = 32
    /// Steps that the rules of one scope may take over one post or comment, in addition to those for its length.
    package static let screeningSteps = 1_000_000
    /// Steps that the rules of one scope may take in addition for each scalar of the post or comment.
    package static let screeningStepsOfScalar = 20
    /// Maximum displayed length of the text matched by a rule, in Unicode scalars.
    package static let matchedTextLength = 100

    // Dry runs.

    /// Maximum number of steps of a dry run.
    package static let dryRunSteps = 20_000_000
    /// Number of posts and comments that a dry run may examine.
    package static let dryRunLength = 1...10_000
    /// Maximum number of posts and comments that a dry run shows.
    package static let dryRunMatches = 100
    /// Maximum length of an excerpt, in Unicode scalars.
    package static let excerptLength = 200

    // Classifiers.

    /// Maximum number of classifiers of one community, or of the site.
    package static let classifiersPerScope: Int64 = 10
    /// Valid time-outs of a classifier, in milliseconds.
    package static let classifierTimeout: ClosedRange<Int64> = 100...600_000
    /// Maximum length of a classifier's reason, in Unicode scalars.
    package static let verdictReasonLength = 200
    /// Maximum number of labels in a classifier's answer.
    package static let verdictLabels = 20

    /// Stops the process if constants of this module contradict each other. Called when the database is opened.
    package static func assertConsistency() {
        precondition(FacetStack.effectsRead >= 2, "an effect must be left when the newest has ended")
        precondition(
            ScreeningStore.stepsInline < screeningSteps, "a judgement in passing must be within its budget")
        precondition(foldedWordLength <= foldedWordsPerRule, "a rule must be able to have a word")
        precondition(foldedWordsPerRule <= foldedWordsPerScope, "a scope must be able to have a rule")
        precondition(foldedWordsPerScope <= RuleBook.room, "the rules of a scope must all be compiled")
        precondition(screeningSteps < dryRunSteps, "a dry run must be able to look at a content")
    }
}
