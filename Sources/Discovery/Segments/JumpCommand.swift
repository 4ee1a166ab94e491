/// A parsed command to jump, understood without the video except for the words of its labels.
struct JumpCommand: Equatable {
    /// The choice among several matches.
    enum Order: Equatable {
        /// The n-th, from 1.
        case nth(Int)
        /// The n-th from the end; 1 is the last.
        case last(Int)
        case next
        case previous
        case current
    }

    /// A time in the video, in milliseconds or as a share of it.
    enum Time: Equatable {
        case at(Int64)
        /// The first milliseconds.
        case first(Int64)
        /// The last milliseconds.
        case last(Int64)
        /// An offset from the current position.
        case shift(Int64)
        case share(Double)
        case start
        case end

        /// True if the time may also lie in a part of the video: "the last minute of the plank".
        var isOfAPart: Bool {
            switch self {
            case .first, .last, .share, .start: true
            case .at, .shift, .end: false
            }
        }
    }

    /// The position of the wanted part relative to another part.
    enum Relation: Equatable {
        case after
        case before
    }

    /// Words that name the wanted part, as written, without stop words.
    var words: [String] = []
    var order: Order?
    var time: Time?
    /// Words that name the other part; empty without a relation.
    var anchor: [String] = []
    var relation: Relation?
    /// Choice among several matches for the other part.
    var anchorOrder: Order?
    /// "How to blanch vegetables": the first word is the verb and the most telling.
    var asksHow = false
    /// "Go back to …": among several matches, the previous one.
    var isBackwards = false
    /// "Skip to …": among several matches, the next one.
    var isForwards = false
}
