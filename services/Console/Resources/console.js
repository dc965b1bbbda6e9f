"use strict";
// The page's content comes anew as server-sent events; what is focused or open stays.
const main = document.querySelector("main[data-updates]");
if (main) {
  const title = main.querySelector("h1");
  const source = new EventSource(main.dataset.updates);
  source.addEventListener("page", (event) => {
    if (main.contains(document.activeElement) || main.querySelector("details[open]")) return;
    const content = document.createElement("template");
    content.innerHTML = event.data;
    main.replaceChildren(title, content.content);
  });
}
