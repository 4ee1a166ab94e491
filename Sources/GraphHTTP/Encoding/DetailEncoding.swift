import GraphAPI
import GraphServices
import Moderation
import SocialGraph
import Timeline

extension JSONWriter {
    /// `viewer`: `{liked, saved, reshared, following, isAuthor}`, or null for an anonymous reader.
    mutating func viewerMember(_ state: ViewerState?) {
        key("viewer")
        guard let state else { return null() }
        raw(Self.viewerStates[Int(state.rawValue)])
    }

    /// The encodings of all states, by raw value.
    private static let viewerStates: [[UInt8]] = (0...ViewerState.all.rawValue).map { value in
        let state = ViewerState(rawValue: value)
        var json = JSONWriter(reservingCapacity: 96)
        json.beginObject()
        json.member("liked", state.contains(.liked))
        json.member("saved", state.contains(.saved))
        json.member("reshared", state.contains(.reshared))
        json.member("following", state.contains(.following))
        json.member("isAuthor", state.contains(.isAuthor))
        json.endObject()
        return json.bytes
    }

    /// A list of people, each as a card.
    mutating func people(_ cards: [AuthorCard], next: Int64?) {
        page(cards, next: next) { $0.raw($1.json) }
    }

    /// A group of notifications; `author` is its latest actor.
    mutating func notificationGroup(
        _ group: NotificationGroup, _ details: NotificationDetails, _ notice: ModerationNotice?
    ) {
        beginObject()
        notificationMembers(group, notice) { json in
            for card in details.actors { json.raw(card.json) }
        }
        detailMembers(details, isNamed: group.kind != .moderation)
        endObject()
    }

    /// One notification; `author` is its actor.
    mutating func notification(
        _ notification: Notification, _ details: NotificationDetails, _ notice: ModerationNotice?
    ) {
        beginObject()
        notificationMembers(notification, notice) { json in
            if let card = details.actors.first { json.raw(card.json) } else { json.null() }
        }
        detailMembers(details, isNamed: notification.kind != .moderation)
        endObject()
    }

    private mutating func detailMembers(_ details: NotificationDetails, isNamed: Bool) {
        key("author")
        if isNamed, let card = details.actors.first { raw(card.json) } else { null() }
        viewerMember(isNamed ? details.viewer : nil)
    }
}
