import AppClients
import Apps
import Contracts
import Values

/// A person of Anlaka who renews the tokens, signs out and in again, and whose old tokens are tried by another one.
struct SignOuts: Sendable {
    let phones: [Phone]
    private let account: SeSACAccount
    private let gateway: String

    static func join(_ number: Int, in city: City) async throws -> SignOuts {
        let name = "guest-\(number)"
        let (_, account) = try await SeSACPeople.join(Anlaka.self, AppKey.anlaka, name, in: city)
        return SignOuts(
            phones: [Phone("guest \(number)", of: account, in: city)],
            account: SeSACPeople.account(name),
            gateway: city.gateway(of: name)
        )
    }

    private init(phones: [Phone], account: SeSACAccount, gateway: String) {
        (self.phones, self.account, self.gateway) = (phones, account, gateway)
    }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var (random, sessions) = (random, 0)
        var phone = phones[number]
        while phone.diary.now < end, !Task.isCancelled {
            try? await Task.sleep(for: phone.habits.pause(&random))
            let client = AnlakaClient(gateway, key: AppKey.anlaka)
            phone.connection = client.connection
            let account = account
            guard (try? await client.signIn(account)) != nil else { continue }
            sessions += 1
            phone.session = "\(sessions) of \(phone.name)"
            for _ in 0..<3 {
                try? await Task.sleep(for: phone.habits.pause(&random))
                await Self.use(phone, client)
            }
            await renew(phone, client, &random)
            await Self.use(phone, client)
            await Self.end(phone, client)
        }
    }

    /// Signs out, and tries the token afterwards.
    static func end(_ phone: Phone, _ client: AnlakaClient) async {
        let answer = await phone.attempt("auth") { try await client.send(\.signOut) }
        let session = phone.session
        phone.diary.note { $0.sessions.ends.append(SessionEnd(answer.attempt, session: session, .signOut)) }
        // One second after the answer no copy of the gateway accepts it any more.
        try? await Task.sleep(for: .seconds(2))
        await use(phone, client)
    }

    /// Exchanges the refresh token for new tokens. Without an answer the app presents the same token again.
    private func renew(_ phone: Phone, _ client: AnlakaClient, _ random: inout SplitMix) async {
        let (token, cut) = (client.refreshToken, phone.habits.cut(&random))
        var cuts = [cut]
        if cut != nil || phone.habits.isTappedTwice(&random) { cuts.append(nil) }
        for cut in cuts { await Self.exchange(token, phone, client, cut: cut) }
    }

    /// Exchanges a refresh token, and takes the new tokens.
    @discardableResult
    static func exchange(
        _ token: String,
        _ phone: Phone,
        _ client: AnlakaClient,
        cut: Duration? = nil
    ) async -> Attempt {
        let answer = await phone.attempt("auth", cut: cut) {
            try await client.send(\.refreshTokens, headers: ["RefreshToken": token])
        }
        guard answer.attempt.outcome == .done, let response = answer.response else { return answer.attempt }
        if let tokens = try? response.value(ClientTokens.self) {
            client.connection.tokens = tokens
        } else {
            phone.surprise("could not read its new tokens", answer.attempt)
        }
        return answer.attempt
    }

    static func use(_ phone: Phone, _ client: AnlakaClient) async {
        let answer = await phone.attempt("auth") { try await client.send(\.getOwnProfile) }
        // A refused use is noted by the phone.
        guard answer.attempt.outcome == .done else { return }
        let use = TokenUse(answer.attempt, session: phone.session)
        phone.diary.note { $0.sessions.uses.append(use) }
    }
}
