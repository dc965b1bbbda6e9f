import AppClients
import Apps
import Contracts
import Values

/// A person of Anlaka whose old refresh tokens, which someone has read on all phones, are presented at once. Each session ends
/// by a refusal, which tells a gateway nothing: all learn of the ends, several within milliseconds and none for seconds
/// after them, only by auth's announcements.
struct Thefts: Sendable {
    let phones: [Phone]
    private let account: SeSACAccount
    private let gateway: String

    static func join(_ number: Int, count: Int, in city: City) async throws -> Thefts {
        let name = "household-\(number)"
        let (_, account) = try await SeSACPeople.join(Anlaka.self, AppKey.anlaka, name, in: city)
        return Thefts(
            phones: (0..<count).map { Phone("household \(number)-\($0)", of: account, in: city) },
            account: SeSACPeople.account(name),
            gateway: city.gateway(of: name)
        )
    }

    private init(phones: [Phone], account: SeSACAccount, gateway: String) {
        (self.phones, self.account, self.gateway) = (phones, account, gateway)
    }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var (phone, sessions) = (phones[number], 0)
        let period = Int64((phone.habits.theftEvery ?? 6) * 1_000_000)
        while phone.diary.now < end, !Task.isCancelled {
            let client = AnlakaClient(gateway, key: AppKey.anlaka)
            let account = account
            guard (try? await client.signIn(account)) != nil else {
                try? await Task.sleep(for: .seconds(1))
                continue
            }
            sessions += 1
            phone.session = "\(sessions) of \(phone.name)"
            let old = client.refreshToken
            // The predecessor of the newest token is a repetition, an older one a theft.
            for _ in 0..<2 { await SignOuts.exchange(client.refreshToken, phone, client) }
            await SignOuts.use(phone, client)
            let now = phone.diary.now.microseconds
            try? await Task.sleep(for: .microseconds(period - now % period))
            await present(old, phone, client)
        }
    }

    private func present(_ token: String, _ phone: Phone, _ client: AnlakaClient) async {
        var end = await SignOuts.exchange(token, phone, AnlakaClient(gateway, key: AppKey.anlaka))
        // Only a refusal says that the session has ended.
        end.outcome = end.outcome.isRefused ? .done : .unknown("\(end.outcome)")
        phone.diary.note { [end] in $0.sessions.ends.append(SessionEnd(end, session: phone.session, .theft)) }
        try? await Task.sleep(for: .seconds(2))
        await SignOuts.use(phone, client)
    }
}
