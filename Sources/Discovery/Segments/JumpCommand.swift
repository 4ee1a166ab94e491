/// What somebody wants to see, as it can be understood without knowing the video but for the words of its labels.
struct JumpCommand: Equatable {
    /// Which of several.
    enum Order: Equatable {
        /// From 1.
        case nth(Int)
        /// From the end; 1 is the last.
        case last(Int)
        case next
        case previous
        case current
    }

    /// A time of the video, in milliseconds or as a share of it.
    enum Time: Equatable {
        case at(Int64)
        /// The first so many.
        case first(Int64)
        /// The last so many.
        case last(Int64)
        /// So far from the current position.
        case shift(Int64)
        case share(Double)
        case start
        case end

        /// Whether it can be meant of a part of the video as well: "the last minute of the plank".
        var isOfAPart: Bool {
            switch self {
            case .first, .last, .share, .start: true
            case .at, .shift, .end: false
            }
        }
    }

    /// Where what is wanted lies from another part.
    enum Relation: Equatable {
        case after
        case before
    }

    /// Words that say what is wanted, without stop words, as written.
    var words: [String] = []
    var order: Order?
    var time: Time?
    /// The words of the other part; empty without a relation.
    var anchor: [String] = []
    var relation: Relation?
    /// Which of several the other part is.
    var anchorOrder: Order?
    /// "How to blanch vegetables": the first word is the verb, and says most.
    var asksHow = false
    /// "Go back to …": of several, the one that has been.
    var isBackwards = false
    /// "Skip to …": of several, the one that comes.
    var isForwards = false
}
