import FoundationEssentials

/// Known defects of other systems. `make sabotage` builds a stack with all of them, and `stack prove --sabotage` starts it
/// with one at a time: the proof must find each.
///
/// Each is at one place of a service or a shared library, beside the correct code. In a product all are constantly absent.
package enum Sabotage: String, CaseIterable, Codable, Sendable {
    // MARK: Seats

    /// That a seat is free is checked before the lock only, and not again under it: check-then-act, as in booking systems
    /// that sell a place twice.
    case seatCheckedBeforeLock
    /// A request that was rejected or cancelled can be accepted: a state machine that does not check the state it leaves, as
    /// in order systems that ship what was cancelled.
    case endedRequestAccepted

    // MARK: Rooms

    /// The id that a phone gives a message is ignored, so that a repetition is another message: messengers and queues
    /// without idempotency.
    case messageIDIgnored
    /// Messages are acknowledged when they are in memory, and written later: stores with write-behind or without a write
    /// concern.
    case acknowledgedBeforeCommit
    /// A stream that connects again goes on after the newest event instead of the last that the phone has: brokers without
    /// positions of their subscribers, such as publish-subscribe in memory.
    case streamForgetsPosition
    /// A deletion sets a flag, and the text stays in the table and on pages: soft deletion.
    case deletedTextKept
    /// Reading a room resets its unread count, also for messages that came after what the phone has seen: messengers that
    /// reset a counter instead of keeping a position.
    case unreadReset

    // MARK: Events

    /// The outbox is read only when an announcement wakes the relay, which an announcement does not do for what a relay that
    /// died had leased: queues without a sweep.
    case relayWithoutSweep
    /// An event is confirmed before it is handled: consumers that commit their position first, at most once.
    case eventConfirmedFirst
    /// A waiter waits before it looks, so that what is announced between two requests stays until the next announcement:
    /// condition variables and listeners without a check of what they wait for.
    case lostWakeUp

    // MARK: Pushes

    /// Each attempt of a push has an id of its own, so that a phone shows a repeated one twice: senders that retry without a
    /// key.
    case pushIDDrawnAnew
    /// The badge of a push leaves out what waits to be pushed, as a count that was read before the message was added:
    /// badges that are read and written without a lock.
    case badgeRace

    // MARK: Money

    /// Money that pays for no order is not given back: shops that only log a wrong or a second payment.
    case refundLeftOut
    /// The amount of a payment is not compared with that of its order: shops that trust the page on which people pay.
    case amountNotCompared
    /// A refund changes the balance of a payment without an entry in the ledger: books that are written beside the accounts.
    case moneyWithoutEntry
    /// A webhook of the provider of payments is believed, without asking the provider: shops that take a message from the
    /// internet for money.
    case webhookTrusted
    /// The pay of a month stays as it was calculated first when its shifts change: derived figures that are cached, and
    /// not invalidated.
    case payslipKept

    // MARK: Writes

    /// A like that is repeated counts again: counters that are incremented blindly.
    case likeCountedTwice
    /// A rule is checked after the commit, and what breaks it is refused and stays: validation after the write.
    case refusedAfterWriting
    /// A commit does not wait until it is on disk: databases that are made faster by `synchronous_commit = off`.
    case commitNotFlushed
    /// Conflicts are answered with status 200 and an error in the body, which clients take for success: gateways of payments
    /// and older remote procedure calls.
    case errorAnsweredAsDone
    /// The time of a clock-in is that of the phone's clock, which its owner sets: time clocks that believe the app.
    case clockTrusted

    // MARK: Sessions

    /// A verified token stays in the cache after its session has ended: gateways that cache what they verified.
    case revokedTokenCached
    /// A refresh token that is presented again, because the answer was lost, ends the session: rotation without a grace.
    case refreshWithoutGrace

    // MARK: People

    /// One table keeps the name of an account that was withdrawn: erasure that forgets a copy.
    case nameKept
    /// The exact place of a listing is given to all: services that leave it to the app to blur a position.
    case exactPlaceShown

    /// The variable of the environment that names the defect of a process.
    package static let variable = "MADANG_SABOTAGE"
}

extension Sabotage {
    #if SABOTAGE
        private static let chosen = ProcessInfo.processInfo.environment[variable].flatMap(Sabotage.init)

        /// Whether the program was compiled with defects.
        package static var isBuilt: Bool { true }

        /// Whether the process has the defect.
        package var isBuiltIn: Bool { self == Self.chosen }
    #else
        /// Whether the program was compiled with defects.
        @inlinable package static var isBuilt: Bool { false }

        /// Whether the process has the defect.
        @inlinable package var isBuiltIn: Bool { false }
    #endif
}
