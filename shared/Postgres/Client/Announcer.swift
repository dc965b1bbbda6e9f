/// A message to all copies of a service, which says where there is something new. Nothing durable depends on it: the
/// receivers read the tables, and also read them now and then without one, since an announcement can be lost.
package struct Announcement: Sendable, Hashable {
    /// The channel, for example `outbox`; each schema has its own.
    package var channel: String
    /// Less than 8,000 bytes.
    package var payload: String

    package init(_ payload: String = "", on channel: String) {
        self.channel = channel
        self.payload = payload
    }
}

/// Carries announcements between the copies of a service.
///
/// The announcements of a transaction are sent after its commit (`PostgresTransaction.announce`). Those of different
/// copies may arrive in another order than their transactions were committed in.
package protocol Announcer: Sendable {
    /// Sends announcements to all copies, this one included. It returns at once; announcements are lost when they
    /// cannot be sent.
    func announce(_ announcements: [Announcement])

    /// What is announced on a channel, from now on until the client ends.
    ///
    /// Each time listening begins, initially and after every reconnection, `listening` comes first: earlier
    /// announcements may have been missed, so the subscriber must reload its state.
    func notifications(on channel: String) -> AsyncStream<PostgresNotification>
}
