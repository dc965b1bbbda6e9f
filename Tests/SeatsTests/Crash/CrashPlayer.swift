import Contracts
import FoundationEssentials
import NIOHTTP1
import TestKit
import Values

/// A passenger who sends every kind of request of the app, in random order, to either copy.
struct CrashPlayer: Sendable {
    let account: AccountID
    let seats: [SeatID]
    let service: CrashService
    let record: CrashRecord<PassengerObservations>
    private var random: SplitMix

    static let train = "2234"
    static let car = "7250"

    init(
        account: AccountID,
        seats: [SeatID],
        seed: UInt64,
        service: CrashService,
        record: CrashRecord<PassengerObservations>
    ) {
        self.account = account
        self.seats = seats
        self.service = service
        self.record = record
        random = SplitMix(state: seed &+ UInt64(account.rawValue) &* 0x1000_0001)
    }

    /// Sends requests until the task is cancelled, and waits for the answers to those that were sent.
    mutating func play() async {
        while !Task.isCancelled {
            // So that a slow machine, on which eight tests run, keeps up with all players.
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<2000, using: &random)))
            let first = move()
            // One time in ten two requests are sent at once.
            let second = Int.random(in: 0..<10, using: &random) == 0 ? move() : nil
            let player = self
            // An unstructured task is not cancelled: an app waits for its answers.
            await Task {
                async let other: Void? = second.asyncMap(player.send)
                await player.send(first)
                _ = await other
            }.value
        }
    }

    private struct Move: Sendable {
        var action: Action
        var seat: SeatID
        var opposite: AccountID
        var amount: Int
        var copy: Int
    }

    private enum Action: String, CaseIterable {
        case occupy, release, request, cancel, accept, reject, confirm, start, change, unlock, look

        var weight: Int {
            switch self {
            case .occupy: 22
            case .request: 18
            case .accept: 12
            case .release, .look: 9
            case .cancel, .reject, .confirm: 6
            case .start, .unlock: 4
            case .change: 2
            }
        }
    }

    private mutating func move() -> Move {
        let owners = record.owners
        let own = owners.first { $0.value == account }?.key
        var number = Int.random(in: 0..<Action.allCases.reduce(0) { $0 + $1.weight }, using: &random)
        let action = Action.allCases.first {
            number -= $0.weight
            return number < 0
        }
        let anySeat = seats.randomElement(using: &random) ?? 0
        let taken = seats.filter { owners[$0] != nil }.randomElement(using: &random)
        let free = seats.filter { owners[$0] == nil }.randomElement(using: &random)
        let seat =
            switch action {
            case .occupy: free ?? anySeat
            case .accept, .reject: own ?? anySeat
            default: taken ?? anySeat
            }
        return Move(
            action: action ?? .look,
            seat: Int.random(in: 0..<8, using: &random) == 0 ? anySeat : seat,
            opposite: record.requests(for: seat).suffix(3).randomElement(using: &random)
                ?? AccountID(rawValue: .random(in: 1...200, using: &random)),
            amount: Int.random(in: 0...400, using: &random),
            copy: Int.random(in: 0..<CrashService.copies.count, using: &random)
        )
    }

    private func send(_ move: Move) async {
        let yield = "/user/seats/\(move.seat)/yield?creditAmount=\(move.amount)&oppositeUserId=\(move.opposite)&type="
        let answer: CrashHarness.Answer?
        switch move.action {
        case .occupy:
            answer = await call(.POST, "/user/seats?creditAmount=10&seatId=\(move.seat)", move)
            if answer?.status == 201 { record.occupied(move.seat, by: account) }
        case .release:
            answer = await call(.DELETE, "/user/seats", move)
            if answer?.status == 204 { record.left(account) }
        case .request:
            answer = await call(.POST, "\(yield)REQUEST", move)
            if answer?.status == 200 { record.requested(move.seat, by: account) }
        case .cancel: answer = await call(.POST, "\(yield)CANCEL", move)
        case .accept:
            answer = await call(.POST, "\(yield)ACCEPT", move)
            if answer?.status == 200 { record.occupied(move.seat, by: move.opposite) }
        case .reject: answer = await call(.POST, "\(yield)REJECT", move)
        case .confirm: answer = await call(.PATCH, "/user/seats?creditAmount=1&seatId=\(move.seat)", move)
        case .start: answer = await start(in: Self.train, move)
        case .change: answer = await start(in: "2236", move)
        case .unlock:
            let body = #"{"amount":10,"targetUserId":\#(account)}"#
            answer = await call(.PATCH, "/credit?isAddition=0", move, json: body)
        case .look: answer = await call(.GET, "/trains?carCode=\(Self.car)&trainCode=\(Self.train)", move)
        }
        record.count("\(move.action.rawValue) \(answer.map { "\($0.status)" } ?? "lost")")
    }

    private func start(in train: String, _ move: Move) async -> CrashHarness.Answer? {
        let end = [36, 40, 44][move.amount % 3]
        let body = #"{"startStationId":32,"endStationId":\#(end),"trainCode":"\#(train)"}"#
        let answer = await call(.POST, "/path-histories/start-journey", move, json: body)
        if let answer, answer.status == 201,
            let journey = try? JSONDecoder().decode(JourneyBody.self, from: Data(answer.text.utf8))
        {
            record.started(journey: journey.pathHistoryId)
        }
        return answer
    }

    /// Sends a request and records a defect for every status that must not occur.
    private func call(_ method: HTTPMethod, _ path: String, _ move: Move, json: String? = nil) async
        -> CrashHarness.Answer?
    {
        let mark = service.outages.mark
        guard let answer = await service.send(method, path, account, to: move.copy, json: json) else { return nil }
        switch answer.status {
        case 200, 201, 204, 400, 403, 404, 409: break
        case 503 where !service.outages.none(since: mark): break
        default: record.defect("\(method) \(path) for \(account): \(answer.status) \(answer.text.prefix(200))")
        }
        return answer
    }
}

extension Optional {
    fileprivate func asyncMap(_ body: (Wrapped) async -> Void) async {
        if let self { await body(self) }
    }
}
