// The rules of the documents that no stock package has; remark.config.mjs lists the others.
import fs from 'node:fs'
import path from 'node:path'
import { toString } from 'mdast-util-to-string'
import { visit } from 'unist-util-visit'
import { LIST, listed, REFERENCE } from './contents.mjs'

const SCHEME = /^[a-z][a-z0-9+.-]*:|^\//i
const ELSEWHERE = /^(https:\/\/[^/]|mailto:[^@]+@)/
const PAGE_NAME = /^docs\/\S*\.md$/

const PROJECT = /^projects\/[^/]+\/README\.md$/

/** Files in docs/, Markdown in the root and the pages of the projects to copy are on the site. */
const isOnSite = file => file.startsWith('docs/') || (!file.includes('/') && file.endsWith('.md')) || PROJECT.test(file)

export default function rules() {
  const repository = process.cwd()
  const entries = listed(repository)
  return (tree, file) => {
    const page = path.relative(repository, path.resolve(repository, file.path)).split(path.sep).join('/')
    if (isOnSite(page) && !entries.includes(page)) {
      file.message(`No page leads here: list it in ${LIST}, or in the README.md of its folder if that is listed`, { line: 1, column: 1 })
    }
    if (page === LIST) {
      entries.filter((entry, place) => entries.indexOf(entry) !== place).forEach(entry => file.message(`'${entry}' is listed twice`))
    }
    visit(tree, ['link', 'image', 'definition'], node => {
      const [address] = node.url.split('#')
      const target = path.posix.join(path.posix.dirname(page), decodeURI(address))
      if (SCHEME.test(node.url)) {
        if (!ELSEWHERE.test(node.url)) {
          file.message(`'${node.url}' is neither https: nor mailto: nor a relative path`, node)
        }
      } else if (address !== '' && !isOnSite(target) && !(page === LIST && target.startsWith(REFERENCE))) {
        file.message(`'${node.url}' is not part of the site; name it in code marks instead of a link`, node)
      }
    })
    visit(tree, 'image', image => {
      if (!image.alt) {
        file.message(`The picture '${image.url}' has no alternative text`, image)
      }
    })
    visit(tree, 'inlineCode', code => {
      if (PAGE_NAME.test(code.value) && !fs.existsSync(path.join(repository, code.value))) {
        file.message(`'${code.value}' does not exist`, code)
      }
    })
    visit(tree, 'paragraph', paragraph => {
      if (toString(paragraph).startsWith('|')) {
        file.message('A row without a table; an empty line ends a table, and its head needs a line of dashes', paragraph)
      }
    })
  }
}
