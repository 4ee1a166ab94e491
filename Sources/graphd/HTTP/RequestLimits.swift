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
    /// How much of a client's own text an answer or the log repeats.
    static let echoedLength = 64
}
