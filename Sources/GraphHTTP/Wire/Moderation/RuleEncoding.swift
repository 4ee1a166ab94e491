import Database
import GraphAPI
import GraphServices
import Moderation
import SocialGraph

extension JSONWriter {
    package mutating func rule(_ rule: ModerationRule) {
        beginObject()
        key("ruleId")
        id(rule.id.rawValue)
        key("communityId")
        if let community = rule.community { id(community.rawValue) } else { null() }
        key("name")
        string(rule.name)
        key("kind")
        string(rule.definition.kind.rawValue)
        key("action")
        string(rule.action.rawValue)
        key("enabled")
        bool(rule.isEnabled)
        key("definition")
        definition(rule.definition)
        key("createdAt")
        timestamp(milliseconds: rule.createdAt)
        key("updatedAt")
        timestamp(milliseconds: rule.updatedAt)
        endObject()
    }

    private mutating func definition(_ definition: RuleDefinition) {
        beginObject()
        switch definition {
        case .keyword(let words, let wholeWords):
            key("words")
            texts(words)
            key("wholeWords")
            bool(wholeWords)
        case .pattern(let pattern):
            key("pattern")
            string(pattern)
        case .link(let domains, let mode):
            key("domains")
            texts(domains)
            key("mode")
            string(mode.rawValue)
        case .rate(let count, let seconds):
            key("count")
            integer(count)
            key("seconds")
            integer(seconds)
        case .newAccount(let age, let posts):
            key("maxAgeSeconds")
            integer(age)
            key("minPosts")
            if let posts { integer(posts) } else { null() }
        }
        endObject()
    }

    private mutating func texts(_ texts: [String]) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    /// `{looked, matched, tooCostly, mostSteps, items: [{subject, user, excerpt, matchedText}]}`
    mutating func ruleDryRun(_ result: RuleDryRun) {
        beginObject()
        key("looked")
        integer(result.looked)
        key("tooCostly")
        integer(result.tooCostly)
        key("mostSteps")
        integer(result.mostSteps)
        key("matched")
        integer(result.matched)
        key("items")
        beginArray()
        for item in result.items {
            beginObject()
            key("subject")
            contentSubject(item.subject)
            key("user")
            userReference(item.user, item.username)
            key("excerpt")
            string(item.excerpt)
            key("matchedText")
            string(item.matched)
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

    mutating func heldItem(_ item: HeldItem, mediaURL: String?) {
        beginObject()
        key("subject")
        contentSubject(item.subject)
        key("user")
        userReference(item.user, item.username)
        key("community")
        if let community = item.community {
            beginObject()
            key("communityId")
            id(community.rawValue)
            key("name")
            string(item.communityName ?? "")
            endObject()
        } else {
            null()
        }
        key("text")
        string(item.text)
        key("mediaUrl")
        string(mediaURL)
        key("createdAt")
        timestamp(milliseconds: item.createdAt)
        key("heldAt")
        timestamp(milliseconds: item.heldAt)
        key("reason")
        string(item.reason)
        key("rule")
        string(item.rule)
        key("entryId")
        if let entry = item.entry { id(entry.rawValue) } else { null() }
        key("scope")
        string(item.scope.rawValue)
        endObject()
    }

    mutating func classifier(_ classifier: Classifier, _ breaker: ClassifierBreaker, showingSecret: Bool = false) {
        beginObject()
        key("classifierId")
        id(classifier.id.rawValue)
        key("communityId")
        if let community = classifier.community { id(community.rawValue) } else { null() }
        key("name")
        string(classifier.name)
        key("url")
        string(classifier.url)
        key("timeoutMs")
        integer(classifier.timeout)
        key("fallback")
        string(classifier.fallback.rawValue)
        key("enabled")
        bool(classifier.isEnabled)
        key("createdAt")
        timestamp(milliseconds: classifier.createdAt)
        key("breaker")
        beginObject()
        key("state")
        string(breaker.state.rawValue)
        key("failures")
        integer(breaker.failures)
        key("retryAt")
        optionalTimestamp(breaker.state == .closed ? nil : breaker.retryAt)
        endObject()
        if showingSecret {
            key("secret")
            string(WebhookSignature.text(of: classifier.secret))
        }
        endObject()
    }
}
