import AsyncHTTPClient
import Contracts
import FoundationEssentials
import ServiceKit

/// The location of the apps' service accounts: a path with `*` for the app, as `/run/firebase/firebase-*.json`. In
/// development it is a URL of the sandbox.
struct FCMCredentials: Sendable, Equatable {
    var pattern: String

    static let sandbox = Self(pattern: "http://127.0.0.1:8090/_control/fcm/service-accounts/madang-*")

    /// The apps with credentials: all for a URL, otherwise those with a file.
    var apps: Set<App> {
        Set(App.allCases.filter { isAddress || FileManager.default.isReadableFile(atPath: place(of: $0)) })
    }

    /// - Throws: `ProviderUnavailable`; `FCMAccessRefused` when the file is not a service account.
    func account(of app: App, timeout: Duration, http: HTTPClient) async throws -> ServiceAccount {
        let place = place(of: app)
        guard isAddress else {
            let file = try? Data(contentsOf: URL(filePath: place))
            guard let account = file.flatMap({ try? JSONDecoder().decode(ServiceAccount.self, from: $0) }) else {
                throw FCMAccessRefused(reason: "\(place) is no service account")
            }
            return account
        }
        let console = ProviderConnection(provider: "Firebase", baseURL: place, http: http, timeout: timeout)
        guard let account = try await console.get("").value(ServiceAccount.self) else { throw console.unavailable }
        return account
    }

    var isAddress: Bool { pattern.hasPrefix("http://") || pattern.hasPrefix("https://") }

    private func place(of app: App) -> String {
        pattern.replacing("*", with: app.rawValue)
    }
}
