import FoundationEssentials
import Hummingbird
import ServiceKit
import Values

/// The web page with the lock screens of phones. It runs only its own script, which reloads the page every two seconds
/// from the same origin.
struct LockScreensPage {
    let screens: LockScreens
    private static let template = String(decoding: PackageResources.phones_html, as: UTF8.self)

    init(_ screens: LockScreens) {
        self.screens = screens
    }

    var response: Response {
        let text = WebPage(Self.template.replacing("{{phones}}", with: screens.phones.map(Self.html).joined()))
        return text.response(
            policy: """
                default-src 'none'; script-src 'nonce-\(text.nonce)'; style-src 'nonce-\(text.nonce)'; \
                connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
                """
        )
    }

    private static func html(_ phone: LockScreen) -> String {
        let newest = phone.cards.first.map { SeoulClock($0.at) }
        let silent = phone.silent > 0 ? "<p class=\"silent\">\(phone.silent) not shown to people</p>" : ""
        return """
            <article class="phone">
            <header><p class="clock">\(newest?.time ?? "--:--")</p><p class="day">\(newest?.day ?? "")</p></header>
            <ul>\(phone.cards.map { html($0, badge: phone.badges[$0.project]) }.joined())</ul>
            <footer>\(silent)<p class="token">\(HTMLText.escaped(phone.token))</p></footer>
            </article>
            """
    }

    private static func html(_ card: LockScreen.Card, badge: Int?) -> String {
        let number = badge.flatMap { $0 > 0 ? "<b class=\"badge\">\($0)</b>" : nil } ?? ""
        let chips = [
            card.alert.threadID.map { "thread \($0)" }, card.collapseID.map { "collapse \($0)" },
            card.replaced > 0 ? "replaces \(card.replaced)" : nil,
        ]
        return """
            <li class="card">
            <span class="icon tone\(tone(card.project))">\(HTMLText.escaped(card.project.prefix(1).uppercased()))\(number)</span>
            <div class="words">
            <p class="app"><span>\(HTMLText.escaped(card.project))</span><time>\(SeoulClock(card.at).time)</time></p>
            \(line("title", card.alert.title))\(line("subtitle", card.alert.subtitle))\(line("body", card.alert.body))
            <p class="chips">\(chips.compactMap { $0 }.map { "<span>\(HTMLText.escaped($0))</span>" }.joined())</p>
            </div>
            </li>
            """
    }

    private static func line(_ name: String, _ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        return "<p class=\"\(name)\" dir=\"auto\">\(HTMLText.escaped(text))</p>"
    }

    /// The colour of a project's icon, one of six; deterministic.
    private static func tone(_ project: String) -> Int {
        project.utf8.reduce(0) { ($0 * 3 + Int($1)) % 997 } % 6
    }
}

/// A time as displayed on a lock screen in Seoul.
private struct SeoulClock {
    /// `9:05`, `23:40`.
    var time: String
    /// `Monday, November 23`.
    var day: String

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    init(_ instant: Date) {
        let (hour, minute) = SeoulTime.minute(of: instant).quotientAndRemainder(dividingBy: 60)
        time = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
        let date = SeoulTime.date(of: instant)
        day = "\("\(date.weekday)".capitalized), \(Self.months[date.month.month - 1]) \(date.day)"
    }
}
