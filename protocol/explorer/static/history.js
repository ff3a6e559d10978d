// What was asked before. It is kept in this browser where the server asks for no login, and
// otherwise no longer than the tab.

const name = 'gremlind.history';
const most = 200;
const longest = 20000; // characters of a script that is kept

export class History {
  constructor() { this.store = localStorage; this.load(); }

  /** secret keeps what comes in the tab alone. */
  secret() {
    this.store = sessionStorage;
    this.load();
  }

  load() {
    try {
      const list = JSON.parse(this.store.getItem(name));
      this.list = Array.isArray(list) ? list.filter((s) => typeof s === 'string') : [];
    } catch {
      this.list = [];
    }
    this.at = this.list.length;
  }

  save() {
    try { this.store.setItem(name, JSON.stringify(this.list)); } catch { /* full, or forbidden: it lasts as long as the page */ }
    this.at = this.list.length;
  }

  add(script) {
    if (script.length > longest) return;
    this.list = [...this.list.filter((s) => s !== script), script].slice(-most);
    this.save();
  }

  clear() {
    this.list = [];
    this.save();
  }

  /** go moves by a step, and returns the script there; null where there is none. */
  go(step, current) {
    const to = this.at + step;
    if (to < 0 || to > this.list.length) return null;
    if (this.at === this.list.length) this.draft = current;
    this.at = to;
    return to === this.list.length ? this.draft : this.list[to];
  }
}
