import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    mutating func deliveryReceipt(_ receipt: DeliveryReceipt, of post: PostID) {
        beginObject()
        key("postId")
        id(post.rawValue)
        key("audience")
        integer(receipt.audience)
        key("delivered")
        integer(receipt.delivered)
        key("pulled")
        integer(receipt.pulled)
        key("pending")
        bool(receipt.isPending)
        key("queuedAt")
        timestamp(milliseconds: receipt.queuedAt)
        key("finishedAt")
        if let finished = receipt.finishedAt { timestamp(milliseconds: finished) } else { null() }
        key("timeToLastMs")
        if let finished = receipt.finishedAt { integer(max(finished - receipt.queuedAt, 0)) } else { null() }
        endObject()
    }
}
