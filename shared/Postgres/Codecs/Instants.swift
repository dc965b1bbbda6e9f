package import FoundationEssentials

/// Dates are `timestamptz`: whole microseconds since 2000-01-01 00:00 UTC. They can also be decoded from `timestamp`
/// (taken as UTC) and `date` (midnight in UTC). PostgreSQL's `infinity` is an infinite interval.
extension Date: PostgresCodable, PostgresArrayElement {
    package static var postgresType: PostgresType { .timestamptz }

    /// From 2000-01-01, PostgreSQL's epoch, to 2001-01-01, Foundation's.
    private static let secondsBetweenEpochs: Double = 366 * 86_400

    package func encode(into buffer: inout ParameterBuffer) throws {
        let microseconds = ((timeIntervalSinceReferenceDate + Self.secondsBetweenEpochs) * 1_000_000).rounded()
        if let value = Int64(exactly: microseconds) {
            buffer.write(value)
        } else if microseconds.isInfinite {
            buffer.write(microseconds > 0 ? Int64.max : Int64.min)
        } else {
            throw PostgresError(.unencodable, "the date is out of range")
        }
    }

    package init(postgres cell: borrowing Cell) throws {
        let bytes = try cell.bytes(of: .timestamptz, .timestamp, .date, for: Date.self)
        switch bytes.count {
        case 8:
            let microseconds = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            self = Self.fromEpoch(
                seconds: Double(microseconds) / 1_000_000,
                isInfinite: microseconds == .max || microseconds == .min
            )
        case 4:
            let days = Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))
            self = Self.fromEpoch(seconds: Double(days) * 86_400, isInfinite: days == .max || days == .min)
        default:
            throw cell.mismatch(Date.self)
        }
    }

    private static func fromEpoch(seconds: Double, isInfinite: Bool) -> Date {
        Date(timeIntervalSinceReferenceDate: isInfinite ? seconds * .infinity : seconds - secondsBetweenEpochs)
    }
}
