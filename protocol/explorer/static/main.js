// The explorer puts its parts together here.

import { el, say, show, tabs } from './dom.js';
import { help, login, recall } from './dialogs.js';
import { History } from './history.js';
import { namesOf, none, sourcesOf, usersOf } from './names.js';
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
    this.page = 'query'; // that is open
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
    byId('seeas').addEventListener('change', () => this.seeAs(byId('seeas').value));
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
    if (!await this.look()) return;
    this.secret();
    await this.sight();
    if (!this.history.list.length && this.query.editor.text === first) this.query.run();
    this.query.editor.area.focus();
  }

  /** look finds out which sources there are; false where the server does not say before a login. */
  async look() {
    try {
      this.sources = await sourcesOf((s) => this.ask(s));
    } catch (e) {
      if (e.status === 'login' || !e.status) {
        this.query.failed(e);
        return false;
      }
      this.sources = new Map([['g', '']]); // who may not call services may still ask
    }
    const names = [...this.sources.keys()];
    show(byId('source'), names.map((n) => el('option', { value: n }, n)));
    await this.choose([this.server.source, 'g', ...names].find((n) => names.includes(n)) ?? 'g');
    return true;
  }

  /** sight offers the users as whom one may see, to who may. */
  async sight() {
    let users = [];
    try { users = await usersOf((s) => this.ask(s)); } catch { /* who may not call services sees as himself */ }
    byId('sight').hidden = !users.length;
    show(byId('seeas'), el('option', { value: '' }, 'myself'), users.map((u) => el('option', { value: u }, u)));
  }

  /** seeAs reads all anew with the rights of another user; '' for one's own. */
  async seeAs(user) {
    this.server.seeAs = byId('seeas').value = user;
    this.query.forget();
    await this.look();
    byId('seeing').hidden = !user;
    show(byId('seeing'), user ? [el('span', {}, 'You see what ', el('b', {}, user), ' sees, and change nothing.'),
      el('button', { type: 'button', onclick: () => this.seeAs('') }, 'see as myself')] : null);
    this.open(this.page);
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
    this.page = key;
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
