/// Where the address of an invitation leads. The invitation is used by the button alone, so that nothing that only loads
/// the address uses it up.
struct SignInPage {
    let token: String?
    let language: Language

    var html: HTML {
        guard let token, !token.isEmpty else {
            return """
                <p>\(language("Sign in with an address that this command prints:", "다음 명령이 출력하는 주소로 로그인하세요."))</p>
                <pre>stack console --name NAME --role look</pre>
                """
        }
        return """
            <form method="post" action="\(Layout.root)/sign-in">
            <input type="hidden" name="token" value="\(token)">
            <button>\(language("Sign in", "로그인"))</button></form>
            """
    }
}
