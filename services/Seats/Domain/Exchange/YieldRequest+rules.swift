import Contracts
import Values

/// The rules of yield requests (SeatCatcher contract 4.5), on what a transaction has read under its locks.
extension YieldRequest {
    /// What an offer of credit for a seat changes.
    enum Offer: Sendable, Equatable {
        case new
        case unchanged
        /// Of a pending request; the transfer moves the difference.
        case changed(YieldRequest, Transfer, difference: Int64)

        /// - Parameter last: the requester's latest request for the seat.
        init(_ amount: Int64, after last: YieldRequest?) {
            guard let last, last.status == .pending else {
                self = .new
                return
            }
            let more = amount - last.amount
            let transfer: Transfer = more > 0 ? .escrow(request: last.id) : .refund(request: last.id)
            self = more == 0 ? .unchanged : .changed(last, transfer, difference: abs(more))
        }
    }

    /// Checks that the request may be cancelled or rejected, which changes nothing once it has ended.
    ///
    /// - Throws: `SeatsError.requestDecided` when it was accepted.
    func checkNotAccepted() throws {
        guard status != .accepted else { throw SeatsError.requestDecided }
    }

    /// Whether an acceptance changes something: it does not when the request was accepted before.
    ///
    /// - Throws: `SeatsError.requestDecided` when the request has ended otherwise, or is overdue.
    func isToBeAccepted() throws -> Bool {
        if status == .accepted { return false }
        guard status == .pending && !isOverdue || Sabotage.endedRequestAccepted.isBuiltIn else {
            throw SeatsError.requestDecided
        }
        return true
    }

    /// The passengers whose credit an acceptance may move.
    ///
    /// - Parameter others: the other pending requests that it rejects.
    func passengers(rejecting others: [YieldRequest]) -> [AccountID] {
        others.map(\.requester.account) + [owner.account, requester.account]
    }

    /// Whether a request that was found overdue is still the requester's latest one for the seat, and still overdue.
    func isOverdue(as overdue: YieldRequest) -> Bool { id == overdue.id && isOverdue }

    /// Where the credit in escrow goes when a request ends, and who is notified.
    struct End: Sendable, Equatable {
        var transfer: Transfer
        var passenger: AccountID
        var notifiesOwner: Bool
        var notifiesRequester: Bool
    }

    func end(as status: Status) -> End {
        End(
            transfer: status == .accepted ? .yield(request: id) : .refund(request: id),
            passenger: status == .accepted ? owner.account : requester.account,
            notifiesOwner: status == .cancelled || status == .expired,
            notifiesRequester: status != .cancelled
        )
    }

    /// Confirms to the requester of a seat that the seat was handed over.
    ///
    /// - Parameters:
    ///   - last: the requester's latest request for the seat.
    ///   - held: who has the seat.
    /// - Throws: `SeatsError.alreadySeated` without an acceptance, `.requestDecided` while the request is pending,
    ///   `.notOccupant`.
    static func confirm(_ last: YieldRequest?, of requester: AccountID, _ held: Occupancy) throws {
        if held.account == requester {
            guard last?.status == .accepted else { throw SeatsError.alreadySeated }
        } else {
            throw last?.status == .pending ? SeatsError.requestDecided : SeatsError.notOccupant
        }
    }
}
