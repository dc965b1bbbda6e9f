import AppClients
import Apps
import Contracts
import Values

/// A person of Anlaka who signs out on all phones at once, so that the ends of several sessions are announced within
/// milliseconds, and none for seconds after them.
struct SignOutsAtOnce: Sendable {
    let phones: [Phone]
    private let account: SeSACAccount
    private let gateway: String

    static func join(_ number: Int, count: Int, in city: City) async throws -> SignOutsAtOnce {
        let name = "household-\(number)"
        let (_, account) = try await SeSACPeople.join(Anlaka.self, AppKey.anlaka, name, in: city)
        return SignOutsAtOnce(
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
        let period = Int64((phone.habits.signOutEvery ?? 6) * 1_000_000)
        while phone.diary.now < end, !Task.isCancelled {
            let client = AnlakaClient(gateway, key: AppKey.anlaka)
            let account = account
            guard (try? await client.signIn(account)) != nil else {
                try? await Task.sleep(for: .seconds(1))
                continue
            }
            sessions += 1
            phone.session = "\(sessions) of \(phone.name)"
            await SignOuts.use(phone, client)
            let now = phone.diary.now.microseconds
            try? await Task.sleep(for: .microseconds(period - now % period))
            await SignOuts.end(phone, client)
        }
    }
}
