extension JSONWriter {
    /// Writes a number so that it reads back exactly: without a fraction where it has none.
    ///
    /// - Parameter value: finite; JSON has no other numbers, so null stands for them.
    package mutating func number(_ value: Double) {
        if let whole = Int64(exactly: value) {
            integer(whole)
        } else if value.isFinite {
            raw(Array(value.description.utf8))
        } else {
            null()
        }
    }

    /// The same of 32 bits, with no more digits than those need.
    package mutating func number(_ value: Float) {
        if let whole = Int64(exactly: value) {
            integer(whole)
        } else if value.isFinite {
            raw(Array(value.description.utf8))
        } else {
            null()
        }
    }
}
