extension Order {
    /// A code as traces and operators have it. Seoul Culture's shipped app puts its key into the codes that it makes,
    /// `ios_KEY_1795812060`, and the key is shown nowhere (Culture contract 4.5): `ios_…_1795812060`.
    static func shownCode(_ code: String) -> String {
        let parts = code.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0] == "ios" else { return code }
        return "ios_…_\(parts[parts.count - 1])"
    }

    var shownCode: String { Self.shownCode(code) }
}
