import TestKit
import Values

@testable import Chat

/// Phones that subscribe to the events of a room after the last one that they have, at one of two copies of the service,
/// while connections, copies, notifications and the database fail. `RoomCursor` and `StreamCursor` decide, as in `LiveFeed`
/// and `StreamRoom`.
struct FeedModel: SimulationModel {
    typealias Party = FeedParty
    typealias Message = FeedMessage

    enum Defect: CaseIterable, Sendable {
        /// A later event than the next is delivered, too.
        case skipsMissingEvents
        /// What is written while past events are read is forgotten.
        case forgetsNewEvents
        /// Missed notifications are not caught up with.
        case missesNotifications
    }

    struct Phone: Sendable {
        /// The number of the last event, which it has stored.
        var last: Int64 = 0
        var connection: (number: Int, copy: Int)?
    }

    let defect: Defect?
    let settlingTime: Int64 = 60_000
    var broken: BrokenPromise?
    /// The number of the last event in the database.
    private(set) var last: Int64 = 0
    private(set) var phones = [Phone(), Phone()]
    private(set) var connectionCount = 0
    var copies = [FeedCopy(), FeedCopy()]
    private var databaseReturnsAt: Int64 = 0

    init(defect: Defect? = nil) {
        self.defect = defect
    }

    // MARK: From outside

    func next(using random: inout SplitMix) -> (pause: Int64, happening: Happening<Self>.Kind) {
        let pause: Int64 = [0, 3, 15, 60, 300, 1_000].randomElement(using: &random) ?? 0
        let copy = Int.random(in: 0...1, using: &random)
        let phone = Int.random(in: 0...1, using: &random)
        let time = Int64.random(in: 1...3_000, using: &random)
        let kind: Happening<Self>.Kind =
            switch Int.random(in: 0..<24, using: &random) {
            case 0: .fault(.crash(.copy(copy), for: time))
            case 1: .fault(.delay(.database, .copy(copy), by: time))
            case 2: .fault(.delay(.copy(copy), .phone(phone), by: time))
            case 3...5: .input(.disconnect(phone: phone))
            case 6...7: .input(.deafen(copy: copy, for: time))
            case 8: .input(.databaseAway(for: time))
            default: .input(.write(copy: copy))
            }
        return (pause, kind)
    }

    func isOrdered(from sender: Party, to receiver: Party) -> Bool { true }

    func isRoutine(_ message: Message) -> Bool {
        if case .announced = message { true } else { false }
    }

    mutating func begin(_ effects: inout Effects<Self>) {
        for phone in phones.indices {
            effects.wake(.phone(phone), after: 0, for: .connect)
            effects.wake(.phone(phone), after: 500, for: .watch)
        }
    }

    mutating func handle(_ input: FeedInput, _ effects: inout Effects<Self>) {
        switch input {
        case .write(let copy):
            last += 1
            effects.note("number \(last)")
            effects.wake(.copy(copy), after: Int64.random(in: 1...30, using: &effects.random), for: .publish(last))
            let isWhole = Bool.random(using: &effects.random)
            for other in copies.indices {
                effects.send(.announced(last, isWhole: isWhole), from: .database, to: .copy(other))
            }
        case .disconnect(let phone): disconnect(phone, &effects)
        case .deafen(let copy, let time):
            guard !copies[copy].isDeaf else { return }
            copies[copy].isDeaf = true
            effects.wake(.copy(copy), after: time, for: .listens)
        case .databaseAway(let time):
            databaseReturnsAt = max(databaseReturnsAt, effects.now + time)
        }
    }

    // MARK: Phones

    private mutating func disconnect(_ phone: Int, _ effects: inout Effects<Self>) {
        guard let connection = phones[phone].connection else { return }
        phones[phone].connection = nil
        effects.wake(.phone(phone), after: Int64.random(in: 1...2_000, using: &effects.random), for: .connect)
        let delay = Int64.random(in: 1...10_000, using: &effects.random)
        effects.wake(.copy(connection.copy), after: delay, for: .closed(connection.number))
    }

    private mutating func connect(_ phone: Int, _ effects: inout Effects<Self>) {
        guard phones[phone].connection == nil else { return }
        let copy = Int.random(in: 0...1, using: &effects.random)
        connectionCount += 1
        phones[phone].connection = (connectionCount, copy)
        effects.send(.subscribe(connectionCount, after: phones[phone].last), from: .phone(phone), to: .copy(copy))
    }

    private mutating func watch(_ phone: Int, _ effects: inout Effects<Self>) {
        effects.wake(.phone(phone), after: 500, for: .watch)
        guard let connection = phones[phone].connection else { return connect(phone, &effects) }
        if copies[connection.copy].listeners[connection.number] == nil { disconnect(phone, &effects) }
    }

    private mutating func take(_ numbers: [Int64], by phone: Int) {
        for number in numbers {
            guard number == phones[phone].last + 1 else {
                let detail = "\(number) comes to phone \(phone) after \(phones[phone].last)"
                broken = BrokenPromise("every event comes once, in order", detail)
                return
            }
            phones[phone].last = number
        }
    }

    // MARK: Steps

    mutating func receive(_ message: Message, at party: Party, from sender: Party, _ effects: inout Effects<Self>) {
        switch (party, sender, message) {
        case (.phone(let phone), _, .events(let numbers, let connection)):
            if phones[phone].connection?.number == connection { take(numbers, by: phone) }
        case (.copy(let copy), .phone(let phone), .subscribe(let connection, let number)):
            subscribe(connection, of: phone, after: number, at: copy, &effects)
        case (.copy(let copy), _, .announced(let number, let isWhole)) where !copies[copy].isDeaf:
            if isWhole { deliver(number, at: copy, &effects) }
            advance(copy, through: number, &effects)
        default: break
        }
    }

    mutating func wake(_ party: Party, for timer: FeedTimer, _ effects: inout Effects<Self>) {
        switch (party, timer) {
        case (.phone(let phone), .connect): connect(phone, &effects)
        case (.phone(let phone), .watch): watch(phone, &effects)
        case (.copy(let copy), .publish(let number)): deliver(number, at: copy, &effects)
        case (.copy(let copy), .closed(let connection)): copies[copy].listeners[connection] = nil
        case (.copy(let copy), .listens): listen(copy, &effects)
        case (.copy(let copy), _):
            guard effects.now >= databaseReturnsAt else { return operate(timer, at: copy, &effects) }
            end(timer, at: copy, &effects)
        default: break
        }
    }

    mutating func crash(_ party: Party) {
        if case .copy(let copy) = party { copies[copy] = FeedCopy() }
    }

    mutating func restart(_ party: Party, _ effects: inout Effects<Self>) {
        if case .copy(let copy) = party { copies[copy] = FeedCopy() }
    }

    func brokenAtEnd() -> BrokenPromise? {
        guard let phone = phones.indices.first(where: { phones[$0].last < last }) else { return nil }
        return BrokenPromise("every event arrives", "phone \(phone) has \(phones[phone].last) of \(last)")
    }
}
