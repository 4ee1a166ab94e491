import SocialGraph

/// Every limit on what a request may contain. Lengths of text are counted in Unicode scalars.
enum RequestLimits {
    static let bodyBytes = 1_048_576
    /// Of bodies that may hold a picture in Base64.
    static let pictureBodyBytes = 8_388_608
    static let jsonDepth = 16
    static let urlBytes = 2048
    static let emailLength = 254
    static let emailLocalPartLength = 64
    static let usernameLength = 1...SocialGraphLimits.usernameLength
    static let passwordLength = 8...256
    /// Ids have 53 bits, so that a Redis score and a JavaScript number hold them exactly.
    static let id: ClosedRange<Int64> = 1...9_007_199_254_740_991
    static let pageLimit = 1...100
    static let defaultPageLimit = 20
    static let queryParameters = 32
    static let requestIDLength = 1...64
    /// A token that this server issues is far shorter; longer ones are refused unread.
    static let tokenBytes = 1024
    /// One of an outside issuer, who may say a lot.
    static let outsideTokenBytes = 8192
    /// Of the name that an outside issuer has for somebody (OpenID Connect Core, section 2).
    static let subjectLength = 1...255
    /// A stream on which nothing comes shows that it is alive this often; a write that its reader does not take for
    /// this long ends it; and a client that lost it is asked to wait this long before it comes again.
    static let streamHeartbeat = Duration.seconds(15)
    static let streamWriteLimit = Duration.seconds(20)
    static let streamRetryMilliseconds = 2000
    /// Bytes of a stored video, if no other limit is set, and of a stored picture.
    static let videoBytes = 256 << 20
    static let pictureBytes = 10 << 20
    /// Characters of a multipart boundary (RFC 2046); bytes of a part's header; parts of a form; bytes of all its text
    /// together; what a form may have besides files and text.
    static let multipartBoundary = 1...70
    static let multipartHeaderBytes = 8_192
    static let multipartParts = 64
    static let multipartTextBytes = 65_536
    static let multipartOverhead = 1 << 20
    /// Uploads under way at once, in all and of one user, and files that are being sent.
    static let uploads = 32
    static let uploadsPerUser = 4
    static let downloads = 512
    /// Threads that call the file system, and calls that may wait for them. A transfer makes one at a time, so that all
    /// transfers, and as many other calls again, find room.
    static let fileThreads = 4
    static let fileCallsWaiting = 2 * (uploads + downloads)
    /// A sender of a file that sends nothing for this long is given up; one whose upload was refused has this long to
    /// read the answer.
    static let uploadPause = Duration.seconds(30)
    static let refusedUploadLimit = Duration.seconds(20)
    /// Bytes that are read, or gathered and written, at a time.
    static let fileChunkBytes = 262_144
    /// How long an upload may stay unused, and how often those are looked for.
    static let unusedFileAge = Duration.seconds(24 * 3600)
    static let unusedFileSweep = Duration.seconds(3600)
    /// Making a thumbnail: pixels of its width, how long it may take, how many are made at once and may wait.
    static let thumbnailWidth = 720
    static let thumbnailTime = Duration.seconds(15)
    static let thumbnailsAtOnce = 2
    static let thumbnailsWaiting = 16
    /// How much of a client's own text an answer or the log repeats.
    static let echoedLength = 64
}
