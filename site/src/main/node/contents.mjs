// Reads site/contents.md, the one list of the pages.
import fs from 'node:fs'
import path from 'node:path'

export const LIST = 'site/contents.md'

/** The prefix of links to the API reference, which the build generates. */
export const REFERENCE = 'site/target/site/'

const HEADING = /^## (.+)$/
const ENTRY = /^- \[(.+)]\((.+)\)$/
const LINK = /\]\(([^)#]+\.md)[^)]*\)/g

/** Return the sections of the list; each entry has a title, a file of the repository, and the pages that its index lists. */
export function contents(repository) {
  const sections = []
  for (const line of lines(repository, LIST)) {
    const heading = HEADING.exec(line)
    const entry = ENTRY.exec(line)
    if (heading) {
      sections.push({ title: heading[1], entries: [] })
    } else if (entry && sections.length > 0) {
      const source = path.posix.join('site', entry[2])
      sections.at(-1).entries.push({ title: entry[1], source, pages: listedBy(repository, source) })
    }
  }
  return sections
}

/** Return the files that the list names, those of an index included. */
export function listed(repository) {
  return contents(repository).flatMap(section => section.entries.flatMap(entry => [entry, ...entry.pages])).map(entry => entry.source)
}

/** The README.md of a folder lists the pages of that folder to which it links. */
function listedBy(repository, index) {
  const folder = path.posix.dirname(index)
  if (folder === '.' || path.posix.basename(index) !== 'README.md' || !fs.existsSync(path.join(repository, index))) {
    return []
  }
  const links = lines(repository, index).flatMap(line => [...line.matchAll(LINK)].map(link => path.posix.join(folder, link[1])))
  return [...new Set(links)]
    .filter(source => path.posix.dirname(source) === folder && source !== index && fs.existsSync(path.join(repository, source)))
    .map(source => ({ title: title(repository, source), source }))
}

function title(repository, source) {
  const heading = lines(repository, source).find(line => line.startsWith('# '))
  return heading ? heading.slice(2).replaceAll('`', '') : source
}

function lines(repository, file) {
  return fs.readFileSync(path.join(repository, file), 'utf8').split(/\r?\n/)
}
