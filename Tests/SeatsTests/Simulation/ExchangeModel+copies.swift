import Contracts
import FoundationEssentials
import TestKit

@testable import Seats

/// A copy of the seats service: its sockets, in memory.
struct ExchangeCopy: Sendable {
    /// The last message that was sent to the socket of each phone; nil without a socket.
    var sockets = Array(repeating: Int?.none, count: ExchangeModel.phones)
    var isDown = false
}

extension ExchangeModel {
    // MARK: Transactions

    mutating func start(
        _ work: ExchangeWork,
        at copy: Int,
        for caller: (ExchangeParty, Int)?,
        _ effects: inout Effects<Self>
    ) {
        setClock(effects)
        var pause = Int64.random(in: 1...6, using: &effects.random)
        if case .occupy(_, let account) = work, let own = tables.occupancy(of: account), !own.isLive {
            // As `Seating.refuseWithoutLock`, which frees the passenger's expired seat first.
            start(.sweep(own), at: copy, for: nil, &effects)
            pause += 20
        }
        transactions += 1
        locks[transactions] = ExchangeTransaction(number: transactions, copy: copy, work: work, caller: caller)
        effects.wake(.copy(copy), after: pause, for: .statement(transactions))
    }

    private mutating func setClock(_ effects: Effects<Self>) {
        tables.now = Date(timeIntervalSince1970: Double(effects.now) / 1_000)
    }

    /// The next statement of a transaction, or its last with the commit.
    mutating func goOn(_ number: Int, at copy: Int, _ effects: inout Effects<Self>) {
        guard var transaction = locks[number] else { return }
        setClock(effects)
        do {
            let locksRows = try transaction.wanted.isEmpty && transaction.lock(tables, defect)
            guard locksRows || !transaction.wanted.isEmpty else { return try write(transaction, &effects) }
        } catch let error as SeatsError {
            return roll(transaction, back: error, &effects)
        } catch {
            return broken = BrokenPromise("all errors are known", "\(error)")
        }
        let hasAll = locks.acquire(&transaction)
        locks[number] = transaction
        if !hasAll, resolveDeadlock(of: transaction, &effects) { return }
        effects.wake(.copy(copy), after: Int64.random(in: 2...6, using: &effects.random), for: .statement(number))
    }

    /// Repeats a transaction that waits for one that waits for it.
    ///
    /// - Returns: false without a deadlock.
    private mutating func resolveDeadlock(of transaction: ExchangeTransaction, _ effects: inout Effects<Self>) -> Bool {
        let cycle = locks.cycle(from: transaction.number)
        guard !cycle.isEmpty else { return false }
        if !cycle.contains(where: \.isLate) {
            broken = BrokenPromise("no deadlock", cycle.map { "\($0.work)" }.joined(separator: " / "))
        }
        effects.note("deadlock")
        counts["deadlock", default: 0] += 1
        locks[transaction.number] = transaction.again
        effects.wake(.copy(transaction.copy), after: 50, for: .statement(transaction.number))
        return true
    }

    private mutating func write(_ transaction: ExchangeTransaction, _ effects: inout Effects<Self>) throws {
        var writing = ExchangeWriting(tables: tables, defect: defect)
        try writing.perform(transaction)
        let rows = Array(writing.tables.messages.dropFirst(tables.messages.count))
        if defect == .announcesBeforeCommit, !transaction.isAnnounced {
            locks[transaction.number]?.isAnnounced = true
            announce(rows, from: transaction.copy, &effects)
            effects.wake(.copy(transaction.copy), after: 30, for: .statement(transaction.number))
            return
        }
        broken = ExchangePromises.broken(by: transaction.work, tables, writing.tables)
        tables = writing.tables
        locks[transaction.number] = nil
        if !rows.isEmpty {
            effects.note("\(transaction.work)")
            counts[transaction.work.name, default: 0] += 1
            announce(rows, from: transaction.copy, &effects)
        }
        if let caller = transaction.caller { done.insert(caller.number) }
        answer(transaction, nil, &effects)
    }

    private mutating func roll(
        _ transaction: ExchangeTransaction,
        back error: SeatsError,
        _ effects: inout Effects<Self>
    ) {
        locks[transaction.number] = nil
        answer(transaction, error, &effects)
    }

    private func answer(_ transaction: ExchangeTransaction, _ error: SeatsError?, _ effects: inout Effects<Self>) {
        guard let (party, number) = transaction.caller else { return }
        effects.send(.answer(number: number, error), from: .copy(transaction.copy), to: party)
    }

    // MARK: Jobs

    mutating func doJobs(at copy: Int, _ effects: inout Effects<Self>) {
        effects.wake(.copy(copy), after: 2_000, for: .jobs)
        setClock(effects)
        for request in tables.pending(where: { $0.expiresAt <= tables.now }) {
            start(.expire(request), at: copy, for: nil, &effects)
        }
        for place in tables.leases.indices {
            guard let held = tables.occupancy(on: SeatID(rawValue: Int64(place) + 1)), !held.isLive else { continue }
            start(.sweep(held), at: copy, for: nil, &effects)
        }
        readOn(at: copy, &effects)
    }

    // MARK: Messages

    private mutating func announce(_ rows: [LiveRow], from copy: Int, _ effects: inout Effects<Self>) {
        deliver(rows, at: copy, &effects)
        effects.send(.written(rows), from: .copy(copy), to: .copy(1 - copy))
    }

    mutating func deliver(_ rows: [LiveRow], at copy: Int, _ effects: inout Effects<Self>) {
        guard defect == .announcesBeforeCommit else { return readOn(at: copy, &effects) }
        for (phone, position) in copies[copy].sockets.enumerated() {
            guard let position else { continue }
            let own = rows.filter { $0.isFor(phones[phone].account) }
            effects.send(.frames(own, after: position, through: position), from: .copy(copy), to: .phone(phone))
        }
    }

    /// Sends what is committed and was not sent yet.
    private mutating func readOn(at copy: Int, _ effects: inout Effects<Self>) {
        for (phone, position) in copies[copy].sockets.enumerated() {
            guard let position, position < tables.messages.count else { continue }
            let own = tables.messages[position...].filter { $0.isFor(phones[phone].account) }
            guard !own.isEmpty else { continue }
            copies[copy].sockets[phone] = tables.messages.count
            let frames = ExchangeMessage.frames(own, after: position, through: tables.messages.count)
            effects.send(frames, from: .copy(copy), to: .phone(phone))
        }
    }
}

extension ExchangeWork {
    /// Its kind.
    var name: String {
        switch self {
        case .occupy: "occupy"
        case .release: "release"
        case .request: "request"
        case .cancel: "cancel"
        case .accept: "accept"
        case .reject: "reject"
        case .start: "start"
        case .arrive: "arrive"
        case .unlock: "unlock"
        case .expire: "expire"
        case .sweep: "sweep"
        }
    }
}
