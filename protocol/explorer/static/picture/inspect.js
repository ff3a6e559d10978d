// What is beside a picture: its labels, and all that a vertex is.

import { el, show } from '../dom.js';
import { string } from '../graphson.js';

/** legend shows labels with their colours and counts. */
export function legend(box, graph, style) {
  const vertices = graph.vertexLabels.slice(0, 12).map(([label, n]) => {
    const dot = el('i');
    dot.style.background = style.colour(label);
    return el('li', {}, dot, cut(label), el('b', {}, n));
  });
  const edges = graph.edgeLabels.slice(0, 12).map(([label, n]) => el('li', { class: 'edge' }, el('i'), cut(label), el('b', {}, n)));
  show(box, vertices, edges);
}

const cut = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** inspector shows a vertex with its properties and edges; on has toggle, hide, mark and ask. */
export function inspector(box, node, graph, on) {
  box.classList.toggle('empty', !node);
  if (!node) {
    show(box, el('p', { class: 'note' }, 'A click, or an arrow key, marks a vertex; a double click, or Enter, expands it.'));
    return;
  }
  const { v } = node;
  const rows = [['id', string(v.id)], ['label', v.label], ...[...v.properties].map(([k, list]) => [k, list.map(string).join(', ')])];
  const edges = graph.lines.filter((l) => l.from === node || l.to === node);
  show(box,
    el('h3', {}, node.caption),
    el('dl', {}, rows.map(([k, t]) => [el('dt', {}, k), el('dd', {}, t.length > 2000 ? `${t.slice(0, 2000)}…` : t)])),
    el('div', { class: 'bar' },
      el('button', { type: 'button', onclick: () => on.toggle(node) }, node.open ? 'collapse' : 'expand'),
      el('button', { type: 'button', onclick: () => on.hide(node) }, 'hide'),
      el('button', { type: 'button', onclick: () => on.ask(node) }, 'query')),
    el('ul', { class: 'edges' }, edges.slice(0, 50).map((l) => {
      const other = l.from === node ? l.to : l.from;
      return el('li', {}, el('button', { type: 'button', class: 'plain', onclick: () => on.mark(other) },
        l.from === node ? `— ${l.caption} → ${other.caption}` : `← ${l.caption} — ${other.caption}`));
    })));
}
