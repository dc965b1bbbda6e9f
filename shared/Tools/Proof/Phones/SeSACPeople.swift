import AppClients
import Apps
import Authentication
import Contracts

/// People of Anlaka and Seoul Culture.
enum SeSACPeople {
    /// Signs a person up.
    ///
    /// - Parameter name: Is in the e-mail address and the nickname; of each person another one.
    static func join<Calls: SeSACCalls>(
        _ app: Calls.Type,
        _ key: String,
        _ name: String,
        device: String? = nil,
        in city: City
    ) async throws -> (SeSACClient<Calls>, AccountID) {
        let client = SeSACClient<Calls>(city.gateway(of: name), key: key)
        let account = account(name, device: device)
        try await client.join(account)
        if client.token.isEmpty { try await client.signIn(account) }
        return (client, try AccountID(token: client.token))
    }

    static func account(_ name: String, device: String? = nil) -> SeSACAccount {
        SeSACAccount(
            email: "\(name)@example.com",
            password: "proof2026!",
            nick: name.filter { $0 != "-" },
            device: device
        )
    }

    /// Writes a post.
    ///
    /// - Returns: Its id.
    static func post<Calls: SeSACCalls>(_ body: RequestBody, by client: SeSACClient<Calls>) async throws -> String {
        var post: ClientResponse?
        // The community service hears of new people by an event.
        try await waitUntil("the author may write", every: .milliseconds(100), atMost: .seconds(60)) {
            post = try? await client.send(\.createPost, body: body).expect()
            return post != nil
        }
        return try (post?.json() ?? .null).text("post_id")
    }
}

extension AccountID {
    /// The account of an access token, which only says it and proves nothing here.
    init(token: String) throws {
        let claims = token.split(separator: ".").dropFirst().first.flatMap { Base64URL.decode($0.utf8) }
        guard let claims, let subject = JSON(parsing: claims)?["sub"]?.string, let number = Int64(subject) else {
            throw ProofError("the token has no account: \(token.prefix(20))…")
        }
        self.init(rawValue: number)
    }
}
