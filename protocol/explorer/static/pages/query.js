// The page of queries: the editor, and what came of it.

import { el, say, show, tabs } from '../dom.js';
import { Edge, Path, Plan, Subgraph, Text, Vertex } from '../graphson.js';
import { asOf, asking } from '../gremlin.js';
import { list } from '../server.js';
import { Editor } from '../editor.js';
import { Picture } from '../picture/picture.js';
import { most } from '../picture/graph.js';
import { json } from '../results/json.js';
import { table } from '../results/table.js';
import { tree } from '../results/tree.js';
import { plan } from './plan.js';
import { Time } from './time.js';

const neighbours = 100; // edges that expanding a vertex brings
const hint = 'Control-Enter runs what is above.';
const patience = 5000; // ms that what a picture fetches may take

export class Query {
  /** app has ask, history, names and recall(). */
  constructor(box, app) {
    this.app = app;
    this.view = 'picture'; // the one that was chosen
    this.fetching = new AbortController(); // of what the picture asks for
    this.time = new Time(() => this.run());
    this.editor = new Editor({ run: () => this.run(), earlier: () => this.go(-1), later: () => this.go(1), names: () => app.names });
    this.picture = new Picture({ neighbours: (v) => this.neighbours(v), between: (some, all) => this.between(some, all), ask: (v) => this.about(v) });
    this.build(box);
  }

  build(box) {
    const button = (name, title, fn, attributes = {}) => el('button', { type: 'button', title, onclick: fn, ...attributes }, name);
    this.runs = button('Run', 'Control-Enter', () => this.run(), { class: 'main' });
    this.stops = button('Stop', 'Escape', () => this.stop(), { hidden: true });
    this.status = el('span', { class: 'status', role: 'status' });
    this.views = el('div', { role: 'tablist', 'aria-label': 'Views of the results', class: 'views' });
    this.result = el('div', { class: 'result', role: 'tabpanel', 'aria-label': 'Results' }, el('p', { class: 'note' }, hint));
    show(box, this.editor.box,
      el('div', { class: 'bar' }, this.runs, this.stops, button('Explain', 'How it would be done', () => this.run('explain')),
        button('Profile', 'Do it, and say where the time goes', () => this.run('profile')), button('History', 'What was asked before', () => this.app.recall()), this.status,
        el('span', { class: 'space' }), this.views),
      this.time.box, this.result);
    this.tabs = tabs(this.views, { picture: 'Picture', table: 'Table', tree: 'Tree', json: 'JSON', plan: 'Plan' }, (v) => this.choose(v));
    this.views.hidden = true;
    box.addEventListener('keydown', (e) => { if (e.key === 'Escape' && !this.stops.hidden) this.stop(); });
  }

  /** put shows a script in the editor and runs it. */
  put(script) {
    this.editor.text = script;
    this.run();
  }

  /** forget drops what was answered, and what runs. */
  forget() {
    this.stop();
    this.fetching.abort();
    this.running = this.answer = null;
    this.stops.hidden = this.views.hidden = true;
    this.status.textContent = '';
    show(this.result, el('p', { class: 'note' }, hint));
  }

  go(step) {
    const script = this.app.history.go(step, this.editor.text);
    if (script !== null) this.editor.text = script;
  }

  stop() { this.running?.abort(); }

  /** ask evaluates a script at the time that the slider shows. */
  ask(script, options) { return this.app.ask(this.time.at ? asOf(script, this.time.at) : script, options); }

  async run(step) {
    const typed = this.editor.text.trim();
    if (!typed) return;
    this.stop();
    this.fetching.abort();
    this.fetching = new AbortController();
    const mine = this.running = new AbortController();
    this.stops.hidden = false;
    this.status.textContent = 'running…';
    this.app.history.add(typed);
    try {
      const answer = await this.ask(step ? asking(typed, step) : typed, { signal: mine.signal });
      if (this.running === mine) this.answered(answer);
    } catch (e) {
      if (this.running === mine) this.failed(e);
    } finally {
      if (this.running === mine) { this.stops.hidden = true; this.running = null; }
    }
  }

  answered({ results, raw, ms }) {
    this.answer = { results, raw };
    this.plan = results.length === 1 && results[0] instanceof Plan ? results[0] : null;
    this.drawn = false;
    this.drawable = results.some(drawable);
    this.views.hidden = false;
    this.tabs.hide('plan', !this.plan);
    this.tabs.hide('picture', !this.drawable);
    const n = `${results.length.toLocaleString('en')} result${results.length === 1 ? '' : 's'}`;
    this.status.textContent = `${n} · ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
    const chosen = this.view;
    this.tabs.choose(this.plan ? 'plan' : this.drawable || chosen !== 'picture' ? chosen : 'table');
    this.view = chosen;
  }

  failed(e) {
    this.answer = null;
    if (e.status === 'login') { // the dialog tells
      this.status.textContent = '';
      show(this.result, el('p', { class: 'note' }, 'Who are you? The server wants a login.'));
      return;
    }
    this.views.hidden = true;
    const text = e.name === 'AbortError' ? 'stopped' : e.message;
    this.status.textContent = e.name === 'AbortError' ? 'stopped' : 'failed';
    show(this.result, el('div', { class: 'error', role: 'alert' }, text));
  }

  choose(view) {
    if (view !== 'plan') this.view = view;
    if (!this.answer) return;
    const { results, raw } = this.answer;
    if (view === 'picture') this.draw(results);
    else if (view === 'table') show(this.result, results.length ? table(results) : nothing());
    else if (view === 'tree') show(this.result, results.length ? tree(results) : nothing());
    else if (view === 'json') show(this.result, json(raw));
    else show(this.result, plan(this.plan));
  }

  async draw(results) {
    show(this.result, this.picture.box);
    if (this.drawn) return;
    this.drawn = true;
    await this.picture.show(results);
  }

  /** lacks says why a picture is not whole. */
  lacks(e) {
    if (e.name === 'AbortError') return;
    this.status.textContent = `not all is shown: ${e.message}`;
    say(this.status.textContent);
  }

  /** between gives the edges among vertices, and vertices of which nothing but the id is known. */
  async between(some, all) {
    try { return await this.fetch(some, all); } catch (e) {
      this.lacks(e);
      return [];
    }
  }

  async fetch(some, all) {
    const ids = list(some.map((n) => n.v.raw));
    const bindings = { ids, others: list(all.map((n) => n.v.raw)) };
    const options = { signal: this.fetching.signal, timeout: patience };
    const [edges, bare] = await Promise.all([
      this.ask(`g.V(ids).bothE().where(__.otherV().hasId(within(others))).dedup().limit(${most})`, { ...options, bindings }),
      this.bare(some.filter((n) => n.bare), options)]);
    return [...edges.results, ...bare];
  }

  async bare(nodes, options) {
    if (!nodes.length) return [];
    return (await this.ask('g.V(ids)', { ...options, bindings: { ids: list(nodes.map((n) => n.v.raw)) } })).results;
  }

  async neighbours(v) {
    try {
      const script = `g.V(start).bothE().limit(${neighbours}).as('e').otherV().as('v').select('e', 'v')`;
      return (await this.ask(script, { signal: this.fetching.signal, timeout: patience, bindings: { start: v.raw } })).results;
    } catch (e) {
      this.lacks(e);
      return null;
    }
  }

  about(v) {
    const id = v.id instanceof Text ? `'${v.id.text}'` : JSON.stringify(typeof v.id === 'bigint' ? Number(v.id) : v.id);
    this.editor.text = `g.V(${id})`;
    this.editor.area.focus();
  }
}

const nothing = () => el('p', { class: 'note' }, 'No results.');

const drawable = (x) => x instanceof Vertex || x instanceof Edge || x instanceof Path && x.objects.some(drawable) || x instanceof Subgraph
  || x instanceof Map && [...x].some(([k, v]) => drawable(k) || drawable(v)) || Array.isArray(x) && x.some(drawable)
  || Array.isArray(x?.branches) && x.branches.some(([k]) => drawable(k));
