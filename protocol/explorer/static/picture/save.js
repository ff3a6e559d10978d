// A picture as a file.

import { el, svg } from '../dom.js';
import { curveOf } from './draw.js';

/** drawing makes the SVG of a graph, all of it, whatever of it the page shows. */
export function drawing(graph, style) {
  const b = bounds(graph), c = new Float32Array(7);
  const root = svg('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `${b.x} ${b.y} ${b.wide} ${b.high}`, width: b.wide, height: b.high, 'font-family': 'system-ui, sans-serif' },
    svg('defs', {}, svg('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto' },
      svg('path', { d: 'M0 0.6L8 4L0 7.4z', fill: style.line }))),
    svg('rect', { x: b.x, y: b.y, width: b.wide, height: b.high, fill: style.ground }));
  graph.lines.forEach((l, e) => {
    curveOf(graph, e, c);
    const d = c[6] === 0 ? `M${f(c[0])} ${f(c[1])}L${f(c[2])} ${f(c[3])}` : `M${f(c[0])} ${f(c[1])}Q${f(c[4])} ${f(c[5])} ${f(c[2])} ${f(c[3])}`;
    const part = c[6] === 0 ? 0 : 0.5;
    const x = (c[0] + c[2]) / 2 * (1 - part) + c[4] * part, y = (c[1] + c[3]) / 2 * (1 - part) + c[5] * part;
    root.append(svg('path', { d, fill: 'none', stroke: style.line, 'stroke-width': l.wide, 'marker-end': 'url(#arrow)' }),
      svg('text', { x: f(x), y: f(y), 'font-size': 9, fill: style.faint, 'text-anchor': 'middle' }, l.caption));
  });
  graph.nodes.forEach((n, i) => {
    root.append(svg('circle', { cx: f(graph.x[i]), cy: f(graph.y[i]), r: f(graph.radius[i]), fill: n.colour }),
      svg('text', { x: f(graph.x[i]), y: f(graph.y[i] + graph.radius[i] + 12), 'font-size': 11, fill: style.ink, 'text-anchor': 'middle' }, n.caption));
  });
  return new XMLSerializer().serializeToString(root);
}

const f = (n) => Math.round(n * 10) / 10;

function bounds(graph) {
  const edge = (list, fn) => list.reduce((a, b) => fn(a, b), fn === Math.min ? Infinity : -Infinity);
  if (!graph.nodes.length) return { x: 0, y: 0, wide: 100, high: 100 };
  const x = edge(graph.x, Math.min) - 80, y = edge(graph.y, Math.min) - 50;
  return { x: f(x), y: f(y), wide: f(edge(graph.x, Math.max) + 80 - x), high: f(edge(graph.y, Math.max) + 50 - y) };
}

/** offer gives the visitor a file. */
export function offer(name, blob) {
  const url = URL.createObjectURL(blob);
  const a = el('a', { download: name });
  a.href = url;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
