import Database
import SocialGraph

/// The effects of one order, which an undo takes back.
package typealias BatchID = ID<ModerationOrder>

/// The number of an entry of the modlog: 1, 2, 3 and so on, without gaps.
package typealias ModlogEntryID = ID<ModlogEntry>

/// A rule that judges posts and comments when they are written.
package typealias RuleID = ID<ModerationRule>

/// An external program that judges posts.
package typealias ClassifierID = ID<Classifier>
