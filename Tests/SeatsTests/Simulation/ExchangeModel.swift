import Contracts
import FoundationEssentials
import TestKit
import Values

@testable import Seats

/// Passengers of two cars take, request and yield seats with eight phones, on two copies of the service whose transactions
/// interleave. The rules of `Occupancy`, `YieldRequest` and `SeatPolicy` decide.
struct ExchangeModel: SimulationModel {
    typealias Party = ExchangeParty
    typealias Message = ExchangeMessage

    enum Defect: CaseIterable, Sendable {
        /// That a seat is free is not checked again under the lock of its car.
        case checksBeforeLock
        /// A request that was overdue expires, whatever has become of it before the lock.
        case expiresUnchecked
        /// Cancelling gives the credit of a request back, whatever its status is.
        case refundsUnchecked
        /// A requester who sits elsewhere keeps that seat.
        case ignoresOtherSeat
        /// A request locks the passenger before the car.
        case locksInAnotherOrder
        /// Sockets get messages before the commit.
        case announcesBeforeCommit
    }

    let defect: Defect?
    let settlingTime: Int64 = 180_000
    static let phones = 8

    var broken: BrokenPromise?
    var tables: ExchangeTables
    var locks = ExchangeLocks()
    var copies = [ExchangeCopy(), ExchangeCopy()]
    var phones: [ExchangePhone]
    /// The numbers of calls whose transaction was committed.
    var done: Set<Int> = []
    /// The works that were committed and have changed something.
    var counts: [String: Int] = [:]
    private var calls = 0
    var transactions = 0

    init(defect: Defect? = nil) {
        self.defect = defect
        var policy = SeatPolicy()
        (policy.requestSeconds, policy.leaseSeconds, policy.clawBackSeconds) = (20, 30, 15)
        tables = ExchangeTables(policy: policy)
        // The first two passengers have two phones.
        phones = (0..<Self.phones).map { number in
            ExchangePhone(AccountID(rawValue: Int64(number % ExchangeTables.passengers) + 1))
        }
    }

    // MARK: From outside

    func next(using random: inout SplitMix) -> (pause: Int64, happening: Happening<Self>.Kind) {
        let pause: Int64 = [0, 0, 5, 30, 200, 2_000].randomElement(using: &random) ?? 0
        let fault = Fault.random(on: Self.links, of: [.copy(0), .copy(1)], longest: 12_000, using: &random)
        if let fault, Int.random(in: 0..<6, using: &random) == 0 { return (pause, .fault(fault)) }
        let amount: Int64 = [0, 40, 200].randomElement(using: &random) ?? 0
        let tap: ExchangeInput.Tap? =
            switch Int.random(in: 0..<24, using: &random) {
            case 0...5: .sit
            case 6: .leave
            case 7...11: .request(amount)
            case 12...13: .cancel
            case 14...18: .accept
            case 19: .reject
            case 20...21: .start
            case 22: .unlock
            default: nil
            }
        let number = Int.random(in: 0..<Self.phones, using: &random)
        guard let tap else { return (pause, .input(.arrive(passenger: number % ExchangeTables.passengers + 1))) }
        return (pause, .input(.tap(phone: number, tap, isDouble: Int.random(in: 0..<8, using: &random) == 0)))
    }

    private static let links: [(Party, Party)] =
        [(.copy(0), .copy(1)), (.copy(1), .copy(0))]
        + (0..<phones).flatMap { phone in
            [0, 1].flatMap { copy -> [(Party, Party)] in
                [(.phone(phone), .copy(copy)), (.copy(copy), .phone(phone))]
            }
        }

    func isOrdered(from sender: Party, to receiver: Party) -> Bool { if case .copy = sender { true } else { false } }

    func isRoutine(_ message: Message) -> Bool { if case .call = message { false } else { true } }

    mutating func begin(_ effects: inout Effects<Self>) {
        for copy in copies.indices { restart(.copy(copy), &effects) }
        for phone in phones.indices {
            connect(phone, &effects)
            effects.wake(.phone(phone), after: 1_000 * Int64(phone), for: .watch)
        }
    }

    mutating func handle(_ input: ExchangeInput, _ effects: inout Effects<Self>) {
        switch input {
        case .tap(let phone, let tap, let isDouble):
            guard phones[phone].call == nil else { return }
            guard let work = phones[phone].work(for: tap, using: &effects.random) else { return }
            calls += 1
            phones[phone].call = ExchangePhone.Call(work: work, number: calls)
            call(phone, &effects)
            if isDouble { call(phone, &effects) }
            effects.wake(.phone(phone), after: 5_000, for: .timeout(number: calls))
        case .arrive(let passenger):
            guard let copy = copies.indices.filter({ !copies[$0].isDown }).randomElement(using: &effects.random) else {
                return
            }
            start(.arrive(AccountID(rawValue: Int64(passenger))), at: copy, for: nil, &effects)
        }
    }

    // MARK: Phones

    private func call(_ phone: Int, _ effects: inout Effects<Self>) {
        guard let call = phones[phone].call else { return }
        let copy = Party.copy(Int.random(in: 0...1, using: &effects.random))
        effects.send(.call(call.work, number: call.number), from: .phone(phone), to: copy)
    }

    private mutating func connect(_ phone: Int, _ effects: inout Effects<Self>) {
        let copy = Int.random(in: 0...1, using: &effects.random)
        copies[1 - copy].sockets[phone] = nil
        phones[phone].copy = copy
        effects.send(.connect, from: .phone(phone), to: .copy(copy))
    }

    private mutating func receive(
        _ message: Message,
        at phone: Int,
        from copy: Int,
        _ effects: inout Effects<Self>
    ) {
        switch message {
        case .answer(let number, let error):
            guard phones[phone].call?.number == number else { return }
            phones[phone].call = nil
            if error == nil, !done.contains(number) { broken = BrokenPromise("what is answered is so", "\(number)") }
        case .maps(let occupants, let through) where copy == phones[phone].copy && through >= phones[phone].shown ?? 0:
            phones[phone].show(occupants, through: through, at: effects.now)
        case .frames(let rows, let after, let through) where copy == phones[phone].copy:
            if let row = rows.first(where: { !tables.messages.prefix($0.id).suffix(1).contains($0) }) {
                broken = BrokenPromise("phones show only what is committed", "\(row.body)")
            }
            if !phones[phone].show(rows, after: after, through: through, at: effects.now) { connect(phone, &effects) }
        case .ping(let through) where copy == phones[phone].copy:
            if !phones[phone].show([], after: through, through: through, at: effects.now) { connect(phone, &effects) }
        default: break
        }
    }

    // MARK: Steps

    mutating func receive(_ message: Message, at party: Party, from sender: Party, _ effects: inout Effects<Self>) {
        switch (party, sender, message) {
        case (.phone(let phone), .copy(let copy), _): receive(message, at: phone, from: copy, &effects)
        case (.copy(let copy), _, .call(let work, let number)):
            start(work, at: copy, for: (sender, number), &effects)
        case (.copy(let copy), .phone(let phone), .connect):
            guard phones[phone].copy == copy else { return }
            copies[copy].sockets[phone] = tables.messages.count
            let maps = Message.maps(tables.leases.map { $0?.account }, through: tables.messages.count)
            effects.send(maps, from: party, to: sender)
        case (.copy(let copy), _, .written(let rows)): deliver(rows, at: copy, &effects)
        default: break
        }
    }

    mutating func wake(_ party: Party, for timer: ExchangeTimer, _ effects: inout Effects<Self>) {
        switch (party, timer) {
        case (.phone(let phone), .timeout(let number)):
            guard let call = phones[phone].call, call.number == number else { return }
            guard call.attempts < 3 else { return phones[phone].call = nil }
            phones[phone].call?.attempts += 1
            self.call(phone, &effects)
            effects.wake(party, after: 5_000, for: timer)
        case (.phone(let phone), .watch):
            effects.wake(party, after: 30_000, for: .watch)
            if effects.now - phones[phone].heardAt > 25_000 { connect(phone, &effects) }
        case (.copy(let copy), .statement(let number)):
            goOn(number, at: copy, &effects)
        case (.copy(let copy), .jobs): doJobs(at: copy, &effects)
        case (.copy(let copy), .pings):
            effects.wake(party, after: 10_000, for: .pings)
            for (phone, position) in copies[copy].sockets.enumerated() {
                if let position { effects.send(.ping(through: position), from: party, to: .phone(phone)) }
            }
        default: break
        }
    }

    mutating func crash(_ party: Party) {
        guard case .copy(let copy) = party else { return }
        copies[copy] = ExchangeCopy(isDown: true)
        locks.crash(copy: copy)
    }

    mutating func restart(_ party: Party, _ effects: inout Effects<Self>) {
        guard case .copy(let copy) = party else { return }
        copies[copy].isDown = false
        effects.wake(party, after: Int64.random(in: 0..<2_000, using: &effects.random), for: .jobs)
        effects.wake(party, after: Int64.random(in: 0..<10_000, using: &effects.random), for: .pings)
    }

    func brokenAtEnd() -> BrokenPromise? { ExchangePromises.atEnd(tables, phones) }
}
