// Results as a table: a column for each key, or one of values.

import { el } from '../dom.js';
import { Edge, Path, Property, Vertex, string } from '../graphson.js';

const page = 500; // rows that are shown at once
const longest = 300; // characters of a cell

/** table shows results. */
export function table(results) {
  const rows = results.map(fields);
  const columns = [...new Set(rows.slice(0, 5000).flatMap((r) => [...r.keys()]))];
  const body = el('tbody');
  const more = el('button', { type: 'button', class: 'more', onclick: () => grow() });
  let shown = 0;
  function grow() {
    const next = rows.slice(shown, shown + page);
    body.append(...next.map((r, i) => el('tr', {}, el('th', { scope: 'row' }, shown + i + 1), columns.map((c) => cell(r.get(c))))));
    shown += next.length;
    more.hidden = shown >= rows.length;
    more.textContent = `show more: ${shown} of ${rows.length}`;
  }
  grow();
  const head = el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, '#'), columns.map((c) => el('th', { scope: 'col' }, c))));
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of results' }, el('table', {}, head, body), more);
}

function cell(v) {
  if (v === undefined) return el('td');
  const text = string(v);
  const number = typeof v === 'number' || typeof v === 'bigint';
  return el('td', { class: number ? 'number' : null, title: text.length > longest ? text.slice(0, 5000) : null },
    text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** fields are the cells of a result, by column. */
function fields(x) {
  if (x instanceof Vertex) return new Map([['id', x.id], ['label', x.label], ...single(x.properties)]);
  if (x instanceof Edge) return new Map([['id', x.id], ['label', x.label], ['out', x.out.id], ['in', x.in.id], ...single(x.properties)]);
  if (x instanceof Map) return new Map([...x].map(([k, v]) => [string(k), alone(v)]));
  if (x instanceof Path) return new Map(x.objects.map((o, i) => [[...(x.labels[i]?.items ?? x.labels[i] ?? [])].join(', ') || String(i), o]));
  if (x instanceof Property) return new Map([['key', x.key], ['value', x.value]]);
  return new Map([['value', x]]);
}

const single = (properties) => [...properties].map(([k, list]) => [k, alone(list)]);

const alone = (v) => (Array.isArray(v) && v.length === 1 ? v[0] : v);
