import AppClients
import Apps
import Contracts
import Synchronization
import Values

/// Workers of MOUP who keep lists of what is to be done at work.
struct Workers: Sendable {
    let phones: [Phone]
    private let clients: [MOUPClient]
    private let written = Counter()

    private final class Counter: Sendable { let value = Atomic<Int>(0) }

    static func meet(_ number: Int, count: Int, in city: City) async throws -> Workers {
        var (clients, phones): ([MOUPClient], [Phone]) = ([], [])
        for worker in 0..<count {
            let name = "worker \(number)-\(worker)"
            let client = try await MOUPPeople.join(name, "알바\(number)\(worker)", in: city)
            clients.append(client)
            phones.append(Phone(name, of: client.account, in: city))
        }
        return Workers(phones: phones, clients: clients)
    }

    private init(phones: [Phone], clients: [MOUPClient]) { (self.phones, self.clients) = (phones, clients) }

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
            default: own = await list(number, cut) ?? own
            }
        }
    }

    private func place(_ name: String, _ number: Int) -> String {
        "routine \(name) of account \(phones[number].account)"
    }

    private func create(_ number: Int, _ cut: Duration?) async {
        let name = "r\(written.value.wrappingAdd(1, ordering: .relaxed).newValue)"
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
        guard !answer.attempt.outcome.isRefused else { return }
        let write = Write(answer.attempt, place(name, number), nil)
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
