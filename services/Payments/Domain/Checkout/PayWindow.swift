/// PortOne's pay window: which script opens it, and for which shop (Anlaka contract 4.7).
struct PayWindow: Sendable, Equatable {
    /// The URL of PortOne's script.
    var script = Self.sandboxScript
    /// The shop's id at PortOne.
    var store = Self.developmentStore
    /// The provider of card payments, with the shop's id there.
    var provider = Self.testProvider

    static let sandboxScript = "http://127.0.0.1:8090/portone/v1/iamport.js"
    static let developmentStore = "imp00000000"
    static let testProvider = "html5_inicis.INIpayTest"

    /// `https://cdn.iamport.kr` of a script's URL; nil for what is none, and for what could end a policy's directive.
    static func origin(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
        let host = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let isHost = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"): true
            default: false
            }
        }
        return !host.isEmpty && isHost ? scheme + host : nil
    }

    /// Where the window's parts come from, as a policy of the browser names them: the script's own house, and for PortOne's
    /// real one also where its frames live and the pages of the providers that it opens in them.
    var origins: [String] {
        guard let origin = Self.origin(of: script) else { return [] }
        guard Self.houses.contains(where: { origin.hasSuffix(".\($0)") }) else { return [origin] }
        return [origin] + Self.houses.map { "https://*.\($0)" } + Self.providers
    }

    /// PortOne's own: the script and its frames, and what the company has been called since 2023.
    private static let houses = ["iamport.kr", "portone.io"]

    /// KG Inicis, whose window `html5_inicis` is. A shop with another provider adds that one's pages here.
    private static let providers = ["https://*.inicis.com"]
}
