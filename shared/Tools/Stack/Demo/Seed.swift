import Authentication
import StackKit

/// The initial data of a development installation. Seeding is idempotent.
///
/// Services load the data that is part of them (such as the subway stations) themselves; user data is created here
/// through the public API.
struct Seed: Sendable {
    let programs: Programs
    /// The secret shared by the installation's processes.
    let secret: InternalSecret

    /// - Parameter environment: The environment of the installation.
    init(programs: Programs, environment: [String: String]) {
        self.programs = programs
        secret = environment["MADANG_INTERNAL_SECRET"].map { InternalSecret($0) } ?? .development
    }

    struct Account {
        var email: String
        var password: String
        var nick: String
    }

    /// The default account.
    static let account = Account(email: "madang@example.com", password: "madang2025!", nick: "마당")

    func plant() async throws {
        let start = ContinuousClock.now
        let isNew = try await join(Self.account, on: phone)
        async let posts = plantPosts { Console.progress("seed", $0) }
        let listings = try await plantListings { Console.progress("seed", $0) }
        let isPlanted = try await posts || isNew || listings > 0
        Console.done("seed", isPlanted ? "planted" : "as before", since: start)
    }

    /// A phone with Anlaka.
    var phone: Phone { phone(key: AppKey.anlaka) }

    /// A phone with an app that has a key.
    func phone(key: String) -> Phone {
        Phone(
            gateway: programs.gateway.url,
            sandbox: programs.sandbox.url,
            headers: [("SeSACKey", key)],
            tell: { _ in }
        )
    }

    /// Signs an account up if it does not exist.
    ///
    /// - Parameter path: The app's endpoint that checks whether an address is free.
    /// - Returns: Whether the account is new.
    @discardableResult
    func join(
        _ account: Account,
        on phone: Phone,
        asking path: String = "/v1/users/validation/email"
    ) async throws -> Bool {
        let isFree = try await phone.answers(
            .post,
            path,
            body: ["email": .string(account.email)],
            either: 200,
            or: 409
        )
        guard isFree else { return false }
        try await phone.send("join", .post, "/v1/users/join", body: account.registration)
        return true
    }
}

extension Seed.Account {
    var credentials: JSON { ["email": .string(email), "password": .string(password)] }

    var registration: JSON {
        ["email": .string(email), "password": .string(password), "nick": .string(nick)]
    }
}
