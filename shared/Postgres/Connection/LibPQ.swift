import CLibPQ
import Glibc

/// A libpq connection: a thin wrapper of the C calls, closed on deinitialization. It is owned by one
/// `PostgresConnection`.
struct LibPQ: ~Copyable {
    private let connection: OpaquePointer
    private let end = SessionEnd()

    /// An error with which the server has ended the session, though it has got no statement. libpq takes it for a notice.
    private final class SessionEnd {
        var sqlState: SQLState?
    }

    /// Starts connecting with libpq's connection parameters; nil if memory is exhausted.
    init?(parameters: [String: String]) {
        let keywords = parameters.keys.map { strdup($0) }
        let values = parameters.values.map { strdup($0) }
        defer { (keywords + values).forEach { free($0) } }
        let connection = PQconnectStartParams(
            (keywords + [nil]).map { $0.map { UnsafePointer($0) } },
            (values + [nil]).map { $0.map { UnsafePointer($0) } },
            0
        )
        guard let connection else { return nil }
        self.connection = connection
        // By default notices such as "table exists already, skipping" are written to standard error.
        PQsetNoticeReceiver(
            connection,
            { end, notice in
                let letters: [Unicode.Scalar] = ["V", "C"]
                let fields = letters.map { PQresultErrorField(notice, Int32($0.value)).map { String(cString: $0) } }
                guard let end, fields[0] == "FATAL", let code = fields[1] else { return }
                Unmanaged<SessionEnd>.fromOpaque(end).takeUnretainedValue().sqlState = SQLState(rawValue: code)
            },
            Unmanaged.passUnretained(end).toOpaque()
        )
    }

    deinit {
        PQfinish(connection)
    }

    var socket: Int32 { PQsocket(connection) }
    var isBroken: Bool { PQstatus(connection) == CONNECTION_BAD }
    var processID: Int32 { PQbackendPID(connection) }
    /// Why the server has ended the session, if it said so while no statement was under way.
    var endState: SQLState? { end.sqlState }
    var isIdle: Bool { PQtransactionStatus(connection) == PQTRANS_IDLE }
    var errorMessage: String { String(cString: PQerrorMessage(connection)).trimmed }

    /// Whether the server's host has acknowledged neither what was sent nor its first two repetitions, which come after
    /// 0.2 s and 0.4 s or longer (RFC 6298 §5). A server that is only slow acknowledges.
    var isUnacknowledged: Bool {
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        return getsockopt(socket, CInt(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 && info.tcpi_retransmits >= 2
    }

    // MARK: Connecting

    /// Whether the host of the server that is tried has not accepted the connection.
    var isHostSilent: Bool { PQstatus(connection) == CONNECTION_STARTED }

    /// The server that is tried or used: its address, or the directory of its socket, and its port.
    var server: String {
        let (host, address) = (String(cString: PQhost(connection)), String(cString: PQhostaddr(connection)))
        return "\(address.isEmpty ? host : address):\(String(cString: PQport(connection)))"
    }

    enum Progress {
        case wants(Readiness), connected, failed
    }

    func continueConnecting() -> Progress {
        switch PQconnectPoll(connection) {
        case PGRES_POLLING_READING: .wants(.readable)
        case PGRES_POLLING_WRITING: .wants(.writable)
        case PGRES_POLLING_OK: .connected
        default: .failed
        }
    }

    func enterPipelineMode() -> Bool {
        PQsetnonblocking(connection, 1) == 0 && PQenterPipelineMode(connection) == 1
    }

    func exitPipelineMode() -> Bool {
        PQexitPipelineMode(connection) == 1
    }

    // MARK: Sending

    func sendParse(name: String, _ sql: SQL) -> Bool {
        name.withCString {
            PQsendPrepare(connection, $0, sql.text, Int32(sql.parameters.count), sql.parameters.types) == 1
        }
    }

    func sendExecute(name: String, _ parameters: Parameters) -> Bool {
        name.withCString { name in
            parameters.withPointers { count, values, lengths, formats in
                PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1) == 1
            }
        }
    }

    /// Sends several statements by the simple protocol; only outside pipeline mode.
    func sendScript(_ text: String) -> Bool {
        PQsendQuery(connection, text) == 1
    }

    func sendSync() -> Bool {
        PQpipelineSync(connection) == 1
    }

    /// Lets what the server has not received yet be lost when the connection is closed. Otherwise the system goes on to send
    /// it, and a statement could take effect long after its failure was reported.
    func discardOutput() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    /// - Returns: Whether all output has been sent; nil if the connection broke.
    func flush() -> Bool? {
        switch PQflush(connection) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    // MARK: Receiving

    func consumeInput() -> Bool {
        PQconsumeInput(connection) == 1
    }

    /// Whether the next call of `nextResult` would block.
    var isBusy: Bool { PQisBusy(connection) == 1 }

    /// The next message of the server, as far as it has arrived.
    enum Received {
        case nothing
        case answer(PostgresResult)
        case failure(PostgresError, isFatal: Bool)
        /// Skipped after a failure in the same group.
        case aborted
        case sync
        /// The server waits for or sends data by the COPY protocol.
        case copy
    }

    func nextResult() -> Received {
        guard let result = PQgetResult(connection) else { return .nothing }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return .answer(PostgresResult(result))
        case PGRES_PIPELINE_SYNC:
            PQclear(result)
            return .sync
        case PGRES_PIPELINE_ABORTED:
            PQclear(result)
            return .aborted
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            PQclear(result)
            return .copy
        default:
            let result = PostgresResult(result)
            return .failure(result.error, isFatal: result.isFatal)
        }
    }

    func nextNotification() -> (channel: String, payload: String)? {
        guard let notification = PQnotifies(connection) else { return nil }
        defer { PQfreemem(notification) }
        return (String(cString: notification.pointee.relname), String(cString: notification.pointee.extra))
    }

    /// Creates a request that cancels the running statement from another thread.
    func makeCancel() -> CancelRequest? {
        PQgetCancel(connection).map { CancelRequest($0) }
    }
}

/// The result of one statement. libpq never changes a result once it is returned, so it may be read on any thread.
package final class PostgresResult: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { PostgresEventLoop.shared.discard(pointer) }

    var rowCount: Int { Int(PQntuples(pointer)) }
    /// The number of rows that an INSERT, UPDATE or DELETE affected, or that a SELECT returned.
    var affectedRows: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }
    /// `COMMIT`, `ROLLBACK`, `INSERT 0 1`, …
    var commandTag: String { String(cString: PQcmdStatus(pointer)) }

    /// Whether the server closed the connection with this message.
    var isFatal: Bool {
        let severity = field("V")
        return severity == "FATAL" || severity == "PANIC" || field("C") == nil
    }

    /// PostgreSQL's error; a lost connection has no SQLSTATE.
    var error: PostgresError {
        let sqlState = field("C").map { SQLState(rawValue: $0) }
        return PostgresError(
            sqlState == nil ? .connectionLost : .refused,
            field("M") ?? String(cString: PQresultErrorMessage(pointer)).trimmed,
            sqlState: sqlState,
            constraint: field("n"),
            table: field("t"),
            column: field("c"),
            routine: field("R")
        )
    }

    /// A field of the error message, by its letter in the protocol (PostgreSQL manual, "Error and Notice Message
    /// Fields").
    private func field(_ code: Unicode.Scalar) -> String? {
        PQresultErrorField(pointer, Int32(code.value)).map { String(cString: $0) }
    }
}

/// A request to cancel the running statement of a connection. It blocks, because it opens a connection of its own.
final class CancelRequest: @unchecked Sendable {
    private let cancel: OpaquePointer

    init(_ cancel: OpaquePointer) { self.cancel = cancel }
    deinit { PQfreeCancel(cancel) }

    func send() {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            _ = PQcancel(cancel, message.baseAddress, Int32(message.count))
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
