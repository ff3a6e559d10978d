// How elements look: colours by label, captions by a key, widths by a weight.

import { string } from '../graphson.js';

// Eight colours that people who see red and green alike can tell apart, on light and dark.
const palette = ['#3b82c4', '#d9822b', '#2f9e77', '#b5589f', '#8c7ae6', '#c0504d', '#7d8a2e', '#4aa3a8'];
const longest = 26; // characters of a caption

const telling = ['name', 'title', 'code', 'label', 'key', 'username', 'email', 'desc'];

export class Style {
  constructor() {
    this.colours = new Map();
    this.caption = ''; // the key that captions show: '' for the most telling one, or T.id, T.label
    this.weight = ''; // the key that widths show: '' for weight where there is one, - for none
    this.theme();
  }

  /** theme takes the colours of the page. */
  theme() {
    const css = getComputedStyle(document.documentElement);
    const of = (name) => css.getPropertyValue(name).trim();
    Object.assign(this, { ground: of('--ground'), ink: of('--ink'), faint: of('--faint'), line: of('--edge'), lit: of('--lit') });
  }

  colour(label) {
    if (!this.colours.has(label)) this.colours.set(label, palette[this.colours.size % palette.length]);
    return this.colours.get(label);
  }

  captionOf(v) {
    if (this.caption === 'T.label') return cut(v.label);
    const key = this.caption || telling.find((k) => v.properties.has(k)) || '';
    if (key && key !== 'T.id' && v.properties.has(key)) return cut(v.properties.get(key).map(string).join(', '));
    return cut(string(v.id));
  }

  weightOf(e) {
    if (this.weight === '-') return null;
    const w = e.properties.get(this.weight || 'weight')?.[0];
    return typeof w === 'number' && Number.isFinite(w) ? w : null;
  }

  /** prepare works out, once for a graph, what every frame needs. */
  prepare(graph) {
    for (const [label] of graph.vertexLabels) this.colour(label);
    for (const n of graph.nodes) { n.colour = this.colour(n.v.label); n.caption = this.captionOf(n.v); }
    const weights = graph.lines.map((l) => this.weightOf(l.e)).filter((w) => w !== null).map(Math.abs);
    const high = weights.reduce((a, b) => Math.max(a, b), 0) || 1;
    for (const l of graph.lines) {
      const w = this.weightOf(l.e);
      l.wide = w === null ? 1 : Math.round(1 + 3 * Math.abs(w) / high);
      l.caption = w === null ? cut(l.e.label) : `${cut(l.e.label)} ${Number(w.toPrecision(6))}`;
    }
    this.groups(graph);
  }

  /** groups are the indexes of what is drawn in one stroke. */
  groups(graph) {
    this.ofColour = new Map();
    for (const n of graph.nodes) push(this.ofColour, n.colour, n.i);
    this.ofWidth = new Map();
    graph.lines.forEach((l, i) => push(this.ofWidth, l.wide, i));
  }
}

function push(m, k, v) {
  if (m.has(k)) m.get(k).push(v);
  else m.set(k, [v]);
}

const cut = (text) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
