import Apps

/// The app of one user, of the two apps that send a `SeSACKey`.
package struct SeSACClient<Calls: SeSACCalls>: AppClient {
    package let connection: AppConnection
    /// The app's key.
    package let key: String

    /// - Parameters:
    ///   - gateway: `http://host:port`.
    ///   - key: The app's key.
    ///   - name: The user's name, for the observer's output.
    package init(_ gateway: String, key: String, name: String = "", observer: @escaping ClientObserver = { _ in }) {
        let headers = ["SeSACKey": key]
        self.init(
            connection: AppConnection(gateway, name: name, headers: headers, tokenPrefix: "", observer: observer),
            key: key
        )
    }

    private init(connection: AppConnection, key: String) {
        self.connection = connection
        self.key = key
    }

    /// The same client without an observer.
    package var unobserved: Self { Self(connection: connection.unobserved, key: key) }

    /// The user's id; empty before the sign-in.
    package var id: String { connection.userID }

    // MARK: Account

    package func checkEmail(_ email: String) async throws -> ClientResponse {
        try await send(\.checkEmail, body: ["email": .string(email)])
    }

    /// Signs up; Anlaka's users are signed in then, too.
    @discardableResult
    package func join(_ account: SeSACAccount) async throws -> ClientResponse {
        keep(try await send(\.join, body: .json(account.registration)).expect())
    }

    @discardableResult
    package func signIn(_ account: SeSACAccount, headers: [String: String] = [:]) async throws -> ClientResponse {
        connection.tokens = nil
        return keep(try await send(\.signIn, headers: headers, body: .json(account.credentials)).expect())
    }

    /// Stores the tokens of a sign-in.
    private func keep(_ answer: ClientResponse) -> ClientResponse {
        if let tokens = try? answer.value(ClientTokens.self) {
            connection.tokens = tokens
            connection.userID = (try? answer.json().text("user_id")) ?? ""
        }
        return answer
    }

    /// Registers the device's FCM token; an empty one unregisters the device.
    package func registerDevice(_ token: String) async throws -> ClientResponse {
        try await send(\.registerPushToken, body: ["deviceToken": .string(token)])
    }

    // MARK: Posts

    package func like(_ post: String) async throws -> ClientResponse {
        try await send(\.setLike, post, body: ["like_status": true])
    }

    package func comment(_ text: String, on post: String) async throws -> ClientResponse {
        try await send(\.createComment, post, body: ["content": .string(text)])
    }

    // MARK: Payments

    /// Reports a payment of PortOne's window.
    ///
    /// - Parameter post: The post that Seoul Culture's payment is for.
    package func validate(_ impUID: String, for post: String? = nil) async throws -> ClientResponse {
        let payment: JSON = ["imp_uid": .string(impUID)]
        return try await send(
            \.validatePayment,
            body: .json(post.map { payment.merging(["post_id": .string($0)]) } ?? payment)
        )
    }
}

package struct SeSACAccount: Sendable {
    package var email: String
    package var password: String
    package var nick: String
    /// The FCM token; nil for an app that does not send it when it signs in.
    package var device: String?

    package init(email: String, password: String, nick: String = "", device: String? = nil) {
        self.email = email
        self.password = password
        self.nick = nick
        self.device = device
    }

    fileprivate var credentials: JSON {
        let own: JSON = ["email": .string(email), "password": .string(password)]
        return device.map { own.merging(["deviceToken": .string($0)]) } ?? own
    }

    fileprivate var registration: JSON { credentials.merging(["nick": .string(nick)]) }
}
