import Values

/// Performs the steps of one run.
struct SimulationMachine<Model: SimulationModel> {
    private enum Event {
        case message(Model.Message, from: Model.Party, to: Model.Party)
        /// `life` is the number of crashes before it was set.
        case timer(Model.Timer, of: Model.Party, life: Int)
        case restart(Model.Party)
    }

    /// Whether a step is in the trace: always, when a message is sent that is not routine, or when a decision is noted.
    private enum Tracing {
        case always, whenSent, whenNoted
    }

    private struct Condition {
        /// Number of crashes.
        var life = 0
        var isDown = false
        var random: SplitMix
    }

    private(set) var model: Model
    private(set) var steps = 0
    private(set) var broken: BrokenPromise?
    private(set) var trace: [String] = []
    private let seed: UInt64
    private let isTraced: Bool
    private var clock = VirtualClock()
    private var queue: EventQueue<Event>
    private var network: SimulatedNetwork<Model.Party>
    private var conditions: [Model.Party: Condition] = [:]

    init(_ model: Model, seed: UInt64, isTraced: Bool) {
        self.model = model
        self.seed = seed
        self.isTraced = isTraced
        queue = EventQueue(random: SplitMix(state: seed, for: "order"))
        network = SimulatedNetwork(seed: seed)
        step("begin", SplitMix(state: seed, for: "begin"), .whenSent) { $0.begin(&$1) }
    }

    // MARK: From outside

    /// Performs what is due before a happening, and then the happening.
    mutating func perform(_ happening: Happening<Model>) {
        performAll(until: happening.instant)
        guard broken == nil else { return }
        clock.advance(to: happening.instant)
        switch happening.kind {
        case .input(let input):
            step("\(happening)", SplitMix(state: happening.seed), .always) { $0.handle(input, &$1) }
        case .fault(let fault):
            steps += 1
            if isTraced { write("\(happening)", []) }
            guard !network.apply(fault, at: clock.now), case .crash(let party, let time) = fault else { return }
            crash(party, for: time)
        }
    }

    /// Gives the model its time after the last input, and checks what is promised at last.
    mutating func settle() {
        guard broken == nil else { return }
        step("no more inputs", SplitMix(state: seed, for: "settle"), .whenSent) { $0.settle(&$1) }
        performAll(until: clock.now + model.settlingTime)
        if broken == nil { broken = model.brokenAtEnd() }
    }

    private mutating func crash(_ party: Model.Party, for time: Int64) {
        var condition = condition(of: party)
        guard !condition.isDown else { return }
        condition.life += 1
        condition.isDown = true
        conditions[party] = condition
        model.crash(party)
        queue.add(.restart(party), at: clock.now + time)
        broken = model.broken
    }

    // MARK: Steps

    private mutating func performAll(until instant: Int64) {
        while broken == nil, let next = queue.next, next <= instant, let event = queue.removeFirst() {
            clock.advance(to: next)
            perform(event)
        }
    }

    private mutating func perform(_ event: Event) {
        switch event {
        case .message(let message, let sender, let receiver):
            guard !condition(of: receiver).isDown else { return }
            let tracing = model.isRoutine(message) ? Tracing.whenNoted : .always
            step("\(sender) → \(receiver): \(message)", of: receiver, tracing) { model, effects in
                model.receive(message, at: receiver, from: sender, &effects)
            }
        case .timer(let timer, let party, let life):
            let condition = condition(of: party)
            guard condition.life == life, !condition.isDown else { return }
            step("\(party): \(timer)", of: party, .whenSent) { $0.wake(party, for: timer, &$1) }
        case .restart(let party):
            conditions[party]?.isDown = false
            step("\(party) starts again", of: party, .always) { $0.restart(party, &$1) }
        }
    }

    private mutating func step(
        _ name: @autoclosure () -> String,
        of party: Model.Party,
        _ tracing: Tracing,
        _ body: (inout Model, inout Effects<Model>) -> Void
    ) {
        var condition = condition(of: party)
        let random = SplitMix(state: condition.random.next())
        conditions[party] = condition
        step(name(), random, tracing, body)
    }

    private mutating func step(
        _ name: @autoclosure () -> String,
        _ random: SplitMix,
        _ tracing: Tracing,
        _ body: (inout Model, inout Effects<Model>) -> Void
    ) {
        steps += 1
        var effects = Effects<Model>(now: clock.now, random: random, isTraced: isTraced)
        body(&model, &effects)
        if isTraced, isNotable(effects, tracing) { write(name(), effects.notes) }
        for (sender, receiver, message) in effects.messages {
            let isOrdered = model.isOrdered(from: sender, to: receiver)
            let arrivals = network.arrivals(from: sender, to: receiver, at: clock.now, isOrdered: isOrdered)
            for arrival in arrivals { queue.add(.message(message, from: sender, to: receiver), at: arrival) }
        }
        for (party, instant, timer) in effects.timers {
            queue.add(.timer(timer, of: party, life: condition(of: party).life), at: instant)
        }
        broken = model.broken
    }

    private func isNotable(_ effects: Effects<Model>, _ tracing: Tracing) -> Bool {
        switch tracing {
        case .always: true
        case .whenSent: !effects.notes.isEmpty || effects.messages.contains { !model.isRoutine($0.message) }
        case .whenNoted: !effects.notes.isEmpty
        }
    }

    private func condition(of party: Model.Party) -> Condition {
        conditions[party] ?? Condition(random: SplitMix(state: seed, for: "\(party)"))
    }

    private mutating func write(_ name: @autoclosure () -> String, _ notes: [String]) {
        let rest = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
        trace.append("\(VirtualClock.text(clock.now)) \(name())\(rest)")
    }
}
