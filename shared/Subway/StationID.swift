import Contracts

/// A stop of a line, by its number in the station data. The code names some stops by their numbers.
package struct StationID: Identifier, ExpressibleByIntegerLiteral {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package init(integerLiteral number: Int64) { rawValue = number }
}
