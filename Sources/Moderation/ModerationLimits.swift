import SocialGraph

/// Limits of moderation that clients of the API meet. Constants that tune an algorithm stand in its type;
/// ``assertConsistency()`` states how both relate.
package enum ModerationLimits {
    /// Reports of one user that are not resolved yet.
    package static let openReports: Int64 = 100
    /// Subjects of one moderation order.
    package static let subjectsPerOrder = 1_000
    /// Unicode scalars of an order's reason.
    package static let moderationReasonLength = 500
    /// Unicode scalars of a note.
    package static let moderationNoteLength = 2_000
    /// Unicode scalars of an appeal.
    package static let appealLength = 2_000

    // Rules.

    /// Rules of one community, or of the site.
    package static let rulesPerScope: Int64 = 100
    /// Unicode scalars of the name of a rule or classifier.
    package static let ruleNameLength = 100
    /// Words of a rule.
    package static let ruleWords = 500
    /// Domains of a rule.
    package static let ruleDomains = 500
    /// Unicode scalars of a word of a rule.
    package static let ruleWordLength = 100
    /// The longest time that a rule looks back, in seconds.
    package static let ruleSeconds: Int64 = 366 * 24 * 3_600
    /// Unicode scalars of a pattern.
    package static let patternLength = 500
    /// Instructions a pattern may compile to: a search takes so many steps for each scalar of the text.
    package static let patternInstructions = 1_000
    /// Repetitions of a part of a pattern.
    package static let patternRepetitions = 200
    /// Groups of a pattern in one another.
    package static let patternDepth = 32
    /// Steps that the rules of one scope may take over one post or comment, besides those for its length.
    package static let screeningSteps = 1_000_000
    /// Steps that the rules of one scope may take in addition for each scalar of the post or comment.
    package static let screeningStepsOfScalar = 20
    /// Unicode scalars of the text that a rule has matched, as it is shown.
    package static let matchedTextLength = 100

    // Dry runs.

    /// Steps of a dry run.
    package static let dryRunSteps = 20_000_000
    /// Posts and comments that a dry run looks at.
    package static let dryRunLength = 1...10_000
    /// Posts and comments that a dry run shows.
    package static let dryRunMatches = 100
    /// Unicode scalars of an excerpt.
    package static let excerptLength = 200

    // Classifiers.

    /// Classifiers of one community, or of the site.
    package static let classifiersPerScope: Int64 = 10
    /// Milliseconds that a classifier may be waited for.
    package static let classifierTimeout: ClosedRange<Int64> = 100...600_000
    /// Unicode scalars of a reason that a classifier gives.
    package static let verdictReasonLength = 200
    /// Labels that a classifier gives.
    package static let verdictLabels = 20

    /// Stops the process where constants of this module contradict each other. Called when the database is opened.
    package static func assertConsistency() {
        precondition(
            ScreeningStore.stepsInline < screeningSteps, "a judgement in passing must be within its budget")
        precondition(screeningSteps < dryRunSteps, "a dry run must be able to look at a content")
    }
}
