import Contracts
import FoundationEssentials
import TestKit

@testable import Seats

/// What the seats service promises (SeatCatcher contract 4.4 and 4.5).
enum ExchangePromises {
    /// After the commit of a transaction.
    static func broken(by work: ExchangeWork, _ old: ExchangeTables, _ new: ExchangeTables) -> BrokenPromise? {
        seats(new) ?? credit(new) ?? requests(old, new) ?? stays(work, old, new) ?? effect(of: work, old, new)
    }

    private static func seats(_ tables: ExchangeTables) -> BrokenPromise? {
        let accounts = tables.leases.compactMap { $0?.account }
        guard Set(accounts).count < accounts.count else { return nil }
        return BrokenPromise("a passenger has at most one seat", "\(accounts)")
    }

    private static func credit(_ tables: ExchangeTables) -> BrokenPromise? {
        guard tables.people.allSatisfy({ $0.credit >= 0 && $0.debt >= 0 }) else {
            return BrokenPromise("no balance is negative", "\(tables.people)")
        }
        let held = tables.people.reduce(0) { $0 + $1.credit - $1.debt } + tables.rows.reduce(0) { $0 + $1.escrow }
        guard held != tables.granted else { return nil }
        return BrokenPromise("no credit is made or lost", "\(held) instead of \(tables.granted)")
    }

    private static func requests(_ old: ExchangeTables, _ new: ExchangeTables) -> BrokenPromise? {
        for (index, row) in new.rows.enumerated() {
            let isPending = row.status == .pending
            guard row.escrow == (isPending ? row.amount : 0), row.payments == (isPending ? 0 : 1) else {
                let detail = "request \(index + 1) has \(row.escrow) after \(row.payments) payments"
                return BrokenPromise("what a request holds is given back or paid once", detail)
            }
            guard old.rows.indices.contains(index), old.rows[index].status != .pending else { continue }
            guard old.rows[index].status == row.status else {
                return BrokenPromise("a request is decided once", "request \(index + 1)")
            }
        }
        return nil
    }

    /// Seats are left by their passengers, or at the end of the lease.
    private static func stays(_ work: ExchangeWork, _ old: ExchangeTables, _ new: ExchangeTables) -> BrokenPromise? {
        for place in old.leases.indices {
            let seat = SeatID(rawValue: Int64(place) + 1)
            guard let held = old.occupancy(on: seat), held.isLive, held.account != new.leases[place]?.account else {
                continue
            }
            let isLeft =
                switch work {
                case .release(let account), .start(let account), .arrive(let account): account == held.account
                case .accept(let yielded, let owner, let requester):
                    yielded == seat && owner == held.account || requester == held.account
                default: false
                }
            if !isLeft { return BrokenPromise("a passenger keeps the seat", "\(held.account) loses \(seat)") }
        }
        return nil
    }

    /// What the answer says has happened.
    private static func effect(of work: ExchangeWork, _ old: ExchangeTables, _ new: ExchangeTables) -> BrokenPromise? {
        let isSo =
            switch work {
            case .occupy(let seat, let account): new.occupancy(on: seat)?.account == account
            case .release(let account): new.occupancy(of: account) == nil
            case .request(let seat, let account, let amount):
                new.latest(seat, account).map { $0.status == .pending && $0.amount == amount } ?? false
            case .cancel(let seat, let account), .reject(let seat, _, let account):
                new.latest(seat, account).map { $0.status != .pending && $0.status != .accepted } ?? false
            case .accept(let seat, _, let requester):
                new.latest(seat, requester)?.status == .accepted
                    && (old.latest(seat, requester)?.status == .accepted
                        || new.occupancy(on: seat)?.account == requester)
            case .start(let account): new.passenger(account).journey != nil
            case .arrive, .unlock, .expire, .sweep: true
            }
        return isSo ? nil : BrokenPromise("what is answered is so", "\(work)")
    }

    /// When the service had time enough.
    static func atEnd(_ tables: ExchangeTables, _ phones: [ExchangePhone]) -> BrokenPromise? {
        if let open = tables.pending(where: { _ in true }).first {
            return BrokenPromise("every request ends", "\(open.id)")
        }
        let occupants = tables.leases.map { $0?.account }
        for (number, phone) in phones.enumerated() where phone.occupants != occupants {
            return BrokenPromise("every phone shows the seats at last", "phone \(number): \(phone.occupants)")
        }
        return nil
    }
}
