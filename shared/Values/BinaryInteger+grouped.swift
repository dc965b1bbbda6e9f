extension BinaryInteger {
    /// The number with thousands separators: `1,234,567`.
    package var grouped: String {
        let digits = Array(String(self))
        return digits.indices.map { index in
            index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digits[index])" : "\(digits[index])"
        }.joined()
    }
}
