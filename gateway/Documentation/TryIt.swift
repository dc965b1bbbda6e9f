import Apps
import Contracts
import ServiceKit

/// What a page needs to send calls: whom it can sign in, and the app's key. It exists in development only.
struct TryIt: Sendable {
    /// A key of each app that has one.
    let keys: [App: String]

    /// - Returns: nil in production.
    init?(_ configuration: GatewayConfiguration) {
        guard configuration.environment == .development else { return nil }
        keys = Dictionary(configuration.appKeys.sorted { $0.key > $1.key }.map { ($0.value, $0.key) }) { $1 }
    }

    /// How the page's script sends an app's calls.
    struct Session: Encodable {
        /// Sent with each call.
        var headers: [String: String]
        /// Precedes the access token in `Authorization`.
        var scheme: String
        var persons: [Person]
    }

    /// A person of the initial data, with the call that signs them in.
    struct Person: Encodable {
        var name: String
        var method: String
        var path: String
        var headers: [String: String]
        var body: String
    }

    /// A call that a test has made.
    struct Call: Encodable {
        /// With its query.
        var path: String
        /// The media type of a body that is not JSON.
        var type: String?
        /// JSON; empty without a body.
        var body: String
    }

    /// By operation, as `GET /stations/{stationId}`.
    func calls(of app: App) -> [String: Call] {
        Examples.of(app).mapValues { example in
            let body = example.request.body.map { JSONMarkup.text($0) } ?? ""
            return Call(path: example.request.path, type: example.request.type, body: body)
        }
    }

    func session(of app: App) -> Session {
        Session(
            headers: keys[app].map { ["SeSACKey": $0] } ?? [:],
            scheme: app.hasKey ? "" : "Bearer ",
            persons: SeededPerson.all(of: app).map { person in
                Person(
                    name: person.name,
                    method: person.signIn.method.rawValue,
                    path: person.signIn.path,
                    headers: person.headers,
                    body: person.body
                )
            }
        )
    }
}
