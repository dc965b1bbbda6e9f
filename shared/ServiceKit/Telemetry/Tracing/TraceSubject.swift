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
    /// Whether no spans are recorded: those of calls that deliver spans would be delivered for ever.
    package var isUntraced: Bool {
        get { self[UntracedKey.self] ?? false }
        set { self[UntracedKey.self] = newValue }
    }
}

private enum UntracedKey: ServiceContextKey {
    typealias Value = Bool
}
