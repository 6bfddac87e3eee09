const TABS = /^<!-- tabs: (.+) -->\s*$/

/**
 * Show the blocks of code after a comment such as "tabs: Maven | Gradle" as tabs, one for each name. GitHub shows them one after the other.
 */
export default function tabs(md) {
  md.core.ruler.after('block', 'tabs', state => {
    for (let place = 0; place < state.tokens.length; place++) {
      const comment = state.tokens[place].type === 'html_block' && TABS.exec(state.tokens[place].content)
      if (comment) {
        const names = comment[1].split(' | ')
        const blocks = state.tokens.slice(place + 1, place + 1 + names.length)
        if (blocks.length < names.length || blocks.some(block => block.type !== 'fence')) {
          throw new Error(`${state.env.relativePath}: '${comment[0].trim()}' needs ${names.length} blocks of code directly after it.`)
        }
        blocks.forEach((block, index) => (block.info += ` [${names[index]}]`))
        const open = new state.Token('container_code-group_open', 'div', 1)
        const close = new state.Token('container_code-group_close', 'div', -1)
        state.tokens.splice(place, 1 + names.length, open, ...blocks, close)
      }
    }
  })
}
