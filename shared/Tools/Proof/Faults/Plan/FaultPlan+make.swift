import Values

extension FaultPlan {
    /// Makes the plan of a seed.
    ///
    /// - Parameter length: The duration of the run; of at least ten minutes, every offered kind occurs.
    package static func make(
        seed: UInt64,
        length: Duration,
        offer: FaultOffer,
        rules: FaultRules
    ) -> FaultPlan {
        let microseconds = Int64(length / .microseconds(1))
        var generator = SplitMix(state: seed)
        var planner = FaultPlanner(offer: offer, rules: rules, length: microseconds)
        planner.placeHeavy(using: &generator)
        planner.placeLight(using: &generator)
        let faults = planner.faults.sorted { $0.begins < $1.begins }
        return FaultPlan(seed: seed, length: microseconds, faults: faults)
    }
}
