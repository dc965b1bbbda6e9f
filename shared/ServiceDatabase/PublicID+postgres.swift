package import Contracts
package import Postgres

/// Public ids are stored as `text`, which the tables check.
extension PublicID: PostgresCodable, PostgresArrayElement {
    package init(postgres cell: borrowing Cell) throws { self.init(unchecked: try String(postgres: cell)) }
}
