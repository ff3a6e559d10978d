// Drawing on a canvas. Whatever looks alike is drawn in one stroke; captions only where
// there is room.

const many = 130; // captions of one frame
const cellWide = 32; // of the grid that keeps captions apart, in pixels
const cellHigh = 15;
const smallest = 0.45; // scale below which vertices shrink no more

/**
 * curveOf is how an edge runs: its ends on the rims of its vertices, which are drawn so many
 * times as large, and what bends it.
 */
export function curveOf(graph, e, out, grown = 1) {
  const a = graph.from[e], b = graph.to[e];
  const ax = graph.x[a], ay = graph.y[a], bx = graph.x[b], by = graph.y[b];
  if (a === b) return loop(graph, a, graph.curve[e], out, grown);
  const dx = bx - ax, dy = by - ay, d = Math.sqrt(dx * dx + dy * dy) || 1;
  const mx = (ax + bx) / 2 - dy / d * graph.curve[e], my = (ay + by) / 2 + dx / d * graph.curve[e];
  rim(out, ax, ay, mx, my, graph.radius[a] * grown, 0);
  rim(out, bx, by, mx, my, graph.radius[b] * grown + 1, 2);
  out[4] = mx; out[5] = my; out[6] = graph.curve[e] === 0 ? 0 : 1;
  return out;
}

function rim(out, x, y, mx, my, r, at) {
  const dx = mx - x, dy = my - y, d = Math.sqrt(dx * dx + dy * dy) || 1;
  out[at] = x + dx / d * r; out[at + 1] = y + dy / d * r;
}

function loop(graph, a, nth, out, grown) {
  const r = graph.radius[a] * grown, far = r + 14 + 12 * nth, x = graph.x[a], y = graph.y[a];
  out[0] = x - r * 0.7; out[1] = y - r * 0.7; out[2] = x + r * 0.7; out[3] = y - r * 0.7;
  out[4] = x; out[5] = y - far * 1.6; out[6] = 2;
  return out;
}

/** Painter draws a graph as a view of it shows it: {x, y, scale, ratio}, in pixels of the page. */
export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.ctx = canvas.getContext('2d');
    this.c = new Float32Array(7);
    this.taken = new Uint8Array(0);
  }

  /** draw shows a graph; lit is null or {vertices, edges}: sets of indexes that stand out. */
  draw(graph, style, view, lit, marked) {
    const { ctx, canvas } = this, k = view.scale * view.ratio;
    this.grown = Math.max(1, smallest / view.scale); // what is far away is still seen
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = style.ground;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.setTransform(k, 0, 0, k, canvas.width / 2 + view.x * view.ratio, canvas.height / 2 + view.y * view.ratio);
    for (const [wide, list] of style.ofWidth) {
      this.edges(graph, list, wide, style.line, lit ? (e) => !lit.edges.has(e) : null, lit ? 0.25 : 0.85);
    }
    if (lit) for (const [wide, list] of style.ofWidth) this.edges(graph, list, wide + 1, style.lit, (e) => lit.edges.has(e), 1);
    this.vertices(graph, style, lit);
    if (marked) this.ring(graph, marked.i, style);
    this.captions(graph, style, view, lit, marked);
  }

  edges(graph, list, wide, colour, only, alpha) {
    const { ctx, c } = this;
    ctx.globalAlpha = alpha;
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = wide * this.grown;
    ctx.beginPath();
    for (const e of list) {
      if (only && !only(e)) continue;
      curveOf(graph, e, c, this.grown);
      ctx.moveTo(c[0], c[1]);
      if (c[6] === 0) ctx.lineTo(c[2], c[3]);
      else ctx.quadraticCurveTo(c[4], c[5], c[2], c[3]);
    }
    ctx.stroke();
    ctx.beginPath();
    for (const e of list) if (!only || only(e)) this.arrow(curveOf(graph, e, c, this.grown), (5 + wide) * this.grown);
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  arrow(c, size) {
    const dx = c[2] - c[4], dy = c[3] - c[5], d = Math.sqrt(dx * dx + dy * dy) || 1, ux = dx / d, uy = dy / d;
    this.ctx.moveTo(c[2], c[3]);
    this.ctx.lineTo(c[2] - size * ux - size * 0.42 * uy, c[3] - size * uy + size * 0.42 * ux);
    this.ctx.lineTo(c[2] - size * ux + size * 0.42 * uy, c[3] - size * uy - size * 0.42 * ux);
  }

  vertices(graph, style, lit) {
    const { ctx } = this;
    for (const [colour, list] of style.ofColour) {
      this.discs(graph, list, colour, lit ? (i) => !lit.vertices.has(i) : null, lit ? 0.35 : 1);
      if (lit) this.discs(graph, list, colour, (i) => lit.vertices.has(i), 1);
    }
    if (!lit) return;
    ctx.strokeStyle = style.lit;
    ctx.lineWidth = 2.5;
    ctx.beginPath();
    for (const i of lit.vertices) this.disc(graph, i, 1.5);
    ctx.stroke();
  }

  discs(graph, list, colour, only, alpha) {
    const { ctx } = this;
    ctx.globalAlpha = alpha;
    ctx.fillStyle = colour;
    ctx.beginPath();
    for (const i of list) if (!only || only(i)) this.disc(graph, i, 0);
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  disc(graph, i, more) {
    const r = graph.radius[i] * this.grown + more;
    this.ctx.moveTo(graph.x[i] + r, graph.y[i]);
    this.ctx.arc(graph.x[i], graph.y[i], r, 0, 2 * Math.PI);
  }

  ring(graph, i, style) {
    this.ctx.strokeStyle = style.ink;
    this.ctx.lineWidth = 2;
    this.ctx.beginPath();
    this.disc(graph, i, 4);
    this.ctx.stroke();
  }

  captions(graph, style, view, lit, marked) {
    const { ctx, canvas } = this, ratio = view.ratio;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    const wide = canvas.width / ratio, high = canvas.height / ratio;
    const columns = Math.ceil(wide / cellWide) + 1, rows = Math.ceil(high / cellHigh) + 1;
    if (this.taken.length !== columns * rows) this.taken = new Uint8Array(columns * rows);
    else this.taken.fill(0);
    const room = { left: many, columns, rows, taken: this.taken, wide, high };
    ctx.textAlign = 'center';
    ctx.lineWidth = 3;
    ctx.lineJoin = 'round';
    ctx.strokeStyle = style.ground;
    ctx.font = '12px system-ui, sans-serif';
    ctx.fillStyle = style.ink;
    this.lean(graph);
    if (marked) this.vertexCaption(graph, marked.i, view, room, 6 * view.scale);
    for (const i of graph.order) {
      if (room.left <= 0) return;
      if (!lit || lit.vertices.has(i)) this.vertexCaption(graph, i, view, room);
    }
    if (view.scale < 0.8 || graph.lines.length > 400) return;
    ctx.font = '10.5px system-ui, sans-serif';
    ctx.fillStyle = style.faint;
    for (let e = 0; e < graph.lines.length && room.left > 0; e++) if (!lit || lit.edges.has(e)) this.edgeCaption(graph, e, view, room);
  }

  /** lean finds out whether a vertex has its neighbours below: then its caption is above, out of their arrows' way. */
  lean(graph) {
    if (this.below?.length !== graph.nodes.length) this.below = new Float32Array(graph.nodes.length);
    else this.below.fill(0);
    for (let e = 0; e < graph.from.length; e++) {
      const a = graph.from[e], b = graph.to[e], d = graph.y[b] - graph.y[a];
      this.below[a] += d; this.below[b] -= d;
    }
  }

  vertexCaption(graph, i, view, room, away = 0) {
    const x = room.wide / 2 + view.x + graph.x[i] * view.scale;
    const rim = graph.radius[i] * this.grown * view.scale, above = this.below[i] > 0;
    const y = room.high / 2 + view.y + graph.y[i] * view.scale + (above ? -rim - 5 - away : rim + 13 + away);
    this.text(graph.nodes[i].caption, x, y, 6.5, room);
  }

  edgeCaption(graph, e, view, room) {
    const c = curveOf(graph, e, this.c, this.grown);
    const part = c[6] === 0 ? 0 : 0.5;
    const mx = (c[0] + c[2]) / 2 * (1 - part) + c[4] * part, my = (c[1] + c[3]) / 2 * (1 - part) + c[5] * part;
    this.ctx.lineWidth = 4;
    this.text(graph.lines[e].caption, room.wide / 2 + view.x + mx * view.scale, room.high / 2 + view.y + my * view.scale + 3, 5.5, room);
  }

  /** text writes where nothing is written yet. */
  text(text, x, y, letter, room) {
    if (!text || x < 0 || y < 0 || x > room.wide || y > room.high) return;
    const half = text.length * letter / 2;
    const from = Math.max(0, Math.floor((x - half) / cellWide)), to = Math.min(room.columns - 1, Math.floor((x + half) / cellWide));
    const low = Math.max(0, Math.floor((y - 9) / cellHigh)), high = Math.min(room.rows - 1, Math.floor((y + 1) / cellHigh));
    for (let r = low; r <= high; r++) for (let c = from; c <= to; c++) if (room.taken[r * room.columns + c]) return;
    for (let r = low; r <= high; r++) room.taken.fill(1, r * room.columns + from, r * room.columns + to + 1);
    room.left--;
    this.ctx.strokeText(text, x, y);
    this.ctx.fillText(text, x, y);
  }
}
