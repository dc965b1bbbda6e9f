import AppClients
import Apps
import Contracts
import FoundationEssentials
import Values

/// Workers of MOUP who clock in and out. Each request says the time of the phone's clock, which is wrong on many phones
/// and decides nothing.
struct TimeClocks: Sendable {
    let phones: [Phone]
    private let clients: [MOUPClient]
    private let workplace: WorkplaceID
    /// Seconds by which the phones' clocks are ahead.
    private let errors: [Int64]

    static func meet(_ number: Int, count: Int, in city: City) async throws -> TimeClocks {
        let owner = try await MOUPPeople.join("clock-owner-\(number)", "점장\(number)", as: "ROLE_OWNER", in: city)
        let workplace = try await owner.openWorkplace()
        let code = try await owner.inviteCode(workplace)
        var (clients, phones): ([MOUPClient], [Phone]) = ([], [])
        var random = SplitMix(state: UInt64(number))
        for worker in 0..<count {
            let name = "time clock \(number)-\(worker)"
            let client = try await MOUPPeople.join(name, "출근\(number)\(worker)", in: city)
            let id = try await client.join(code)
            try await owner.send(\.acceptWorker, workplace, id).expect(204)
            clients.append(client)
            let renewal = Renewal.of(client, name, city.sandbox)
            phones.append(Phone(name, of: client.account, in: city, renewal: renewal))
        }
        return TimeClocks(
            phones: phones,
            clients: clients,
            workplace: workplace,
            errors: phones.map { $0.habits.clockError(&random) }
        )
    }

    private init(phones: [Phone], clients: [MOUPClient], workplace: WorkplaceID, errors: [Int64]) {
        (self.phones, self.clients, self.workplace, self.errors) = (phones, clients, workplace, errors)
    }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var random = random
        let phone = phones[number]
        while phone.diary.now < end, !Task.isCancelled {
            try? await Task.sleep(for: phone.habits.pause(&random))
            let cut = phone.habits.cut(&random)
            switch phone.habits.act(of: "clock", &random) {
            case "in": await clockIn(number, cut)
            case "out": await clockOut(number, cut)
            default: await list(number, cut)
            }
        }
    }

    /// Lists what there is at the end.
    func finish() async {
        for number in phones.indices { await list(number, nil) }
    }

    // MARK: Acts

    private func headers(_ number: Int) -> [String: String] {
        ["X-Client-Time": (Date.now + Double(errors[number])).formatted(.iso8601)]
    }

    private func clockIn(_ number: Int, _ cut: Duration?) async {
        let (client, workplace, headers) = (clients[number], workplace, headers(number))
        let answer = await phones[number].attempt("workforce", cut: cut) {
            try await client.send(\.clockIn, workplace, headers: headers)
        }
        guard answer.response?.status == 201, let response = answer.response else { return }
        guard let shift = JSON(parsing: response.bytes)?["workIdList"]?[0]?.integer else {
            return phones[number].surprise("could not read its shift", answer.attempt)
        }
        let clockIn = ClockIn(answer.attempt, shift: shift, error: errors[number])
        phones[number].diary.note { $0.clockIns.clockIns.append(clockIn) }
    }

    private func clockOut(_ number: Int, _ cut: Duration?) async {
        let (client, workplace, headers) = (clients[number], workplace, headers(number))
        _ = await phones[number].attempt("workforce", cut: cut) {
            try await client.send(\.clockOut, workplace, headers: headers)
        }
    }

    /// Lists the phone's own shifts, whose clock times it shows.
    private func list(_ number: Int, _ cut: Duration?) async {
        let (client, workplace, phone) = (clients[number], workplace, phones[number])
        let answer = await phone.attempt("workforce", cut: cut) {
            try await client.send(\.getOwnMembership, workplace, query: "size=100")
        }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        guard let list = JSON(parsing: response.bytes)?["myWorkAttendanceInfoList"] else {
            return phone.surprise("could not read its shifts", answer.attempt)
        }
        let shown = list.elements.compactMap { shift -> ShownShift? in
            guard let id = shift["workId"]?.integer, let text = shift["actualStartTime"]?.string,
                let began = try? Date(text, strategy: .iso8601)
            else { return nil }
            return ShownShift(answer.attempt, shift: id, began: phone.diary.moment(of: began))
        }
        phone.diary.note { $0.clockIns.shown += shown }
    }
}
