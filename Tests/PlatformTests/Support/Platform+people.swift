import FoundationEssentials
import NIOHTTP1

@testable import Auth
@testable import Sandbox

/// The actions outside of the apps.
extension Platform {
    /// Calls a control of the sandbox.
    func control(_ path: String, _ json: String) async throws -> [String: String] {
        try await Wire.send(.POST, "\(sandbox)/_control/\(path)", json: json).value([String: String].self)
    }

    /// Makes the next calls to a provider fail.
    func fault(_ provider: String, count: Int) async throws {
        let fault = #"{"provider":"\#(provider)","kind":"http","count":\#(count)}"#
        _ = try await Wire.send(.POST, "\(sandbox)/_control/faults", json: fault)
    }

    /// The code in the newest text message to a phone number.
    func code(on number: String) async throws -> String {
        struct Messages: Decodable {
            var messages: [Message]

            struct Message: Decodable {
                var code: String?
            }
        }
        let answer = try await Wire.send(.GET, "\(sandbox)/_control/sms?to=\(number)").value(Messages.self)
        return answer.messages.first?.code ?? ""
    }
}
