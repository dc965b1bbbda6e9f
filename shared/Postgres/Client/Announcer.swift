/// A message to all copies of a service, which says where there is something new. Nothing durable depends on it: the
/// receivers read the tables, and also read them now and then without one, since an announcement can be lost.
package struct Announcement: Sendable, Hashable {
    /// The channel, for example `outbox`; each schema has its own.
    package var channel: String
    /// What it is about, such as `room/7`, several when each concerns other copies; none for all copies. Parts are
    /// separated by slashes.
    package var keys: [String]
    /// Less than 8,000 bytes.
    package var payload: String
    /// What is sent about the first key instead of `payload`, by an announcer that carries more: with the message itself, so
    /// that its receivers need not read it. This copy receives `payload`.
    package var content: String?

    package init(_ payload: String = "", on channel: String, about keys: [String] = [], content: String? = nil) {
        self.channel = channel
        self.keys = keys
        self.payload = payload
        self.content = content
    }
}

/// Carries announcements between the copies of a service.
///
/// The announcements of a transaction are sent after its commit (`PostgresTransaction.announce`). Those of different
/// copies may arrive in another order than their transactions were committed in. One about several keys may arrive once
/// for each, and one about keys that are not watched may arrive or not.
package protocol Announcer: Sendable {
    /// Sends announcements to all copies, this one included. It returns at once; announcements are lost when they
    /// cannot be sent.
    func announce(_ announcements: [Announcement])

    /// What is announced on a channel, about no key or one that is watched, from now on until the client ends.
    ///
    /// Each time listening begins, initially and after every reconnection, `listening` comes first: earlier
    /// announcements may have been missed, so the subscriber must reload its state. It comes again whenever some may
    /// have been missed.
    func notifications(on channel: String) -> AsyncStream<PostgresNotification>

    /// Receives the announcements about a key, until `unwatch` was called as often. The last part of a key may be `*`, for
    /// any.
    func watch(_ key: String, on channel: String)
    func unwatch(_ key: String, on channel: String)
    /// Returns when announcements about the keys that are watched arrive. What is read from the tables after that, and
    /// what is announced, has no gap.
    func confirmWatches() async

    /// - Throws: An error with one sentence if the settings are wrong, so that announcements could never be carried. That
    ///   they cannot be carried for a time is none.
    func check() async throws
    /// Sends and receives until the task is cancelled, then ends all subscriptions.
    func run() async
    /// Returns when everything that was announced has been sent, as long as that is possible.
    func drain() async
}
