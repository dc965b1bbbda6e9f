import NIOCore
import ServiceKit

// MARK: - Silent refresh

extension ClientConnection {
    /// Decides the request again once the session is refreshed or the refresh has failed. Bytes that the client sends
    /// meanwhile stay in the socket.
    func awaitRefresh(_ renewal: RequestPolicy.Renewal, _ known: RequestPolicy.ResolvedDependencies) {
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

    private func refreshed(_ outcome: RefreshCoordinator.Outcome) {
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

    /// Handles the refresh timeout.
    func refreshIsLate() {
        leaveRefresh()
        refreshed(.unavailable)
        process()
    }

    /// Stops waiting for the refresh.
    func leaveRefresh() {
        guard let ticket = awaited?.ticket else { return }
        worker.core.refreshes.leave(ticket)
    }
}

/// A refresh that a connection waits for.
struct AwaitedRefresh {
    /// nil if the refresh had already been settled.
    var ticket: RefreshCoordinator.Ticket?
    var renewal: RequestPolicy.Renewal
    /// The dependencies resolved before the refresh.
    var known: RequestPolicy.ResolvedDependencies
}
