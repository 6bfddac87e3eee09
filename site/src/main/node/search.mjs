// How the search ranks what it finds; the site and its test use the same. The site receives the function as text, so it stands alone.

/** Guides come before the README, which sums them up, and before the records of how they came to be: decisions, changes, plans. */
function boostDocument(id) {
  if (/\/(adr\/|CHANGELOG|CONTRIBUTING|SECURITY|plan\.|architecture\.|performance\.|threat-model\.)/.test(id)) {
    return 0.1
  }
  return /\/README/.test(id) ? 0.5 : 1
}

export const searchOptions = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, boostDocument }
