import Glibc

/// Swift Testing has the runtime take a backtrace of every error that is thrown, also of those that the programs under test
/// throw and catch. That is a fifth of the suite's time, and no report shows one.
enum ThrownErrors {
    /// Takes the hook back that the runtime calls when an error is thrown (`_swift_willThrow`).
    static func leaveUntraced() {
        for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
            dlsym(nil, name)?.assumingMemoryBound(to: Optional<UnsafeRawPointer>.self).pointee = nil
        }
    }
}
