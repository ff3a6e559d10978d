// What may stand at the caret. Steps, predicates and enumerations are those of the server.

import { words } from './words.js';
import { tokens } from './gremlin.js';

const labelCalls = new Set(['hasLabel', 'out', 'in', 'both', 'outE', 'inE', 'bothE', 'toE', 'to', 'addV', 'addE']);
const most = 60;

/**
 * propose returns {from, items} for a text that ends at the caret: each item is {text, doc,
 * kind}, and stands in place of what is behind from. names are {labels, keys, sources,
 * services} of the graph.
 */
export function propose(before, names) {
  const list = tokens(before).filter((t) => t.type !== 'space');
  const last = list.at(-1);
  if (last?.type === 'comment') return none(before);
  if (last?.type === 'string' && open(last.text)) return within(list, last, names);
  const typed = last?.type === 'word' && last.at + last.text.length === before.length ? last : null;
  const solid = typed ? list.slice(0, -1) : list;
  const word = typed ? typed.text : '';
  return { from: before.length - word.length, items: begin(behind(solid, names), word) };
}

const none = (before) => ({ from: before.length, items: [] });

const open = (text) => text.length === 1 || text.at(-1) !== text[0] || /[^\\]\\(\\\\)*.$/.test(text.slice(-3)) && text.at(-2) === '\\';

function behind(list, names) {
  const last = list.at(-1)?.text;
  if (last !== '.') {
    const inner = list.some((t) => t.text === '(');
    return [...names.sources.map(as('source')), ...(inner ? [...words.predicates, ...words.inner] : []), ...Object.keys(words.enums).map(as('class'))];
  }
  const owner = list.at(-2);
  if (owner?.type === 'word' && Object.hasOwn(words.enums, owner.text)) return words.enums[owner.text];
  const first = owner?.type === 'word' && names.sources.includes(owner.text);
  return first ? words.start : words.inner;
}

/** within proposes what a text in a call is about. */
function within(list, last, names) {
  const [call, place] = callAround(list.slice(0, -1));
  const from = last.at + 1;
  const all = new Set();
  if (call === 'call') names.services.forEach((n) => all.add(n));
  else if (labelCalls.has(call)) names.labels.forEach((n) => all.add(n));
  else {
    names.keys.forEach((n) => all.add(n));
    if (call === 'has' && place === 0) names.labels.forEach((n) => all.add(n));
  }
  return { from, items: begin([...all].map(as(call === 'call' ? 'service' : 'name')), last.text.slice(1)) };
}

/** callAround returns the name of the call that is open, and which argument comes. */
function callAround(list) {
  let depth = 0;
  let commas = 0;
  for (let i = list.length - 1; i >= 0; i--) {
    const t = list[i].text;
    if (t === ')' || t === ']') depth++;
    else if (t === '[') depth--;
    else if (t === '(' && depth-- === 0) return [list[i - 1]?.text ?? '', commas];
    else if (t === ',' && depth === 0) commas++;
  }
  return ['', 0];
}

const as = (kind) => (text) => ({ text, doc: '', kind });

/** begin keeps the items that begin with a word, then those that hold it. */
function begin(items, word) {
  const small = word.toLowerCase();
  const starts = items.filter((c) => c.text.toLowerCase().startsWith(small));
  const holds = small.length > 1 ? items.filter((c) => c.text.toLowerCase().indexOf(small) > 0) : [];
  return [...new Set([...starts, ...holds])].slice(0, most);
}
