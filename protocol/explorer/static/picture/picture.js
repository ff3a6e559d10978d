// The picture of a graph: it puts together layout, drawing, and what is done with it.

import { el, say, show } from '../dom.js';
import { Graph, most } from './graph.js';
import { Interact } from './interact.js';
import { inspector, legend } from './inspect.js';
import { Layout } from './layout.js';
import { Painter } from './draw.js';
import { Style } from './style.js';
import { drawing, offer } from './save.js';

const layoutTime = 3; // ms of a frame

export class Picture {
  /** on has neighbours(vertex), between(vertices) and ask(vertex). */
  constructor(on) {
    this.on = on;
    this.graph = new Graph();
    this.layout = new Layout();
    this.style = new Style();
    this.view = { x: 0, y: 0, scale: 1, ratio: 1 };
    this.marked = null;
    this.path = -1; // the one that is lit; -1 for all
    this.build();
    this.painter = new Painter(this.canvas);
    this.hand = new Interact(this.canvas, this);
    new ResizeObserver(() => this.resize()).observe(this.stage);
  }

  build() {
    this.canvas = el('canvas', { tabindex: '0', role: 'img' });
    this.legend = el('ul', { class: 'legend', 'aria-label': 'Labels' });
    this.caption = el('select', { 'aria-label': 'Key of captions', onchange: () => { this.style.caption = this.caption.value; this.restyle(); } });
    this.weight = el('select', { 'aria-label': 'Key of weights', onchange: () => { this.style.weight = this.weight.value; this.restyle(); } });
    this.note = el('span', { class: 'note' });
    this.steps = el('span', { class: 'steps', hidden: true });
    this.inspect = el('aside', { class: 'inspect', 'aria-label': 'The marked vertex' });
    const button = (name, label, fn) => el('button', { type: 'button', 'aria-label': label, title: label, onclick: fn }, name);
    this.stage = el('div', { class: 'stage' }, this.canvas, this.legend, el('div', { class: 'zoom' },
      button('+', 'Zoom in', () => this.hand.zoom(1.25)), button('−', 'Zoom out', () => this.hand.zoom(0.8)), button('fit', 'Show all', () => this.fit())));
    this.box = el('div', { class: 'picture' },
      el('div', { class: 'bar' }, el('label', {}, 'caption ', this.caption), el('label', {}, 'weight ', this.weight), this.steps, this.note, el('span', { class: 'space' }),
        button('SVG', 'Save as SVG', () => this.saveSVG()), button('PNG', 'Save as PNG', () => this.savePNG())),
      el('div', { class: 'stages' }, this.stage, this.inspect));
  }

  /** show makes a new picture of results. */
  async show(results) {
    this.graph = new Graph();
    this.marked = null;
    this.path = -1;
    this.following = true; // the view, of the layout
    this.graph.addAll(results);
    this.changed(1);
    await this.complete(this.graph, this.graph.nodes);
  }

  /** complete fetches what a picture of vertices lacks: edges between them, and properties. */
  async complete(graph, nodes, near) {
    if (!nodes.length) return;
    const more = await this.on.between(nodes, graph.nodes);
    if (graph !== this.graph || !more.length) return;
    graph.addAll(more, near);
    this.changed(0.8);
  }

  get empty() { return this.graph.nodes.length === 0; }

  changed(heat) {
    const { graph } = this;
    if (this.marked && !graph.vertices.has(this.marked.v.key)) this.marked = null;
    this.layout.load(graph.x, graph.y, graph.from, graph.to);
    this.layout.alpha = heat;
    this.stage.dataset.resting = 'false';
    this.choices();
    this.restyle();
    const n = `${graph.nodes.length} vertices, ${graph.lines.length} edges`;
    this.note.textContent = graph.left ? `${n}; ${graph.left} more than a picture shows (${most})` : n;
    this.canvas.setAttribute('aria-label', `Picture of ${n}. Arrow keys go from vertex to vertex, Enter expands or collapses, Delete hides, plus, minus and 0 zoom.`);
  }

  choices() {
    const { graph, style } = this;
    const fill = (select, fixed, keys, now) => {
      show(select, [...fixed, ...keys.map((k) => [k, k])].map(([v, name]) => el('option', { value: v }, name)));
      select.value = now;
      if (select.selectedIndex < 0) select.selectedIndex = 0;
      return select.value;
    };
    style.caption = fill(this.caption, [['', 'auto'], ['T.id', 'id'], ['T.label', 'label']], graph.vertexKeys, style.caption);
    style.weight = fill(this.weight, [['', 'auto'], ['-', 'none']], graph.edgeKeys, style.weight);
  }

  restyle() {
    this.style.theme();
    this.style.prepare(this.graph);
    legend(this.legend, this.graph, this.style);
    this.light();
    this.mark(this.marked, true);
    this.redraw();
  }

  /** light says which paths stand out, and lets them be chosen. */
  light() {
    const { graph } = this;
    const chosen = this.path < 0 ? graph.paths : [graph.paths[this.path]];
    this.lit = null;
    this.steps.hidden = graph.paths.length === 0;
    if (!graph.paths.length) return;
    this.lit = { vertices: new Set(), edges: new Set() };
    for (const p of chosen) this.lightOne(p);
    const go = (by) => () => { this.path = (this.path + 1 + by + graph.paths.length + 1) % (graph.paths.length + 1) - 1; this.restyle(); };
    show(this.steps, el('button', { type: 'button', 'aria-label': 'Path before', onclick: go(-1) }, '‹'),
      this.path < 0 ? `${graph.paths.length} paths` : `path ${this.path + 1} of ${graph.paths.length}`,
      el('button', { type: 'button', 'aria-label': 'Next path', onclick: go(1) }, '›'));
  }

  lightOne(p) {
    this.graph.nodes.forEach((n) => { if (p.vertices.has(n.v.key)) this.lit.vertices.add(n.i); });
    this.graph.lines.forEach((l, i) => {
      if (p.edges.has(l.e.key) || p.steps.has(`${l.from.v.key}\n${l.to.v.key}`)) this.lit.edges.add(i);
    });
  }

  mark(node, quietly) {
    this.marked = node;
    inspector(this.inspect, node, this.graph, { toggle: (n) => this.toggle(n), hide: (n) => this.hide(n), mark: (n) => this.mark(n), ask: (n) => this.on.ask(n.v) });
    if (node && !quietly) say(`${node.v.label} ${node.caption}, ${node.degree} edges shown`);
    this.redraw();
  }

  /** toggle expands the neighbourhood of a vertex, or takes away what expanding brought. */
  async toggle(node) {
    const { graph } = this;
    if (node.open) {
      node.open = false;
      const gone = graph.broughtBy(node);
      graph.remove(gone);
      this.changed(0.3);
      say(`${gone.size} vertices taken away`);
      return;
    }
    const before = graph.nodes.length;
    const found = await this.on.neighbours(node.v);
    if (graph !== this.graph || !found) return;
    node.open = true;
    graph.keep();
    graph.addAll(found, node);
    this.changed(0.7);
    say(`${graph.nodes.length - before} vertices more`);
    await this.complete(graph, graph.nodes.filter((n) => n.by === node.v.key), node);
  }

  hide(node) {
    this.graph.remove([node]);
    this.changed(0.2);
  }

  drag(node, place) {
    this.graph.x[node.i] = place.x;
    this.graph.y[node.i] = place.y;
    this.layout.pinned = node.i;
    this.following = false;
    this.layout.heat(0.25);
    this.redraw();
  }

  drop() { this.layout.pinned = -1; }

  /** looked is called when the visitor has chosen what to see. */
  looked() {
    this.following = false;
    this.redraw();
  }

  fit() {
    this.following = true;
    this.aim();
    this.redraw();
  }

  /** aim makes all of the graph seen. */
  aim() {
    const { graph, view, canvas } = this;
    if (!graph.nodes.length) return;
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (let i = 0; i < graph.x.length; i++) {
      left = Math.min(left, graph.x[i]); right = Math.max(right, graph.x[i]);
      top = Math.min(top, graph.y[i]); bottom = Math.max(bottom, graph.y[i]);
    }
    const margin = Math.min(70, canvas.clientWidth / 6);
    const scale = Math.min((canvas.clientWidth - 2 * margin) / (right - left || 1), (canvas.clientHeight - 2 * margin) / (bottom - top || 1));
    view.scale = Math.max(0.02, Math.min(1.9, scale));
    view.x = -(left + right) / 2 * view.scale;
    view.y = -(top + bottom) / 2 * view.scale;
  }

  resize() {
    this.view.ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.stage.clientWidth * this.view.ratio);
    this.canvas.height = Math.round(this.stage.clientHeight * this.view.ratio);
    this.redraw();
  }

  redraw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const moved = this.layout.work(layoutTime);
      if (this.following) this.aim();
      if (this.canvas.width) this.painter.draw(this.graph, this.style, this.view, this.lit, this.marked);
      this.stage.dataset.resting = String(this.layout.resting);
      if (moved || !this.layout.resting) this.redraw();
    });
  }

  saveSVG() { offer('graph.svg', new Blob([drawing(this.graph, this.style)], { type: 'image/svg+xml' })); }

  savePNG() { this.canvas.toBlob((blob) => offer('graph.png', blob)); }
}
