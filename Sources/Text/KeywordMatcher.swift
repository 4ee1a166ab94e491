/// Finds any of many words in one pass over the skeleton of a text (Aho and Corasick 1975).
package struct KeywordMatcher: Sendable {
    private struct Node: Sendable {
        /// The node to continue from if no edge matches: the longest suffix of the input that is a prefix of a word.
        var fallback = 0
        /// The length of a word that ends here; 0 for none.
        var length = 0
        /// The nearest node along the fallbacks at which a word ends; 0 for none.
        var shorter = 0
    }

    private struct Edge: Hashable {
        let node: Int
        let scalar: UInt32
    }

    private var nodes = [Node()]
    private var edges: [Edge: Int] = [:]
    private let wholeWords: Bool

    /// - Parameter wholeWords: A word only matches without adjacent letters or digits. At an end of a word that is
    ///   another character, the neighbour is not checked.
    package init(_ words: [String], wholeWords: Bool) {
        self.wholeWords = wholeWords
        var children: [[(scalar: UInt32, node: Int)]] = [[]]
        for word in words {
            var node = 0
            let scalars = FoldedText(word).skeleton
            for scalar in scalars {
                let edge = Edge(node: node, scalar: scalar)
                if let known = edges[edge] {
                    node = known
                } else {
                    nodes.append(Node())
                    children.append([])
                    edges[edge] = nodes.count - 1
                    children[node].append((scalar, nodes.count - 1))
                    node = nodes.count - 1
                }
            }
            if node != 0 { nodes[node].length = scalars.count }
        }
        // Breadth first: a node's fallback is shorter, and therefore complete.
        var level = children[0].map(\.node)
        while !level.isEmpty {
            var below: [Int] = []
            for parent in level {
                for (scalar, child) in children[parent] {
                    let fallback = step(from: nodes[parent].fallback, scalar)
                    nodes[child].fallback = fallback
                    nodes[child].shorter = nodes[fallback].length > 0 ? fallback : nodes[fallback].shorter
                    below.append(child)
                }
            }
            level = below
        }
    }

    package func firstMatch(in text: [UInt32]) -> Range<Int>? {
        var budget = SearchSteps.unlimited
        return firstMatch(in: text, &budget)
    }

    /// Returns the match that ends first, and of those the longest. Also returns nil if the budget runs out.
    package func firstMatch(in text: [UInt32], _ budget: inout SearchSteps) -> Range<Int>? {
        var node = 0
        for (place, scalar) in text.enumerated() {
            guard !budget.isExhausted else { return nil }
            budget.spend(1)
            node = step(from: node, scalar)
            var candidate = nodes[node].length > 0 ? node : nodes[node].shorter
            while candidate != 0 {
                let range = (place + 1 - nodes[candidate].length)..<(place + 1)
                if !wholeWords || Self.isWhole(range, of: text) { return range }
                budget.spend(1)
                candidate = nodes[candidate].shorter
            }
        }
        return nil
    }

    private func step(from node: Int, _ scalar: UInt32) -> Int {
        var node = node
        while true {
            if let next = edges[Edge(node: node, scalar: scalar)] { return next }
            guard node != 0 else { return 0 }
            node = nodes[node].fallback
        }
    }

    private static func isWhole(_ range: Range<Int>, of text: [UInt32]) -> Bool {
        func isLetter(_ place: Int) -> Bool { WordScalars.contains(text[place]) }
        let isCutBefore = range.lowerBound > 0 && isLetter(range.lowerBound) && isLetter(range.lowerBound - 1)
        let last = range.upperBound - 1
        let isCutAfter = range.upperBound < text.count && isLetter(last) && isLetter(range.upperBound)
        return !isCutBefore && !isCutAfter
    }
}
