import Subway

/// A car of a train: the train's number (`btrainNo` of the arrivals API) and the four digits on the car's door.
struct CarAddress: Sendable, Hashable {
    let train: TrainCode
    let code: String

    /// - Throws: `SeatsError.trainCodeInvalid`, `.carCodeInvalid`.
    init(train: String, code: String) throws(SeatsError) {
        try self.init(train: TrainCode(parsing: train), code: code)
    }

    /// - Throws: `SeatsError.carCodeInvalid`.
    init(train: TrainCode, code: String) throws(SeatsError) {
        self.train = train
        guard code.utf8.count == 4, code.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .carCodeInvalid }
        self.code = code
    }

    /// Creates an address from stored values.
    init(storedTrain: String, code: String) {
        self.train = TrainCode(stored: storedTrain)
        self.code = code
    }
}

extension CarAddress {
    /// The line, from the first digit of the code.
    var line: Line? { Line(parsing: String(code.prefix(1))) }
}

extension CarAddress: CustomStringConvertible {
    var description: String { "\(train.text)-\(code)" }
}

/// A train's number: letters, digits and hyphens. A dot would break the STOMP destinations that contain it.
struct TrainCode: Sendable, Hashable {
    let text: String

    /// More characters than the number of any train in Seoul has.
    static let longest = 7

    init(parsing text: String) throws(SeatsError) {
        let isGood = (1...Self.longest).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isAllowed)
        guard isGood else { throw .trainCodeInvalid }
        self.text = text
    }

    init(stored text: String) {
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
