package import ServiceKit
import Synchronization
import Testing
import Tracing

/// The spans that a test records.
package final class SpanLog: Sendable {
    package let recorder = SpanRecorder()
    private let queue = SpanQueue(limit: 100_000, batchSize: 1)
    private let taken = Mutex<[FinishedSpan]>([])

    package init() {
        recorder.export(to: queue, .always)
    }

    /// Records the spans of a task and of those that it starts.
    package func recording<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await withTracer(recorder) { try await body() }
    }

    /// All spans so far, of requests, events and jobs that have ended.
    package var spans: [FinishedSpan] {
        let new = queue.take(.max).map { $0.span }
        return taken.withLock { taken in
            taken += new
            return taken
        }
    }

    package func span(_ name: String) throws -> FinishedSpan {
        try #require(spans.first { $0.name == name }, "\(spans.map(\.name))")
    }

    /// The names from the first span of its trace to one.
    package func path(to span: FinishedSpan) -> [String] {
        var path = [span.name]
        var parent = span.parent
        while let id = parent, let next = spans.first(where: { $0.context.spanID == id }) {
            path.insert(next.name, at: 0)
            parent = next.parent
        }
        return path
    }
}

extension FinishedSpan {
    package subscript(_ attribute: String) -> String? {
        switch attributes.get(attribute) {
        case .string(let text): text
        case .stringConvertible(let value): "\(value)"
        case .int64(let number): "\(number)"
        case .int32(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        default: nil
        }
    }
}
