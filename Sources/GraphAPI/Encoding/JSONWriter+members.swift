/// Members of an object: a name and a value in one call. Nil is written as null.
extension JSONWriter {
    package mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        string(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int64) {
        key(name)
        integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int) { member(name, Int64(value)) }

    package mutating func member(_ name: StaticString, _ value: UInt64) {
        key(name)
        integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: Double?) {
        key(name)
        if let value { number(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ values: [String]) {
        key(name)
        strings(values)
    }

    /// A member that is an id, as a string of decimal digits.
    package mutating func member(_ name: StaticString, id value: Int64?) {
        key(name)
        if let value { id(value) } else { null() }
    }

    /// A member that is an instant, in RFC 3339.
    ///
    /// - Parameter milliseconds: since 1970.
    package mutating func member(_ name: StaticString, time milliseconds: Int64?) {
        key(name)
        if let milliseconds { timestamp(milliseconds: milliseconds) } else { null() }
    }

    /// A member whose value has already been encoded.
    package mutating func member(_ name: StaticString, raw value: [UInt8]) {
        key(name)
        raw(value)
    }

    /// A member that is an array; `element` writes one of `elements`.
    package mutating func member<Elements: Sequence>(
        _ name: StaticString, listing elements: Elements, _ element: (inout JSONWriter, Elements.Element) -> Void
    ) {
        key(name)
        array(elements, element)
    }

    /// An array; `element` writes one of `elements`.
    package mutating func array<Elements: Sequence>(
        _ elements: Elements, _ element: (inout JSONWriter, Elements.Element) -> Void
    ) {
        beginArray()
        for one in elements { element(&self, one) }
        endArray()
    }

    package mutating func strings(_ values: [String]) { array(values) { $0.string($1) } }
}

/// Members whose names are only known at run time.
extension JSONWriter {
    package mutating func member(escaping name: String, _ value: String?) {
        key(escaping: name)
        string(value)
    }

    package mutating func member(escaping name: String, _ value: Int64) {
        key(escaping: name)
        integer(value)
    }

    package mutating func member(escaping name: String, _ value: Double?) {
        key(escaping: name)
        if let value { number(value) } else { null() }
    }

    package mutating func member(escaping name: String, id value: Int64?) {
        key(escaping: name)
        if let value { id(value) } else { null() }
    }

    package mutating func member(escaping name: String, time milliseconds: Int64?) {
        key(escaping: name)
        if let milliseconds { timestamp(milliseconds: milliseconds) } else { null() }
    }
}
