import Database
import SocialGraph

/// Every limit on what a request may contain. Lengths of text are counted in Unicode scalars.
package enum RequestLimits {
    package static let bodyBytes = 1_048_576
    /// Of bodies that may hold a picture in Base64.
    package static let pictureBodyBytes = 8_388_608
    /// Bytes of a text whose rules are not told where it is read: a password or an e-mail address at log-in, a refresh
    /// token, a cursor.
    package static let anyStringBytes = 16_384
    static let urlBytes = 2048
    static let emailLength = 254
    static let emailLocalPartLength = 64
    package static let usernameLength = 1...SocialGraphLimits.usernameLength
    static let passwordLength = 8...256
    /// Unicode scalars of the name of an app whose device is registered.
    package static let appNameLength = 64
    /// Unicode scalars of the name of a time zone.
    package static let timeZoneLength = 64
    /// Time after a log-in, in milliseconds, in which an account without a password may make the changes for which
    /// another account gives its password.
    static let recentLogIn = 5 * Milliseconds.minute
    /// Ids have 53 bits, so that a Redis score and a JavaScript number hold them exactly.
    package static let id: ClosedRange<Int64> = 1...9_007_199_254_740_991
    package static let pageLimit = 1...100
    package static let defaultPageLimit = 20
    static let idDigits = 16
    /// Limits of a query: its bytes, its parameters, the bytes of a parameter's name.
    package static let queryBytes = 32_768
    package static let queryParameters = 32
    package static let parameterNameBytes = 128
    package static let requestIDLength = 1...64
    /// A token that this server issues is far shorter; longer ones are refused unread.
    static let tokenBytes = 1024
    /// One of an outside issuer, who may say a lot.
    package static let outsideTokenBytes = 8192
    /// Of the name that an outside issuer has for somebody (OpenID Connect Core, section 2).
    static let subjectLength = 1...255
    /// A stream on which nothing comes shows that it is alive this often; a write that its reader does not take for
    /// this long ends it; and a client that lost it is asked to wait this long before it comes again.
    package static let streamHeartbeat = Duration.seconds(15)
    package static let streamWriteLimit = Duration.seconds(20)
    package static let streamRetryMilliseconds = 2000
    /// Connections that are served at once, in all and of one address (IPv6: of one /64), unless set otherwise; those
    /// above them that are told 503 at once; and how many there must be room for.
    package static let connections = 30_000
    package static let connectionsPerAddress = 1_000
    package static let connectionRefusals = 64
    package static let fewestConnections = 16
    /// Connections to the operators' address.
    package static let adminConnections = 16
    /// File descriptors that are not for connections and the files they transfer: the database (writer, readers, log),
    /// Redis, event loops, timers, thumbnails, calls to webhooks, classifiers and issuers, and 32 for the system's
    /// libraries.
    package static let ownDescriptors = 160
    /// A header must have come whole within this time of its first byte; a body, and the reader of an answer, must get
    /// on by so many bytes within the pause; a connection may be idle this long between two requests.
    package static let headerTime = Duration.seconds(20)
    package static let bodyPause = Duration.seconds(30)
    package static let bodyProgress = 16_384
    package static let idleTime = Duration.seconds(75)
    /// Longest time without progress of the serving threads before the process ends.
    package static let stallTime = Duration.seconds(60)
    /// Time that the peer may take to close after this side has, and the period at which connections are checked.
    package static let closingTime = Duration.seconds(5)
    package static let patienceCheck = Duration.seconds(20)
    /// Bytes of all of a request's header, of one of its fields, and how many fields it may have.
    package static let headerBytes = 65_536
    package static let headerFieldBytes = 16_384
    package static let headerFields = 100
    /// Bytes of bodies that log somebody in: an address and a password, or a token.
    package static let credentialBodyBytes = 16_384
    /// Bytes of a stored video, if no other limit is set, and of a stored picture.
    package static let videoBytes = 256 << 20
    static let pictureBytes = 10 << 20
    /// Bytes and files that one user may store, and bytes that uploads leave free on the disk, if no others are set.
    package static let mediaQuota = MediaQuota(bytes: 5 << 30, files: 10_000)
    package static let diskReserve = 512 << 20
    /// The share of the reserve below which only what frees room, and log-ins, may still write.
    static let criticalShareOfReserve: Int64 = 8
    /// Bytes that are kept on the disk for a start without any other room, and how often the disk is looked at.
    package static let ballastBytes = 8 << 20
    static let storageWatch = Duration.seconds(1)
    /// Period at which the time is noted down for the next start.
    static let clockMarkInterval = Duration.seconds(600)
    /// Characters of a multipart boundary (RFC 2046); bytes of a part's header; parts of a form; bytes of all its text
    /// together; what a form may have besides files and text.
    static let multipartBoundary = 1...70
    static let multipartHeaderBytes = 8_192
    static let multipartParts = 64
    static let multipartTextBytes = 65_536
    static let multipartOverhead = 1 << 20
    /// Uploads under way at once, in all and of one user, and files that are being sent.
    package static let uploads = 32
    static let uploadsPerUser = 4
    package static let downloads = 512
    /// Threads that call the file system, and calls that may wait for them. A transfer makes one at a time, so that all
    /// transfers, and as many other calls again, find room.
    static let fileThreads = 4
    static let fileCallsWaiting = 2 * (uploads + downloads)
    /// A sender of a file that sends nothing for this long is given up; one whose upload was refused has this long to
    /// read the answer.
    static let uploadPause = Duration.seconds(30)
    package static let refusedUploadLimit = Duration.seconds(20)
    /// Bytes that are read, or gathered and written, at a time.
    package static let fileChunkBytes = 262_144
    /// How long an upload may stay unused, and how often those are looked for.
    static let unusedFileAge = Duration.seconds(24 * 3600)
    static let unusedFileSweep = Duration.seconds(3600)
    /// Age up to which a file without a row may be an upload under way: from the moment it has been received, until its
    /// row is committed.
    static let strayFileAge = Duration.seconds(3600)
    /// Making a thumbnail: pixels of its width, how long it may take, how many are made at once, of all and of one
    /// user, and may wait.
    static let thumbnailWidth = 720
    static let thumbnailTime = Duration.seconds(15)
    static let thumbnailsAtOnce = 2
    static let thumbnailsPerUser = 1
    static let thumbnailsWaiting = 16
    /// Threads that read, write and index transcripts, and pieces of such work that may wait for them.
    static let textThreads = 1
    static let textsWaiting = 64
}
