import { h } from 'vue'
import { withBase } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import './site.css'

/** The recorded run of the README. */
const terminal = () => h('p', { class: 'terminal' }, h('img', { src: withBase('/docs/diagrams/first-run.svg'), alt: 'A run of the command on a terminal' }))

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-after': terminal })
}
