package import Contracts

/// A seat has one occupant and a passenger one seat at every instant.
///
/// Assumes that the history has every act of every phone on the seats of a car since its occupants were known, with
/// unknown outcomes where no answer says what happened, and an `end` for each seat that the server may free by itself.
/// A lease must not end by its time during the run: until it is swept, readings show its passenger, who counts as gone for
/// all else. Refusals with other codes than those of the exchange, such as 429 or insufficient credit, are taken for acts without
/// effect and say nothing.
///
/// Checks for each car that the acts can be ordered so that each answer is right at one moment between its begin and its
/// end (linearizability). First each seat is checked alone, since a contradiction about one seat has the shortest story;
/// then all seats of the car together. Acts of its passengers in other cars count as far as they say that the passenger
/// had no seat in this one.
package enum SeatsHaveOneOccupant {
    package static let promise = "A seat has one occupant and a passenger one seat at every instant."

    /// - Parameter occupants: Those before the first act, by seat.
    package static func check(
        _ acts: [SeatAct],
        occupants: [SeatID: AccountID] = [:],
        rules: SeatRules = SeatRules()
    ) -> Finding {
        var finding = Finding(promise, checked: acts.count, violations: [])
        var byPassenger: [AccountID: [Int]] = [:]
        for (index, act) in acts.enumerated() { byPassenger[act.attempt.account, default: []].append(index) }
        for (name, car) in cars(in: acts).sorted(by: { $0.key < $1.key }) {
            let seats = car.seats
            let own = car.passengers.flatMap { byPassenger[$0] ?? [] }.sorted().map { acts[$0] }
            let subject = Subject(car: name, acts: own, occupants: occupants, rules: rules)
            let alone = seats.sorted().compactMap { subject.check([$0], steps: rules.steps / 10, &finding.undecided) }
            finding.violations += alone.prefix(3)
            guard alone.isEmpty, seats.count > 1 else { continue }
            if let violation = subject.check(seats.sorted(), steps: rules.steps, &finding.undecided) {
                finding.violations.append(violation)
            }
        }
        return finding
    }

    /// The seats and passengers of each car that occur in a history.
    private static func cars(in acts: [SeatAct]) -> [String: (seats: Set<SeatID>, passengers: Set<AccountID>)] {
        var cars: [String: (seats: Set<SeatID>, passengers: Set<AccountID>)] = [:]
        for act in acts {
            guard let name = act.car else { continue }
            var car = cars[name] ?? ([], [])
            car.passengers.insert(act.attempt.account)
            if let seat = act.call.seat { car.seats.insert(seat) }
            switch act.call {
            case .accept(_, let other), .reject(_, let other):
                car.passengers.insert(other)
            case .read(let occupants):
                car.seats.formUnion(occupants.keys)
                car.passengers.formUnion(occupants.values)
            default:
                break
            }
            cars[name] = car
        }
        return cars
    }

    private struct Subject {
        var car: String
        var acts: [SeatAct]
        var occupants: [SeatID: AccountID]
        var rules: SeatRules

        func check(_ seats: [SeatID], steps: Int, _ undecided: inout [String]) -> Violation? {
            let projection = SeatProjection(acts, of: seats, car: car, occupants: occupants, rules: rules)
            var steps = steps
            switch Linearization(projection.model, projection.calls).verdict(steps: &steps) {
            case .explained:
                return nil
            case .undecided:
                let what = seats.count == 1 ? "seat \(seats[0])" : "all \(seats.count) seats together"
                undecided.append("Car \(car), \(what): not decided within the limit of steps.")
                return nil
            case .contradiction(let end):
                var model = projection.model
                // A weakened act may observe a request after the end of its call.
                model.lastObservations = []
                let core = Contradiction.core(of: projection.calls, model, end: end, steps: rules.steps)
                return violation(core.compactMap { projection.sources[$0] }, seats)
            }
        }

        private func violation(_ core: [SeatAct], _ seats: [SeatID]) -> Violation {
            let about = Set(seats)
            let story = (core + context(of: core, about)).map { act in act.attempt.step(act.call.text(about: about)) }
            let taking = core.filter { act in
                guard act.attempt.outcome.isDone else { return false }
                if case .sit = act.call { return true }
                return false
            }
            let last = core.max { ($0.attempt.ended ?? $0.attempt.begun) < ($1.attempt.ended ?? $1.attempt.begun) }
            let place = seats.count == 1 ? "Seat \(seats[0]) of car \(car)" : "Car \(car)"
            if taking.count == 2, core.count == 2, taking[0].attempt.account != taking[1].attempt.account {
                let phones = taking.map(\.attempt.phone).joined(separator: " and ")
                return Violation("\(place) had two occupants: \(phones) sat down on it.", story: story)
            }
            if taking.count == 2, core.count == 2, taking[0].call != taking[1].call {
                return Violation("\(taking[0].attempt.phone) had two seats in car \(car).", story: story)
            }
            let what = last.map { act in
                "\(act.attempt.phone) \(act.call.text(about: about)) (\(Self.answer(act.attempt.outcome)))"
            }
            return Violation("\(place): no order of the acts explains that \(what ?? "").", story: story)
        }

        /// Other acts on a seat in the time of a contradiction, and of its passengers: the last ones.
        private func context(of core: [SeatAct], _ seats: Set<SeatID>) -> ArraySlice<SeatAct> {
            guard seats.count == 1, let begun = core.map(\.attempt.begun).min(),
                let ended = core.compactMap(\.attempt.ended).max()
            else { return [] }
            let known = Set(core)
            let during = acts.filter { act in
                act.attempt.begun <= ended && (act.attempt.ended ?? act.attempt.begun) >= begun && !known.contains(act)
            }
            let passengers = Set(
                (core + during).filter { $0.call.seat.map(seats.contains) ?? false }.map(\.attempt.account)
            )
            return during.filter { act in
                act.call.seat.map(seats.contains) ?? (act.call == .leave && passengers.contains(act.attempt.account))
            }.suffix(Self.contextLimit)
        }

        private static let contextLimit = 6

        private static func answer(_ outcome: Outcome) -> String {
            switch outcome {
            case .done: "done"
            case .refused(let text): text
            case .unknown(let text): text
            }
        }
    }
}
