import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    mutating func deliveryReceipt(_ receipt: DeliveryReceipt, of post: PostID) {
        beginObject()
        member("postId", id: post.rawValue)
        member("audience", receipt.audience)
        member("delivered", receipt.delivered)
        member("pulled", receipt.pulled)
        member("pending", receipt.isPending)
        member("queuedAt", time: receipt.queuedAt)
        key("finishedAt")
        if let finished = receipt.finishedAt { timestamp(milliseconds: finished) } else { null() }
        key("timeToLastMs")
        if let finished = receipt.finishedAt { integer(max(finished - receipt.queuedAt, 0)) } else { null() }
        endObject()
    }
}
