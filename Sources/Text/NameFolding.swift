import Foundation

/// Folds names that people read as the same: letter case and Unicode's compatible spellings.
package enum NameFolding {
    package static func key(_ name: String) -> String {
        // SQL compares names byte by byte, so the result must not depend on how a client composes its letters.
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.lowercased() }
        return name.precomposedStringWithCompatibilityMapping.lowercased().precomposedStringWithCompatibilityMapping
    }
}
