import ServiceKit
import Testing

@Suite struct HTMLTextTests {
    @Test(arguments: [
        ("원룸 24.5㎡", "원룸 24.5㎡"), ("a & b", "a &#38; b"), ("</script>", "&#60;/script&#62;"),
        (#"" onload="x"#, "&#34; onload=&#34;x"), ("'`", "&#39;&#96;"), ("{{token}}", "&#123;&#123;token&#125;&#125;"),
        ("a\0b", "a\u{FFFD}b"), ("<\u{301}", "&#60;\u{301}"), ("\u{2028}", "\u{2028}"),
    ])
    func specialCharacter_isEscapedNumerically(_ text: String, _ escaped: String) {
        #expect(HTMLText.escaped(text) == escaped)
    }
}
