// A force layout in pieces: springs along edges, repulsion by a quadtree (Barnes and Hut),
// and a pull to the middle. It works for as long as it is given, and goes on where it was.

const theta2 = 0.81; // a cell farther away than its width, squared, by so much counts as one body
const deepest = 20;
const repulsion = -900;
const length = 70; // of an edge at rest
const slice = 32; // bodies between looks at the clock

export class Layout {
  constructor() { this.load(new Float32Array(0), new Float32Array(0), new Int32Array(0), new Int32Array(0)); }

  /** load takes the places of vertices, which it will move, and the ends of edges. */
  load(x, y, from, to) {
    const n = x.length;
    Object.assign(this, { n, x, y, from, to, vx: new Float32Array(n), vy: new Float32Array(n), pinned: -1, phase: 0, i: 0, alpha: 1 });
    const cells = 4 * n + 64;
    Object.assign(this, {
      child: new Int32Array(4 * cells), mass: new Float32Array(cells), sx: new Float32Array(cells), sy: new Float32Array(cells),
      width: new Float32Array(cells), next: new Int32Array(n), stack: new Int32Array(4 * deepest + 8), cells,
    });
    this.degree = new Int32Array(n);
    for (let e = 0; e < from.length; e++) { this.degree[from[e]]++; this.degree[to[e]]++; }
  }

  get resting() { return this.alpha < 0.01; }

  heat(alpha = 0.5) { this.alpha = Math.max(this.alpha, alpha); }

  /** work moves the vertices for some milliseconds; true when at least one round ended. */
  work(ms) {
    const end = performance.now() + ms;
    let moved = false;
    while (!this.resting && performance.now() < end) {
      if (this.phase === 0) this.build();
      else if (this.phase === 1) this.repel(end);
      else { this.pull(); this.move(); moved = true; }
    }
    return moved;
  }

  build() {
    let lowX = Infinity, highX = -Infinity, lowY = Infinity, highY = -Infinity;
    for (let i = 0; i < this.n; i++) {
      lowX = Math.min(lowX, this.x[i]); highX = Math.max(highX, this.x[i]);
      lowY = Math.min(lowY, this.y[i]); highY = Math.max(highY, this.y[i]);
    }
    this.left = lowX; this.top = lowY; this.used = 0;
    this.cell(Math.max(highX - lowX, highY - lowY, 1) * 1.001);
    for (let i = 0; i < this.n; i++) this.insert(i);
    this.phase = 1;
    this.i = 0;
  }

  cell(width) {
    const c = this.used++;
    this.child.fill(-1, 4 * c, 4 * c + 4);
    this.mass[c] = this.sx[c] = this.sy[c] = 0;
    this.width[c] = width;
    return c;
  }

  // A child is -1 (nothing), a cell, or -2-b for the body b; next leads to others at its place.
  insert(i) {
    let c = 0, left = this.left, top = this.top;
    this.next[i] = -1;
    for (let depth = 0; ; depth++) {
      this.weigh(c, i);
      const half = this.width[c] / 2;
      const q = (this.x[i] >= left + half ? 1 : 0) + (this.y[i] >= top + half ? 2 : 0);
      if (q & 1) left += half;
      if (q & 2) top += half;
      const slot = 4 * c + q, there = this.child[slot];
      if (there === -1) { this.child[slot] = -2 - i; return; }
      if (there >= 0) { c = there; continue; }
      if (depth >= deepest || this.used >= this.cells) {
        this.next[i] = -2 - there; this.child[slot] = -2 - i;
        return;
      }
      c = this.split(slot, -2 - there, left, top, half);
    }
  }

  /** split puts a cell in the place of a body, and the body into it. */
  split(slot, body, left, top, width) {
    const c = this.cell(width), half = width / 2;
    const q = (this.x[body] >= left + half ? 1 : 0) + (this.y[body] >= top + half ? 2 : 0);
    this.child[4 * c + q] = -2 - body;
    this.child[slot] = c;
    for (let b = body; b >= 0; b = this.next[b]) this.weigh(c, b);
    return c;
  }

  weigh(c, i) { this.mass[c]++; this.sx[c] += this.x[i]; this.sy[c] += this.y[i]; }

  repel(end) {
    while (this.i < this.n) {
      const stop = Math.min(this.i + slice, this.n);
      for (; this.i < stop; this.i++) this.push(this.i);
      if (performance.now() >= end) break;
    }
    if (this.i >= this.n) this.phase = 2;
  }

  push(i) {
    const { child, mass, sx, sy, width, stack, x, y, next } = this;
    const px = x[i], py = y[i], k = repulsion * this.alpha;
    let fx = 0, fy = 0, depth = 1;
    stack[0] = 0;
    while (depth > 0) {
      const c = stack[--depth];
      for (let q = 4 * c; q < 4 * c + 4; q++) {
        const t = child[q];
        if (t === -1) continue;
        if (t >= 0) {
          const dx = sx[t] / mass[t] - px, dy = sy[t] / mass[t] - py, d = dx * dx + dy * dy;
          if (width[t] * width[t] > theta2 * d) { stack[depth++] = t; continue; }
          const f = k * mass[t] / d;
          fx += dx * f; fy += dy * f;
          continue;
        }
        for (let b = -2 - t; b >= 0; b = next[b]) {
          if (b === i) continue;
          let dx = x[b] - px, dy = y[b] - py;
          if (dx === 0 && dy === 0) { dx = ((i * 7 + b) % 13 - 6.5) / 10; dy = ((b * 5 + i) % 11 - 5.5) / 10; }
          const f = k / Math.max(dx * dx + dy * dy, 30);
          fx += dx * f; fy += dy * f;
        }
      }
    }
    this.vx[i] += fx; this.vy[i] += fy;
  }

  pull() {
    const { from, to, x, y, vx, vy, degree, alpha } = this;
    for (let e = 0; e < from.length; e++) {
      const a = from[e], b = to[e];
      if (a === b) continue;
      const dx = x[b] + vx[b] - x[a] - vx[a], dy = y[b] + vy[b] - y[a] - vy[a];
      const d = Math.sqrt(dx * dx + dy * dy) || 1;
      const f = (d - length) / d * alpha / Math.min(degree[a], degree[b]);
      const share = degree[a] / (degree[a] + degree[b]);
      vx[b] -= dx * f * share; vy[b] -= dy * f * share;
      vx[a] += dx * f * (1 - share); vy[a] += dy * f * (1 - share);
    }
  }

  move() {
    const { x, y, vx, vy, n } = this, centre = 0.06 * this.alpha;
    for (let i = 0; i < n; i++) {
      const inward = this.degree[i] ? centre : 4 * centre; // nothing else holds who stands alone
      vx[i] = (vx[i] - x[i] * inward) * 0.6; vy[i] = (vy[i] - y[i] * inward) * 0.6;
      if (i === this.pinned) { vx[i] = vy[i] = 0; continue; }
      x[i] += Math.max(-60, Math.min(60, vx[i])); y[i] += Math.max(-60, Math.min(60, vy[i]));
    }
    this.alpha *= 0.977;
    this.phase = 0;
  }
}
