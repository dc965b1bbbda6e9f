/// The console's API for other programs.
package enum ConsoleAPI {
    /// `POST`: spans of kept traces, as OTLP's `ExportTraceServiceRequest` in JSON.
    package static let tracesPath = "/internal/traces"
    /// `GET …/*`, `POST …/*`: the pages, which the gateway passes on.
    package static let pagesPath = "/internal/console"

    /// `GET /internal/traces/kept?after=POSITION`: traces that programs have kept since, by which all others keep their
    /// parts; waits up to ten seconds for the first one.
    package struct Kept: Codable, Sendable, Equatable {
        package static let path = "\(tracesPath)/kept"

        /// - Parameter position: Of the answer before; nil at first, which is answered at once and without traces.
        package static func path(after position: String?) -> String {
            position.map { "\(path)?after=\($0)" } ?? path
        }

        /// Hexadecimal, 32 digits each.
        package var traces: [String]
        package var position: String

        package init(traces: [String], position: String) {
            (self.traces, self.position) = (traces, position)
        }
    }

    /// `POST /internal/calls`: how often a program has called others since its last report.
    package struct Calls: Codable, Sendable, Equatable {
        package static let path = "/internal/calls"

        package var program: String
        package var targets: [Target]
        /// Of the program's database; nil from a program that does not count them.
        package var statements: [Statement]?

        package init(program: String, targets: [Target], statements: [Statement]? = nil) {
            (self.program, self.targets, self.statements) = (program, targets, statements)
        }

        /// How often statements of a name were run, and how long they took.
        package struct Statement: Codable, Sendable, Equatable {
            /// The function that runs it, as `PushStore.first`.
            package var name: String
            package var count: Int
            /// The sum, and the longest one.
            package var microseconds: Int
            package var longest: Int

            package init(_ name: String) {
                (self.name, count, microseconds, longest) = (name, 0, 0, 0)
            }

            package mutating func add(microseconds time: Int) {
                (count, microseconds, longest) = (count + 1, microseconds + time, max(longest, time))
            }

            package mutating func add(_ other: Statement) {
                count += other.count
                microseconds += other.microseconds
                longest = max(longest, other.longest)
            }
        }

        package struct Target: Codable, Sendable, Equatable {
            /// The upper bounds of `times`, in milliseconds; the last one has no bound.
            package static let bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]

            /// A program, an outside system, or `postgresql`.
            package var name: String
            package var calls: Int
            /// Calls without an answer, or with one of status 500 and above.
            package var failures: Int
            /// The number of calls by how long they took.
            package var times: [Int]

            package init(_ name: String) {
                (self.name, calls, failures) = (name, 0, 0)
                times = Array(repeating: 0, count: Self.bounds.count + 1)
            }

            package mutating func add(milliseconds: Double, isFailure: Bool) {
                calls += 1
                if isFailure { failures += 1 }
                times[Self.bounds.firstIndex { milliseconds <= Double($0) } ?? Self.bounds.count] += 1
            }
        }
    }

    /// `POST /internal/console-invitations`: an address that signs in once, for an operator at the command line.
    package struct Invitation: Codable, Sendable, Equatable {
        package static let path = "/internal/console-invitations"

        /// The operator's name, which acts are recorded with.
        package var name: String
        /// `look` or `act`.
        package var role: String

        package init(name: String, role: String) {
            (self.name, self.role) = (name, role)
        }

        package struct Answer: Codable, Sendable, Equatable {
            /// Below the gateway's admin address; valid for ten minutes.
            package var path: String

            package init(path: String) { self.path = path }
        }
    }
}
