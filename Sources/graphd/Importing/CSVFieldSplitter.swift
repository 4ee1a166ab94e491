/// Splits the bytes of one record into fields by RFC 4180: commas separate fields; quotes enclose a field with commas,
/// line ends or quotes; a quote within is doubled. A quote inside a field that does not start with one is literal.
struct CSVFieldSplitter {
    private enum State {
        case fieldStart, unquoted, quoted, quoteInQuoted
    }

    private var state = State.fieldStart
    private var fields: [[UInt8]] = []
    private var field: [UInt8] = []

    /// True if a line end belongs to the field rather than ending the record.
    var isInsideQuotes: Bool { state == .quoted }

    /// Consumes a byte of the record. Throws ``LineProblem``; the record is lost then.
    mutating func consume(_ byte: UInt8) throws {
        switch (state, byte) {
        case (.fieldStart, UInt8(ascii: "\"")): state = .quoted
        case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            field.append(byte)
            state = .quoted
        case (.quoted, _): field.append(byte)
        case (_, UInt8(ascii: ",")):
            fields.append(field)
            field.removeAll(keepingCapacity: true)
            state = .fieldStart
        case (.quoteInQuoted, _):
            state = .unquoted
            throw LineProblem(
                "text follows a closing quotation mark", "a quotation mark in a quoted field must be doubled: \"\"")
        default:
            field.append(byte)
            state = .unquoted
        }
    }

    /// Follows the quotation marks of a lost record.
    mutating func skip(_ byte: UInt8) {
        field.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        if (try? consume(byte)) == nil { state = .unquoted }
    }

    /// Returns the fields of the record. Throws ``LineProblem`` if its last field is not closed.
    mutating func finish() throws -> [[UInt8]] {
        defer { self = CSVFieldSplitter() }
        guard state != .quoted else {
            throw LineProblem("a quotation mark is not closed", "a quoted field must end with one")
        }
        fields.append(field)
        return fields
    }

    /// True if nothing has been consumed since the record began.
    var isEmpty: Bool { state == .fieldStart && fields.isEmpty }
}
