// What the search of the site finds. No page is needed for it, so that the build can try it.
globalThis.siteSearch = (() => {
  "use strict";
  // Between words: white space, and punctuation but for the underscore.
  const separator = /[\s!-/:-@[-^`{-~\u00a0-\u00bf\u2000-\u206f]+/;
  let index;

  const prepare = () => {
    lunr.tokenizer.separator = separator;
    index = lunr((builder) => {
      builder.pipeline.remove(lunr.stemmer); // most of what is looked for are names
      builder.searchPipeline.remove(lunr.stemmer);
      builder.ref("place");
      builder.field("heading", { boost: 6 });
      builder.field("page", { boost: 2 });
      builder.field("text");
      searchIndex.forEach((section, place) => {
        builder.add({ place: place, heading: section.heading, page: section.page, text: section.text });
      });
    });
  };

  // Without words such as "the", unless there are no others.
  const words = (query) => {
    const all = query.toLowerCase().split(separator).filter((word) => word !== "");
    const telling = all.filter((word) => lunr.stopWordFilter(new lunr.Token(word)) !== undefined);
    return telling.length > 0 ? telling : all;
  };

  // Decisions, changes and plans say how it came to be; guides say how it is, and come first.
  const isRecord = (hit) => (/^(adr\/|changelog|plan|contributing)/i.test(hit.section.url) ? 1 : 0);

  // A whole word counts most, then what begins with it, then what it may be misspelt from. Who has more of the words is first,
  // and of those a guide.
  const find = (query) => {
    const asked = words(query);
    if (asked.length === 0) return [];
    const hits = index.query((clauses) => {
      asked.forEach((word) => {
        clauses.term(word, { boost: 20 });
        if (word.length > 1) clauses.term(word, { boost: 5, wildcard: lunr.Query.wildcard.TRAILING });
        if (word.length > 3) clauses.term(word, { boost: 1, editDistance: word.length > 7 ? 2 : 1 });
      });
    });
    const has = (hit) => {
      const terms = Object.keys(hit.matchData.metadata);
      return asked.filter((word) => terms.some((term) => term.startsWith(word))).length;
    };
    return hits
      .map((hit) => ({ section: searchIndex[hit.ref], has: has(hit) }))
      .sort((one, other) => other.has - one.has || isRecord(one) - isRecord(other))
      .map((hit) => hit.section);
  };

  // Parts of a text around the first of the words that were asked for; each says whether it is one.
  const excerpt = (text, query) => {
    const stems = words(query).map((word) => word.slice(0, Math.max(3, word.length - 2)));
    const asked = (part) => stems.some((stem) => part.toLowerCase().startsWith(stem));
    const parts = text.replace(/\s+/g, " ").split(new RegExp("(" + separator.source + ")"));
    const from = Math.max(0, parts.findIndex(asked) - 16);
    const shown = parts.slice(from, from + 60).map((part) => ({ text: part, asked: asked(part) }));
    return [
      { text: from > 0 ? "… " : "", asked: false }
    ].concat(shown, [{ text: parts.length > from + 60 ? " …" : "", asked: false }]);
  };

  return { prepare: prepare, words: words, find: find, excerpt: excerpt };
})();
