import Testing

@testable import Payroll

/// Evaluates a payslip's formula from its inputs, exactly, and with nothing else but the withholding table.
struct Formula {
    private let inputs: [String: [Quotient]]
    private let names: [String]
    private var rest: Substring
    /// The index into inputs that occur several times.
    private var index = 0

    /// The value of a line's formula for one of its items.
    static func value(of item: Payslip.Item, by formula: String) throws -> Int {
        var formula = Formula(formula, item.inputs)
        let value = try formula.sum()
        try #require(formula.rest.isEmpty, "\(formula.rest)")
        try #require(value.of == 1, "\(formula) is no whole number")
        return value.parts
    }

    private init(_ formula: String, _ inputs: [Payslip.Input]) {
        self.inputs = Dictionary(grouping: inputs, by: \.name).mapValues { $0.map { Quotient($0.value, $0.of ?? 1) } }
        names = self.inputs.keys.sorted { $0.count > $1.count }
        rest = formula.filter { $0 != " " }[...]
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest.removeFirst(text.count)
        return true
    }

    private mutating func sum() throws -> Quotient {
        var value = try product()
        while true {
            if take("+") {
                value = value + (try product())
            } else if take("-") {
                value = value + (try product()) * Quotient(-1, 1)
            } else {
                return value
            }
        }
    }

    private mutating func product() throws -> Quotient {
        var value = try factor()
        while true {
            if take("×") {
                value = value * (try factor())
            } else if take("÷") {
                let divisor = try factor()
                value = value * Quotient(divisor.of, divisor.parts)
            } else {
                return value
            }
        }
    }

    private mutating func factor() throws -> Quotient {
        if take("⌊") {
            let value = try sum()
            try #require(take("⌋"))
            return Quotient(value.parts / value.of, 1)
        }
        if take("Σ") { return try repeated() }
        for (name, apply) in Self.functions where take("\(name)(") {
            var arguments = [try sum()]
            while take(",") { arguments.append(try sum()) }
            try #require(take(")"))
            return apply(arguments)
        }
        if let name = names.first(where: { rest.hasPrefix($0) }) {
            rest.removeFirst(name.count)
            let values = try #require(inputs[name])
            return values.count == 1 ? values[0] : values[index]
        }
        let digits = rest.prefix { $0.isNumber }
        rest.removeFirst(digits.count)
        return Quotient(try #require(Int(digits), "\(rest)"), 1)
    }

    private mutating func repeated() throws -> Quotient {
        let (start, count) = (rest, inputs.values.map(\.count).max() ?? 1)
        var total = Quotient(0, 1)
        for number in 0..<count {
            (rest, index) = (start, number)
            total = total + (try factor())
        }
        index = 0
        return total
    }

    private static let functions: [(String, @Sendable ([Quotient]) -> Quotient)] = [
        ("min", { $0.min() ?? $0[0] }), ("max", { $0.max() ?? $0[0] }),
        ("소액부징수", { $0[0] < Quotient(1000, 1) ? Quotient(0, 1) : $0[0] }),
        ("간이세액표", { Quotient(WithholdingTable.tax(pay: $0[0].parts, dependents: $0[1].parts), 1) }),
    ]
}

/// A quotient of whole numbers, in lowest terms.
private struct Quotient: Comparable {
    var parts: Int
    var of: Int

    init(_ parts: Int, _ of: Int) {
        var (one, other) = (abs(parts), abs(of))
        while other != 0 { (one, other) = (other, one % other) }
        self.parts = parts / max(one, 1)
        self.of = of / max(one, 1)
    }

    static func + (one: Self, other: Self) -> Self {
        Self(one.parts * other.of + other.parts * one.of, one.of * other.of)
    }
    static func * (one: Self, other: Self) -> Self { Self(one.parts * other.parts, one.of * other.of) }
    static func < (one: Self, other: Self) -> Bool { one.parts * other.of < other.parts * one.of }
}
