import Contracts
import Values

/// The location that a passenger states; every field is optional (SeatCatcher contract 1.6, calls 8 to 10).
struct RidingStatus: Sendable, Equatable {
    static let codeLimit = 32

    /// The train's number in the arrivals API.
    var trainCode: String?
    /// The number on the car's door.
    var carCode: String?
    /// A section of the car, in the app's own terms.
    var seatSection: String?
    var seatIDRequested: SeatID?

    /// - Throws: `PassengerError.textInvalid`, `.numberInvalid`.
    init(
        trainCode: String?,
        carCode: String?,
        seatSection: String?,
        seatIDRequested: SeatID?
    ) throws(PassengerError) {
        self.trainCode = try Self.code(trainCode, "trainCode")
        self.carCode = try Self.code(carCode, "carCode")
        self.seatSection = try Self.code(seatSection, "seatSection")
        if let seatIDRequested, seatIDRequested.rawValue <= 0 { throw .numberInvalid(field: "seatIdRequested") }
        self.seatIDRequested = seatIDRequested
    }

    /// Creates a status from stored values.
    init(stored columns: (String?, String?, String?, SeatID?)) {
        (trainCode, carCode, seatSection, seatIDRequested) = columns
    }

    private static func code(_ text: String?, _ field: String) throws(PassengerError) -> String? {
        guard let text else { return nil }
        return try TypedText.checked(text, field: field, limit: codeLimit)
    }
}
