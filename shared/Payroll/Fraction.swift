/// An exact rate: `parts` of `of`. Percentages in binary would be off by a won now and then.
package struct Fraction: Sendable, Equatable, Decodable {
    package var parts: Int
    package var of: Int

    package init(_ parts: Int, of whole: Int) {
        self.parts = parts
        self.of = whole
    }

    /// The rate of an amount, cut to whole won.
    package func times(_ amount: Int) -> Int { amount * parts / of }

    /// Cut to ten won (National Treasury Management Act 47).
    package func timesCutToTen(_ amount: Int) -> Int { (amount * parts / of).cutToTen }
}

extension Int {
    /// Without what is under ten won.
    package var cutToTen: Int { self / 10 * 10 }
}
