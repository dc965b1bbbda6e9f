import AppClients
import Apps
import StackKit

/// The users of the apps that sign in at Kakao or Google, where the sandbox knows them by the tokens of test users.
extension Seed {
    func plantPeople() async throws {
        async let passengers: Void = plantPassengers()
        async let workplace: Void = plantWorkplace()
        async let traveller: Void = plantTraveller()
        _ = try await (passengers, workplace, traveller)
    }

    private func plantPassengers() async throws {
        for id in [SeededPerson.passenger, SeededPerson.otherPassenger] {
            try await SeatCatcherClient(programs.gateway.url).signIn(kakao: SeededPerson.token(id))
        }
    }

    /// An owner of a workplace, and a worker there.
    private func plantWorkplace() async throws {
        let owner = try await member(SeededPerson.owner, "마당지기", as: "ROLE_OWNER")
        let known = try await owner.send(\.listWorkplaces).json()["workplaceSummaryInfoList"]?.elements ?? []
        guard known.isEmpty else { return }
        let workplace = try await owner.openWorkplace()
        let worker = try await member(SeededPerson.worker, "마당일꾼", as: "ROLE_WORKER")
        let id = try await worker.join(owner.inviteCode(workplace))
        try await owner.send(\.acceptWorker, workplace, id).expect(204)
        _ = try await owner.planMonth(of: id, at: workplace)
    }

    private func member(_ subject: String, _ nickname: String, as role: String) async throws -> MOUPClient {
        let client = MOUPClient(programs.gateway.url)
        let answer = try await client.signIn(code: SeededPerson.token(subject))
        if answer.status == 201 {
            try await client.register(nickname, as: role).expect()
        } else {
            try answer.expect()
        }
        return client
    }

    /// A user who has verified a phone number.
    private func plantTraveller() async throws {
        let client = WithSuhyeonClient(programs.gateway.url)
        let answer = try await client.signIn(kakao: SeededPerson.token(SeededPerson.traveller))
        guard answer["accessToken"]?.string == nil else { return }
        let number = "010\(SeededPerson.traveller)"
        try await client.sendCode(number)
        try await client.verify(number, code: programs.unobservedSandbox.verificationCode(number))
        let form = WithSuhyeonClient.Form(
            number: number,
            nickname: "마당여행",
            image: "img_purple_suma",
            region: "홍대/합정/마포/서대문/은평"
        )
        try await client.signUp(form, userID: answer.number("userId"))
    }
}
