package import Contracts
package import Postgres

/// Regions are stored as their keys.
extension Region: PostgresDecodable {
    package init(postgres cell: borrowing Cell) throws {
        guard let region = Region(key: try String(postgres: cell)) else { throw cell.mismatch(Region.self) }
        self = region
    }
}
