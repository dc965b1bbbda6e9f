import AppClients
import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization

/// Writes successful calls of the tests as examples for the API's page: a file per app in the folder that
/// `MADANG_EXAMPLES` names, if it names one. An operation that no test of the run has called keeps its example.
enum ExampleRecorder {
    private static let folder = ProcessInfo.processInfo.environment["MADANG_EXAMPLES"]

    private struct Examples {
        /// By operation, `GET /stations/{stationId}`.
        var recorded: [String: RecordedExample] = [:]
        var previous: [String: RecordedExample] = [:]
    }

    private static let examples = Mutex<[App: Examples]>([:])

    /// - Parameters:
    ///   - app: The app that calls; nil for another process.
    ///   - body: The text of the request's body; nil for one that is not text.
    static func record(
        _ app: App?,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields,
        body: String?,
        _ response: TestResponse
    ) {
        guard let folder, let app, response.status.kind == .successful, let operation = operation(method, path, of: app)
        else { return }
        let example = RecordedExample(
            request: .init(
                path: abridged(path),
                headers: shown(headers),
                type: type(headers, body),
                body: body.flatMap { JSON(parsing: $0.utf8)?.abridged() }
            ),
            response: .init(
                status: response.status.code,
                type: type(response.headers, response.text),
                body: JSON(parsing: response.body.readableBytesView)?.abridged()
            )
        )
        examples.withLock { examples in
            var own = examples[app] ?? Examples(previous: read(app, folder))
            if own.recorded[operation].map(example.isBetter) ?? true {
                own.recorded[operation] = example
                write(own.previous.merging(own.recorded) { $1 }, app, folder)
            }
            examples[app] = own
        }
    }

    /// The operation that a path calls, with the fewest variables if several fit.
    private static func operation(_ method: HTTPRequest.Method, _ path: String, of app: App) -> String? {
        let segments = path.prefix { $0 != "?" }.split(separator: "/")
        let templates = AppCatalogues.all.filter { $0.app == app }.flatMap { $0.operations.map(\.operation) }
            .filter { $0.method.rawValue == method.rawValue && !$0.isWebSocket }.map(\.path)
        let fitting = templates.filter { template in
            let parts = template.split(separator: "/")
            return parts.count == segments.count && zip(parts, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return fitting.min { $0.count { $0 == "{" } < $1.count { $0 == "{" } }.map { "\(method) \($0)" }
    }

    /// The path with the secrets of its query cut.
    private static func abridged(_ path: String) -> String {
        let parts = path.split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return path }
        let values = parts[1].split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            guard name.count < pair.count else { return String(pair) }
            return "\(name)=\(JSON.abridged(String(pair.dropFirst(name.count + 1)), String(name)))"
        }
        return "\(parts[0])?\(values.joined(separator: "&"))"
    }

    /// The headers that an app sets for this call only.
    private static func shown(_ headers: HTTPFields) -> [String: String]? {
        let hidden = [HTTPField.Name.contentType, .authorization, .userAgent]
        let shown = headers.filter { !hidden.contains($0.name) && !$0.name.canonicalName.hasPrefix("x-madang-") }
            .map { ($0.name.rawName, JSON.abridged($0.value, $0.name.rawName)) }
        return shown.isEmpty ? nil : Dictionary(shown) { $1 }
    }

    private static func type(_ headers: HTTPFields, _ text: String?) -> String? {
        guard text != "", text.flatMap({ JSON(parsing: $0.utf8) }) == nil else { return nil }
        return headers[.contentType].map { String($0.prefix { $0 != ";" }) }
    }

    private static func file(_ app: App, _ folder: String) -> URL {
        URL(filePath: folder).appending(path: "\(app.rawValue).json")
    }

    private static func read(_ app: App, _ folder: String) -> [String: RecordedExample] {
        let data = try? Data(contentsOf: file(app, folder))
        return data.flatMap { try? JSONDecoder().decode([String: RecordedExample].self, from: $0) } ?? [:]
    }

    private static func write(_ examples: [String: RecordedExample], _ app: App, _ folder: String) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try? (try? encoder.encode(examples))?.write(to: file(app, folder))
    }
}
