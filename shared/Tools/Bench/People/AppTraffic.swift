import AppClients
import Apps
import Synchronization

/// The requests of users of all apps, at a constant rate: messages, comments and changes of profiles, and reads from
/// every service, of which one in eight writes; beside it passengers who sit down and get up.
final class AppTraffic: Sendable {
    /// The texts that were confirmed.
    struct Confirmed: Sendable {
        var messages: Set<String> = []
        var comments: Set<String> = []
        var nicknames: Set<String> = []
    }

    private let users: AppUsers
    private let record: AppRecord
    private let state = Mutex(Confirmed())
    private let isStopped = Atomic(false)

    init(_ users: AppUsers, record: AppRecord) {
        self.users = users
        self.record = record
    }

    var confirmed: Confirmed { state.withLock { $0 } }

    /// Lets `run` end after the requests in flight.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// - Parameter rate: Requests per second, without those of the passengers.
    func run(rate: Int) async {
        let start = ContinuousClock.now
        await withDiscardingTaskGroup { group in
            for passenger in users.passengers { group.addTask { await self.move(passenger) } }
            for number in 0... {
                let due = start + .seconds(1) * number / rate
                try? await Task.sleep(until: due)
                if isStopped.load(ordering: .relaxed) { return }
                group.addTask { await self.send(number, due: due) }
            }
        }
    }

    /// Changes of seats per second, of all passengers.
    static let changes = 2

    /// Sits down and gets up, once in four seconds.
    private func move(_ passenger: LivePassenger) async {
        while !isStopped.load(ordering: .relaxed) {
            for step in [passenger.sit, passenger.leave] {
                do {
                    try await step()
                } catch {
                    record.refused("a passenger: \(error)")
                }
                try? await Task.sleep(for: .seconds(2))
            }
        }
    }

    private func send(_ number: Int, due: ContinuousClock.Instant) async {
        do {
            let answer = try await answer(to: number)
            record.answered(after: ContinuousClock.now - due)
            if !(200..<300).contains(answer.status) {
                record.refused("\(answer.call): \(answer.status) \(answer.body)")
            }
        } catch {
            record.refused("request \(number): \(error)")
        }
    }

    private func answer(to number: Int) async throws -> ClientResponse {
        let (round, kind) = number.quotientAndRemainder(dividingBy: 20)
        let person = users.neighbours[round % users.neighbours.count]
        let rider = users.passengers[round % users.passengers.count].client
        switch kind {
        case 0, 1:
            let place = users.rooms[(round * 2 + kind) % users.rooms.count]
            let text = "message \(number)"
            let answer = try await users.writer(in: place).write(text, in: place.room)
            return keep(answer) { $0.messages.insert(text) }
        case 2 where round % 4 == 0:
            let text = "comment \(number)"
            return keep(try await person.comment(text, on: users.post)) { $0.comments.insert(text) }
        case 2 where round % 4 == 2:
            let nick = "이웃\(number)"
            let answer = try await person.send(\.updateOwnProfile, body: ["nick": .string(nick)])
            return keep(answer) { $0.nicknames.insert(nick) }
        case 2, 3: return try await rider.send(\.searchStations, query: "keyword=강남")
        case 4: return try await rider.send(\.getStation, 1)
        case 5: return try await person.send(\.listTopics)
        case 6: return try await person.send(\.getOwnProfile)
        case 7: return try await person.send(\.getPost, users.post)
        case 8: return try await person.send(\.listLikedPosts)
        case 9: return try await person.send(\.listLikedEstates)
        case 10: return try await person.send(\.listTopics)
        case 11: return try await person.send(\.listOrders)
        case 12: return try await person.send(\.listNotifications)
        case 13: return try await person.send(\.getPreferences)
        case 14: return try await users.worker.send(\.listWorkplaces)
        case 15: return try await users.worker.send(\.listRoutines)
        case 16: return try await rider.send(\.getProfile)
        case 17: return try await person.send(\.listChatRooms)
        default: return try await rider.send(\.getPreferences)
        }
    }

    /// Keeps what was confirmed.
    private func keep(_ answer: ClientResponse, _ keep: (inout Confirmed) -> Void) -> ClientResponse {
        if answer.status == 200 { state.withLock { keep(&$0) } }
        return answer
    }
}
