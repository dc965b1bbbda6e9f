import Metrics

/// What operators see of a client.
struct PostgresMetrics: Sendable {
    /// From submission to answer, waiting included; one per group of statements.
    let duration = Timer(label: "postgres_statement_duration_seconds")
    let failures = Counter(label: "postgres_statement_failures_total")
    let retries = Counter(label: "postgres_transaction_retries_total")
    /// Statements that waited for a shared connection when another one came to wait.
    let waiting = Recorder(label: "postgres_statements_waiting", aggregate: true)
    /// Transactions that waited for a leased connection when another one came to wait.
    let waitingForLease = Recorder(label: "postgres_transactions_waiting", aggregate: true)
}
