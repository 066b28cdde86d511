// Renders Markdown as HTML. Raw HTML stays text, and unsafe links are dropped.

import MarkdownIt from 'markdown-it'

const made = new MarkdownIt({ html: false, linkify: false, typographer: false })

// Wide tables scroll on their own, with the keyboard too.
made.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>'
made.renderer.rules.table_close = () => '</table></div>'

/** Turns the bold id at the start of a rule into an anchor. */
export function render(text: string): string {
  return made.render(text).replace(/<strong>([A-Z]\d+)<\/strong>/g, '<strong class="rule" id="rule-$1">$1</strong>')
}
