import Synchronization

/// A user's connection of one app with the gateway: the headers of every request, and the session.
package final class AppConnection: Sendable {
    package let transport: HTTPTransport
    /// The user's name, for the observer's output.
    package let name: String
    private let headers: [String: String]
    private let tokenPrefix: String
    private let session = Mutex(Session())

    private struct Session {
        var tokens: ClientTokens?
        var userID = ""
    }

    /// - Parameters:
    ///   - gateway: `http://host:port`.
    ///   - headers: Sent with every request.
    ///   - tokenPrefix: Precedes the access token in `Authorization`.
    package init(
        _ gateway: String,
        name: String = "",
        headers: [String: String] = [:],
        tokenPrefix: String = "Bearer ",
        observer: @escaping ClientObserver = { _ in }
    ) {
        transport = HTTPTransport(gateway, observer: observer)
        self.name = name
        self.headers = headers
        self.tokenPrefix = tokenPrefix
    }

    package var gateway: String { transport.base }

    /// The URL of a WebSocket behind the gateway.
    package func socketURL(_ path: String) -> String { "ws" + gateway.dropFirst("http".count) + path }

    /// The user's tokens; nil before the sign-in.
    package var tokens: ClientTokens? {
        get { session.withLock { $0.tokens } }
        set { session.withLock { $0.tokens = newValue } }
    }

    /// The user's id in the app; empty while the app does not know it.
    package var userID: String {
        get { session.withLock { $0.userID } }
        set { session.withLock { $0.userID = newValue } }
    }

    /// The headers of every request, with the access token if there is one.
    package var currentHeaders: [String: String] {
        var all = headers
        all["Authorization"] = tokens.map { tokenPrefix + $0.accessToken }
        return all
    }

    /// The same session without an observer.
    package var unobserved: AppConnection {
        let copy = AppConnection(gateway, headers: headers, tokenPrefix: tokenPrefix)
        (copy.tokens, copy.userID) = (tokens, userID)
        return copy
    }
}

/// A pair of tokens, as all apps get it from their sign-in.
package struct ClientTokens: Codable, Sendable, Equatable {
    package var accessToken: String
    package var refreshToken: String

    package init(accessToken: String, refreshToken: String) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }
}
