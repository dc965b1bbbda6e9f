import Contracts
import FoundationEssentials
import Synchronization

/// What all phones of a run did and were answered.
package final class Diary: Sendable {
    package struct Pages: Sendable {
        package var seats: [SeatAct] = []
        package var rooms: [String: RoomHistory] = [:]
        package var writes = WriteHistory()
        package var repeats: [KeyedAct] = []
        package var purchases: [PurchaseAct] = []
        package var payslips: [PayslipReading] = []
        package var shownOrders: [ShownOrder] = []
        package var forgeries: [ForgedWebhook] = []
        /// The ids of payments that people have made at the provider.
        package var paid: [String] = []
        package var sessions = SessionHistory()
        package var answers: [RouteAnswer] = []
        package var positions: [ShownPosition] = []
        package var leavers: [Leaver] = []
        package var pushes = PushHistory()
        package var clockIns = ClockHistory()
        /// What phones were answered that they could not read, or had no reason to expect.
        package var surprises: [Step] = []
    }

    private let start = ContinuousClock.now
    private let date = Date.now
    private let pages = Mutex(Pages())

    package init() {}

    package var now: Moment {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Moment(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// The moment of a time that a program has noted.
    func moment(of date: Date) -> Moment {
        Moment(microseconds: Int64(date.timeIntervalSince(self.date) * 1_000_000))
    }

    package func note(_ body: (inout Pages) -> Void) { pages.withLock { body(&$0) } }

    /// What has been noted until now.
    package var all: Pages { pages.withLock { $0 } }

    /// The number of requests that phones have sent.
    package var acts: Int { pages.withLock { $0.answers.count } }
}
