package import Tracing

/// What a trace is about, by which it can be found. It becomes an attribute of the first span of the process.
package enum TraceSubject: String, CaseIterable, Sendable {
    case order = "madang.order"
    case payment = "madang.imp_uid"
    case room = "madang.room"
    case car = "madang.car"
    case account = "user.id"
    case session = "session.id"
    case request = "madang.request_id"
    case trace = "madang.trace_id"

    /// Whether all traces about it are kept.
    private var isMoney: Bool { self == .order || self == .payment }

    /// Notes a subject of the current task's trace.
    package func note(_ id: @autoclosure () -> String) {
        guard let fragment = ServiceContext.current?.fragment else { return }
        fragment.note(self, id())
        if isMoney { fragment.mark() }
    }
}

extension ServiceContext {
    /// Runs an operation of whose calls no spans are recorded, and which other processes see without a trace.
    package static func withoutSpans<Answer>(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> Answer
    ) async rethrows -> Answer {
        var context = ServiceContext.topLevel
        context.isUntraced = true
        return try await withValue(context, operation: operation)
    }

    /// Whether no spans are recorded: those of calls that deliver spans would be delivered for ever.
    package var isUntraced: Bool {
        get { self[UntracedKey.self] ?? false }
        set { self[UntracedKey.self] = newValue }
    }
}

private enum UntracedKey: ServiceContextKey {
    typealias Value = Bool
}
