// The requests that the server evaluates, for who may watch it.

import { el, say, show } from '../dom.js';
import { string } from '../graphson.js';

const period = 2000; // ms between looks

export class Running {
  constructor(box, ask) {
    this.box = box;
    this.ask = ask;
    this.timer = 0;
  }

  async open() {
    this.close();
    const mine = this.timer = setTimeout(() => {}, 0);
    await this.look();
    if (this.timer === mine) this.timer = setTimeout(() => this.open(), period);
  }

  close() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  async look() {
    try {
      const { results } = await this.ask("g.call('gremlind.running')");
      this.list(results.filter((r) => !string(r.get('query')).includes("call('gremlind.running')")));
    } catch (e) {
      show(this.box, el('p', { class: 'note' }, `What runs cannot be seen here: ${e.message}`));
    }
  }

  list(all) {
    const held = this.box.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    show(this.box, el('h2', {}, all.length ? `${all.length} running` : 'Nothing runs beside this look'), all.length ? el('table', {},
      el('thead', {}, el('tr', {}, ['time', 'state', 'user', 'from', 'query', 'keeps', ''].map((h) => el('th', { scope: 'col' }, h)))),
      el('tbody', {}, all.map((r) => this.row(r)))) : null);
    [...this.box.querySelectorAll('button')].find((b) => b.dataset.id === held)?.focus();
  }

  row(r) {
    const id = string(r.get('id'));
    return el('tr', {}, el('td', { class: 'number' }, `${(Number(r.get('ms')) / 1000).toFixed(1)} s`), el('td', {}, string(r.get('state'))),
      el('td', {}, string(r.get('user'))), el('td', {}, string(r.get('remote'))), el('td', { class: 'code' }, string(r.get('query'))),
      el('td', { class: 'number' }, `${(Number(r.get('bytes')) / 1024).toFixed(0)} KiB`),
      el('td', {}, el('button', { type: 'button', 'data-id': id, onclick: () => this.kill(id) }, 'kill')));
  }

  async kill(id) {
    try {
      const { results } = await this.ask("g.call('gremlind.kill').with('id', request)", { request: id });
      say(Number(results[0]) ? 'stopped' : 'it was over already');
    } catch (e) {
      say(e.message);
    }
    this.look();
  }
}
