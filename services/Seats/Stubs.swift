import FoundationEssentials
import Postgres
import Contracts
struct Tracking: Sendable, Equatable { var expectedArrival: Date; var wasSeen: Bool = false; var blindExtensions: Int = 0
  static func nextCheck(expectedArrival: Date, now: Date, isFirst: Bool) -> Date { now + 10 } }
struct Sighting { var terminalName: String; var arrivalAtTerminal: Date }
struct SightingStore: Sendable { func sighting(of t: String, in d: some Querying) async throws -> Sighting? { nil } }
