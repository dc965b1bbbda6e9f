/// The agreement of two groupings, adjusted for chance: 1 if they are equal (Hubert and Arabie, "Comparing partitions",
/// 1985).
enum RandIndex {
    static func adjusted(_ a: [Int], _ b: [Int]) -> Double {
        struct Pair: Hashable {
            var a: Int
            var b: Int
        }
        func pairs(_ counts: some Collection<Int>) -> Double {
            counts.reduce(0) { $0 + Double($1) * Double($1 - 1) / 2 }
        }
        let both = pairs(Dictionary(zip(a, b).map { (Pair(a: $0, b: $1), 1) }, uniquingKeysWith: +).values)
        let ofA = pairs(Dictionary(a.map { ($0, 1) }, uniquingKeysWith: +).values)
        let ofB = pairs(Dictionary(b.map { ($0, 1) }, uniquingKeysWith: +).values)
        let expected = ofA * ofB / pairs([a.count])
        let most = (ofA + ofB) / 2
        return most == expected ? 1 : (both - expected) / (most - expected)
    }
}
