extension JSONWriter {
    /// Writes a number so that it reads back exactly; whole numbers have no fraction.
    ///
    /// - Parameter value: finite; any other value is written as null, because JSON cannot express it.
    package mutating func number(_ value: Double) {
        if let whole = Int64(exactly: value) {
            integer(whole)
        } else if value.isFinite {
            raw(Array(value.description.utf8))
        } else {
            null()
        }
    }

    /// Writes a 32-bit number so that it reads back exactly, with no more digits than 32 bits need.
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
