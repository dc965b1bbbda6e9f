import NIOCore
import TestKit
import Values

@testable import Chat

/// A phone in a room of With Suhyeon, whose connections end and which connects again to one of two copies of the service.
/// The copies crash, miss notifications and lose the database. `WithSuhyeonSocketState` decides, with its cursor and its
/// tracker of unread rooms.
struct SocketModel: SimulationModel {
    typealias Party = SocketParty
    typealias Message = SocketMessage
    typealias State = WithSuhyeonSocketState

    enum Defect: CaseIterable, Sendable {
        /// Missed notifications are not caught up with.
        case missesNotifications
        /// Messages that were written to a socket count as received.
        case confirmsAtOnce
        /// A new socket shows the room from its last message on.
        case startsAtTheEnd
        /// Any data of the phone confirms what was sent before the last ping, also data that was on its way then.
        case anyDataConfirms
        /// A claim that was late makes an older socket the active one.
        case claimsOvertake
    }

    let defect: Defect?
    let settlingTime: Int64 = 120_000

    var broken: BrokenPromise?
    var rooms = SimulatedRooms()
    private(set) var phone = SimulatedPhone()
    var copies = [SimulatedCopy(), SimulatedCopy()]
    var databaseReturnsAt: Int64 = 0

    /// The last ping of each socket.
    var outstanding: [Int: RoomPosition] = [:]

    init(defect: Defect? = nil) { self.defect = defect }

    // MARK: From outside

    func next(using random: inout SplitMix) -> (pause: Int64, happening: Happening<Self>.Kind) {
        let pause: Int64 = [0, 3, 15, 60, 300, 2_000].randomElement(using: &random) ?? 0
        let copy = Int.random(in: 0...1, using: &random)
        let time = Int64.random(in: 1...4_000, using: &random)
        let kind: Happening<Self>.Kind =
            switch Int.random(in: 0..<32, using: &random) {
            case 0...1: .fault(.crash(.copy(copy), for: time))
            case 2...3: .fault(.delay(.copy(copy), .phone, by: time / 4))
            case 4: .fault(.delay(.database, .copy(copy), by: time / 4))
            case 5...7: .input(.disconnect)
            case 8: .input(.deafen(copy: copy, for: time))
            case 9: .input(.databaseAway(for: time / 2))
            case 10...11: .input(.open)
            case 12: .input(.leave)
            case 13...15: .input(.phoneWrites)
            case 16: .input(.databaseAway(for: time))
            case 17: .input(.disconnect)
            // Rare otherwise: a claim that waits for the database while its phone has connected again.
            case 18...21 where defect == .claimsOvertake: .input(.databaseAway(for: time))
            case 22...25 where defect == .claimsOvertake: .input(.disconnect)
            default: .input(.peerWrites)
            }
        return (pause, kind)
    }

    func isOrdered(from sender: Party, to receiver: Party) -> Bool { true }

    func isRoutine(_ message: Message) -> Bool {
        switch message {
        case .assignmentChanged, .announced, .ping, .connected: true
        case .connect, .frames, .pong, .write: false
        }
    }

    mutating func begin(_ effects: inout Effects<Self>) {
        effects.wake(.phone, after: 0, for: .reconnect)
        effects.wake(.phone, after: 500, for: .watch)
    }

    mutating func handle(_ input: SocketInput, _ effects: inout Effects<Self>) {
        switch input {
        case .peerWrites: write(by: 9, &effects)
        case .phoneWrites:
            guard let connection = phone.connection, phone.isConnected else { return }
            effects.send(.write(on: connection.number), from: .phone, to: .copy(connection.copy))
        case .open:
            rooms.join(at: effects.now)
            phone.open(at: rooms.last)
            effects.note("at \(rooms.last)")
            announce(.assignmentChanged, &effects)
        case .leave:
            rooms.exit()
            phone.leave()
            announce(.assignmentChanged, &effects)
        case .disconnect: disconnect(&effects)
        case .deafen(let copy, let time):
            guard !copies[copy].isDeaf else { return }
            copies[copy].isDeaf = true
            effects.wake(.copy(copy), after: time, for: .listens)
        case .databaseAway(let time):
            databaseReturnsAt = max(databaseReturnsAt, effects.now + time)
        }
    }

    mutating func write(by sender: Int, _ effects: inout Effects<Self>) {
        rooms.write(by: sender == 1 ? 1 : 9, at: effects.now)
        effects.note("number \(rooms.last)")
        announce(.announced(through: rooms.last), &effects)
    }

    func announce(_ message: Message, _ effects: inout Effects<Self>) {
        for copy in copies.indices { effects.send(message, from: .database, to: .copy(copy)) }
    }

    // MARK: Phone

    /// The phone connects again soon; the copy may notice the end of the connection much later.
    private mutating func disconnect(_ effects: inout Effects<Self>) {
        guard let connection = phone.connection else { return }
        phone.disconnect()
        effects.wake(.phone, after: Int64.random(in: 1...3_000, using: &effects.random), for: .reconnect)
        let delay = Int64.random(in: 1...20_000, using: &effects.random)
        effects.wake(.copy(connection.copy), after: delay, for: .closed(connection.number))
    }

    private mutating func connect(_ effects: inout Effects<Self>) {
        guard phone.connection == nil else { return }
        let copy = Int.random(in: 0...1, using: &effects.random)
        effects.send(.connect(phone.connect(to: copy)), from: .phone, to: .copy(copy))
    }

    /// The phone notices after a moment that its copy has crashed, or has not answered.
    private mutating func watch(_ effects: inout Effects<Self>) {
        effects.wake(.phone, after: 500, for: .watch)
        guard let connection = phone.connection else { return connect(&effects) }
        let isOpen = copies[connection.copy].sockets[connection.number].map { !$0.isClosed } ?? false
        if !isOpen { disconnect(&effects) }
    }

    // MARK: Steps

    mutating func receive(_ message: Message, at party: Party, from sender: Party, _ effects: inout Effects<Self>) {
        switch (party, message) {
        case (.phone, .connected(let number)): phone.connected(number)
        case (.phone, .frames(let numbers, let number)) where phone.connection?.number == number:
            broken = phone.show(numbers, rooms)
        case (.phone, .ping(let shown, let number)) where phone.connection?.number == number:
            effects.send(.pong(shown, on: number), from: .phone, to: sender)
        case (.copy(let copy), .connect(let number)):
            copies[copy].sockets[number] = SimulatedCopy.Socket(openedAt: effects.now)
            effects.send(.connected(number), from: party, to: .phone)
            handle(.opened, at: copy, number, &effects)
        case (.copy(let copy), .pong(let shown, let number)):
            handle(.pongReceived(shown), at: copy, number, &effects)
        case (.copy(let copy), .write(let number)):
            guard copies[copy].sockets[number] != nil else { return }
            write(by: 1, &effects)
            guard defect == .anyDataConfirms, let shown = outstanding[number] else { return }
            handle(.pongReceived(shown), at: copy, number, &effects)
        case (.copy(let copy), .announced(let through)) where !copies[copy].isDeaf:
            for socket in copies[copy].numbers {
                handle(.announced(room: SimulatedRooms.room, through: through), at: copy, socket, &effects)
            }
        case (.copy(let copy), .assignmentChanged) where !copies[copy].isDeaf:
            for socket in copies[copy].numbers { handle(.assignmentChanged, at: copy, socket, &effects) }
        default: break
        }
    }

    mutating func wake(_ party: Party, for timer: SocketTimer, _ effects: inout Effects<Self>) {
        switch (party, timer) {
        case (.phone, .reconnect): connect(&effects)
        case (.phone, .watch): watch(&effects)
        case (.copy(let copy), .operation(let socket)): endOperation(of: socket, at: copy, &effects)
        case (.copy(let copy), .listPauseEnded(let socket)): handle(.listPauseEnded, at: copy, socket, &effects)
        case (.copy(let copy), .closed(let socket)):
            copies[copy].sockets[socket]?.isClosed = true
            handle(.closed(isNormal: false), at: copy, socket, &effects)
        case (.copy(let copy), .listens):
            copies[copy].isDeaf = false
            guard defect != .missesNotifications else { return }
            for socket in copies[copy].numbers { handle(.notificationsMissed, at: copy, socket, &effects) }
        case (.database, .release(let copy, let life)):
            if rooms.release(copy: copy, life: life, at: effects.now) { announce(.assignmentChanged, &effects) }
        default: break
        }
    }

    mutating func crash(_ party: Party) {
        if case .copy(let copy) = party { copies[copy].crash() }
    }

    /// The other copies notice by the missing heartbeat that a copy has crashed.
    mutating func restart(_ party: Party, _ effects: inout Effects<Self>) {
        guard case .copy(let copy) = party else { return }
        copies[copy].isDeaf = false
        effects.wake(.database, after: 1_000, for: .release(copy: copy, life: copies[copy].life - 1))
    }

    func brokenAtEnd() -> BrokenPromise? { phone.missing(rooms) }
}
