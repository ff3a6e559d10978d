// Results as they came: GraphSON 3.

import { el, say } from '../dom.js';

const shown = 200000; // characters

/** json shows the raw answer. */
export function json(raw) {
  const text = JSON.stringify(raw, null, 2) ?? '';
  const copy = el('button', { type: 'button', onclick: () => copied(text) }, 'copy');
  const pre = el('pre', { class: 'json' }, text.slice(0, shown), text.length > shown ? '\n… copy gives all of it' : '');
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'GraphSON of results' }, el('div', { class: 'bar' }, copy), pre);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    say('copied');
  } catch {
    say('The browser does not let a page copy here.');
  }
}
