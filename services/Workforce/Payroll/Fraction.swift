/// An exact rate: `parts` of `of`. Binary floating-point percentages would occasionally be off by a won.
package struct Fraction: Sendable, Equatable, Decodable {
    package var parts: Int
    package var of: Int

    package init(_ parts: Int, of whole: Int) {
        self.parts = parts
        self.of = whole
    }

    /// The rate of an amount, truncated to whole won.
    package func times(_ amount: Int) -> Int { amount * parts / of }

    /// The rate of an amount, truncated to ten won (National Treasury Management Act 47).
    package func timesCutToTen(_ amount: Int) -> Int { (amount * parts / of).cutToTen }
}

extension Int {
    /// The number truncated to a multiple of ten.
    package var cutToTen: Int { self / 10 * 10 }
}
