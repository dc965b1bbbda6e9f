import Contracts
import ServiceKit

/// The ids of our apps at a provider. An id without an app applies to all of them.
///
/// A token for one app is not accepted for another, since a provider's user ids may differ between apps.
struct AppIDs: Sendable, Equatable {
    private var common: [String] = []
    private var own: [App: [String]] = [:]

    /// Creates a list of one id for all apps.
    init(_ id: String) {
        common = [id]
    }

    /// Parses `id` or `moup=id`, comma-separated; returns nil for an unknown app or an empty list.
    init?(parsing text: String) {
        for entry in text.split(separator: ",") {
            let parts = entry.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            if parts.count == 1 {
                common.append(parts[0])
            } else {
                guard let app = App(rawValue: parts[0]) else { return nil }
                own[app, default: []].append(parts[1])
            }
        }
        if common.isEmpty, own.isEmpty { return nil }
    }

    /// The ids of an app, its own before the common ones.
    subscript(app: App) -> [String] {
        own[app, default: []] + common
    }
}

extension Settings {
    /// Reads ids that have a default in development and are required in production.
    mutating func appIDs(_ name: String, development: String, _ meaning: String) -> AppIDs {
        _ = list(name, development: [development], meaning)
        return value(name, default: AppIDs(development), "ids joined by commas, each as id or as app=id", meaning) {
            AppIDs(parsing: $0)
        }
    }
}
