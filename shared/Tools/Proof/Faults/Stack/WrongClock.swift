import FoundationEssentials
import StackKit

/// A library that moves the wall clock of a program that is started with it, and not its timers, as libfaketime does.
struct WrongClock: Sendable {
    /// The path of the library, which is compiled when it is first used.
    let library: String

    /// The variable with the seconds that the clock is ahead.
    static let variable = "PROOF_CLOCK_OFFSET"

    /// A sentence if it cannot be compiled here; nil if it can.
    static var obstacle: String? {
        compiler == nil ? "There is no C compiler, which makes a library that moves the clock." : nil
    }

    private static var compiler: String? { ["cc", "clang", "gcc"].lazy.compactMap(Executables.find).first }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long offset;
        static int (*next)(clockid_t, struct timespec *);

        __attribute__((constructor)) static void prepare(void) {
            const char *text = getenv("\(variable)");
            offset = text ? atol(text) : 0;
            next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
        }
        int clock_gettime(clockid_t clock, struct timespec *now) {
            int result = next ? next(clock, now) : (int)syscall(SYS_clock_gettime, clock, now);
            if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset;
            return result;
        }
        int gettimeofday(struct timeval *now, void *zone) {
            struct timespec time;
            (void)zone;
            clock_gettime(CLOCK_REALTIME, &time);
            now->tv_sec = time.tv_sec;
            now->tv_usec = time.tv_nsec / 1000;
            return 0;
        }
        time_t time(time_t *now) {
            struct timespec time;
            clock_gettime(CLOCK_REALTIME, &time);
            if (now) *now = time.tv_sec;
            return time.tv_sec;
        }

        """

    /// What a program is started with.
    ///
    /// - Parameter seconds: How far its clock is ahead; below 0 it is behind.
    func environment(_ seconds: Int) async throws -> [String: String] {
        try await compile()
        return ["LD_PRELOAD": library, Self.variable: "\(seconds)"]
    }

    private func compile() async throws {
        guard !FileManager.default.fileExists(atPath: library) else { return }
        guard let compiler = Self.compiler else { throw StackError("there is no C compiler") }
        let (source, draft) = ("\(library).c", "\(library).new")
        try Data(Self.source.utf8).write(to: URL(filePath: source))
        try await SystemCommand.run(compiler, "-shared", "-fPIC", "-O2", "-o", draft, source, "-ldl")
        try FileManager.default.moveItem(atPath: draft, toPath: library)
    }
}
