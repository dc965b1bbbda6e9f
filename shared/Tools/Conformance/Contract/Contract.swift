package import Contracts
import Values

/// The calls of an app that a server has to serve: `Resources/<app>.json`.
package struct Contract: Sendable {
    package let app: App
    package let calls: [ContractCall]

    /// - Throws: `ConformanceError` that names the call and what of it is not understood.
    package init(of app: App) throws(ConformanceError) {
        let json =
            switch app {
            case .seatcatcher: PackageResources.seatcatcher_json
            case .moup: PackageResources.moup_json
            case .anlaka: PackageResources.anlaka_json
            case .culture: PackageResources.culture_json
            case .withsuhyeon: PackageResources.withsuhyeon_json
            }
        try self.init(of: app, json: json)
    }

    package init(of app: App, json: some Sequence<UInt8>) throws(ConformanceError) {
        self.app = app
        var calls: [ContractCall] = []
        for entry in try Self.entries(json) {
            do {
                calls.append(try ContractCall(entry, of: app))
            } catch {
                let name = "\(entry["method"]?.string ?? "?") \(entry["path"]?.string ?? "?")"
                throw ConformanceError("\(app.rawValue), \(name): \(error)")
            }
        }
        self.calls = calls
    }

    private static func entries(_ json: some Sequence<UInt8>) throws(ConformanceError) -> [JSONTree] {
        do { return try JSONTree(parsing: json).elements } catch { throw ConformanceError("\(error)") }
    }

    /// The call of a name: `GET /v1/posts/{post_id}`.
    package subscript(name: String) -> ContractCall? { calls.first { $0.name == name } }
}
