/// The mechanisms that make pages exact on every one of several nodes, or beside other processes. Tests switch them off
/// one by one, to show that another test notices.
struct SharingMechanisms: Sendable {
    /// Each request waits for a look at the log that began after the request.
    var confirmsReads = true
    /// A node also looks at the log while nobody asks.
    var looksUnasked = true
    /// Readers wait for the jobs of other nodes.
    var followsJobs = true
    /// A new generation of windows is in force at once.
    var followsGenerations = true
    /// A reader whose node does not know the hub authors that the windows leave out catches up first.
    var comparesHubs = true
    /// A process that has the database for itself looks at the log before jobs leave the outbox.
    var looksBeforeAcknowledging = true
    /// A window that was read beside a look at the log is not used if anything has happened meanwhile.
    var dropsEarlyWindows = true
}
