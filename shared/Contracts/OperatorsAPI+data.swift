extension OperatorsAPI {
    /// `GET /internal/operators/data`: what a service has in its database, and what runs there. Every service with a database
    /// has it; only the console may call it.
    package struct Data: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/data"

        /// Largest first.
        package var tables: [Table]
        /// The connections of the service's role, by state.
        package var connections: [Connections]
        /// Statements that have run for a second or more, longest first; at most ten.
        package var running: [Running]
        /// The size of the whole database, in bytes, and how many connections its server takes.
        package var databaseSize: Int64
        package var maxConnections: Int

        package init(
            tables: [Table],
            connections: [Connections],
            running: [Running],
            databaseSize: Int64,
            maxConnections: Int
        ) {
            (self.tables, self.connections, self.running) = (tables, connections, running)
            (self.databaseSize, self.maxConnections) = (databaseSize, maxConnections)
        }
    }

    /// A table with its partitions.
    package struct Table: Codable, Sendable, Equatable {
        package var name: String
        /// With indexes, in bytes.
        package var size: Int64
        /// As PostgreSQL estimates it; 0 before it has looked.
        package var rows: Int64
        package var partitions: Int
        /// For how long rows are kept, as the table's comment says.
        package var retention: String?

        package init(name: String, size: Int64, rows: Int64, partitions: Int, retention: String?) {
            (self.name, self.size, self.rows, self.partitions) = (name, size, rows, partitions)
            self.retention = retention
        }
    }

    package struct Connections: Codable, Sendable, Equatable {
        /// PostgreSQL's, as `idle in transaction`.
        package var state: String
        package var count: Int
        /// How many of them wait for a lock.
        package var waiting: Int
        /// The age of the oldest open transaction, in seconds; nil without one.
        package var oldest: Double?

        package init(state: String, count: Int, waiting: Int, oldest: Double?) {
            (self.state, self.count, self.waiting, self.oldest) = (state, count, waiting, oldest)
        }
    }

    package struct Running: Codable, Sendable, Equatable {
        /// Its first characters; values are `$n`.
        package var text: String
        /// In seconds.
        package var age: Double
        /// What it waits for, as `Lock: transactionid`; nil if it does not wait.
        package var waitsFor: String?

        package init(text: String, age: Double, waitsFor: String?) {
            (self.text, self.age, self.waitsFor) = (text, age, waitsFor)
        }
    }
}
