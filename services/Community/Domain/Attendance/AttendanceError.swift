/// Why an attendance is not recorded.
enum AttendanceError: Error, Sendable, Equatable {
    /// Neither a page's token that is still good, nor an access token.
    case tokenUnknown
    case accessExpired
    /// Nobody can tell now whether the access token is one.
    case notNow
}
