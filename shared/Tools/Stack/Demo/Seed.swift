import AppClients
import Apps
import StackKit

/// The initial data of a development installation. Seeding is idempotent.
///
/// Services load the data that is part of them (such as the subway stations) themselves; user data is created here
/// through the public API.
struct Seed: Sendable {
    let programs: Programs
    let calls: InternalCalls

    /// - Parameter environment: The environment of the installation.
    /// - Throws: `SettingsError`.
    init(programs: Programs, environment: [String: String]) throws {
        self.programs = programs
        calls = try InternalCalls(programs, environment: environment)
    }

    /// The default account.
    static let account = account("madang", nick: "마당")

    static func account(_ name: String, nick: String) -> SeSACAccount {
        SeSACAccount(email: SeededPerson.email(name), password: SeededPerson.password, nick: nick)
    }

    /// Plants everything, and begins again while services are busy, as they may be on a slow machine that has just
    /// started them.
    func plant() async throws {
        var attempts = 5
        while true {
            do {
                return try await plantOnce()
            } catch let error as ClientError {
                attempts -= 1
                guard attempts > 0, let delay = error.retryAfter else { throw error }
                Console.progress("seed", "a service is busy, trying again")
                try await Task.sleep(for: .seconds(delay))
            }
        }
    }

    private func plantOnce() async throws {
        let start = ContinuousClock.now
        let isNew = try await Self.join(Self.account, on: anlaka)
        async let posts = plantPosts { Console.progress("seed", $0) }
        async let people: Void = plantPeople()
        let listings = try await plantListings { Console.progress("seed", $0) }
        let isPlanted = try await posts || isNew || listings > 0
        try await people
        Console.done("seed", isPlanted ? "planted" : "as before", since: start)
    }

    var anlaka: AnlakaClient { AnlakaClient(programs.gateway.url, key: AppKey.anlaka) }
    var culture: CultureClient { CultureClient(programs.gateway.url, key: AppKey.culture) }

    /// Signs an account up if it does not exist.
    ///
    /// - Returns: Whether the account is new.
    @discardableResult
    static func join<Calls>(_ account: SeSACAccount, on client: SeSACClient<Calls>) async throws -> Bool {
        let check = try await client.checkEmail(account.email)
        guard check.status != 409 else { return false }
        try check.expect()
        try await client.join(account)
        return true
    }

    /// Some of the pictures as one form.
    ///
    /// - Parameter variants: The pictures; no more than the limit of a form.
    static func form(_ variants: Range<Int>) -> RequestBody {
        let boundary = "madang-seed"
        var form: [UInt8] = []
        for variant in variants {
            let head = """
                --\(boundary)\r\nContent-Disposition: form-data; name="files"; filename="\(variant).png"\r\n\
                Content-Type: image/png\r\n\r\n
                """
            form += Array(head.utf8) + SeedPicture.png(variant) + Array("\r\n".utf8)
        }
        form += Array("--\(boundary)--\r\n".utf8)
        return RequestBody(form, contentType: "multipart/form-data; boundary=\(boundary)")
    }
}

extension ClientResponse {
    /// The paths of uploaded files.
    func files() throws -> [String] { try json()["files"]?.elements.compactMap(\.string) ?? [] }
}
