import Contracts
import Districts
import Glibc
import Values

/// 20,000 reproducible listings all over Seoul: around the centres of its neighbourhoods, at prices typical of the
/// district.
struct SeedListings: Sendable {
    static let count = 20_000

    /// The relative price level of a district, roughly by rents of flats.
    private static let levels: [String: Double] = [
        "강남구": 1.55, "서초구": 1.5, "용산구": 1.4, "송파구": 1.3, "성동구": 1.25, "마포구": 1.25, "중구": 1.15,
        "종로구": 1.15, "광진구": 1.1, "영등포구": 1.1, "양천구": 1.05, "동작구": 1.05, "강동구": 1, "서대문구": 1,
        "동대문구": 0.95, "강서구": 0.9, "성북구": 0.9, "은평구": 0.85, "관악구": 0.85, "구로구": 0.8, "노원구": 0.78,
        "금천구": 0.78, "중랑구": 0.75, "강북구": 0.72, "도봉구": 0.7,
    ]

    /// A kind of listing: its share in percent, its area in square metres, its price factor.
    private static let kinds: [(name: String, share: Int, area: ClosedRange<Double>, dearer: Double)] = [
        ("원룸", 36, 16...33, 1), ("오피스텔", 20, 20...45, 1.2), ("빌라", 20, 33...84, 0.8), ("아파트", 15, 49...134, 1),
        ("상가", 6, 25...160, 1.6), ("주상복합", 3, 59...180, 1.4),
    ]

    private static let praise = [
        "햇살이 잘 드는", "조용한 골목의", "새로 고친", "전망이 트인", "역에서 가까운", "시장 옆", "공원이 보이는", "수납이 넉넉한",
        "보안이 좋은", "바로 들어갈 수 있는",
    ]

    /// A listing.
    ///
    /// - Parameters:
    ///   - number: From 0.
    ///   - pictures: Paths, of which it uses two.
    static func listing(_ number: Int, pictures: [String]) -> EstateAPI.NewListing {
        var dice = SplitMix(state: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
        let home = Neighbourhood.all[Int(dice.next(below: UInt64(Neighbourhood.all.count)))]
        let kind = kind(dice.next(below: 100))
        let place = place(around: home, &dice)
        let area = dice.number(in: kind.area)
        let level = (levels[home.district] ?? 1) * kind.dearer * dice.number(in: 0.8...1.2)
        let isJeonse = kind.name != "상가" && dice.next(below: 4) == 0
        let rent = isJeonse ? 0 : rounded(level * area * 21_000, to: 10_000)
        let deposit = rounded(level * area * (isJeonse ? 6_500_000 : 450_000), to: 1_000_000)
        let minutes = 2 + dice.next(below: 14)
        let (year, month) = (1985 + dice.next(below: 40), 1 + dice.next(below: 12))
        let name = label(home.name)
        let first = pictures.isEmpty ? 0 : Int(dice.next(below: UInt64(pictures.count)))
        return EstateAPI.NewListing(
            reference: "seed-\(number)",
            category: kind.name,
            title: "\(name) \(praise[Int(dice.next(below: UInt64(praise.count)))]) \(kind.name)",
            introduction: "\(home.district) \(name), 역에서 걸어서 \(minutes)분",
            description: isJeonse ? "전세입니다. 언제든 보러 오실 수 있습니다." : "언제든 보러 오실 수 있습니다.",
            thumbnails: pictures.isEmpty ? [] : [pictures[first], pictures[(first + 5) % pictures.count]],
            reservationPrice: 100_000,
            deposit: deposit,
            monthlyRent: rent,
            maintenanceFee: rounded(area * 2_500, to: 10_000),
            builtYear: "\(year)-\(month < 10 ? "0" : "")\(month)-01",
            area: (area * 10).rounded() / 10,
            parkingCount: Int(dice.next(below: 3)),
            floors: dice.next(below: 20) == 0 ? -1 : 1 + Int(dice.next(below: kind.name == "아파트" ? 25 : 8)),
            options: options(&dice),
            isSafe: dice.next(below: 3) == 0,
            isRecommended: dice.next(below: 8) == 0,
            latitude: place.latitude,
            longitude: place.longitude,
            region: name
        )
    }

    private static func kind(_ roll: UInt64) -> (name: String, share: Int, area: ClosedRange<Double>, dearer: Double) {
        var rest = Int(roll)
        for kind in kinds {
            rest -= kind.share
            if rest < 0 { return kind }
        }
        return kinds[0]
    }

    /// A random place, with density increasing towards the centre.
    private static func place(around home: Neighbourhood, _ dice: inout SplitMix) -> (
        latitude: Double, longitude: Double
    ) {
        let reach = 900 * dice.number(in: 0...1) * dice.number(in: 0.3...1)
        let direction = dice.number(in: 0...(2 * .pi))
        let north = reach * cos(direction) / 111_195
        let east = reach * sin(direction) / (111_195 * cos(home.latitude * .pi / 180))
        return (home.latitude + north, home.longitude + east)
    }

    private static func options(_ dice: inout SplitMix) -> EstateAPI.Options {
        let bits = dice.next(below: 256)
        let items = EstateAPI.Options.Item.allCases.enumerated().filter { bits >> UInt64($0.offset) & 1 == 1 }
        return EstateAPI.Options(Set(items.map(\.element)))
    }

    /// `상계6.7동` becomes `상계동`.
    static func label(_ name: String) -> String {
        name.replacing(/제?[0-9][0-9.,·]*가?(?=동$)/, with: "")
    }

    private static func rounded(_ won: Double, to unit: Double) -> Int64 { Int64((won / unit).rounded() * unit) }
}

extension SplitMix {
    fileprivate mutating func next(below bound: UInt64) -> UInt64 { next() % bound }

    fileprivate mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
    }
}
