import Apps

/// What users do outside of the apps, and what outside systems do, in the sandbox that stands in for them.
package struct SandboxClient: Sendable {
    private let transport: HTTPTransport

    /// - Parameter base: `http://host:port`.
    package init(_ base: String, observer: @escaping ClientObserver = { _ in }) {
        transport = HTTPTransport(base, observer: observer)
    }

    package func get(_ path: String) async throws -> ClientResponse {
        try await transport.send(.get, "/_control/\(path)")
    }

    package func post(_ path: String, _ body: RequestBody) async throws -> ClientResponse {
        try await transport.send(.post, "/_control/\(path)", body: body)
    }

    // MARK: Identity providers

    /// The token that Kakao's library gives the app when the user allows the sign-in.
    package func kakaoToken(_ id: Int64, email: String? = nil) async throws -> String {
        var user: JSON = ["id": .integer(id)]
        if let email { user = user.merging(["email": .string(email)]) }
        return try await post("kakao/tokens", .json(user)).json().text("access_token")
    }

    /// The authorization code that Google's library gives the app.
    package func googleCode(_ subject: String, name: String? = nil) async throws -> String {
        var user: JSON = ["sub": .string(subject)]
        if let name { user = user.merging(["name": .string(name)]) }
        return try await post("google/codes", .json(user)).json().text("authorization_code")
    }

    /// The identity token and the authorization code that iOS gives the app.
    package func appleToken(_ subject: String, email: String? = nil) async throws -> (token: String, code: String) {
        var user: JSON = ["sub": .string(subject)]
        if let email { user = user.merging(["email": .string(email)]) }
        let answer = try await post("apple/tokens", .json(user)).json()
        return (try answer.text("identity_token"), try answer.text("authorization_code"))
    }

    /// The code in the newest text message to a phone number.
    package func verificationCode(_ number: String) async throws -> String {
        let messages = try await get("sms?to=\(number)").json()
        let text = try (messages["messages"]?[0] ?? .null).text("text")
        guard let code = text.firstMatch(of: /\d{6}/) else { throw ClientError("the message has no code: \(text)") }
        return String(code.output)
    }

    // MARK: PortOne

    /// Pays in PortOne's window.
    ///
    /// - Returns: The payment's `imp_uid`.
    package func pay(_ code: String, _ amount: Int64, status: String? = nil) async throws -> String {
        var payment: JSON = ["merchant_uid": .string(code), "amount": .integer(amount)]
        if let status { payment = payment.merging(["status": .string(status)]) }
        return try await post("payments", .json(payment)).json().text("imp_uid")
    }

    /// A payment at PortOne.
    package func payment(_ impUID: String) async throws -> JSON {
        try await get("payments/\(impUID)").json()
    }

    // MARK: FCM

    /// The pushes of a device, the latest first.
    package func pushes(to token: String) async throws -> ClientResponse {
        try await get("push?token=\(token)")
    }
}
