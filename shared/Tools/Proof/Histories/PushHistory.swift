package import Contracts

/// What was to be pushed, who had which devices, and what their lock screens were sent.
package struct PushHistory: Sendable {
    package var occasions: [PushOccasion] = []
    package var holdings: [DeviceHolding] = []
    package var arrivals: [PushArrival] = []

    package init() {}
}

/// Something of which a person is to be notified, such as a message in a room.
package struct PushOccasion: Sendable, Hashable {
    /// A word in the text that no other occasion has.
    package var marker: String
    package var recipient: AccountID
    /// When it happened at the latest, as far as phones know: the end of the act.
    package var at: Moment
    /// What orders it: the room, or such as "account 12, payments". Nil for what has no order.
    package var thread: String?
    /// The place in the thread, such as the message's number.
    package var number: Int64 = 0
    /// Whether a push must have arrived: the recipient neither saw it otherwise nor muted it, and the time of the run
    /// sufficed.
    package var mustArrive = false

    package init(
        _ marker: String,
        for recipient: AccountID,
        at: Moment,
        thread: String? = nil,
        number: Int64 = 0,
        mustArrive: Bool = false
    ) {
        (self.marker, self.recipient, self.at) = (marker, recipient, at)
        (self.thread, self.number, self.mustArrive) = (thread, number, mustArrive)
    }
}

/// A time in which a device was one person's.
package struct DeviceHolding: Sendable, Hashable {
    /// The push token.
    package var device: String
    package var account: AccountID
    /// Before the sign-in with the token was sent.
    package var since: Moment
    /// When the sign-out was acknowledged; nil when there was none.
    package var until: Moment?

    package init(_ device: String, of account: AccountID, since: Moment, until: Moment? = nil) {
        (self.device, self.account, self.since, self.until) = (device, account, since, until)
    }
}

/// A notification that was sent to a device's lock screen, also if a later one has replaced it.
package struct PushArrival: Sendable, Hashable {
    package var device: String
    package var at: Moment
    /// `apns-id`: attempts with the same one are one push, which the phone shows once.
    package var message: String
    /// The marker in its text; nil for one that tells of several, such as "3 new messages".
    package var marker: String?
    /// The thread as in `PushOccasion`.
    package var thread: String?
    /// The number on the app's icon; nil without one.
    package var badge: Int64?
    package var trace: String?

    package init(
        _ message: String,
        to device: String,
        at: Moment,
        marker: String?,
        thread: String? = nil,
        trace: String? = nil
    ) {
        (self.message, self.device, self.at) = (message, device, at)
        (self.marker, self.thread, self.trace) = (marker, thread, trace)
    }
}

extension PushArrival {
    var step: Step {
        let text = marker.map { "\"\($0)\"" } ?? "several"
        let place = (thread.map { " in \($0)" } ?? "") + (badge.map { " with the badge \($0)" } ?? "")
        return Step(at: at, phone: "device \(device)", what: "was pushed \(text)\(place), id \(message)", trace: trace)
    }
}

extension PushOccasion {
    var step: Step {
        let place = thread.map { ", number \(number) in \($0)" } ?? ""
        return Step(at: at, phone: "account \(recipient)", what: "was to be notified of \"\(marker)\"\(place)")
    }
}
