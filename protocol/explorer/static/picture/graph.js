// What a picture shows: the vertices and edges of results, as objects and as plain arrays
// that layout and drawing go through.

import { Edge, GSet, Path, Property, Subgraph, Tree, Vertex } from '../graphson.js';

/** most bounds the elements of a picture. */
export const most = 4000;

export class Graph {
  constructor() {
    this.vertices = new Map();
    this.edges = new Map();
    this.paths = [];
    this.left = 0; // elements beyond most
    this.index();
  }

  get size() { return this.vertices.size + this.edges.size; }

  /** addAll takes the elements of results, however deep they are; those without a place appear near one. */
  addAll(results, near) {
    this.near = near;
    for (const r of results) this.take(r);
    this.index();
  }

  take(x) {
    if (x instanceof Vertex) this.vertex(x);
    else if (x instanceof Edge) this.edge(x);
    else if (x instanceof Path) { x.objects.forEach((o) => this.take(o)); this.path(x.objects); }
    else if (x instanceof Subgraph) [...x.vertices, ...x.edges].forEach((o) => this.take(o));
    else if (x instanceof Tree) x.branches.forEach(([k, t]) => { this.take(k); this.take(t); });
    else if (x instanceof Map) { for (const [k, v] of x) { this.take(k); this.take(v); } }
    else if (x instanceof GSet) x.items.forEach((o) => this.take(o));
    else if (x instanceof Property) this.take(x.value);
    else if (Array.isArray(x)) x.forEach((o) => this.take(o));
  }

  vertex(v) {
    const known = this.vertices.get(v.key);
    if (known) {
      if (v.properties.size && !known.v.properties.size) known.v = v;
      if (v instanceof Vertex) known.bare = false;
      return known;
    }
    if (this.size >= most) { this.left++; return null; }
    const n = this.vertices.size, angle = n * 2.39996, far = 14 * Math.sqrt(n + 0.5); // a sunflower
    const node = { v, x: (this.near?.x ?? 0) + far * Math.cos(angle), y: (this.near?.y ?? 0) + far * Math.sin(angle), bare: !(v instanceof Vertex) };
    if (this.near) { node.x = this.near.x + 40 * Math.cos(angle); node.y = this.near.y + 40 * Math.sin(angle); node.by = this.near.v.key; }
    this.vertices.set(v.key, node);
    return node;
  }

  edge(e) {
    if (this.edges.has(e.key)) return;
    if (this.size >= most) { this.left++; return; }
    const from = this.vertex({ ...e.out, properties: new Map() });
    const to = this.vertex({ ...e.in, properties: new Map() });
    if (from && to) this.edges.set(e.key, { e, from, to });
  }

  path(objects) {
    const path = { vertices: new Set(), edges: new Set(), steps: new Set() };
    let before = null;
    for (const o of objects) {
      if (o instanceof Edge) { path.edges.add(o.key); before = null; }
      if (!(o instanceof Vertex)) continue;
      path.vertices.add(o.key);
      if (before) path.steps.add(`${before}\n${o.key}`).add(`${o.key}\n${before}`);
      before = o.key;
    }
    if (path.vertices.size + path.edges.size > 1) this.paths.push(path);
  }

  remove(nodes) {
    for (const n of nodes) this.vertices.delete(n.v.key);
    for (const [k, e] of this.edges) if (!this.vertices.has(e.from.v.key) || !this.vertices.has(e.to.v.key)) this.edges.delete(k);
    this.index();
  }

  /** broughtBy is what expanding a vertex brought and nothing else holds. */
  broughtBy(node) {
    const gone = new Set(this.nodes.filter((n) => n.by === node.v.key && !n.open && n !== node));
    const held = (n, other) => gone.has(n) && other !== node && !gone.has(other);
    for (let before = -1; before !== gone.size;) {
      before = gone.size;
      for (const { from, to } of this.lines) {
        if (held(from, to)) gone.delete(from);
        if (held(to, from)) gone.delete(to);
      }
    }
    return gone;
  }

  /** index makes the plain arrays anew, with the places that there are. */
  index() {
    this.keep();
    this.nodes = [...this.vertices.values()];
    this.lines = [...this.edges.values()];
    this.nodes.forEach((n, i) => { n.i = i; n.degree = 0; });
    this.x = Float32Array.from(this.nodes, (n) => n.x);
    this.y = Float32Array.from(this.nodes, (n) => n.y);
    for (const l of this.lines) { l.from.degree++; l.to.degree++; }
    this.from = Int32Array.from(this.lines, (l) => l.from.i);
    this.to = Int32Array.from(this.lines, (l) => l.to.i);
    this.radius = Float32Array.from(this.nodes, (n) => 7 + Math.min(9, 1.6 * Math.log2(1 + n.degree)));
    this.bend();
    this.order = this.nodes.map((n) => n.i).sort((a, b) => this.nodes[b].degree - this.nodes[a].degree);
    this.count();
  }

  /** keep gives the vertices the places that the layout has moved them to. */
  keep() {
    this.nodes?.forEach((n, i) => { n.x = this.x[i]; n.y = this.y[i]; });
  }

  /** bend curves edges that have the same ends, each otherwise. */
  bend() {
    const between = new Map();
    for (const l of this.lines) {
      const k = l.from.i < l.to.i ? l.from.i * this.nodes.length + l.to.i : l.to.i * this.nodes.length + l.from.i;
      if (!between.has(k)) between.set(k, []);
      between.get(k).push(l);
    }
    this.curve = new Float32Array(this.lines.length);
    const place = new Map(this.lines.map((l, i) => [l, i]));
    for (const same of between.values()) {
      same.forEach((l, i) => {
        const side = l.from.i < l.to.i ? 1 : -1;
        this.curve[place.get(l)] = l.from === l.to ? 1 + i : side * (i - (same.length - 1) / 2) * 26;
      });
    }
  }

  /** count says how many vertices and edges there are of each label, the most first. */
  count() {
    const tally = (list) => [...list.reduce((m, l) => m.set(l, (m.get(l) ?? 0) + 1), new Map())].sort((a, b) => b[1] - a[1]);
    this.vertexLabels = tally(this.nodes.map((n) => n.v.label));
    this.edgeLabels = tally(this.lines.map((l) => l.e.label));
    this.vertexKeys = tally(this.nodes.flatMap((n) => [...n.v.properties.keys()])).map(([k]) => k);
    this.edgeKeys = tally(this.lines.flatMap((l) => [...l.e.properties].filter(([, v]) => typeof v[0] === 'number').map(([k]) => k))).map(([k]) => k);
  }
}
