import Contracts

/// The seats of a car have ids that follow from their place, so that the map of a car that is not stored needs no
/// rows: bit 62, seven characters of the train's number in 6 bits each, the car's code in 14 bits, and the index of the
/// seat in the car in 6 bits. An id without bit 62 is that of a stored seat of any car.
extension SeatID {
    /// - Parameters:
    ///   - index: the position in the car, from 0.
    ///   - car: of a train whose number has at most `TrainCode.longest` characters.
    init(_ index: Int, of car: CarAddress) {
        var bits: Int64 = 1
        let train = car.train.text.utf8.map { Self.characters.firstIndex(of: $0).map { $0 + 1 } ?? 0 }
        for character in 0..<TrainCode.longest {
            bits = bits << 6 | Int64(character < train.count ? train[character] : 0)
        }
        bits = bits << 14 | (Int64(car.code) ?? 0)
        self.init(rawValue: bits << 6 | Int64(index))
    }

    /// The car and the index that the id contains; nil for an id that contains none.
    var place: (car: CarAddress, index: Int)? {
        guard rawValue > 0, rawValue >> 62 == 1 else { return nil }
        let index = Int(rawValue & 63)
        let digits = String(rawValue >> 6 & 16_383)
        let train = (0..<TrainCode.longest).reversed().map { Int(rawValue >> (20 + 6 * $0) & 63) }
        let text = String(decoding: train.prefix { $0 > 0 }.map { Self.characters[$0 - 1] }, as: UTF8.self)
        let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        guard let car = try? CarAddress(train: text, code: code), index < CarLayout(carCode: code).seatCount,
            SeatID(index, of: car) == self
        else { return nil }
        return (car, index)
    }

    private static let characters = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
