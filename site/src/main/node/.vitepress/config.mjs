import fs from 'node:fs'
import path from 'node:path'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { contents, REFERENCE } from '../contents.mjs'
import { searchOptions } from '../search.mjs'
import pageNames from './page-names.mjs'
import tabs from './tabs.mjs'

const { SITE_REPOSITORY: repository, SITE_PAGES: pages, SITE_REFERENCE: reference, SITE_VERSION: version, SITE_BASE: base } = process.env

function item({ title, source, pages = [] }) {
  if (source.startsWith(REFERENCE)) {
    return { text: title, link: `/${source.slice(REFERENCE.length)}`, target: '_self' }
  }
  const link = `/${source.replace(/\.md$/, '')}`
  if (!source.endsWith('.md')) {
    return { text: title, link, target: '_self' }
  }
  return pages.length > 0 ? { text: title, link, collapsed: true, items: pages.map(item) } : { text: title, link }
}

/** A page opened as a file has its style, pictures and links, but no search and no buttons: browsers load modules from servers only. */
const openedAsFile = (base, page) => `
if (location.protocol === 'file:') addEventListener('DOMContentLoaded', () => {
  for (const name of ['href', 'src']) {
    for (const element of document.querySelectorAll('[' + name + '^="${base}"]')) {
      const path = element.getAttribute(name).slice(${base.length})
      element.setAttribute(name, '${'../'.repeat(page.split('/').length - 1)}' + (path || 'index.html'))
    }
  }
})`

export default defineConfig({
  lang: 'en',
  title: 'Chargehand',
  description: 'A Java framework for supervisor agents.',
  srcDir: pages,
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  transformHead: ({ page }) => [['script', {}, openedAsFile(base, page)]],
  markdown: {
    anchor: { slugify: text => slug(text) },
    attrs: { disable: true },
    config(md) {
      md.use(pageNames, base).use(tabs)
      const render = md.render.bind(md)
      // Braces are text, not an expression of Vue.
      md.render = (source, env) => render(source, env).replaceAll('{{', '&#123;&#123;')
    }
  },
  themeConfig: {
    nav: [
      { text: 'Getting started', link: '/docs/getting-started' },
      { text: 'Guides', link: '/docs/concepts' },
      { text: 'API', link: '/api/index.html', target: '_self' },
      { text: version, link: '/CHANGELOG' }
    ],
    sidebar: contents(repository).map(({ title, entries }) => ({ text: title, items: entries.map(item) })),
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    footer: { message: 'Apache License 2.0' }
  },
  buildEnd(site) {
    fs.cpSync(reference, path.join(site.outDir, 'api'), { recursive: true })
  }
})
