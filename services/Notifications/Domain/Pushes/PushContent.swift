/// What a phone shows, and what the app on it reads.
struct PushContent: Sendable, Equatable {
    /// What people can turn off: one of `PushKind`'s.
    var kind: String
    var title: String?
    var subtitle: String?
    var body: String
    /// What the app reads beside the texts.
    var data: [String: String] = [:]
    /// What iOS shows together, such as a room.
    var thread: String?
    /// What iOS shows in one place: the later takes the place of the earlier. At most 64 bytes (APNs).
    var collapse: String?
}
