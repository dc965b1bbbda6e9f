package import Postgres
package import Values

/// Days are stored as `date`: whole days since 2000-01-01.
extension CivilDate: PostgresCodable, PostgresArrayElement {
    package static var postgresType: PostgresType { .date }

    private static let daysBetweenEpochs = 10_957

    package func encode(into buffer: inout ParameterBuffer) throws {
        // Every year that the calendar supports is in range.
        buffer.write(Int32(clamping: dayNumber - Self.daysBetweenEpochs))
    }

    package init(postgres cell: borrowing Cell) throws {
        let bytes = try cell.bytes(of: .date, for: CivilDate.self)
        let days = Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))
        guard days != .max, days != .min else { throw cell.mismatch(CivilDate.self) }
        self.init(dayNumber: Int(days) + Self.daysBetweenEpochs)
    }
}

/// Months are stored as their first day.
extension CivilMonth: PostgresCodable, PostgresArrayElement {
    package static var postgresType: PostgresType { .date }

    package func encode(into buffer: inout ParameterBuffer) throws { try first.encode(into: &buffer) }

    package init(postgres cell: borrowing Cell) throws { self = try CivilDate(postgres: cell).month }
}
