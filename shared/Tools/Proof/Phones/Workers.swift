import AppClients
import Apps
import Contracts
import Synchronization
import Values

/// Workers of MOUP who keep lists of what is to be done at work, record their shifts there, and look at their pay.
struct Workers: Sendable {
    let phones: [Phone]
    let clients: [MOUPClient]
    let workplace: WorkplaceID
    private let state = State()

    private final class State: Sendable {
        let written = Atomic<Int>(0)
        /// What each worker's phone knows of its shifts.
        let shifts = Mutex<[Int: KnownShifts]>([:])
    }

    static func meet(_ number: Int, count: Int, in city: City) async throws -> Workers {
        let owner = try await MOUPPeople.join("owner \(number)", "사장\(number)", as: "ROLE_OWNER", in: city)
        let workplace = try await owner.openWorkplace()
        let code = try await owner.inviteCode(workplace)
        var (clients, phones): ([MOUPClient], [Phone]) = ([], [])
        for worker in 0..<count {
            let name = "worker \(number)-\(worker)"
            let client = try await MOUPPeople.join(name, "알바\(number)\(worker)", in: city)
            let id = try await client.join(code)
            try await owner.send(\.acceptWorker, workplace, id).expect(204)
            clients.append(client)
            let renewal = Renewal.of(client, name, city.sandbox)
            phones.append(Phone(name, of: client.account, in: city, renewal: renewal))
        }
        return Workers(phones: phones, clients: clients, workplace: workplace)
    }

    private init(phones: [Phone], clients: [MOUPClient], workplace: WorkplaceID) {
        (self.phones, self.clients, self.workplace) = (phones, clients, workplace)
    }

    /// What a worker's phone knows of its shifts.
    func known(_ number: Int) -> KnownShifts { state.shifts.withLock { $0[number] ?? KnownShifts() } }

    func change(_ number: Int, _ body: (inout KnownShifts) -> Void) {
        state.shifts.withLock { body(&$0[number, default: KnownShifts()]) }
    }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var (random, own): (SplitMix, [String: Int64]) = (random, [:])
        let phone = phones[number]
        while phone.diary.now < end, !Task.isCancelled {
            try? await Task.sleep(for: phone.habits.pause(&random))
            let cut = phone.habits.cut(&random)
            let client = clients[number]
            switch phone.habits.act(of: "worker", &random) {
            case "routine": await create(number, cut)
            case "unroutine": await delete(number, cut, own.keys.sorted().randomElement(using: &random), &own)
            case "shifts": _ = await phone.attempt("workforce", cut: cut) { try await client.send(\.listWorkplaces) }
            case "shift": await plan(number, cut, &random)
            case "unshift": await unplan(number, cut, &random)
            case "payslip":
                if let month = KnownShifts.months.randomElement(using: &random) {
                    await readPay(number, of: month, cut)
                }
            default: own = await list(number, cut) ?? own
            }
        }
    }

    private func place(_ name: String, _ number: Int) -> String {
        "routine \(name) of account \(phones[number].account)"
    }

    private func create(_ number: Int, _ cut: Duration?) async {
        let name = "r\(state.written.wrappingAdd(1, ordering: .relaxed).newValue)"
        let client = clients[number]
        let answer = await phones[number].attempt("workforce", cut: cut) {
            try await client.send(
                \.createRoutine,
                body: ["routineName": .string(name), "alarmTime": nil, "routineTaskList": []]
            )
        }
        let write = Write(answer.attempt, place(name, number), "there")
        phones[number].diary.note { $0.writes.writes.append(write) }
    }

    private func delete(_ number: Int, _ cut: Duration?, _ name: String?, _ own: inout [String: Int64]) async {
        guard let name, let id = own.removeValue(forKey: name) else { return }
        let client = clients[number]
        let answer = await phones[number].attempt("workforce", cut: cut) { try await client.send(\.deleteRoutine, id) }
        var attempt = answer.attempt
        // The gateway repeats a deletion whose service has died, so that it may have been this one.
        if attempt.outcome.isRefused { attempt.outcome = .unknown("it was not there") }
        let write = Write(attempt, place(name, number), nil)
        phones[number].diary.note { $0.writes.writes.append(write) }
    }

    /// - Returns: The ids of the routines, by name; nil without an answer.
    private func list(_ number: Int, _ cut: Duration?) async -> [String: Int64]? {
        let client = clients[number]
        let answer = await phones[number].attempt("workforce", cut: cut) { try await client.send(\.listRoutines) }
        guard answer.attempt.outcome == .done, let response = answer.response else { return nil }
        guard let list = JSON(parsing: response.bytes)?["routineSummaryInfoList"] else {
            phones[number].surprise("could not read its routines", answer.attempt)
            return nil
        }
        let pairs = list.elements.compactMap { routine in
            routine["routineName"]?.string.flatMap { name in routine["routineId"]?.integer.map { (name, $0) } }
        }
        return Dictionary(pairs) { $1 }
    }

    /// Reads what there is at the end.
    func finish() async {
        for number in phones.indices {
            for month in KnownShifts.months { await readPay(number, of: month, nil) }
            let begun = phones[number].diary.now
            guard let shown = await list(number, nil) else { continue }
            let diary = phones[number].diary
            let suffix = " of account \(phones[number].account)"
            let places = Set(
                diary.all.writes.writes.map(\.place).filter { $0.hasPrefix("routine ") && $0.hasSuffix(suffix) }
            )
            let readings = places.map { place in
                let name = place.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                return WriteReading(
                    place,
                    shown[name] == nil ? nil : "there",
                    reader: phones[number].name,
                    begun: begun,
                    ended: diary.now
                )
            }
            diary.note { $0.writes.readings += readings }
        }
    }
}
