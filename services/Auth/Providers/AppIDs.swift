import Contracts
import ServiceHost

/// Under which ids our apps are known to a provider. One that is given without an app counts for all of them.
///
/// A token for one app proves nothing to another: a provider's ids of people may differ from app to app.
struct AppIDs: Sendable, Equatable {
    private var common: [String] = []
    private var own: [App: [String]] = [:]

    /// One id for all apps.
    init(_ id: String) {
        common = [id]
    }

    /// `id`, or `moup=id`, several joined by commas; nil for an app that is not there, and for nothing at all.
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

    /// An app's ids, its own first.
    subscript(app: App) -> [String] {
        own[app, default: []] + common
    }
}

extension Settings {
    /// Ids that have a default in development, and must be given in production.
    mutating func appIDs(_ name: String, development: String) -> AppIDs {
        _ = list(name, development: [development])
        return value(name, default: AppIDs(development), "ids joined by commas, each as id or as app=id") {
            AppIDs(parsing: $0)
        }
    }
}
