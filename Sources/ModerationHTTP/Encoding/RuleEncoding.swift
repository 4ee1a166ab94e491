import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Moderation
import SocialGraph

extension JSONWriter {
    package mutating func rule(_ rule: ModerationRule) {
        beginObject()
        member("ruleId", id: rule.id.rawValue)
        member("communityId", id: rule.community?.rawValue)
        member("name", rule.name)
        member("kind", rule.definition.kind.rawValue)
        member("action", rule.action.rawValue)
        member("enabled", rule.isEnabled)
        key("definition")
        definition(rule.definition)
        member("createdAt", time: rule.createdAt)
        member("updatedAt", time: rule.updatedAt)
        endObject()
    }

    private mutating func definition(_ definition: RuleDefinition) {
        beginObject()
        switch definition {
        case .keyword(let words, let wholeWords):
            member("words", words)
            member("wholeWords", wholeWords)
        case .pattern(let pattern):
            member("pattern", pattern)
        case .link(let domains, let mode):
            member("domains", domains)
            member("mode", mode.rawValue)
        case .rate(let count, let seconds):
            member("count", count)
            member("seconds", seconds)
        case .newAccount(let age, let posts):
            member("maxAgeSeconds", age)
            key("minPosts")
            if let posts { integer(posts) } else { null() }
        }
        endObject()
    }

    /// `{looked, matched, tooCostly, mostSteps, items: [{subject, user, excerpt, matchedText}]}`
    mutating func ruleDryRun(_ result: RuleDryRun) {
        beginObject()
        member("looked", result.looked)
        member("tooCostly", result.tooCostly)
        member("mostSteps", result.mostSteps)
        member("matched", result.matched)
        key("items")
        beginArray()
        for item in result.items {
            beginObject()
            key("subject")
            contentSubject(item.subject)
            key("user")
            userReference(item.user, item.username)
            member("excerpt", item.excerpt)
            member("matchedText", item.matched)
            endObject()
        }
        endArray()
        endObject()
    }

    /// `{postId}` or `{commentId}`
    private mutating func contentSubject(_ subject: ModerationSubject) {
        beginObject()
        if subject.kind == .post { key("postId") } else { key("commentId") }
        id(subject.rawValue)
        endObject()
    }

    mutating func heldItem(_ item: HeldItem, _ publicURL: (String) -> String) {
        beginObject()
        key("subject")
        contentSubject(item.subject)
        key("user")
        userReference(item.user, item.username)
        key("community")
        if let community = item.community {
            beginObject()
            member("communityId", id: community.rawValue)
            member("name", item.communityName ?? "")
            endObject()
        } else {
            null()
        }
        member("text", item.text)
        member("mediaUrl", item.mediaURL.map(publicURL))
        member("thumbnailUrl", item.thumbnailURL.map(publicURL))
        member("createdAt", time: item.createdAt)
        member("heldAt", time: item.heldAt)
        member("reason", item.reason)
        member("rule", item.rule)
        member("entryId", id: item.entry?.rawValue)
        member("scope", item.scope.rawValue)
        endObject()
    }

    mutating func classifier(_ classifier: Classifier, _ breaker: ClassifierBreaker, showingSecret: Bool = false) {
        beginObject()
        member("classifierId", id: classifier.id.rawValue)
        member("communityId", id: classifier.community?.rawValue)
        member("name", classifier.name)
        member("url", classifier.url)
        member("timeoutMs", classifier.timeout)
        member("fallback", classifier.fallback.rawValue)
        member("enabled", classifier.isEnabled)
        member("createdAt", time: classifier.createdAt)
        key("breaker")
        beginObject()
        member("state", breaker.state.rawValue)
        member("failures", breaker.failures)
        member("retryAt", time: breaker.state == .closed ? nil : breaker.retryAt)
        endObject()
        if showingSecret {
            member("secret", WebhookSignature.text(of: classifier.secret))
        }
        endObject()
    }
}
