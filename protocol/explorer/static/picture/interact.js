// Pointer, wheel and keys over a picture.

const click = 4; // pixels that a pointer may move in a click

/** Interact tells a picture what is done. */
export class Interact {
  constructor(canvas, picture) {
    this.canvas = canvas;
    this.picture = picture;
    this.pointers = new Map();
    const listen = (name, fn) => canvas.addEventListener(name, fn);
    listen('pointerdown', (e) => this.down(e));
    listen('pointermove', (e) => this.moved(e));
    listen('pointerup', (e) => this.up(e));
    listen('pointercancel', (e) => this.up(e));
    listen('dblclick', (e) => { const n = this.at(e); if (n) picture.toggle(n); });
    listen('wheel', (e) => { e.preventDefault(); this.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e.offsetX, e.offsetY); });
    listen('keydown', (e) => this.key(e));
  }

  /** world turns a place on the canvas into one of the graph. */
  world(px, py) {
    const { view } = this.picture, c = this.canvas;
    return { x: (px - c.clientWidth / 2 - view.x) / view.scale, y: (py - c.clientHeight / 2 - view.y) / view.scale };
  }

  at(e) {
    const { graph, view } = this.picture, p = this.world(e.offsetX, e.offsetY), slack = 4 / view.scale;
    let best = null, near = Infinity;
    graph.nodes.forEach((n, i) => {
      const d = Math.hypot(graph.x[i] - p.x, graph.y[i] - p.y);
      if (d < graph.radius[i] + slack && d < near) { near = d; best = n; }
    });
    return best;
  }

  down(e) {
    this.canvas.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    this.held = this.pointers.size === 1 ? this.at(e) : null;
    this.travelled = 0;
  }

  moved(e) {
    const before = this.pointers.get(e.pointerId);
    if (!before) {
      this.canvas.style.cursor = this.at(e) ? 'pointer' : 'grab';
      return;
    }
    const now = { x: e.offsetX, y: e.offsetY };
    this.travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.pointers.size === 2) this.pinch(e.pointerId, before, now);
    else if (this.held && this.travelled > click) this.picture.drag(this.held, this.world(now.x, now.y));
    else if (!this.held) this.pan(now.x - before.x, now.y - before.y);
    this.pointers.set(e.pointerId, now);
  }

  up(e) {
    if (!this.pointers.delete(e.pointerId)) return;
    if (this.travelled <= click && e.type === 'pointerup') this.picture.mark(this.held ?? null);
    if (this.held) this.picture.drop();
    this.held = null;
  }

  pinch(id, before, now) {
    const [other] = [...this.pointers].filter(([k]) => k !== id).map(([, p]) => p);
    const ratio = Math.hypot(now.x - other.x, now.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
    this.zoom(ratio, (now.x + other.x) / 2, (now.y + other.y) / 2);
  }

  pan(dx, dy) {
    this.picture.view.x += dx;
    this.picture.view.y += dy;
    this.picture.looked();
  }

  zoom(by, px = this.canvas.clientWidth / 2, py = this.canvas.clientHeight / 2) {
    const { view } = this.picture, p = this.world(px, py);
    view.scale = Math.max(0.02, Math.min(8, view.scale * by));
    view.x = px - this.canvas.clientWidth / 2 - p.x * view.scale;
    view.y = py - this.canvas.clientHeight / 2 - p.y * view.scale;
    this.picture.looked();
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const { picture } = this, marked = picture.marked;
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    if (ways[e.key] && e.shiftKey) this.pan(-60 * ways[e.key][0], -60 * ways[e.key][1]);
    else if (ways[e.key]) picture.mark(this.towards(...ways[e.key]));
    else if (e.key === 'Enter' && marked) picture.toggle(marked);
    else if (e.key === 'Delete' && marked) picture.hide(marked);
    else if (e.key === 'Escape') picture.mark(null);
    else if (e.key === '+' || e.key === '=') this.zoom(1.25);
    else if (e.key === '-') this.zoom(0.8);
    else if (e.key === '0') picture.fit();
    else return;
    e.preventDefault();
  }

  /** towards is the nearest vertex that lies on a side of the marked one. */
  towards(dx, dy) {
    const { graph, marked } = this.picture;
    if (!marked) return graph.nodes[graph.order[0]] ?? null;
    let best = marked, near = Infinity;
    graph.nodes.forEach((n, i) => {
      const x = graph.x[i] - graph.x[marked.i], y = graph.y[i] - graph.y[marked.i], along = x * dx + y * dy;
      const off = Math.abs(x * dy - y * dx), d = along + 2 * off;
      if (n !== marked && along > Math.abs(off) * 0.5 && d < near) { near = d; best = n; }
    });
    return best;
  }
}
