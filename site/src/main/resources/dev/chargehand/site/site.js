// The search. Whatever comes from the documents is put in as text, never as HTML.
(() => {
  "use strict";
  const root = document.documentElement.dataset.root;
  const form = document.getElementById("_search");
  const input = document.getElementById("_words");
  const results = document.getElementById("_results");
  const found = document.getElementById("_found");
  const list = document.getElementById("_list");
  const most = 20;
  const load = (name) => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = root + name;
    script.onload = done;
    script.onerror = () => failed(new Error(name));
    document.head.append(script);
  });

  // Loaded when it is first needed, and once; by script elements, since a page opened as a file may fetch nothing.
  let ready;
  const prepare = () => ready ??= Promise.all(["lunr.js", "search-index.js", "search.js"].map(load))
    .then(() => siteSearch.prepare());

  const excerpt = (text) => {
    const line = document.createElement("small");
    for (const part of siteSearch.excerpt(text, input.value)) {
      if (part.asked) {
        const mark = document.createElement("mark");
        mark.textContent = part.text;
        line.append(mark);
      } else {
        line.append(part.text);
      }
    }
    return line;
  };

  const item = (section) => {
    const link = document.createElement("a");
    link.href = root + section.url;
    const heading = document.createElement("strong");
    heading.textContent = section.heading;
    link.append(heading);
    if (section.page !== section.heading) link.append(" · " + section.page);
    link.append(excerpt(section.text));
    const entry = document.createElement("li");
    entry.append(link);
    return entry;
  };

  const show = () => {
    const any = siteSearch.words(input.value).length > 0;
    results.hidden = !any;
    if (!any) {
      found.textContent = "";
      list.replaceChildren();
      return;
    }
    const hits = siteSearch.find(input.value);
    found.textContent = hits.length === 0 ? "Nothing found."
      : hits.length === 1 ? "1 section." : hits.length + " sections" + (hits.length > most ? ", the best " + most + ":" : ".");
    list.replaceChildren(...hits.slice(0, most).map(item));
  };

  const update = () => prepare().then(show, (failure) => {
    results.hidden = false;
    found.textContent = "The search could not be loaded: " + failure.message;
  });

  const move = (step) => {
    const stops = [input, ...list.querySelectorAll("a")];
    const next = stops.indexOf(document.activeElement) + step;
    stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
  };

  form.hidden = false;
  input.addEventListener("focus", () => prepare().catch(() => {}));
  input.addEventListener("input", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    update().then(() => list.querySelector("a")?.focus());
  });
  document.querySelector(".search").addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") {
      input.value = "";
      results.hidden = true;
      input.focus();
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) results.hidden = true;
  });
})();
