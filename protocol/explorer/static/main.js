// The explorer puts its parts together here.

import { el, say, show, tabs } from './dom.js';
import { help, login, recall } from './dialogs.js';
import { History } from './history.js';
import { namesOf, none, sourcesOf } from './names.js';
import { Query } from './pages/query.js';
import { Running } from './pages/running.js';
import { Schema } from './pages/schema.js';
import { Server } from './server.js';

const first = 'g.V().limit(100)'; // what a new visitor sees

const byId = (id) => document.getElementById(id);

class App {
  constructor() {
    this.server = new Server();
    this.history = new History();
    this.names = none;
    this.sources = new Map();
    this.query = new Query(byId('query'), this);
    const ask = (script, bindings) => this.ask(script, { bindings }); // of now, whatever the slider shows
    this.pages = {
      query: {}, running: new Running(byId('running'), ask),
      schema: new Schema(byId('schema'), { ask, names: () => this.names, run: (s) => { this.tabs.choose('query'); this.query.put(s); } }),
    };
    this.tabs = tabs(byId('pages'), { query: 'Query', schema: 'Schema', running: 'Running' }, (key) => this.open(key));
    this.listen();
  }

  listen() {
    byId('help').addEventListener('click', help);
    byId('theme').addEventListener('click', () => this.theme(this.dark() ? 'light' : 'dark'));
    byId('login').addEventListener('click', () => (this.server.user ? this.logOut() : this.logIn('The server asks who you are.')));
    byId('source').addEventListener('change', () => this.choose(byId('source').value));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.query.picture.restyle());
  }

  /** ask evaluates a script, and asks for a login where the server wants one. */
  async ask(script, options) {
    try {
      return await this.server.ask(script, options);
    } catch (e) {
      if (e.status === 'login') this.logIn(this.server.user ? 'Name and password, or the token, were not taken.' : 'The server asks who you are.');
      if (e instanceof TypeError) throw new Error('The server does not answer.', { cause: e });
      throw e;
    }
  }

  async start() {
    this.tabs.choose('query');
    if (!this.query.editor.text) this.query.editor.text = this.history.list.at(-1) ?? first;
    try {
      this.sources = await sourcesOf((s) => this.ask(s));
    } catch (e) {
      if (e.status === 'login' || !e.status) {
        this.query.failed(e);
        return;
      }
      this.sources = new Map([['g', '']]); // who may not call services may still ask
    }
    this.secret();
    const names = [...this.sources.keys()];
    show(byId('source'), names.map((n) => el('option', { value: n }, n)));
    await this.choose(names.includes('g') ? 'g' : names[0] ?? 'g');
    if (!this.history.list.length && this.query.editor.text === first) this.query.run();
    this.query.editor.area.focus();
  }

  async choose(source) {
    this.server.source = source;
    byId('source').value = source;
    const ask = (s) => this.ask(s);
    const [names] = await Promise.all([namesOf(ask, source, this.sources), this.query.time.look(ask)]);
    this.names = names;
  }

  /** secret says who is logged in; what he asks is kept with the tab alone. */
  secret() {
    const { user } = this.server;
    byId('login').hidden = !user;
    byId('login').textContent = user ? `log out ${user}` : 'log in';
    if (user) this.history.secret();
  }

  logIn(why) {
    byId('login').hidden = false;
    login(why, (user, secret) => { this.server.logIn(user, secret); this.start(); });
  }

  logOut() {
    this.history.clear();
    location.reload(); // nothing that he saw stays
  }

  recall() { recall(this.history, (s) => { this.query.editor.text = s; this.query.editor.area.focus(); }); }

  open(key) {
    for (const [k, page] of Object.entries(this.pages)) {
      byId(k).hidden = k !== key;
      if (k !== key) page.close?.();
    }
    this.pages[key].open?.();
    say(key);
  }

  dark() {
    const set = document.documentElement.dataset.theme;
    return set ? set === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  theme(name) {
    document.documentElement.dataset.theme = name;
    try { localStorage.setItem('gremlind.theme', name); } catch { /* forbidden: it lasts as long as the page */ }
    this.query.picture.restyle();
  }
}

try {
  const theme = localStorage.getItem('gremlind.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch { /* forbidden: the system's */ }
new App().start();
