import Tracing
import Values

/// The span of statements that are sent together, or of a transaction (OpenTelemetry, "Semantic conventions for database
/// client spans"). It has the statement's text, in which values are `$n`, and none of the values.
struct StatementSpan: Sendable {
    private let span: any Span

    /// - Returns: nil outside of a trace.
    init?(_ statements: SmallVector<SQL>, of schema: String?) {
        guard let first = statements.first, let span = Self.begin(first.name, schema) else { return nil }
        self.span = span
        span.attributes["db.query.text"] = SpanAttribute.stringConvertible(Texts(statements: statements.map(\.pieces)))
        if statements.count > 1 { span.attributes["db.operation.batch.size"] = statements.count }
    }

    init?(transactionOf schema: String?) {
        guard let span = Self.begin("transaction", schema) else { return nil }
        self.span = span
    }

    private static func begin(_ name: @autoclosure () -> String, _ schema: String?) -> (any Span)? {
        guard let context = ServiceContext.current else { return nil }
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return nil }
        let span = tracer.startAnySpan(name(), context: context, ofKind: .client)
        span.attributes["db.system.name"] = "postgresql"
        if let schema { span.attributes["db.namespace"] = schema }
        return span
    }

    /// That of the statements of a transaction.
    var context: ServiceContext { span.context }

    /// Records how long a connection was waited for.
    func waited(_ time: Duration) {
        span.attributes["madang.wait_us"] = Int(time / .microseconds(1))
    }

    func end(_ results: some Collection<PostgresResult>) {
        span.attributes["db.response.returned_rows"] = results.reduce(0) { $0 + $1.affectedRows }
        span.end()
    }

    func end() { span.end() }

    /// Records why it failed. What callers expect is no error of the span: a violated constraint, a conflict after which the
    /// transaction is repeated, and an error by which the caller's own code ends a transaction.
    ///
    /// - Parameter mayRepeat: Whether a conflict may have the transaction repeated.
    func fail(_ error: any Error, mayRepeat: Bool = false) {
        if error.isDatabaseFailure, !(mayRepeat && (error as? PostgresError)?.isConflict == true) {
            span.setStatus(SpanStatus(code: .error))
        }
        if let error = error as? PostgresError {
            span.attributes["error.type"] = "\(error.kind)"
            if let state = error.sqlState { span.attributes["db.response.status_code"] = state.rawValue }
            if let constraint = error.constraint { span.attributes["madang.constraint"] = constraint }
        } else {
            span.attributes["error.type"] = "\(type(of: error))"
        }
        span.end()
    }

    /// The texts, which are joined when they are read.
    private struct Texts: CustomStringConvertible, Sendable {
        let statements: [[String]]

        var description: String { statements.map(SQL.text).joined(separator: "; ") }
    }
}

extension SQL {
    /// Where the statement is written.
    struct Origin: Sendable {
        var file: StaticString
        var function: StaticString
    }

    /// The statement with its name for traces.
    func from(_ file: StaticString, _ function: StaticString) -> SQL {
        var sql = self
        sql.origin = sql.origin ?? Origin(file: file, function: function)
        return sql
    }

    /// The function that runs the statement, as `PushStore.due`, or the statement's first words.
    var name: String {
        guard let origin else {
            return pieces[0].split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
        }
        let file = "\(origin.file)".split(separator: "/").last?.prefix { $0 != "." && $0 != "+" } ?? ""
        return "\(file).\("\(origin.function)".prefix { $0 != "(" })"
    }

    /// The text with `$1`, `$2`, … in place of the parameters.
    static func text(_ pieces: [String]) -> String {
        guard pieces.count > 1 else { return pieces[0] }
        var text = pieces[0]
        for (index, piece) in pieces.dropFirst().enumerated() {
            text += "$\(index + 1)"
            text += piece
        }
        return text
    }
}
