package import Contracts
import Values

/// Changes each member of each recorded answer of an app, and compares what its client notices with the contract.
package struct MutationRun: Sendable {
    /// What the client and the contract see in two ways.
    package struct Mismatch: Sendable, CustomStringConvertible {
        package var call: String
        package var field: String
        package var kind: Mutant.Kind
        /// Whether the client could not read it.
        package var isNoticed: Bool
        /// Why it stays; nil for a defect of the client or the contract.
        package var laxity: Laxity?

        package var description: String {
            "\(call): \(kind.rawValue) \(field) is \(isNoticed ? "" : "not ")noticed\(laxity.map { " (\($0.reason))" } ?? "")"
        }
    }

    package private(set) var mutants = 0
    package private(set) var mismatches: [Mismatch] = []
    /// The calls whose answers were changed.
    package private(set) var calls: [String] = []
    /// The calls of which the recorded answer itself is not read by the client.
    package private(set) var unread: [String] = []

    package var unexplained: [Mismatch] { mismatches.filter { $0.laxity == nil } }

    /// - Parameter examples: Recorded answers, by operation: `{"GET /v1/posts/{postId}": {"response": {"body": …}}}`.
    package init(of app: App, examples: some Sequence<UInt8>) throws {
        let contract = try Contract(of: app)
        let laxities = try Laxity.all()
        var bodies: [String: JSONTree] = [:]
        for example in try JSONTree(parsing: examples).members {
            bodies[Self.key(example.name)] = example.value["response"]?["body"]
        }
        for call in contract.calls {
            guard let decoder = AppDecoders.decoder(of: call), let body = bodies[Self.key(call.name)],
                let type = Self.type(of: body, call)
            else { continue }
            guard decoder.reads(body) else {
                unread.append(call.name)
                continue
            }
            calls.append(call.name)
            for mutant in Mutant.all(of: body, type) {
                mutants += 1
                let isNoticed = !decoder.reads(mutant.answer)
                guard isNoticed != mutant.breaks else { continue }
                mismatches.append(
                    Mismatch(
                        call: call.name,
                        field: mutant.field,
                        kind: mutant.kind,
                        isNoticed: isNoticed,
                        laxity: laxities.first { $0.explains(mutant, of: call) }
                    )
                )
            }
        }
    }

    /// The case of the response that the recorded answer is: of several that fit, the one with most members.
    private static func type(of body: JSONTree, _ call: ContractCall) -> FieldType? {
        call.response.types.min { (rank($0, body)).lexicographicallyPrecedes(rank($1, body)) }
    }

    private static func rank(_ type: FieldType, _ body: JSONTree) -> [Int] {
        guard case .object(let object) = type else { return [ShapeCheck.deviations(body, from: type).count] }
        return [ShapeCheck.deviations(body, from: type).count, -object.fields.count]
    }

    /// The name of a call without the names of its variables, and without a slash at its end.
    private static func key(_ name: String) -> String {
        let segments = name.split(separator: "/", omittingEmptySubsequences: true)
        return segments.map { $0.hasPrefix("{") ? "{}" : String($0) }.joined(separator: "/")
    }
}
