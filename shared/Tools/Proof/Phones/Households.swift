import AppClients
import Apps
import Authentication
import Contracts
import FoundationEssentials
import Sockets
import Values

/// People of Anlaka whose sessions end at one instant, several within milliseconds and none for seconds after them, while
/// a socket of each is open. A session ends by its old refresh token, which someone has read on the phone, or from the
/// person's other device at another gateway. Of the former end the gateway that passes the answer learns by it, of the
/// latter by auth's announcement only.
struct Households: Sendable {
    let phones: [Phone]
    private let accounts: [SeSACAccount]
    private let gateways: [String]
    private let auths: @Sendable () -> [String]

    static func join(_ number: Int, count: Int, in city: City) async throws -> Households {
        var household = Households(phones: [], accounts: [], gateways: [], auths: city.auths)
        for member in 0..<count {
            let name = "household-\(number)-\(member)"
            let (_, account) = try await SeSACPeople.join(Anlaka.self, AppKey.anlaka, name, in: city)
            household = Households(
                phones: household.phones + [Phone("household \(number)-\(member)", of: account, in: city)],
                accounts: household.accounts + [SeSACPeople.account(name)],
                gateways: household.gateways + [city.gateway(of: name)],
                auths: city.auths
            )
        }
        return household
    }

    private init(
        phones: [Phone],
        accounts: [SeSACAccount],
        gateways: [String],
        auths: @escaping @Sendable () -> [String]
    ) {
        (self.phones, self.accounts, self.gateways, self.auths) = (phones, accounts, gateways, auths)
    }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var sessions = 0
        let (diary, period) = (phones[number].diary, Int64((phones[number].habits.endsEvery ?? 6) * 1_000_000))
        while diary.now < end, !Task.isCancelled {
            guard let client = await signIn(number) else {
                try? await Task.sleep(for: .seconds(1))
                continue
            }
            sessions += 1
            let phone = phones[number].using(session: "\(sessions) of \(phones[number].name)")
            let old = client.refreshToken
            // The predecessor of the newest token is a repetition, an older one a theft.
            for _ in 0..<2 { await SignOuts.exchange(client.refreshToken, phone, client) }
            await SignOuts.use(phone, client)
            let isFromOther = sessions.isMultiple(of: phone.habits.otherDeviceEvery ?? 4)
            async let watched: Void = watch(phone, client)
            let now = diary.now.microseconds
            try? await Task.sleep(for: .microseconds(period - now % period))
            if isFromOther {
                await revoke(phone)
            } else {
                await present(old, phone, gateways[number])
            }
            try? await Task.sleep(for: .seconds(2))
            await SignOuts.use(phone, client)
            await watched
        }
    }

    private func signIn(_ number: Int) async -> AnlakaClient? {
        let (client, account) = (AnlakaClient(gateways[number], key: AppKey.anlaka), accounts[number])
        return (try? await client.signIn(account)) == nil ? nil : client
    }

    /// Presents an old refresh token of the session. Only a refusal says that the session has ended.
    private func present(_ token: String, _ phone: Phone, _ gateway: String) async {
        var end = await SignOuts.exchange(token, phone, AnlakaClient(gateway, key: AppKey.anlaka))
        end.outcome = end.outcome.isRefused ? .done : .unknown("\(end.outcome)")
        phone.diary.note { [end] in $0.sessions.ends.append(SessionEnd(end, session: phone.session, .theft)) }
    }

    /// Ends all sessions of the person by a request that another gateway has passed to auth.
    private func revoke(_ phone: Phone) async {
        guard let auth = auths().randomElement() else { return }
        let path = Anlaka().endOtherSessions.path
        let other = InternalIdentity(
            caller: .gateway,
            app: .anlaka,
            account: phone.account,
            session: "elsewhere"
        )
        let answer = await phone.attempt("auth") {
            let key = InternalKeys.development(.gateway).key(to: .auth)
            let identity = other.signed("DELETE", path, with: key, now: Int64(Date.now.timeIntervalSince1970))
            return try await HTTPTransport(auth).send(.delete, path, headers: [InternalIdentity.header: identity])
        }
        let session = phone.session
        phone.diary.note { $0.sessions.ends.append(SessionEnd(answer.attempt, session: session, .revocation)) }
    }

    /// Keeps a socket of the session open until it is closed, at most for two periods.
    private func watch(_ phone: Phone, _ client: AnlakaClient) async {
        let opened = phone.diary.now
        guard
            let socket = try? await STOMPClient.connect(
                client.connection.socketURL(Anlaka().connectStream.path),
                headers: [("accept-version", "1.1,1.2"), ("Authorization", client.token)],
                handshake: client.connection.currentHeaders.map { ($0.key, $0.value) }
            )
        else { return }
        let timer = Task {
            try await Task.sleep(for: .seconds(2 * (phone.habits.endsEvery ?? 6)))
            socket.close()
        }
        defer { timer.cancel() }
        _ = await socket.end
        let kept = SessionSocket(phone: phone.name, session: phone.session, opened: opened, closed: phone.diary.now)
        phone.diary.note { $0.sessions.sockets.append(kept) }
    }
}
