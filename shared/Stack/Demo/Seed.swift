/// The small world that a development house begins with. Planting it again changes nothing.
///
/// Each service loads the data that it ships with by itself (the stations of the subway); what people would do is done
/// here, through the public API.
struct Seed: Sendable {
    let fleet: Fleet

    /// The app key of Anlaka in development.
    static let anlakaKey = "anlaka-dev-key"
    /// The same of Seoul Culture.
    static let cultureKey = "culture-dev-key"

    struct Account {
        var email: String
        var password: String
        var nick: String
    }

    /// Somebody who is always there.
    static let account = Account(email: "madang@example.com", password: "madang2025!", nick: "마당")

    func plant() async throws {
        let start = ContinuousClock.now
        let account = Self.account
        let phone = Phone(
            gateway: fleet.gateway.url,
            sandbox: fleet.sandbox.url,
            headers: [("SeSACKey", Self.anlakaKey)],
            tell: { _ in }
        )
        let isFree = try await phone.answers(
            .post,
            "/v1/users/validation/email",
            body: ["email": .string(account.email)],
            either: 200,
            or: 409
        )
        if isFree {
            try await phone.send(
                "join",
                .post,
                "/v1/users/join",
                body: [
                    "email": .string(account.email), "password": .string(account.password),
                    "nick": .string(account.nick),
                ]
            )
        }
        Console.done("seed", isFree ? "planted" : "as before", since: start)
    }
}
