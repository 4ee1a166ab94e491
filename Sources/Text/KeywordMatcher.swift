/// Finds any of many words in one pass over the skeleton of a text (Aho and Corasick 1975).
package struct KeywordMatcher: Sendable {
    /// A beginning of one or more words.
    private struct Node: Sendable {
        /// The last scalar of the beginning.
        var scalar: UInt32 = 0
        /// True if the scalar belongs to a word (``WordScalars``).
        var isLetter = false
        /// The first of the continuations by one scalar. Those of a node are consecutive and sorted by scalar.
        var children: Int32 = 0
        /// The node to continue from if no child matches: the longest suffix that is a beginning of a word.
        var fallback: Int32 = 0
        /// The length of a word that ends here; 0 for none.
        var length: Int32 = 0
        /// The nearest node along the fallbacks at which a word ends; 0 for none. For whole words, the start of that
        /// word is not within a word: the scalar before it is part of this node's beginning, so it is known.
        var shorter: Int32 = 0
    }

    private var nodes = [Node()]
    private let wholeWords: Bool

    /// - Parameter wholeWords: A word only matches without adjacent letters or digits. At an end of a word that is
    ///   another character, the neighbour is not checked.
    package init(_ words: [String], wholeWords: Bool) {
        self.init(folded: words.map { FoldedText($0).skeleton }, wholeWords: wholeWords)
    }

    /// - Parameter words: The skeletons of the words.
    package init(folded words: [[UInt32]], wholeWords: Bool) {
        self.wholeWords = wholeWords
        // A word comes before its continuations, and words with a common beginning are consecutive.
        let words = words.sorted { $0.lexicographicallyPrecedes($1) }
        // The words that continue each node, and its depth.
        var spans: [(words: Range<Int>, depth: Int)] = [(words.indices, 0)]
        // Breadth first: a node's fallback is shorter, and therefore complete.
        var parent = 0
        while parent < nodes.count {
            nodes[parent].children = Int32(nodes.count)
            var (rest, depth) = spans[parent]
            while let first = rest.first, words[first].count == depth { rest = rest.dropFirst() }
            depth += 1
            while let first = rest.first {
                let path = words[first].prefix(depth)
                let end = rest.first { words[$0][depth - 1] != words[first][depth - 1] } ?? rest.upperBound
                nodes.append(node(path, below: parent, isWord: words[first].count == depth))
                spans.append((first..<end, depth))
                rest = end..<rest.upperBound
            }
            parent += 1
        }
    }

    /// The number of beginnings of words.
    package var nodeCount: Int { nodes.count }

    /// The size in bytes.
    package var size: Int { nodes.count * MemoryLayout<Node>.stride }

    package func firstMatch(in text: [UInt32]) -> Range<Int>? {
        var budget = SearchSteps.unlimited
        return firstMatch(in: text, &budget)
    }

    /// Returns the match that ends first, and of those the longest. Also returns nil if the budget runs out. Takes one
    /// step for each scalar.
    package func firstMatch(in text: [UInt32], _ budget: inout SearchSteps) -> Range<Int>? {
        var node = 0
        for (place, scalar) in text.enumerated() {
            guard !budget.isExhausted else { return nil }
            budget.spend(1)
            node = step(from: node, scalar)
            let length = matchLength(at: nodes[node], endingAt: place, of: text)
            if length > 0 { return (place + 1 - length)..<(place + 1) }
        }
        return nil
    }

    /// Returns the length of the longest match that ends at `place`; 0 for none.
    private func matchLength(at node: Node, endingAt place: Int, of text: [UInt32]) -> Int {
        guard node.length > 0 || node.shorter != 0 else { return 0 }
        guard wholeWords else { return Int(node.length > 0 ? node.length : nodes[Int(node.shorter)].length) }
        // All words that end here have the same last scalar and the same neighbour after it.
        if node.isLetter, place + 1 < text.count, WordScalars.contains(text[place + 1]) { return 0 }
        if node.length > 0 {
            let start = place + 1 - Int(node.length)
            if start == 0 || !Self.isInsideWord(start, of: text[...]) { return Int(node.length) }
        }
        return Int(nodes[Int(node.shorter)].length)
    }

    /// Returns the node of `path`, whose last scalar follows `parent`.
    private func node(_ path: ArraySlice<UInt32>, below parent: Int, isWord: Bool) -> Node {
        let scalar = path[path.endIndex - 1]
        var node = Node(scalar: scalar, isLetter: WordScalars.contains(scalar))
        node.length = isWord ? Int32(path.count) : 0
        guard parent != 0 else { return node }
        let fallback = step(from: Int(nodes[parent].fallback), scalar)
        let length = Int(nodes[fallback].length)
        let isWhole = length > 0 && !(wholeWords && Self.isInsideWord(path.endIndex - length, of: path))
        node.fallback = Int32(fallback)
        node.shorter = isWhole ? Int32(fallback) : nodes[fallback].shorter
        return node
    }

    private func step(from node: Int, _ scalar: UInt32) -> Int {
        var node = node
        while true {
            if let next = child(of: node, scalar) { return next }
            guard node != 0 else { return 0 }
            node = Int(nodes[node].fallback)
        }
    }

    private func child(of node: Int, _ scalar: UInt32) -> Int? {
        let end = node + 1 < nodes.count ? Int(nodes[node + 1].children) : nodes.count
        var (low, high) = (Int(nodes[node].children), end)
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].scalar < scalar { low = middle + 1 } else { high = middle }
        }
        return low < end && nodes[low].scalar == scalar ? low : nil
    }

    /// Returns whether the scalars before and at `place` belong to one word.
    private static func isInsideWord(_ place: Int, of text: ArraySlice<UInt32>) -> Bool {
        WordScalars.contains(text[place]) && WordScalars.contains(text[place - 1])
    }
}
