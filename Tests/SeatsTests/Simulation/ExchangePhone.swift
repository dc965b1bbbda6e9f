import Contracts
import TestKit
import Values

@testable import Seats

/// A phone with SeatCatcher: what it shows, and the call that it waits for.
struct ExchangePhone: Sendable {
    struct Call: Sendable {
        var work: ExchangeWork
        var number: Int
        var attempts = 1
    }

    let account: AccountID
    private(set) var occupants = Array(repeating: AccountID?.none, count: ExchangeTables.seats)
    /// The last message that is shown; nil until the maps have arrived.
    private(set) var shown: Int?
    /// The passengers who request the own seat.
    private var requesters: [AccountID] = []
    /// The seat that it has requested last.
    private var requested: SeatID?
    var call: Call?
    /// The copy with the socket.
    var copy = 0
    /// When something arrived last by the socket.
    private(set) var heardAt: Int64 = 0

    init(_ account: AccountID) { self.account = account }

    private var seat: SeatID? { seats { $0 == account }.first }

    private func seats(where isWanted: (AccountID?) -> Bool) -> [SeatID] {
        occupants.indices.filter { isWanted(occupants[$0]) }.map { SeatID(rawValue: Int64($0) + 1) }
    }

    // MARK: Acts

    /// What a tap asks for with what the phone shows; nil for what it does not offer.
    mutating func work(for tap: ExchangeInput.Tap, using random: inout SplitMix) -> ExchangeWork? {
        switch tap {
        case .sit:
            guard seat == nil else { return nil }
            // Now and then another seat, of which the lease may have ended.
            let isAny = Int.random(in: 0..<4, using: &random) == 0
            return seats { $0 == nil || isAny }.randomElement(using: &random).map { .occupy($0, account) }
        case .leave: return seat.map { _ in .release(account) }
        case .request(let amount):
            let wanted = seats { $0 != nil && $0 != account }.randomElement(using: &random)
            requested = wanted ?? requested
            return wanted.map { .request($0, account, amount) }
        case .cancel: return requested.map { .cancel($0, account) }
        case .accept, .reject:
            guard let seat, let requester = requesters.randomElement(using: &random) else { return nil }
            if case .accept = tap { return .accept(seat, owner: account, requester: requester) }
            return .reject(seat, owner: account, requester: requester)
        case .start: return .start(account)
        case .unlock: return .unlock(account)
        }
    }

    // MARK: Socket

    mutating func show(_ occupants: [AccountID?], through: Int, at now: Int64) {
        (self.occupants, shown, heardAt) = (occupants, through, now)
    }

    /// - Returns: false when messages are missing: the connection was lost.
    mutating func show(_ rows: [LiveRow], after: Int, through: Int, at now: Int64) -> Bool {
        guard let shown, after <= shown else { return false }
        heardAt = now
        for row in rows where row.id > shown { show(row.body) }
        self.shown = max(shown, through)
        return true
    }

    private mutating func show(_ body: LiveRow.Body) {
        switch body {
        case .seat(let seat, let occupant):
            if self.seat == seat, occupant != account { requesters = [] }
            occupants[Int(seat.rawValue) - 1] = occupant
        case .owner(_, let requester, _, let amount):
            requesters.removeAll { $0 == requester }
            if amount != nil { requesters.append(requester) }
        case .requester(_, let seat, _):
            if requested == seat { requested = nil }
        }
    }
}
