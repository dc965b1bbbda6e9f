import AppClients
import Apps
import Synchronization
import Values

/// A worker of MOUP, who looks at shifts and keeps a list of what is to be done.
final class LoadWorker: LoadPerson {
    let habits = "worker"
    private let client: MOUPClient
    /// The routine that was created last, and is not deleted.
    private let routine = Mutex<Int64?>(nil)
    private let written = Atomic<Int>(0)

    private init(_ client: MOUPClient) { self.client = client }

    /// Signs an owner and five workers of a workplace up, with a month of shifts.
    ///
    /// - Returns: The workers.
    static func meet(_ number: Int, in city: City) async throws -> [any LoadPerson] {
        let owner = try await MOUPPeople.join("load-owner-\(number)", "사장\(number)", as: "ROLE_OWNER", in: city)
        let workplace = try await owner.openWorkplace()
        let code = try await owner.inviteCode(workplace)
        var workers: [any LoadPerson] = []
        for person in 0..<5 {
            let worker = try await MOUPPeople.join("load-worker-\(number)-\(person)", "알바\(number)\(person)", in: city)
            let id = try await worker.join(code)
            try await owner.send(\.acceptWorker, workplace, id).expect(204)
            _ = try await owner.planMonth(of: id, at: workplace)
            workers.append(LoadWorker(worker))
        }
        return workers
    }

    func next(_ name: String, _ random: inout SplitMix) async -> NextAct? {
        let client = client
        switch name {
        case "readHome": return NextAct(.readHome) { try await client.send(\.getHome) }
        case "readWork":
            if Bool.random(using: &random) {
                return NextAct(.readWork) { try await client.send(\.listOwnShifts, query: "baseYearMonth=2025-11") }
            }
            return NextAct(.readWork) { try await client.send(\.listRoutines) }
        case "writeRoutine":
            if let old = routine.withLock({ $0.take() }) {
                return NextAct(.writeRoutine) { try await client.send(\.deleteRoutine, old) }
            }
            return NextAct(.writeRoutine) { [self] in try await create() }
        case "refresh": return NextAct(.refresh) { try await client.refresh() }
        default: return NextAct(.readInbox) { try await client.send(\.listNotifications) }
        }
    }

    private func create() async throws -> ClientResponse {
        let name = "할 일 \(written.wrappingAdd(1, ordering: .relaxed).newValue)"
        let answer = try await client.send(
            \.createRoutine,
            body: ["routineName": .string(name), "alarmTime": nil, "routineTaskList": []]
        )
        let id = JSON(parsing: answer.bytes)?["routineId"]?.integer
        routine.withLock { $0 = id }
        return answer
    }
}
