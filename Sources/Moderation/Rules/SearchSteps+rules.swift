import Text

extension SearchSteps {
    /// The budget of all rules of one scope for `texts`. It grows with the length: a long transcript takes many steps
    /// without costly rules.
    init(forTexts texts: [FoldedText]) {
        let length = texts.reduce(0) { $0 + $1.scalars.count }
        self.init(limit: ModerationLimits.screeningSteps + ModerationLimits.screeningStepsOfScalar * length)
    }
}
