package import Contracts

/// The programs whose routes a fault may make unavailable.
package enum FaultScope: Sendable, Equatable {
    case all
    case programs(Set<ProgramName>)

    package func includes(_ program: ProgramName) -> Bool {
        switch self {
        case .all: true
        case .programs(let names): names.contains(program)
        }
    }
}

extension FaultRules {
    /// Whose routes a fault may make unavailable: those of the program that it hits, and of those that call it. On a host of
    /// a cluster it is the same, until requests go on to another copy.
    package func scope(of kind: FaultKind, at target: FaultTarget) -> FaultScope {
        switch self[kind].concerns {
        case "none": return .programs([])
        case "target": break
        default: return .all
        }
        switch target.name {
        case ProgramName.gateway.rawValue: return .all
        case "supervisor": return .programs([])
        case "sandbox": return .programs(Self.programs(providers.values.flatMap(\.self)))
        default:
            let names = providers[target.name] ?? [target.name] + (callers[target.name] ?? [])
            return .programs(Self.programs(names))
        }
    }

    private static func programs(_ names: [String]) -> Set<ProgramName> { Set(names.compactMap(ProgramName.init)) }
}
