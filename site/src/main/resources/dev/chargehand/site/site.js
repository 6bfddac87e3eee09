// The search. Whatever comes from the documents is put in as text, never as HTML.
(() => {
  "use strict";
  const root = document.documentElement.dataset.root;
  const form = document.getElementById("search");
  const input = document.getElementById("words");
  const results = document.getElementById("results");
  const found = document.getElementById("found");
  const list = document.getElementById("list");
  const most = 20;
  let index;

  const load = (name) => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = root + name;
    script.onload = done;
    script.onerror = () => failed(new Error(name));
    document.head.append(script);
  });

  // Loaded when it is first needed, and once; by script elements, since a page opened as a file may fetch nothing.
  let ready;
  const prepare = () => ready ??= Promise.all([load("lunr.js"), load("search-index.js")]).then(() => {
    lunr.tokenizer.separator = /[^\p{L}\p{N}_]+/u;
    index = lunr(function () {
      this.pipeline.remove(lunr.stemmer); // most of what is looked for are names
      this.searchPipeline.remove(lunr.stemmer);
      this.ref("place");
      this.field("heading", { boost: 6 });
      this.field("page", { boost: 2 });
      this.field("text");
      searchIndex.forEach((section, place) => this.add({ place, ...section }));
    });
  });

  const words = () => {
    const all = input.value.toLowerCase().split(lunr.tokenizer.separator).filter(Boolean);
    const telling = all.filter((word) => lunr.stopWordFilter(new lunr.Token(word)));
    return telling.length > 0 ? telling : all;
  };

  // The whole word counts most, then what begins with it, then what it may be misspelt from. Who has more of the words is first.
  const search = () => {
    const asked = words();
    const hits = index.query((query) => {
      for (const word of asked) {
        query.term(word, { boost: 20 });
        if (word.length > 1) query.term(word, { boost: 5, wildcard: lunr.Query.wildcard.TRAILING });
        if (word.length > 3) query.term(word, { boost: 1, editDistance: word.length > 7 ? 2 : 1 });
      }
    });
    const has = (hit) => {
      const terms = Object.keys(hit.matchData.metadata);
      return asked.filter((word) => terms.some((term) => term.startsWith(word))).length;
    };
    return hits.map((hit) => [has(hit), hit]).sort((one, other) => other[0] - one[0]).map(([, hit]) => hit);
  };

  const wanted = () => {
    const stems = words().map((word) => word.slice(0, Math.max(3, word.length - 2)));
    return (word) => stems.some((stem) => word.toLowerCase().startsWith(stem));
  };

  const excerpt = (text, matches) => {
    const parts = text.replace(/\s+/g, " ").split(/([\p{L}\p{N}_]+)/u);
    const first = Math.max(0, parts.findIndex(matches));
    const from = Math.max(0, first - 16);
    const line = document.createElement("small");
    if (from > 0) line.append("… ");
    for (const part of parts.slice(from, from + 60)) {
      if (matches(part)) {
        const mark = document.createElement("mark");
        mark.textContent = part;
        line.append(mark);
      } else {
        line.append(part);
      }
    }
    if (parts.length > from + 60) line.append(" …");
    return line;
  };

  const item = (section, matches) => {
    const link = document.createElement("a");
    link.href = root + section.url;
    const heading = document.createElement("strong");
    heading.textContent = section.heading;
    link.append(heading);
    if (section.page !== section.heading) link.append(" · " + section.page);
    link.append(excerpt(section.text, matches));
    const entry = document.createElement("li");
    entry.append(link);
    return entry;
  };

  const show = () => {
    const any = words().length > 0;
    results.hidden = !any;
    if (!any) {
      found.textContent = "";
      list.replaceChildren();
      return;
    }
    const hits = search();
    const matches = wanted();
    found.textContent = hits.length === 0 ? "Nothing found."
      : hits.length === 1 ? "1 section." : hits.length + " sections" + (hits.length > most ? ", the best " + most + ":" : ".");
    list.replaceChildren(...hits.slice(0, most).map((hit) => item(searchIndex[hit.ref], matches)));
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
