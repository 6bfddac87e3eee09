const PAGE = /^docs\/\S+\.md$/

/** The name of a page in code marks, such as `docs/cli.md`, leads there, unless it is in a link. */
export default function pageNames(md, base) {
  const code = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (tokens, place, ...others) => {
    const html = code(tokens, place, ...others)
    const before = tokens.slice(0, place).findLast(token => token.type.startsWith('link_'))
    const isInLink = before?.type === 'link_open'
    return PAGE.test(tokens[place].content) && !isInLink
      ? `<a href="${base}${tokens[place].content.replace(/\.md$/, '.html')}">${html}</a>`
      : html
  }
}
