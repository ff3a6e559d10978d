// Results as a tree that opens branch by branch; what is closed is not made yet.

import { el } from '../dom.js';
import { Edge, GSet, Path, Plan, Property, Subgraph, Tree, Vertex, string } from '../graphson.js';

const page = 200; // branches that are shown at once

/** tree shows results. */
export function tree(results) {
  const top = el('ul', { class: 'tree', 'aria-label': 'Tree of results' });
  grow(top, results.map((r, i) => [String(i + 1), r]), 0, results.length <= 20 ? 1 : 0);
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Tree of results' }, top);
}

function grow(list, branches, from, open) {
  for (const [name, v] of branches.slice(from, from + page)) list.append(branch(name, v, open));
  const left = branches.length - from - page;
  if (left <= 0) return;
  const more = el('button', { type: 'button', class: 'more', onclick: () => { more.remove(); grow(list, branches, from + page, 0); } }, `${left} more`);
  list.append(el('li', {}, more));
}

function branch(name, v, open) {
  const inner = parts(v);
  const text = string(v);
  const head = [el('span', { class: 'key' }, name), ' ', el('span', { class: kind(v) }, text.length > 120 ? `${text.slice(0, 120)}…` : text)];
  if (!inner.length) return el('li', {}, head);
  const details = el('details', { ontoggle: () => fill() }, el('summary', {}, head));
  let filled = false;
  const fill = () => {
    if (filled || !details.open) return;
    filled = true;
    const list = el('ul');
    grow(list, inner, 0, open - 1);
    details.append(list);
  };
  if (open > 0) { details.open = true; fill(); }
  return el('li', {}, details);
}

const kind = (v) => (typeof v === 'number' || typeof v === 'bigint' ? 'number' : typeof v === 'string' ? 'string' : 'word');

/** parts are the branches of a value, by name; of one that is whole, none. */
function parts(v) {
  if (v instanceof Vertex) return [['id', v.id], ['label', v.label], ...properties(v)];
  if (v instanceof Edge) return [['id', v.id], ['label', v.label], ['out', v.out.id], ['in', v.in.id], ...properties(v)];
  if (v instanceof Path) return v.objects.map((o, i) => [String(i), o]);
  if (v instanceof Tree) return v.branches.map(([k, t]) => [string(k), t]);
  if (v instanceof Subgraph) return [['vertices', v.vertices], ['edges', v.edges]];
  if (v instanceof Plan) return parts(v.fields);
  if (v instanceof Property) return [[v.key, v.value]];
  if (v instanceof GSet) return v.items.map((o, i) => [String(i), o]);
  if (v instanceof Map) return [...v].map(([k, o]) => [string(k), o]);
  if (Array.isArray(v)) return v.map((o, i) => [String(i), o]);
  return [];
}

const properties = (e) => [...e.properties].map(([k, list]) => [k, list.length === 1 ? list[0] : list]);
