import CLibPQ
import Glibc
import Synchronization

/// The thread on which all of libpq runs: an executor that waits for sockets between jobs.
///
/// One thread serves every connection of the process; the actors that use it as their executor (`PostgresConnection`
/// and the pools) reach each other without a switch of threads, and what the compiler proves for an actor holds for
/// `PGconn`: it is touched by one thread only. `Sendable` is unchecked because `watches` and `timers` are guarded by
/// being used on the loop's thread alone, which the methods that touch them check.
final class PostgresEventLoop: SerialExecutor, @unchecked Sendable {
    static let shared = PostgresEventLoop()

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Mailbox {
        var work: [Work] = []
        /// The loop waits for sockets, so whoever adds work must wake it.
        var isAsleep = false
    }

    private let mailbox = Mutex(Mailbox())
    private let wakeup: Int32
    private let epoll: Int32
    private let thread = Mutex<pthread_t?>(nil)

    private var watches: [UInt64: @Sendable (Readiness) -> Void] = [:]
    private var timers = LoopTimers()
    private var lastWatch: UInt64 = 0

    private static let eventsPerRound = 64

    private init() {
        self.epoll = Self.untilItWorks { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        self.wakeup = Self.untilItWorks { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: 0))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event)
        let identity = BlockingThread.start { [unowned self] in self.run() }
        thread.withLock { $0 = identity }
    }

    /// Descriptors may be short for a moment; a process cannot do without this thread, so it waits for them.
    private static func untilItWorks(_ open: () -> Int32) -> Int32 {
        while true {
            let descriptor = open()
            if descriptor >= 0 { return descriptor }
            usleep(10_000)
        }
    }

    // MARK: From any thread

    func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// Has the loop call `body` after everything that was added before; calls from one thread keep their order.
    func execute(_ body: @escaping @Sendable () -> Void) {
        add(.call(body))
    }

    private func add(_ work: Work) {
        let mustWake = mailbox.withLock { mailbox in
            mailbox.work.append(work)
            defer { mailbox.isAsleep = false }
            return mailbox.isAsleep
        }
        if mustWake { eventfd_write(wakeup, 1) }
    }

    var isCurrent: Bool {
        thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    func checkIsolated() {
        precondition(isCurrent, "not on the thread of the PostgreSQL event loop")
    }

    func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    // MARK: On the loop

    /// Calls `handler` whenever the socket is ready for one of `interest`, until `unwatch`.
    func watch(_ socket: Int32, for interest: Readiness, _ handler: @escaping @Sendable (Readiness) -> Void) -> Watch {
        lastWatch += 1
        watches[lastWatch] = handler
        var event = epoll_event(events: interest.epollEvents, data: epoll_data(u64: lastWatch))
        epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event)
        return Watch(id: lastWatch, socket: socket)
    }

    func change(_ watch: Watch, to interest: Readiness) {
        var event = epoll_event(events: interest.epollEvents, data: epoll_data(u64: watch.id))
        epoll_ctl(epoll, EPOLL_CTL_MOD, watch.socket, &event)
    }

    /// Must come before the socket is closed.
    func unwatch(_ watch: Watch) {
        guard watches.removeValue(forKey: watch.id) != nil else { return }
        epoll_ctl(epoll, EPOLL_CTL_DEL, watch.socket, nil)
    }

    /// Calls `body` once, `delay` from now, on the loop.
    @discardableResult
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> LoopTimers.ID {
        timers.add(at: .now + delay, body)
    }

    func cancel(_ timer: LoopTimers.ID) {
        timers.remove(timer)
    }

    // MARK: The thread

    private func run() {
        var work: [Work] = []
        var events = [epoll_event](repeating: epoll_event(), count: Self.eventsPerRound)
        while true {
            perform(&work)
            while let body = timers.popDue(at: .now) { body() }
            let mayWait = mailbox.withLock { mailbox in
                mailbox.isAsleep = mailbox.work.isEmpty
                return mailbox.isAsleep
            }
            let timeout = mayWait ? timers.millisecondsUntilNext(from: .now) : 0
            let count = epoll_wait(epoll, &events, Int32(events.count), timeout)
            mailbox.withLock { $0.isAsleep = false }
            for index in 0..<Int(max(count, 0)) {
                handle(events[index])
            }
        }
    }

    private func perform(_ work: inout [Work]) {
        while true {
            mailbox.withLock { swap(&$0.work, &work) }
            guard !work.isEmpty else { return }
            for item in work {
                switch item {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .call(let body): body()
                }
            }
            work.removeAll(keepingCapacity: true)
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
        watches[id]?(Readiness(epollEvents: event.events))
    }
}

/// What a socket is ready for, or what somebody waits for. An error or a hang-up counts as readable: reading tells.
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

/// A socket under observation by the event loop.
struct Watch: Sendable {
    fileprivate let id: UInt64
    fileprivate let socket: Int32
}
