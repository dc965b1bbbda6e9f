/// A payslip equals its recomputation.
///
/// Assumes that the recomputation begins with the wage terms and the times of work that were stored with the payslip.
///
/// Checks every line of both; a line that one of them does not have is 0.
package enum PayslipsAreRecomputed {
    package static let promise = "Every payslip equals its recomputation."

    package static func check(_ payslips: [PayslipPair]) -> Finding {
        let violations = payslips.compactMap { payslip -> Violation? in
            let lines = Set(payslip.stored.keys).union(payslip.recomputed.keys).sorted()
            let different = lines.filter { payslip.stored[$0] ?? 0 != payslip.recomputed[$0] ?? 0 }
            guard !different.isEmpty else { return nil }
            let story = different.map { line in
                let (stored, recomputed) = (payslip.stored[line] ?? 0, payslip.recomputed[line] ?? 0)
                let what = "\(line): \(stored) stored, \(recomputed) recomputed"
                return Step(at: payslip.at, phone: payslip.subject, what: what)
            }
            let named = different.prefix(3).joined(separator: ", ") + (different.count > 3 ? ", …" : "")
            return Violation("The payslip of \(payslip.subject) differs in \(named).", story: story)
        }
        return Finding(promise, checked: payslips.count, violations: violations)
    }
}
