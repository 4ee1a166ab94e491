import Algorithms
import Database

extension ServerConfiguration {
    static let expectedRetention = """
        data with an age, such as notifications=30d,logIns=30d; data are \
        \(RetainedData.allCases.map { "\($0.rawValue) (\(days($0.ages)))" }.joined(separator: ", "))
        """

    /// Parses `notifications=30d,logIns=30d` to milliseconds; nil if the text is malformed, names data twice, or names
    /// an age out of bounds.
    static func retention(_ text: String) -> [RetainedData: Int64]? {
        var ages: [RetainedData: Int64] = [:]
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false).map {
                $0.trimming(while: \.isWhitespace)
            }
            guard parts.count == 2, let data = RetainedData(rawValue: String(parts[0])), ages[data] == nil,
                let age = DurationText.parse(String(parts[1])).map({ $0.components.seconds * 1_000 }),
                data.ages.contains(age)
            else { return nil }
            ages[data] = age
        }
        return ages
    }

    private static func days(_ ages: ClosedRange<Int64>) -> String {
        "\(ageText(ages.lowerBound)) to \(ageText(ages.upperBound))"
    }

    /// Returns an age in milliseconds as an operator writes it.
    static func ageText(_ age: Int64) -> String {
        age % Milliseconds.day == 0 ? "\(age / Milliseconds.day)d" : "\(age / Milliseconds.minute)m"
    }
}
