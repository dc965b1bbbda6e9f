import Authentication
import Values

/// What texts of a member are like.
package enum TextForm: Sendable, Equatable {
    case any
    /// One of some texts.
    case oneOf([String])
    /// A text with a beginning: `USERTAG_`.
    case prefixed(String)
    case atMost(Int)
    /// A form with a name, which a table has.
    case named(Named)

    /// The forms of times, codes and numbers in texts.
    package enum Named: String, Sendable, CaseIterable {
        case date = "yyyy-MM-dd"
        case instant = "yyyy-MM-dd'T'HH:mm:ssZ"
        case milliseconds = "yyyy-MM-dd'T'HH:mm:ss.SSSZ"
        case localTime = "a local date and time"
        case localFraction = "a local date and time with a fraction of a second"
        case localMicroseconds = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"
        case spacedMinutes = "yyyy-MM-dd HH:mm"
        case spacedSeconds = "yyyy-MM-dd HH:mm:ss"
        case timeOfDay = "HH:mm"
        case monthDay = "MM.dd"
        case minutesSeconds = "m:ss"
        case digits = "a number as text"
        case trainKey = "five digits, a name and a digit"
        case inviteCode = "six characters of 2-9 and A-Z without I and O"
        case token = "a JWT with an integer exp"
        case path = "a path without a slash at its beginning"
        case longDay = "1월 25일 (토) 오후 2시 30분"
        case shortDay = "1월 25일"
        case chipDay = "전체, or 1/25 (토)"
        case badge = "기간 만료, D-Day or D-2"
        case spaceless = "text without spaces"
    }

    package var name: String {
        switch self {
        case .any: "a string"
        case .oneOf(let texts): texts.count == 1 ? "“\(texts[0])”" : "one of \(texts.joined(separator: ", "))"
        case .prefixed(let prefix): "a string that begins with \(prefix)"
        case .atMost(let count): "a string of at most \(count) characters"
        case .named(let form): "a string of the form \(form.rawValue)"
        }
    }

    /// Whether a text has the form.
    package func fits(_ text: String) -> Bool {
        switch self {
        case .any: true
        case .oneOf(let texts): texts.contains(text)
        case .prefixed(let prefix): text.hasPrefix(prefix)
        case .atMost(let count): text.count <= count
        case .named(.token): Self.isToken(text)
        case .named(let form): form.fits(text)
        }
    }
}

extension TextForm.Named {
    fileprivate func fits(_ text: String) -> Bool {
        switch self {
        case .date: text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
        case .instant: text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil
        case .milliseconds: text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
        case .localTime: text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?/) != nil
        case .localFraction: text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}/) != nil
        case .localMicroseconds: text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/) != nil
        case .spacedMinutes: text.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d/) != nil
        case .spacedSeconds: text.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) != nil
        case .timeOfDay: text.wholeMatch(of: /\d\d:\d\d/) != nil
        case .monthDay: text.wholeMatch(of: /\d\d\.\d\d/) != nil
        case .minutesSeconds: text.wholeMatch(of: /\d+:\d\d/) != nil
        case .digits: text.wholeMatch(of: /-?\d+/) != nil
        case .trainKey: text.wholeMatch(of: /\d{5}.*\d/) != nil
        case .inviteCode: text.wholeMatch(of: /[2-9A-HJ-NP-Z]{6}/) != nil
        case .path: !text.isEmpty && !text.hasPrefix("/")
        case .longDay: text.wholeMatch(of: /\d{1,2}월 \d{1,2}일 \([월화수목금토일]\) 오[전후] \d{1,2}시 \d\d분/) != nil
        case .shortDay: text.wholeMatch(of: /\d{1,2}월 \d{1,2}일/) != nil
        case .chipDay: text.wholeMatch(of: /전체|\d{1,2}\/\d{1,2} \([월화수목금토일]\)/) != nil
        case .badge: text.wholeMatch(of: /기간 만료|D-(Day|\d+)/) != nil
        case .spaceless: !text.contains(" ")
        case .token: TextForm.isToken(text)
        }
    }
}

extension TextForm {
    /// Whether a text is a JWT whose payload says in whole seconds when it expires: the apps read that.
    fileprivate static func isToken(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1].utf8),
            let claims = try? JSONTree(parsing: payload)
        else { return false }
        return claims["exp"]?.integer != nil
    }
}
