/// The result of one check of an installation.
struct Finding: Sendable, Equatable {
    /// The part that was examined, in the order in which parts are shown.
    enum Part: String, Sendable, CaseIterable {
        case settings
        case certificate
        case directory
        case disk
        case database
        case clock
        case server
        case descriptors
        case redis
        case media
        case programs
        case backup
    }

    enum Level: String, Sendable, Comparable, CaseIterable {
        case sound
        /// Worth knowing; nothing has to be done.
        case note
        /// It works now, and will fail or lose something if nothing is done.
        case warning
        /// It does not work.
        case failure

        static func < (left: Level, right: Level) -> Bool {
            guard let first = allCases.firstIndex(of: left), let second = allCases.firstIndex(of: right) else {
                return false
            }
            return first < second
        }
    }

    let part: Part
    let level: Level
    /// The state that was found, as a sentence.
    let detail: String
    /// The operator's next step; nil if there is none.
    let remedy: String?

    init(_ part: Part, _ level: Level, _ detail: String, remedy: String? = nil) {
        (self.part, self.level, self.detail, self.remedy) = (part, level, detail, remedy)
    }
}
