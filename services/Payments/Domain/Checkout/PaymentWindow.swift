/// PortOne's payment window: its script, shop and payment provider (Anlaka contract 4.7).
struct PaymentWindow: Sendable, Equatable {
    /// URL of PortOne's script.
    var script = Self.sandboxScript
    /// ID of the shop at PortOne.
    var store = Self.developmentStore
    /// Provider of card payments, with the shop's ID there.
    var provider = Self.testProvider

    static let sandboxScript = "http://127.0.0.1:8090/portone/v1/iamport.js"
    static let developmentStore = "imp00000000"
    static let testProvider = "html5_inicis.INIpayTest"

    /// The origin of a script's URL, such as `https://cdn.iamport.kr`; nil when it is not a URL, or has characters that
    /// could end a directive of the Content Security Policy.
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

    /// The sources of the window's resources, for the Content Security Policy: the script's origin, and for the real
    /// PortOne also the origins of its frames and of the providers' pages in them.
    var origins: [String] {
        guard let origin = Self.origin(of: script) else { return [] }
        guard Self.houses.contains(where: { origin.hasSuffix(".\($0)") }) else { return [origin] }
        return [origin] + Self.houses.map { "https://*.\($0)" } + Self.providers
    }

    /// PortOne's domains: iamport.kr for the script and its frames, and portone.io, the company's name since 2023.
    private static let houses = ["iamport.kr", "portone.io"]

    /// KG Inicis, the provider of `html5_inicis`. A shop with another provider needs its origins here.
    private static let providers = ["https://*.inicis.com"]
}
