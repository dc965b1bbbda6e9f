import Authentication
import Contracts
import Crypto
import FoundationEssentials
import TestKit

/// Tokens that must be refused: attacks on JWTs (RFC 8725, and later ones), and tokens that are signed by the right key
/// with claims that no access token has.
struct Forgeries {
    struct Forgery: Sendable {
        var name: String
        var token: String
    }

    private let app: App
    /// The claims of a valid token of this app.
    private let typ: String
    private let key = TestGateway.key
    private let header = #"{"alg":"ES256","kid":"k1","typ":"JWT"}"#

    private init(_ app: App, typ: String) {
        self.app = app
        self.typ = typ
    }

    /// - Parameter typ: the claimed type, `access` or `refresh`.
    static func all(_ app: App, as typ: String = "access") throws -> [Forgery] {
        let forge = Forgeries(app, typ: typ)
        return try forge.algorithms() + forge.headers() + forge.keys() + forge.signatures() + forge.claims()
            + forge.forms()
    }

    // MARK: Kinds

    private func algorithms() throws -> [Forgery] {
        let good = payload()
        let none = ["none", "None", "NONE", "nOnE"].flatMap { name in
            let signed = Self.signed(#"{"alg":"\#(name)"}"#, good)
            return [Forgery(name: "alg \(name)", token: "\(signed)."), Forgery(name: "alg \(name)", token: signed)]
        }
        let others = try ["none", "RS256", "PS256", "ES384", "ES512", "EdDSA", "es256", "ES256 ", "HS256", ""].map {
            try sign("alg \($0) with an ES256 signature", header: #"{"alg":"\#($0)","kid":"k1"}"#)
        }
        let odd = try [#"["ES256"]"#, "null", "256", "true", #"{"alg":"ES256"}"#].map {
            try sign("alg \($0)", header: #"{"alg":\#($0),"kid":"k1"}"#)
        }
        let secrets: [(String, [UInt8])] = [
            ("PEM", Array(key.key.publicKey.pemRepresentation.utf8)),
            ("PEM and a line end", Array((key.key.publicKey.pemRepresentation + "\n").utf8)),
            ("DER", Array(key.key.publicKey.derRepresentation)), ("x963", Array(key.key.publicKey.x963Representation)),
            ("raw", Array(key.key.publicKey.rawRepresentation)), ("JWK", Array(try JSONEncoder().encode(key.jwk))),
            ("no", []),
        ]
        let hmacs = secrets.map { name, secret in
            let signed = Self.signed(#"{"alg":"HS256","kid":"k1","typ":"JWT"}"#, good)
            let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: SymmetricKey(data: secret))
            return Forgery(name: "HS256 with \(name) key as secret", token: "\(signed).\(Base64URL.encode(code))")
        }
        return none + others + odd + hmacs
    }

    private func headers() throws -> [Forgery] {
        let parameters = [
            #""crit":["exp"]"#, #""crit":[]"#, #""b64":false,"crit":["b64"]"#, #""b64":false"#, #""b64":"false""#,
            #""zip":"DEF""#, #""cty":"JWT""#, #""enc":"A128GCM""#, #""x5t":"abc""#, #""nonce":"abc""#,
            #""jku":"https://evil.example/keys""#, #""x5u":"https://evil.example/cert""#, #""x5c":["MIIB"]"#,
        ]
        let whole: [String] = ["[]", "null", "{", #""ES256""#, "", #"{"alg":"ES256","alg":"none","kid":"k1"}"#]
        let types = ["JWE", "jwt", "at+jwt", "", "JOSE"]
        return try parameters.map { try sign("header with \($0)", header: #"{"alg":"ES256","kid":"k1",\#($0)}"#) }
            + types.map { try sign("header typ \($0)", header: #"{"alg":"ES256","kid":"k1","typ":"\#($0)"}"#) }
            + whole.map { try sign("header \($0)", header: $0) } + [
                try sign("kid twice", header: #"{"alg":"ES256","kid":"k0","kid":"k1"}"#)
            ]
    }

    private func keys() throws -> [Forgery] {
        let kids = [
            #""../../k1""#, #""/dev/null""#, #""k1' OR '1'='1""#, #""k1' UNION SELECT 'x'--""#, #""""#, #"["k1"]"#,
            "null",
            "1", #""k1\u0000""#, #""K1""#, #""k1 ""#, #""\#(String(repeating: "k", count: 3000))""#, #"{"k1":1}"#,
        ]
        let named = try kids.map { try sign("kid \($0.prefix(20))", header: #"{"alg":"ES256","kid":\#($0)}"#) }
        let stranger = P256.Signing.PrivateKey()
        let own = JWKS.Key(kid: "k1", key: stranger.publicKey)
        let jwk = String(decoding: try JSONEncoder().encode(own), as: UTF8.self)
        return named + [
            try sign("no kid", header: #"{"alg":"ES256"}"#),
            try sign("a foreign key under our kid", header: header, key: stranger),
            try sign("a key of its own", header: #"{"alg":"ES256","kid":"k1","jwk":\#(jwk)}"#, key: stranger),
            try sign("a key of its own and no kid", header: #"{"alg":"ES256","jwk":\#(jwk)}"#, key: stranger),
        ]
    }

    private func signatures() throws -> [Forgery] {
        let signed = Self.signed(header, payload())
        let good = try Array(key.key.signature(for: Array(signed.utf8)).rawRepresentation)
        let zeros = [UInt8](repeating: 0, count: 32)
        // The order of the curve's group: as good as zero.
        let order =
            [UInt8](repeating: 0xff, count: 4) + [0, 0, 0, 0] + [UInt8](repeating: 0xff, count: 8)
            + [0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51]
        let all: [(String, [UInt8])] = [
            ("no signature", []), ("a short signature", Array(good.dropLast())), ("a long signature", good + [0]),
            ("half a signature", Array(good.prefix(32))), ("r and s are 0", zeros + zeros),
            ("r is 0", zeros + good.suffix(32)), ("s is 0", good.prefix(32) + zeros),
            ("r and s are the order", order + order), ("r is the order", order + good.suffix(32)),
            ("all ones", [UInt8](repeating: 0xff, count: 64)),
            ("r and s change places", good.suffix(32) + good.prefix(32)),
            ("DER", try Array(key.key.signature(for: Array(signed.utf8)).derRepresentation)),
            ("one bit", good.dropLast() + [good[63] ^ 1]),
        ]
        return all.map { Forgery(name: $0, token: "\(signed).\(Base64URL.encode($1))") }
    }

    private func claims() throws -> [Forgery] {
        let other: App = app == .moup ? .anlaka : .moup
        let types = [typ == "access" ? "refresh" : "access", "id", "identity", "ticket", "", "Access"]
        let changes: [(String, String?)] =
            types.map { ("typ", #""\#($0)""#) } + [
                ("typ", nil), ("typ", #"["access"]"#), ("app", #""\#(other.rawValue)""#), ("app", nil), ("app", #""""#),
                ("app", #"["\#(app.rawValue)"]"#), ("app", #""\#(app.rawValue.uppercased())""#), ("sub", nil),
                ("sub", "42"), ("sub", #""0""#), ("sub", #""-1""#), ("sub", #""9223372036854775808""#),
                ("sub", #""x""#),
                ("sub", #""""#), ("sid", nil), ("sid", #""""#), ("sid", "1"), ("gen", "-1"), ("gen", #""1""#),
                ("exp", nil),
                ("exp", #""4102444800""#), ("exp", "-1"), ("exp", "0"), ("exp", "NaN"), ("exp", "Infinity"),
                ("exp", "1e400"), ("exp", "1e300"), ("exp", "9223372036854775807"), ("exp", "4102444800.5"),
                ("exp", "null"), ("exp", "true"), ("exp", "[4102444800]"), ("exp", "0x7fffffff"),
            ]
        let repeated = [#""sub":"43","#, #""typ":"x","#, #""exp":1,"#, #""s\u0075b":"43","#].map {
            ("\($0) twice", "{" + $0 + payload().dropFirst())
        }
        let texts = [("an array", "[]"), ("null", "null"), ("no JSON", "{"), ("a text", #""x""#), ("nothing", "")]
        return try changes.map { try sign("\($0) is \($1 ?? "missing")", payload: payload($0, $1)) }
            + (repeated + texts).map { try sign($0, payload: $1) }
    }

    private func forms() throws -> [Forgery] {
        let good = try sign("good", payload: payload()).token
        let parts = good.split(separator: ".").map(String.init)
        let nested = try sign("a nested token", header: #"{"alg":"ES256","kid":"k1","cty":"JWT"}"#, payload: good)
        let json = #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#
        let forged = payload().replacing(#""42""#, with: #""43""#)
        return [
            nested, try sign("a token in a token", payload: good), Forgery(name: "JSON serialisation", token: json),
            Forgery(name: "a changed payload", token: "\(parts[0]).\(Base64URL.encode(forged.utf8)).\(parts[2])"),
            Forgery(name: "JWE", token: "\(parts[0]).\(parts[1]).\(parts[2]).\(parts[1]).\(parts[2])"),
            Forgery(name: "two parts", token: "\(parts[0]).\(parts[1])"),
            Forgery(name: "four parts", token: good + ".x"),
            Forgery(name: "dots", token: ".."), Forgery(name: "more dots", token: "...."),
            Forgery(name: "an empty part", token: ".\(parts[1]).\(parts[2])"),
            Forgery(name: "padding", token: good + "="),
            Forgery(name: "padded header", token: "\(parts[0])==.\(parts[1]).\(parts[2])"),
            Forgery(name: "a blank", token: "\(parts[0]). \(parts[1]).\(parts[2])"),
            Forgery(name: "a tab", token: "\(parts[0]).\(parts[1])\t.\(parts[2])"),
            Forgery(name: "a blank in the end", token: "\(parts[0]).\(parts[1]). \(parts[2])"),
            Forgery(name: "two tokens", token: "\(good), \(good)"), Forgery(name: "quotes", token: #""\#(good)""#),
            Forgery(name: "percents", token: good.replacing(".", with: "%2E")), Forgery(name: "rubbish", token: "x"),
            Forgery(name: "too long", token: good + String(repeating: "A", count: 5000)),
            Forgery(name: "64 KB", token: good + String(repeating: "A", count: 65_536)),
        ]
    }

    // MARK: Pieces

    /// The claims of a valid token, with one claim changed or removed.
    private func payload(_ name: String = "", _ value: String? = nil) -> String {
        let claims = [
            ("sub", #""42""#), ("sid", #""s1""#), ("app", #""\#(app.rawValue)""#), ("typ", #""\#(typ)""#), ("gen", "0"),
            ("exp", "4102444800"),
        ]
        let changed = claims.compactMap { claim in
            claim.0 == name ? value.map { (claim.0, $0) } : claim
        }
        return "{" + changed.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}"
    }

    private func sign(
        _ name: String,
        header: String? = nil,
        payload text: String? = nil,
        key other: P256.Signing.PrivateKey? = nil
    ) throws -> Forgery {
        let signed = Self.signed(header ?? self.header, text ?? payload())
        let signature = try (other ?? key.key).signature(for: Array(signed.utf8)).rawRepresentation
        return Forgery(name: name, token: "\(signed).\(Base64URL.encode(signature))")
    }

    /// A valid token that is made in the same way: it shows that the others fail for the right reason.
    static func good(_ app: App, as typ: String = "access") throws -> String {
        let forge = Forgeries(app, typ: typ)
        return try forge.sign("good").token
    }

    private static func signed(_ header: String, _ payload: String) -> String {
        "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
    }
}
