// The filter of operations, and the mark of the one that is read.
"use strict";

const filter = document.getElementById("filter");
const operations = [...document.querySelectorAll(".operation:not(.schema)")].map((article) => ({
  article,
  link: document.querySelector(`.side a[href="#${CSS.escape(article.id)}"]`)?.parentElement,
  text: [article.id, ...[...article.querySelectorAll("h3, .address, .about > p")].map((part) => part.textContent)]
    .join(" ").toLowerCase(),
}));

const apply = () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { article, link, text } of operations) {
    const fits = words.every((word) => text.includes(word));
    article.hidden = !fits;
    if (link) link.hidden = !fits;
    if (fits) shown += 1;
  }
  for (const section of document.querySelectorAll("main > section[id^=resource-]")) {
    section.hidden = !section.querySelector(".operation:not([hidden])");
  }
  for (const title of document.querySelectorAll(".side h2")) {
    title.hidden = !title.nextElementSibling?.querySelector("li:not([hidden])");
  }
  document.getElementById("nothing").hidden = shown > 0;
};

filter.closest(".filter").hidden = false;
filter.addEventListener("input", apply);
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    const opener = document.getElementById("opener");
    if (filter.offsetParent === null) opener.checked = true;
    filter.focus();
  }
  if (event.key === "Escape" && event.target === filter) {
    filter.value = "";
    apply();
  }
});
// A link in the list closes it where it covers the page.
document.querySelector(".side").addEventListener("click", (event) => {
  if (event.target.closest("a")) document.getElementById("opener").checked = false;
});

document.querySelector(".apps [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

let current;
const observer = new IntersectionObserver((entries) => {
  const entered = entries.find((entry) => entry.isIntersecting);
  if (!entered) return;
  current?.removeAttribute("aria-current");
  current = document.querySelector(`.side a[href="#${CSS.escape(entered.target.id)}"]`);
  current?.setAttribute("aria-current", "location");
}, { rootMargin: "-10% 0px -80% 0px" });
for (const { article } of operations) observer.observe(article);
