import Metrics

/// The metrics of a client.
struct PostgresMetrics: Sendable {
    /// From submission to result, including the wait; one value per group of statements.
    let duration = Timer(label: "postgres_statement_duration_seconds")
    let failures = Counter(label: "postgres_statement_failures_total")
    let retries = Counter(label: "postgres_transaction_retries_total")
    /// The number of statements waiting for a shared connection, recorded when another one starts to wait.
    let waiting = Recorder(label: "postgres_statements_waiting", aggregate: true)
    /// The number of transactions waiting for a leased connection, recorded when another one starts to wait.
    let waitingForLease = Recorder(label: "postgres_transactions_waiting", aggregate: true)
    /// From an announcement to its arrival.
    let announcements = Timer(label: "announcement_seconds")
    let lostAnnouncements = Counter(label: "postgres_announcements_lost_total")
}
