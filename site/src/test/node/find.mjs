// Prints what the search of a site finds, as the page in a browser does: the places for each query, the best first.
// node find.mjs SITE QUERY...
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { searchOptions } from './search.mjs'

const [site, ...queries] = process.argv.slice(2)
const chunks = path.join(site, 'assets', 'chunks')
const name = fs.readdirSync(chunks).find(file => file.startsWith('@localSearchIndexroot'))
const { default: index } = await import(pathToFileURL(path.join(chunks, name)))
const search = MiniSearch.loadJSON(index, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'], searchOptions })
for (const query of queries) {
  console.log(search.search(query).slice(0, 10).map(hit => hit.id).join(' '))
}
