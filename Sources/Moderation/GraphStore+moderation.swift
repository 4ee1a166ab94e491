import SocialGraph

extension GraphStore {
    /// The desk that judges content written to this database. Falls back to a separate one if the database was opened
    /// without.
    package var desk: ScreeningDesk { database.graphHooks?.moderation as? ScreeningDesk ?? ScreeningDesk() }

    package var appeals: AppealStore { AppealStore(database: database) }
    package var classifiers: ClassifierStore { ClassifierStore(database: database) }
    package var moderation: ModerationStore { ModerationStore(database: database, desk: desk) }
    package var moderationQueries: ModerationQueryStore { ModerationQueryStore(database: database, desk: desk) }
    package var modlog: ModlogStore { ModlogStore(database: database) }
    package var queue: QueueStore { QueueStore(database: database) }
    package var reports: ReportStore { ReportStore(database: database) }
    package var rules: RuleStore { RuleStore(database: database, desk: desk) }
}
