// Markdown as HTML. Raw HTML in it stays text, and links go only where links may.

import MarkdownIt from 'markdown-it'

const made = new MarkdownIt({ html: false, linkify: false, typographer: false })

// A table may be wider than a phone: it scrolls by itself, by keyboard too.
made.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>'
made.renderer.rules.table_close = () => '</table></div>'

/** A rule's id in bold at the beginning of its sentence becomes a place that one can link to. */
export function render(text: string): string {
  return made.render(text).replace(/<strong>([A-Z]\d+)<\/strong>/g, '<strong class="rule" id="rule-$1">$1</strong>')
}
