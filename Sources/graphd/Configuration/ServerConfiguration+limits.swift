import Foundation
import GraphHTTP
import GraphServices

extension ServerConfiguration {
    /// Accepted counts of a rate.
    private static let rateCounts = 1...1_000_000
    /// Accepted windows of a rate.
    private static let rateWindows = Duration.seconds(1) ... .seconds(86_400)

    static func readLimits(_ sources: SettingSources, into result: inout ServerConfiguration) throws {
        try sources.read(.rateLimit, wholeNumber(rateLimits), into: &result.rateLimit) { number($0, in: rateLimits) }
        try sources.read(.limits, "on or off", into: &result.limits) { ["on": true, "off": false][$0] }
        try sources.read(.rates, expectedRates, into: &result.rates) { rates($0) }
        try sources.read(
            .trustedProxies, "addresses or CIDR blocks, such as 192.0.2.0/24,2001:db8::/32",
            into: &result.trustedProxies
        ) { TrustedProxies($0) }
    }

    /// The rates in force. With `limits` off, only that of all requests, which is off unless it is set.
    var ratesInForce: [RateBudget: Rate] {
        var inForce: [RateBudget: Rate] = [:]
        for budget in RateBudget.allCases where limits { inForce[budget] = rates[budget] ?? budget.standard }
        if rateLimit > 0 { inForce[.requests] = Rate(rateLimit, per: .seconds(1)) }
        return inForce
    }

    static let expectedRates = """
        budgets with a number per duration, such as posts=600/1m,logIns=off; budgets are \
        \(RateBudget.settable.map(\.rawValue).joined(separator: ", "))
        """

    /// Parses `posts=600/1m,logIns=off`; nil if the text is malformed, or names a budget twice.
    static func rates(_ text: String) -> [RateBudget: Rate?]? {
        var rates: [RateBudget: Rate?] = [:]
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == 2, let budget = RateBudget(rawValue: parts[0]), RateBudget.settable.contains(budget),
                rates[budget] == nil
            else { return nil }
            if parts[1] == "off" {
                rates.updateValue(nil, forKey: budget)
            } else if let rate = rate(parts[1]) {
                rates.updateValue(rate, forKey: budget)
            } else {
                return nil
            }
        }
        return rates
    }

    private static func rate(_ text: String) -> Rate? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let count = number(parts[0], in: Self.rateCounts),
            let window = DurationText.parse(parts[1]), Self.rateWindows.contains(window)
        else { return nil }
        return Rate(count, per: window)
    }
}

extension RateBudget {
    /// All budgets but the one that has a setting of its own.
    static let settable = allCases.filter { $0 != .requests }
}
