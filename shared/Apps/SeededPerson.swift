package import Contracts

/// A person of the initial data of a development installation, and the call by which their app signs them in.
///
/// Where an app signs in at Kakao or Google, the sandbox stands in for these, and takes the test user's token at any time.
package struct SeededPerson: Sendable {
    /// The name in the initial data; Anlaka and Seoul Culture have it in the e-mail address.
    package let name: String
    package let signIn: Operation
    package var headers: [String: String] = [:]
    /// JSON.
    package var body = "{}"

    package static let password = "madang2025!"
    package static func email(_ name: String) -> String { "\(name)@example.com" }

    /// The sandbox's token of a test user, of which a provider's library would give the app another each time.
    package static func token(_ id: some CustomStringConvertible) -> String { "test-user-\(id)" }

    /// Users of Kakao.
    package static let passenger: Int64 = 71_000_001
    package static let otherPassenger: Int64 = 71_000_002
    package static let traveller: Int64 = 71_000_003
    /// Users of Google.
    package static let owner = "owner"
    package static let worker = "worker"

    package static func all(of app: App) -> [SeededPerson] {
        switch app {
        case .seatcatcher: [kakao("passenger", passenger), kakao("other passenger", otherPassenger)]
        case .moup: [google(owner), google(worker)]
        case .anlaka: ["madang", "neighbour-1", "neighbour-2"].map { password($0, Anlaka().signIn) }
        case .culture: ["visitor-1", "visitor-2"].map { password($0, Culture().signIn) }
        case .withsuhyeon:
            [
                SeededPerson(
                    name: "traveller",
                    signIn: WithSuhyeon().signInWithKakao,
                    headers: ["Access-Token": token(traveller)]
                )
            ]
        }
    }

    private static func kakao(_ name: String, _ id: Int64) -> SeededPerson {
        SeededPerson(
            name: name,
            signIn: SeatCatcher().signInWithKakao,
            body: #"{"accessToken":"\#(token(id))","fcmToken":""}"#
        )
    }

    private static func google(_ subject: String) -> SeededPerson {
        SeededPerson(
            name: subject,
            signIn: MOUP().signIn,
            body: #"{"provider":"LOGIN_GOOGLE","authCode":"\#(token(subject))","username":"","fcmToken":""}"#
        )
    }

    private static func password(_ name: String, _ signIn: Operation) -> SeededPerson {
        SeededPerson(
            name: name,
            signIn: signIn,
            body: #"{"email":"\#(email(name))","password":"\#(password)"}"#
        )
    }
}
