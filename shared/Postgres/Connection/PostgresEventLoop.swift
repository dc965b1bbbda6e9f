import CLibPQ
import Glibc
import Synchronization

/// The isolation of all code that uses libpq: connections and pools are `@PostgresLoop` classes, so that the compiler
/// enforces their use on the loop's thread, and they call each other without a thread switch.
@globalActor
actor PostgresLoop {
    static let shared = PostgresLoop()

    nonisolated var unownedExecutor: UnownedSerialExecutor { PostgresEventLoop.shared.asUnownedSerialExecutor() }
}

/// A unit of work for the event loop.
protocol LoopTask: AnyObject, Sendable {
    @PostgresLoop func run()
}

/// The thread that runs all of libpq: an executor that waits for sockets between jobs. One serves the whole process.
///
/// `Sendable` is unchecked because `watches` and `timers` are guarded by isolation: the methods that use them are
/// `@PostgresLoop`, and `run`, which is the loop, calls them on the same thread.
final class PostgresEventLoop: SerialExecutor, @unchecked Sendable {
    static let shared = PostgresEventLoop()

    private enum Work {
        /// A job of an isolated task.
        case job(UnownedJob)
        /// A job of a task that prefers the loop's thread.
        case preferring(UnownedJob)
        case call(@PostgresLoop @Sendable () -> Void)
        case task(any LoopTask)
    }

    /// A libpq result with this as its only owner.
    private struct Garbage: @unchecked Sendable {
        let result: OpaquePointer
    }

    private struct Mailbox {
        var work: [Work] = []
        /// libpq results that were read on other threads: memory is best freed by the thread that allocated it.
        var garbage: [Garbage] = []
        /// Whether the loop waits for sockets and must be woken when work is added.
        var isAsleep = false
    }

    private let mailbox = Mutex(Mailbox())
    private let wakeup: Int32
    private let epoll: Int32
    private let thread = Atomic<UInt>(0)

    private var watches: [UInt64: Watcher] = [:]
    private var timers = LoopTimers()
    private var lastWatch: UInt64 = 0
    /// What is to be done once the present work and events are handled.
    private var endings: [@PostgresLoop () -> Void] = []

    private static let eventsPerRound = 64

    private init() {
        self.epoll = Self.untilItWorks { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        self.wakeup = Self.untilItWorks { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: 0))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event)
        BlockingThread.start { [unowned self] in
            self.thread.store(UInt(pthread_self()), ordering: .relaxed)
            self.run()
        }
    }

    /// Retries until a descriptor is available, because the process cannot run without this thread.
    private static func untilItWorks(_ open: () -> Int32) -> Int32 {
        while true {
            let descriptor = open()
            if descriptor >= 0 { return descriptor }
            usleep(10_000)
        }
    }

    // MARK: Called on any thread

    func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    fileprivate func enqueue(preferring job: consuming ExecutorJob) {
        add(.preferring(UnownedJob(job)))
    }

    /// Calls `body` on the loop after all work added before; calls from one thread keep their order.
    func execute(_ body: @escaping @PostgresLoop @Sendable () -> Void) {
        add(.call(body))
    }

    func execute(_ task: some LoopTask) {
        add(.task(task))
    }

    private func add(_ work: Work) {
        let mustWake = mailbox.withLock { mailbox in
            mailbox.work.append(work)
            defer { mailbox.isAsleep = false }
            return mailbox.isAsleep
        }
        if mustWake { eventfd_write(wakeup, 1) }
    }

    /// Frees a libpq result, on the loop if it is awake.
    func discard(_ result: OpaquePointer) {
        let garbage = Garbage(result: result)
        let isTaken = mailbox.withLock { mailbox in
            if !mailbox.isAsleep { mailbox.garbage.append(garbage) }
            return !mailbox.isAsleep
        }
        if !isTaken { PQclear(result) }
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the thread of the PostgreSQL event loop")
    }

    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }

    // MARK: Called on the loop

    /// Calls `handler` whenever the socket is ready for one of `interest`, until `unwatch`.
    @PostgresLoop
    func watch(_ socket: Int32, for interest: Readiness, _ handler: @escaping @PostgresLoop (Readiness) -> Void)
        -> Watch
    {
        lastWatch += 1
        watches[lastWatch] = Watcher(handler)
        var event = epoll_event(events: interest.epollEvents, data: epoll_data(u64: lastWatch))
        epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event)
        return Watch(id: lastWatch, socket: socket)
    }

    @PostgresLoop
    func change(_ watch: Watch, to interest: Readiness) {
        var event = epoll_event(events: interest.epollEvents, data: epoll_data(u64: watch.id))
        epoll_ctl(epoll, EPOLL_CTL_MOD, watch.socket, &event)
    }

    /// Ends a watch; must be called before the socket is closed.
    @PostgresLoop
    func unwatch(_ watch: Watch) {
        guard watches.removeValue(forKey: watch.id) != nil else { return }
        epoll_ctl(epoll, EPOLL_CTL_DEL, watch.socket, nil)
    }

    /// Calls `body` once, `delay` from now, on the loop.
    @PostgresLoop @discardableResult
    func schedule(after delay: Duration, _ body: @escaping @PostgresLoop () -> Void) -> LoopTimers.ID {
        timers.add(at: .now + delay, body)
    }

    @PostgresLoop
    func cancel(_ timer: LoopTimers.ID) {
        timers.remove(timer)
    }

    /// Calls `body` once the work and the events that have arrived are handled, before the loop waits.
    @PostgresLoop
    func atEndOfRound(_ body: @escaping @PostgresLoop () -> Void) {
        endings.append(body)
    }

    // MARK: The thread

    private func run() {
        var work: [Work] = []
        var garbage: [Garbage] = []
        var events = [epoll_event](repeating: epoll_event(), count: Self.eventsPerRound)
        while true {
            mailbox.withLock { mailbox in
                swap(&mailbox.work, &work)
                swap(&mailbox.garbage, &garbage)
            }
            for item in garbage { PQclear(item.result) }
            garbage.removeAll(keepingCapacity: true)
            for item in work { perform(item) }
            work.removeAll(keepingCapacity: true)
            endRound()

            let isIdle = mailbox.withLock { mailbox in
                mailbox.isAsleep = mailbox.work.isEmpty && mailbox.garbage.isEmpty
                return mailbox.isAsleep
            }
            let timeout = isIdle ? timers.millisecondsUntilNext() : 0
            let count = epoll_wait(epoll, &events, Int32(events.count), timeout)
            if isIdle { mailbox.withLock { $0.isAsleep = false } }
            for index in 0..<Int(max(count, 0)) { handle(events[index]) }
            while let body = timers.popDue() { Self.unisolated(body)() }
            endRound()
        }
    }

    private func endRound() {
        while let body = endings.popLast() { Self.unisolated(body)() }
    }

    private func perform(_ work: Work) {
        switch work {
        case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .preferring(let job): job.runSynchronously(on: LoopTaskExecutor.shared.asUnownedTaskExecutor())
        case .call(let body): Self.unisolated(body)()
        case .task(let task): Self.runTask(task)
        }
    }

    private func handle(_ event: epoll_event) {
        let id = event.data.u64
        guard id != 0 else {
            var value: eventfd_t = 0
            eventfd_read(wakeup, &value)
            return
        }
        // An earlier event of the same round may have ended this watch.
        guard let watcher = watches[id] else { return }
        Self.unisolated(watcher.handler)(Readiness(epollEvents: event.events))
    }

    // The loop calls isolated code without `await`, because it already runs on the required thread. The compiler cannot
    // know this, so the isolation is removed from the type.

    private static func unisolated(_ body: @escaping @PostgresLoop () -> Void) -> () -> Void {
        unsafeBitCast(body, to: (() -> Void).self)
    }

    private static func unisolated(_ body: @escaping @PostgresLoop (Readiness) -> Void) -> (Readiness) -> Void {
        unsafeBitCast(body, to: ((Readiness) -> Void).self)
    }

    private static let runTask = unsafeBitCast(
        { $0.run() } as @PostgresLoop (any LoopTask) -> Void,
        to: (@Sendable (any LoopTask) -> Void).self
    )
}

/// Runs code without isolation on the loop's thread, for tasks that prefer it. A transaction does: each of its statements
/// would otherwise wake the loop's thread and then another one.
final class LoopTaskExecutor: TaskExecutor {
    static let shared = LoopTaskExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        PostgresEventLoop.shared.enqueue(preferring: job)
    }
}

/// The handler of a watched socket.
private final class Watcher {
    let handler: @PostgresLoop (Readiness) -> Void

    init(_ handler: @escaping @PostgresLoop (Readiness) -> Void) {
        self.handler = handler
    }
}

/// The readiness of a socket, or the readiness to wait for. An error or a hang-up counts as readable, because reading
/// reports it.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8

    static let readable = Readiness(rawValue: 1)
    static let writable = Readiness(rawValue: 2)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(epollEvents: UInt32) {
        self = []
        if epollEvents & ~EPOLLOUT.rawValue != 0 { insert(.readable) }
        if epollEvents & EPOLLOUT.rawValue != 0 { insert(.writable) }
    }

    var epollEvents: UInt32 {
        (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
    }
}

/// A socket watched by the event loop.
struct Watch: Sendable {
    fileprivate let id: UInt64
    fileprivate let socket: Int32
}
