/// What the server notes has the server's time, whatever the phone's clock says.
///
/// Assumes that the clocks of services are wrong by less than `tolerance`, and those of phones that are wrong by more.
///
/// Checks that a shift is shown to have begun while the request was made that began it.
package enum TimesAreTheServers {
    package static let promise = "A time is the server's, whatever the phone's clock says."

    /// - Parameter tolerance: Microseconds by which a service's clock may be wrong.
    package static func check(_ history: ClockHistory, tolerance: Int64 = 45_000_000) -> Finding {
        let clockIns = Dictionary(history.clockIns.map { ($0.shift, $0) }) { first, _ in first }
        var named: Set<Int64> = []
        let violations = history.shown.compactMap { shown -> Violation? in
            guard let clockIn = clockIns[shown.shift], let ended = clockIn.attempt.ended else { return nil }
            let possible = clockIn.attempt.begun.after(-tolerance)...ended.after(tolerance)
            guard !possible.contains(shown.began), named.insert(shown.shift).inserted else { return nil }
            return Violation(
                "Shift \(shown.shift) began at \(shown.began), but its clock-in was made at \(clockIn.attempt.begun).",
                story: [
                    clockIn.attempt.step("clocked in, with a clock that is \(clockIn.error) s ahead"),
                    shown.attempt.step("was shown that shift \(shown.shift) began at \(shown.began)"),
                ]
            )
        }
        return Finding(promise, checked: history.shown.count, violations: violations)
    }
}
