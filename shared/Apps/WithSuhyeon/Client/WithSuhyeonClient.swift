package import Apps

/// The With Suhyeon app of one user.
package struct WithSuhyeonClient: AppClient {
    package typealias Calls = WithSuhyeon

    package let connection: AppConnection

    /// - Parameters:
    ///   - gateway: `http://host:port`.
    ///   - name: The user's name, for the observer's output.
    package init(_ gateway: String, name: String = "", observer: @escaping ClientObserver = { _ in }) {
        connection = AppConnection(gateway, name: name, observer: observer)
    }

    /// The phone number with which the user has signed in; empty before.
    package var number: String { connection.userID }

    // MARK: Sign-up

    /// The form of the last screens of the sign-up.
    package struct Form: Sendable {
        package var number: String
        package var nickname: String
        package var image: String
        package var region: String

        package init(number: String, nickname: String, image: String, region: String) {
            self.number = number
            self.nickname = nickname
            self.image = image
            self.region = region
        }
    }

    /// Passes Kakao's token on.
    ///
    /// - Returns: `userId`, and tokens if the user has signed up.
    package func signIn(kakao token: String, headers: [String: String] = [:]) async throws -> JSON {
        try await send(\.signInWithKakao, headers: headers.merging(["Access-Token": token]) { $1 }).result()
    }

    /// Has a code sent to a phone.
    package func sendCode(_ number: String) async throws {
        try await send(\.sendVerificationCode, query: "flow=signup", body: ["phoneNumber": .string(number)]).result()
    }

    package func verify(_ number: String, code: String) async throws {
        let body: RequestBody = ["phoneNumber": .string(number), "verifyNumber": .string(code)]
        try await send(\.verifyPhone, query: "flow=signup", body: body).result()
    }

    /// - Parameter userID: From `signIn(kakao:)`.
    package func signUp(_ form: Form, userID: Int64) async throws {
        let body: RequestBody = [
            "userId": .integer(userID), "phoneNumber": .string(form.number), "nickname": .string(form.nickname),
            "birthYear": 2001, "gender": false, "profileImage": .string(form.image), "region": .string(form.region),
        ]
        try await send(\.completeSignUp, body: body).result()
    }

    /// Signs in with a verified phone number.
    package func signIn(_ number: String) async throws {
        let tokens = try await send(\.signIn, body: ["phoneNumber": .string(number)]).result()
        connection.userID = number
        connection.tokens = ClientTokens(
            accessToken: try tokens.text("accessToken"),
            refreshToken: try tokens.text("refreshToken")
        )
    }

    // MARK: Chat

    /// Opens the socket, which transmits plain JSON (With Suhyeon contract 2), with a ticket.
    package func socket() async throws -> TextSocket {
        try await socket(ticket: "\(send(\.createSocketTicket).result().number("userId"))")
    }

    package func socket(ticket: String) async throws -> TextSocket {
        let path = "/chat?userId=\(ticket)"
        let observer = connection.transport.observer
        observer(.sent(path))
        return try await TextSocket(connection.socketURL(path), observer: observer)
    }
}

extension ClientResponse {
    /// With Suhyeon's result: of a success, in an envelope of exactly three members (With Suhyeon contract 1.1).
    @discardableResult
    package func result() throws -> JSON {
        let envelope = try json()
        guard envelope.keys == ["errorCode", "message", "result"], let result = envelope["result"],
            envelope["errorCode"] == .null, envelope["message"] == "SUCCESS"
        else { throw ClientError("\(call) has another envelope: \(body)") }
        return result
    }

    /// The status and With Suhyeon's code of a refusal: `410 POST_006`.
    package var refusal: String {
        get throws {
            let envelope = try json(status)
            guard envelope.keys == ["errorCode", "message", "result"], envelope["result"] == .null else {
                throw ClientError("\(call) has another envelope: \(body)")
            }
            return "\(status) \(envelope["errorCode"]?.string ?? "-")"
        }
    }
}
