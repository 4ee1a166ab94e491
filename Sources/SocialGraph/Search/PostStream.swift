/// The posts that meet one condition, newest first, entered wherever the conditions beside it have got to. Reads ahead:
/// the further it is walked, the more at a time; where each entry is dear, the more often it is entered.
struct PostStream {
    /// Up to `limit` ids strictly below `bound`, descending.
    typealias Fetch = (_ bound: Int64, _ limit: Int) throws -> [Int64]

    private let fetch: Fetch
    private let readAhead: ClosedRange<Int>
    private let isEntryDear: Bool
    private var chunk: Int
    private var buffer: ArraySlice<Int64> = []
    /// There is nothing below the buffer.
    private var isAtEnd = false

    init(readAhead: ClosedRange<Int> = 16...1_024, isEntryDear: Bool = false, _ fetch: @escaping Fetch) {
        self.fetch = fetch
        self.isEntryDear = isEntryDear
        self.readAhead = readAhead
        chunk = readAhead.lowerBound
    }

    /// The largest id below `bound`, which never grows from call to call; nil: there is none.
    mutating func next(below bound: Int64) throws -> Int64? {
        if let last = buffer.last, last < bound {
            buffer = buffer[buffer.firstDescending(below: bound)...]
            return buffer.first
        }
        if isAtEnd { return nil }
        if isEntryDear {
            chunk = min(chunk * 4, readAhead.upperBound)
        } else if buffer.last == bound {
            chunk = min(chunk * 2, readAhead.upperBound)
        } else {
            chunk = max(chunk / 2, readAhead.lowerBound)
        }
        let found = try fetch(bound, chunk)
        isAtEnd = found.count < chunk
        buffer = found[...]
        return found.first
    }

    /// Whether `id` is among them, asked in any order, without reading ahead.
    func has(_ id: Int64) throws -> Bool { try fetch(id + 1, 1).first == id }
}

/// The posts that meet a condition in one of several ways.
struct PostCondition {
    private var ways: [PostStream]

    /// Without a way nothing meets it.
    init(anyOf ways: [PostStream]) { self.ways = ways }

    mutating func next(below bound: Int64) throws -> Int64? {
        var highest: Int64?
        for index in ways.indices {
            guard let id = try ways[index].next(below: bound) else { continue }
            highest = max(highest ?? id, id)
        }
        return highest
    }

    func has(_ id: Int64) throws -> Bool { try ways.contains { try $0.has(id) } }
}

/// The posts that meet all of several conditions, newest first: each condition in turn is asked for the next post at or
/// below the place that the one before has named, until all name the same. (Leapfrog join: Veldhuizen, ICDT 2014.) The
/// cost goes by the rarest condition, whichever that is.
struct PostIntersection {
    private var conditions: [PostCondition]

    /// At least one.
    init(of conditions: [PostCondition]) {
        precondition(!conditions.isEmpty, "all posts are a condition, too")
        self.conditions = conditions
    }

    mutating func next(below bound: Int64) throws -> Int64? {
        var candidate: Int64?
        var agreeing = 0
        var index = 0
        while agreeing < conditions.count {
            guard let found = try conditions[index].next(below: candidate.map { $0 + 1 } ?? bound) else { return nil }
            agreeing = found == candidate ? agreeing + 1 : 1
            candidate = found
            index = (index + 1) % conditions.count
        }
        return candidate
    }

    func has(_ id: Int64) throws -> Bool { try conditions.allSatisfy { try $0.has(id) } }
}

extension ArraySlice where Element == Int64 {
    /// The index of the first element below `bound`, in a slice that descends.
    fileprivate func firstDescending(below bound: Int64) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < bound { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
