import Push
import SocialGraph
import Timeline

/// A dead letter as its owner may see it now.
package struct ShownDeadLetter: Sendable {
    package let letter: DeadLetter
    /// Body in JSON, in the present state of its subject; nil if that was withdrawn or is hidden.
    package let payload: String?
}

/// Reads the dead letters of webhooks under the visibility rule.
package struct DeadLetterReader: Sendable {
    private let graph: GraphStore
    private let subjects: PushSubjectReader

    package init(graph: GraphStore, timelines: Timelines) {
        self.graph = graph
        subjects = PushSubjectReader(graph: graph, timelines: timelines)
    }

    /// A page of the dead letters of `webhook`, latest first; nil if `user` has no such webhook.
    package func page(
        of webhook: Int64, _ user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<ShownDeadLetter, Int64>? {
        guard let page = try await graph.webhooks.deadLetters(of: webhook, user, below: cursor, limit: limit) else {
            return nil
        }
        var letters: [ShownDeadLetter] = []
        for letter in page.items {
            let subject = try await subjects.subject(letter.kind, letter.subject, post: letter.post, for: user)
            let payload = subject.map { PushPayload.text(.webhook, letter.kind, subject: letter.subject, $0) }
            letters.append(ShownDeadLetter(letter: letter, payload: payload))
        }
        return Page(items: letters, next: page.next)
    }
}
