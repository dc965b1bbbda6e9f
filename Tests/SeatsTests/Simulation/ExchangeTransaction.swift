import Contracts
import TestKit

@testable import Seats

/// A transaction: which locks it takes statement by statement, as `CarTransaction`, `SeatExchange`, `Seating`, `Journeys` and
/// `Credits` do. What it writes with all of them is in `ExchangeWriting`.
struct ExchangeTransaction: Sendable {
    let number: Int
    let copy: Int
    let work: ExchangeWork
    /// Who gets the answer; nil for a job.
    let caller: (party: ExchangeParty, number: Int)?
    var held: Set<ExchangeLock> = []
    /// Those that the statement waits for, in order.
    var wanted: [ExchangeLock] = []
    /// Whether it locks a car out of order, since the passenger has taken or requested another seat after its first read
    /// (see `CarTransaction.lock`). PostgreSQL ends a deadlock of such a transaction, which is run again.
    private(set) var isLate = false
    /// Whether its messages were announced.
    var isAnnounced = false
    /// The occupant of the seat before the lock.
    private(set) var first: Occupancy?
    private var stage = 0

    init(number: Int, copy: Int, work: ExchangeWork, caller: (party: ExchangeParty, number: Int)?) {
        (self.number, self.copy, self.work, self.caller) = (number, copy, work, caller)
    }

    /// As it was at its beginning, after a deadlock.
    var again: ExchangeTransaction {
        ExchangeTransaction(number: number, copy: copy, work: work, caller: caller)
    }

    /// Makes the next statements up to one that locks rows.
    ///
    /// - Returns: false when the transaction has all locks.
    mutating func lock(_ tables: ExchangeTables, _ defect: ExchangeModel.Defect?) throws -> Bool {
        while let locks = try locks(stage, tables, defect) {
            let missing = Set(locks).subtracting(held)
            // Cars and seats that were read before a lock may be outdated, so the stage is repeated.
            if missing.isEmpty || !isRepeated(stage) { stage += 1 }
            guard missing.isEmpty else {
                if isRepeated(stage), let next = missing.min(), let last = held.max(), next < last { isLate = true }
                wanted = missing.sorted()
                return true
            }
        }
        return false
    }

    private func isRepeated(_ stage: Int) -> Bool {
        switch work {
        case .accept, .start, .arrive: stage == 0 || stage == 2
        case .release: stage == 0
        default: false
        }
    }

    /// - Returns: The locks of a stage; nil after the last.
    private mutating func locks(
        _ stage: Int,
        _ tables: ExchangeTables,
        _ defect: ExchangeModel.Defect?
    ) throws -> [ExchangeLock]? {
        switch (work, stage) {
        case (.occupy(let seat, let account), 0):
            first = tables.occupancy(on: seat)
            try tables.occupancy(of: account).checkFree(for: account)
            try first.checkFree(for: account)
            return [.car(of: seat)]
        case (.occupy(let seat, let account), 1):
            return [.passenger(account)] + locks(toVacate: tables.occupancy(on: seat), tables)

        case (.request(let seat, let account, _), 0):
            return [defect == .locksInAnotherOrder ? .passenger(account) : .car(of: seat)]
        case (.request(let seat, let account, _), 1):
            return [defect == .locksInAnotherOrder ? .car(of: seat) : .passenger(account)]

        case (.cancel(let seat, _), 0), (.reject(let seat, _, _), 0): return [.car(of: seat)]
        case (.cancel(_, let account), 1), (.reject(_, _, let account), 1): return [.passenger(account)]
        case (.expire(let request), 0): return [.car(of: request.seat)]
        case (.expire(let request), 1): return [.passenger(request.requester.account)]
        case (.sweep(let held), 0): return [.car(of: held.seat)]
        case (.sweep(let held), 1): return locks(toVacate: tables.occupancy(on: held.seat), tables)
        case (.unlock(let account), 0): return [.passenger(account)]

        case (.release(let account), 0): return carOfSeat(of: account, tables)
        case (.release(let account), 1): return locks(toVacate: tables.occupancy(of: account), tables)

        case (.accept(let seat, _, let requester), 0), (.accept(let seat, _, let requester), 2):
            return [.car(of: seat)] + carOfSeat(of: requester, tables)
        case (.accept(let seat, let owner, let requester), 1):
            guard let request = tables.latest(seat, requester), request.owner.account == owner else { return [] }
            guard try request.isToBeAccepted() else { return [] }
            let left = tables.occupancy(of: requester)?.seat
            let others = tables.pending { $0.seat == seat || $0.seat == left }
            return request.passengers(rejecting: others).map { .passenger($0) }
        case (.accept(_, _, let requester), 3):
            guard held.contains(.passenger(requester)) else { return [] }
            return locks(toVacate: tables.occupancy(of: requester), tables)

        case (.start(let account), 0), (.start(let account), 2), (.arrive(let account), 0), (.arrive(let account), 2):
            let pending = tables.pending { $0.requester == account }.map(\.car)
            return pending.map { .car($0) } + carOfSeat(of: account, tables)
        case (.start(let account), 1), (.arrive(let account), 1): return [.passenger(account)]
        case (.start(let account), 3), (.arrive(let account), 3):
            return locks(toVacate: tables.occupancy(of: account), tables)
        default: return nil
        }
    }

    private func carOfSeat(of account: AccountID, _ tables: ExchangeTables) -> [ExchangeLock] {
        tables.occupancy(of: account).map { [.car($0.car)] } ?? []
    }

    /// As `CarTransaction.vacate`.
    private func locks(toVacate occupancy: Occupancy?, _ tables: ExchangeTables) -> [ExchangeLock] {
        guard let occupancy else { return [] }
        let open = tables.pending { $0.seat == occupancy.seat }
        return (open.map(\.requester.account) + [occupancy.account]).map { .passenger($0) }
    }
}
