package import AppClients
import Contracts
package import FoundationEssentials

/// The server that a run asks, and by which means its users sign in.
package struct ConformanceTarget: Sendable {
    /// `http://host:port`.
    package var url: String
    /// Stands in for the providers of the server; nil for a server with others.
    package var sandbox: SandboxClient?
    package var credentials: Credentials

    package init(url: String, sandbox: SandboxClient?, credentials: Credentials = Credentials()) {
        self.url = url
        self.sandbox = sandbox
        self.credentials = credentials
    }

    /// What users of a server have, for servers that sign in elsewhere: the content of `--credentials`.
    ///
    ///     {"keys": {"anlaka": "key"}, "tokens": {"moup": {"owner": {"accessToken": "…", "refreshToken": "…"}}}}
    package struct Credentials: Sendable, Decodable {
        /// The values of `SeSACKey`, by app.
        package var keys: [String: String]?
        /// By app and person; the names of persons are those that the scenarios ask for.
        package var tokens: [String: [String: ClientTokens]]?

        package init(keys: [String: String]? = nil, tokens: [String: [String: ClientTokens]]? = nil) {
            self.keys = keys
            self.tokens = tokens
        }

        /// - Throws: `ConformanceError` for a file that is none of this form.
        package init(json: Data) throws(ConformanceError) {
            do {
                self = try JSONDecoder().decode(Credentials.self, from: json)
            } catch {
                throw ConformanceError("the credentials have another form; see --help")
            }
            for app in Array((keys ?? [:]).keys) + Array((tokens ?? [:]).keys) where App(rawValue: app) == nil {
                throw ConformanceError("the credentials name an app that is not known: \(app)")
            }
        }

        func key(of app: App) -> String? {
            if let own = keys?[app.rawValue] { return own }
            return switch app {
            case .anlaka: AppKey.anlaka
            case .culture: AppKey.culture
            default: nil
            }
        }

        func tokens(of app: App, _ person: String) -> ClientTokens? { tokens?[app.rawValue]?[person] }
    }
}
