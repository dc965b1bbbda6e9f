import Glibc

/// Whether what was counted may be chance.
enum Chance {
    /// Below this probability a count is not taken for chance.
    private static let least = 0.01

    /// Whether `count` of `total` are more than a share allows, and more than chance explains.
    static func exceeds(_ count: Int, of total: Int, share: Double) -> Bool {
        guard total > 0, Double(count) > share * Double(total) else { return false }
        return atLeast(count, of: total, share) < least
    }

    /// The probability that at least `count` of `total` independent events happen, each with a probability (the tail of the
    /// binomial distribution).
    static func atLeast(_ count: Int, of total: Int, _ probability: Double) -> Double {
        guard count > 0 else { return 1 }
        guard probability > 0 else { return 0 }
        guard probability < 1 else { return 1 }
        // 1 - P(0) - … - P(count - 1), each from the one before, in logarithms.
        var term = Double(total) * log1p(-probability)
        var below = exp(term)
        for number in 0..<(count - 1) {
            term += log(Double(total - number) / Double(number + 1)) + log(probability) - log1p(-probability)
            below += exp(term)
        }
        return max(0, 1 - below)
    }
}
