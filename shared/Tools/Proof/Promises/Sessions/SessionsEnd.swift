/// No session is alive one second after its end was acknowledged.
///
/// Assumes that `SessionHistory.ends` has the ends that were acknowledged; one with an unknown answer promises nothing.
///
/// Checks that no call, refresh or socket that began later than that was answered as done, and that sockets which were
/// open before were closed until then. Of an end by another device a gateway learns only by auth's announcement: one that
/// is late because auth, its database or the gateway has failed meanwhile breaks no promise.
package enum SessionsEnd {
    package static let promise = "No session is alive one second after its end was acknowledged."

    /// - Parameters:
    ///   - delay: Microseconds after the acknowledgement.
    ///   - failures: The times in which announcements may have been late.
    ///   - end: Of the run: a socket that is still open is taken for open until then.
    package static func check(
        _ history: SessionHistory,
        delay: Int64 = 1_000_000,
        failures: [FaultSpan] = [],
        end: Moment
    ) -> Finding {
        let failing = TimeSpans(failures.map { ($0.begun, $0.ended.after(Availability.recoveryGoal)) })
        let acknowledged = history.ends.filter { $0.attempt.outcome.isDone && $0.attempt.ended != nil }
        let ends = Dictionary(acknowledged.map { ($0.session, $0) }) { one, other in
            limit(of: one, delay) <= limit(of: other, delay) ? one : other
        }
        let used = history.uses.compactMap { use -> Violation? in
            guard let end = ends[use.session], use.attempt.begun > limit(of: end, delay), use.attempt.outcome.isDone
            else { return nil }
            let isExcused = failing.overlap(limit(of: end, 0), use.attempt.ended ?? use.attempt.begun)
            guard end.reason != .revocation || !isExcused else { return nil }
            let age = seconds(from: end, to: use.attempt.begun)
            return Violation(
                "\(use.attempt.phone) used session \(use.session) \(age) after its end by \(end.reason.rawValue).",
                story: [end.step, use.step]
            )
        }
        let open = history.sockets.compactMap { socket -> Violation? in
            guard let ending = ends[socket.session] else { return nil }
            let closed = socket.closed ?? end
            guard closed > max(limit(of: ending, delay), socket.opened) else { return nil }
            // Also a gateway that is hung closes no sockets.
            guard !failing.overlap(limit(of: ending, 0), closed) else { return nil }
            let age = seconds(from: ending, to: closed)
            let what = socket.closed == nil ? "was still open" : "was closed only"
            return Violation(
                "A socket of \(socket.phone) \(what) \(age) after the end of session \(socket.session).",
                story: [ending.step] + socket.steps
            )
        }
        return Finding(promise, checked: ends.count, violations: used + open)
    }

    private static func limit(of end: SessionEnd, _ delay: Int64) -> Moment {
        (end.attempt.ended ?? end.attempt.begun).after(delay)
    }

    private static func seconds(from end: SessionEnd, to moment: Moment) -> Moment {
        moment.after(-(end.attempt.ended ?? end.attempt.begun).microseconds)
    }
}
