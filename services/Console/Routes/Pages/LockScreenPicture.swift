import Values

/// A push as the phone has shown it.
struct LockScreenPicture {
    let push: SandboxControls.Push

    var html: HTML {
        let lines = [push.title, push.subtitle].compactMap(\.self).map { "<b>\($0)</b>" as HTML }
        return """
            <figure class="lock"><figcaption>\(push.project) · \(push.at)</figcaption>\(lines)<p>\(push.body ?? "")</p></figure>

            """
    }
}
