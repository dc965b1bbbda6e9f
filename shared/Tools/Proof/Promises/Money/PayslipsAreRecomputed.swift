/// A payslip equals its recomputation.
///
/// Assumes that a pair has a recomputation for each state of the shifts that is possible.
///
/// Checks every line of both; a line that one of them does not have is 0. The story of a payslip that equals none is about
/// the recomputation that differs least.
package enum PayslipsAreRecomputed {
    package static let promise = "Every payslip equals its recomputation."

    package static func check(_ payslips: [PayslipPair]) -> Finding {
        let violations = payslips.compactMap { payslip -> Violation? in
            let nearest = payslip.recomputed.map { ($0, differences(payslip.stored, $0)) }.min {
                $0.1.count < $1.1.count
            }
            guard let (right, different) = nearest, !different.isEmpty else { return nil }
            let story = different.map { line in
                let (stored, recomputed) = (payslip.stored[line] ?? 0, right[line] ?? 0)
                let what = "\(line): \(stored) stored, \(recomputed) recomputed"
                return Step(at: payslip.at, phone: payslip.subject, what: what, trace: payslip.trace)
            }
            let named = different.prefix(3).joined(separator: ", ") + (different.count > 3 ? ", …" : "")
            return Violation("The payslip of \(payslip.subject) differs in \(named).", story: story)
        }
        return Finding(promise, checked: payslips.count, violations: violations)
    }

    /// The lines that differ.
    private static func differences(_ one: [String: Int64], _ other: [String: Int64]) -> [String] {
        Set(one.keys).union(other.keys).filter { one[$0] ?? 0 != other[$0] ?? 0 }.sorted()
    }
}
