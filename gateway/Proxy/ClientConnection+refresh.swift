import NIOCore
import ServiceHost

// MARK: - Silent refresh

extension ClientConnection {
    /// Comes back to the decision when the session is refreshed, or cannot be for now. What the phone sends meanwhile
    /// waits in its socket.
    func awaitRefresh(_ renewal: Gate.Renewal, _ known: Gate.Known) {
        deadlines.waitingForRefresh()
        let connection = NIOLoopBound(self, eventLoop: worker.eventLoop)
        let eventLoop = worker.eventLoop
        let joined = worker.core.refreshes.join(renewal.wish) { ticket, outcome in
            eventLoop.execute {
                let connection = connection.value
                connection.worker.resumptions.add {
                    guard connection.awaited?.ticket == ticket else { return }
                    connection.wake()
                    connection.refreshed(outcome)
                    connection.process()
                }
            }
        }
        switch joined {
        case .waiting(let ticket):
            awaited = AwaitedRefresh(ticket: ticket, renewal: renewal, known: known)
        case .settled(let outcome):
            awaited = AwaitedRefresh(ticket: nil, renewal: renewal, known: known)
            refreshed(outcome)
        }
    }

    private func refreshed(_ outcome: Refreshes.Outcome) {
        guard phase == .deciding, let awaited else { return }
        self.awaited = nil
        if case .tokens(let tokens) = outcome {
            renewed = RenewedTokens(
                tokens,
                isInCookie: awaited.renewal.isInCookie,
                isSecure: worker.core.configuration.environment == .production,
                now: worker.clock.seconds
            )
        }
        var known = awaited.known
        known.refresh = outcome
        decide(known)
    }

    /// The phone has waited long enough.
    func refreshIsLate() {
        leaveRefresh()
        refreshed(.unavailable)
        process()
    }

    /// Waits for no refresh any more.
    func leaveRefresh() {
        guard let ticket = awaited?.ticket else { return }
        worker.core.refreshes.leave(ticket)
    }
}

/// A refresh that a connection waits for.
struct AwaitedRefresh {
    /// nil when it was settled at once.
    var ticket: Refreshes.Ticket?
    var renewal: Gate.Renewal
    /// What was known before.
    var known: Gate.Known
}
