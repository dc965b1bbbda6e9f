/// Errors of recording an attendance.
enum AttendanceError: Error, Sendable, Equatable {
    /// Neither a valid page token nor a valid access token.
    case tokenUnknown
    case accessExpired
    /// The access token cannot be verified at the moment.
    case notNow
}
