// What the graph has: labels, keys, counts, indexes and rules.

import { el, show } from '../dom.js';
import { string } from '../graphson.js';
import { quoted } from '../gremlin.js';
import { table } from '../results/table.js';

/** Schema is the page; ask evaluates a script and run shows one as a query. */
export class Schema {
  constructor(box, { ask, run, names }) { Object.assign(this, { box, ask, run, names }); }

  async open() {
    show(this.box, el('p', { class: 'note' }, 'loading…'));
    const graph = this.names().graph;
    const [labels, stats, vertices, edges, indexes, rules] = await Promise.all([
      this.get("g.call('gremlind.names')"), this.get("g.call('gremlind.graph.stats').with('name', graphName)", { graphName: graph }),
      this.get("g.call('gremlind.index.keys', [class: 'vertex'])"), this.get("g.call('gremlind.index.keys', [class: 'edge'])"),
      this.get("g.call('gremlind.index.list')"), this.get("g.call('gremlind.schema')")]);
    const keys = vertices instanceof Error ? vertices : vertices.concat(edges instanceof Error ? [] : edges);
    show(this.box, el('div', { class: 'cards' },
      this.card('Vertex labels', labels, (list) => this.labels(list, 'vertices', 'V')),
      this.card('Edge labels', labels, (list) => this.labels(list, 'edges', 'E')),
      this.card('Property keys', labels, (list) => this.keys(list)),
      this.card('Graph', stats, ([m]) => facts(m)),
      this.card('Indexes of keys', keys, rows('No key has an index of its own: gremlind index createKey vertex name')),
      this.card('Indexes', indexes, rows('None: gremlind index create')),
      this.card('Rules', rules, (list) => this.rules(list))));
  }

  /** get is what a script gives, or the error that it gives. */
  async get(script, bindings) {
    try { return (await this.ask(script, bindings)).results; } catch (e) { return e; }
  }

  card(title, found, body) {
    const inner = found instanceof Error ? el('p', { class: 'note' }, found.message) : body(found);
    return el('section', { class: 'card' }, el('h2', {}, title), inner);
  }

  labels(list, field, start) {
    const some = list.filter((m) => Number(m.get(field)) > 0).sort((a, b) => Number(b.get(field)) - Number(a.get(field)));
    if (!some.length) return el('p', { class: 'note' }, 'none');
    return el('ul', { class: 'names' }, some.map((m) => el('li', {},
      el('button', { type: 'button', class: 'plain', onclick: () => this.run(`g.${start}().hasLabel(${quoted(m.get('name'))}).limit(100)`) }, m.get('name')),
      el('b', {}, Number(m.get(field)).toLocaleString('en')))));
  }

  keys(list) {
    const some = list.filter((m) => Number(m.get('vertices')) === 0 && Number(m.get('edges')) === 0);
    if (!some.length) return el('p', { class: 'note' }, 'none');
    return el('ul', { class: 'names' }, some.map((m) => el('li', {}, el('button', {
      type: 'button', class: 'plain', onclick: () => this.run(`g.V().has(${quoted(m.get('name'))}).limit(100)`),
    }, m.get('name')))));
  }

  rules(list) {
    const labels = list[0]?.get('labels') ?? [];
    if (!labels.length) return el('p', { class: 'note' }, 'None: every label and key may be written. gremlind schema apply');
    return el('dl', {}, labels.map((m) => {
      const [kind, name] = [...m][0];
      return [el('dt', {}, `${string(kind)} ${string(name)}`), el('dd', {}, [...m].slice(1).map(([k, v]) => el('div', {}, `${string(k)}: ${string(v)}`)))];
    }));
  }
}

const rows = (none) => (list) => (list.length ? table(list) : el('p', { class: 'note' }, none));

function facts(m) {
  if (!(m instanceof Map)) return el('p', { class: 'note' }, 'unknown');
  return el('dl', {}, [...m].filter(([, v]) => string(v) !== '0').map(([k, v]) => [el('dt', {}, string(k)),
    el('dd', {}, typeof v === 'number' ? v.toLocaleString('en') : string(v))]));
}
