import Districts

/// The data of Kakao's local search: Seoul's neighbourhoods by their legal names (상계동, without the numbers of offices),
/// streets named after them, and several places in each. Results are deterministic.
struct KakaoRegions: Sendable {
    /// A legal neighbourhood (법정동).
    struct Quarter: Sendable, Equatable {
        var district: String
        var name: String
        var latitude: Double
        var longitude: Double

        /// `서울 노원구 상계동`
        var fullName: String { "\(KakaoRegions.city) \(district) \(name)" }
        /// `상계로`
        var road: String { "\(name.dropLast())로" }
    }

    static let city = "서울"
    let quarters: [Quarter]
    let places: [KakaoPlace]

    init() {
        var seen: Set<String> = []
        quarters = Neighbourhood.all.compactMap { neighbourhood in
            let quarter = Quarter(neighbourhood)
            return seen.insert(quarter.fullName).inserted ? quarter : nil
        }
        places = KakaoPlace.all(in: quarters)
    }

    /// The addresses that match a text: regions without a number, lots or buildings with one.
    func addresses(matching text: String) -> [KakaoAddress] {
        var words = text.split(separator: " ").map(String.init)
        let all = words.count
        words.removeAll { $0 == Self.city || $0 == "서울시" || $0 == "서울특별시" }
        let includesCity = words.count < all
        let number = words.last.flatMap(LotNumber.init)
        if number != nil { words.removeLast() }
        guard includesCity || !words.isEmpty else { return [] }
        if words.isEmpty && number == nil { return [.city] }
        if number == nil, words.count == 1, let district = quarters.first(where: { $0.district == words[0] }) {
            return [.district(district)]
        }
        return quarters.compactMap { quarter in
            let isRoad = words.contains(quarter.road)
            let names = [quarter.district, quarter.name] + (isRoad ? [quarter.road] : [])
            guard words.allSatisfy(names.contains) else { return nil }
            return KakaoAddress(quarter, number: number, asRoad: isRoad)
        }
    }

    /// The lot of a place; nil outside the city.
    func address(latitude: Double, longitude: Double) -> KakaoAddress? {
        let nearest = Neighbourhood.nearest(latitude: latitude, longitude: longitude)
        guard nearest.distance(toLatitude: latitude, longitude: longitude) < Self.reach else { return nil }
        // Lots of about ten metres.
        let (row, column) = (Int((latitude * 10_000).rounded()), Int((longitude * 10_000).rounded()))
        let lot = LotNumber(main: abs(row &* 31 &+ column) % 900 + 1, sub: abs(row &+ column &* 17) % 30)
        var address = KakaoAddress(Quarter(nearest), number: lot, asRoad: false)
        // Some lots have no building, and therefore no road address.
        address.hasRoad = (row &+ column) % 5 != 0
        return address
    }

    /// The maximum distance from the centre of a neighbourhood, in metres; places beyond it have no address.
    private static let reach = 3000.0
}

extension KakaoRegions.Quarter {
    /// The legal neighbourhood of an office: without `제3`, `6.7` and similar numbers.
    fileprivate init(_ neighbourhood: Neighbourhood) {
        var stem = neighbourhood.name.dropLast()
        let number = stem.reversed().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }.count
        if number > 0, stem.count > number {
            stem = stem.dropLast(number)
            if stem.last == "제", stem.count > 1 { stem = stem.dropLast() }
        } else if stem.last == "본", stem.count > 1 {
            stem = stem.dropLast()
        }
        self.init(
            district: neighbourhood.district,
            name: "\(stem)동",
            latitude: neighbourhood.latitude,
            longitude: neighbourhood.longitude
        )
    }
}

/// `123` or `123-4`.
struct LotNumber: Sendable, Equatable {
    var main: Int
    var sub: Int

    init(main: Int, sub: Int) {
        self.main = main
        self.sub = sub
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(parts.count), let main = parts[0], (1...9999).contains(main),
            parts.count == 1 || (0...999).contains(parts[1] ?? -1)
        else { return nil }
        self.init(main: main, sub: parts.count == 2 ? parts[1] ?? 0 : 0)
    }

    var text: String { sub == 0 ? "\(main)" : "\(main)-\(sub)" }
}
