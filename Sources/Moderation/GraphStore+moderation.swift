import SocialGraph

extension GraphStore {
    /// The state of judging content written to this database. Falls back to a separate one if the database was opened
    /// without.
    package var screeningState: ScreeningState {
        database.graphHooks?.moderation as? ScreeningState ?? ScreeningState()
    }

    package var appeals: AppealStore { AppealStore(database: database) }
    package var classifiers: ClassifierStore { ClassifierStore(database: database) }
    package var moderation: ModerationStore { ModerationStore(database: database, screeningState: screeningState) }
    package var moderationQueries: ModerationQueryStore {
        ModerationQueryStore(database: database, screeningState: screeningState)
    }
    package var modlog: ModlogStore { ModlogStore(database: database) }
    package var notices: NoticeStore { NoticeStore(database: database) }
    package var queue: QueueStore { QueueStore(database: database) }
    package var reports: ReportStore { ReportStore(database: database) }
    package var rules: RuleStore { RuleStore(database: database, screeningState: screeningState) }
}
