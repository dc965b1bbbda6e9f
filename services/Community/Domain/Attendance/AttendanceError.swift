/// Errors of recording an attendance.
enum AttendanceError: Error, Sendable, Equatable {
    /// Neither a valid page token nor a valid access token.
    case tokenUnknown
}
