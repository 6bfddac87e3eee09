// What remark checks in every Markdown file of the repository: the build fails at any message.
import remarkGfm from 'remark-gfm'
import firstHeadingLevel from 'remark-lint-first-heading-level'
import headingIncrement from 'remark-lint-heading-increment'
import noHtml from 'remark-lint-no-html'
import noMultipleToplevelHeadings from 'remark-lint-no-multiple-toplevel-headings'
import validateLinks from 'remark-validate-links'
import { REFERENCE } from './contents.mjs'
import rules from './rules.mjs'

export default {
  plugins: [
    remarkGfm,
    [validateLinks, { repository: false, root: '', skipPathPatterns: [new RegExp(REFERENCE)] }],
    firstHeadingLevel,
    headingIncrement,
    noHtml,
    noMultipleToplevelHeadings,
    rules
  ]
}
