/// The scalars of words: letters, digits, marks and the underscore.
package enum WordScalars {
    package static func contains(_ scalar: UInt32) -> Bool {
        if scalar < 0x80 {
            let byte = UInt8(scalar)
            let letter = byte | 0x20
            return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "_")
                || letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
        }
        guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
        return switch properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation: true
        default: properties.isAlphabetic
        }
    }
}
