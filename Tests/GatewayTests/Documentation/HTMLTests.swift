import Testing

@testable import Gateway

struct HTMLTests {
    @Test func texts_areEscaped_andHTMLIsNot() {
        let text = "<b onclick='x'>&\""
        let inner: HTML = "<i>\(text)</i>"
        let whole: HTML = "<p>\(inner)\([inner, "<br>"])\(7)\(nil as HTML?)</p>"
        let escaped = "<i>&#60;b onclick=&#39;x&#39;&#62;&#38;&#34;</i>"
        #expect(whole.text == "<p>\(escaped)\(escaped)<br>7</p>")
    }
}
