// The editor: a text area over its own coloured copy, with a list of proposals.

import { el, show } from './dom.js';
import { colours } from './gremlin.js';
import { propose } from './complete.js';

export class Editor {
  /** on has run(), earlier(), later() and names(). */
  constructor(on) {
    this.on = on;
    this.items = [];
    this.area = el('textarea', {
      id: 'editor', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', rows: 2, 'aria-label': 'Gremlin. Control-Enter runs it.',
      'aria-autocomplete': 'list', 'aria-controls': 'proposals', 'aria-haspopup': 'listbox',
      oninput: () => { this.paint(); this.propose(false); }, onscroll: () => this.follow(), onkeydown: (e) => this.key(e),
      onblur: () => this.close(), onclick: () => this.close(),
    });
    this.copy = el('pre', { class: 'copy', 'aria-hidden': 'true' });
    this.list = el('ul', { id: 'proposals', role: 'listbox', 'aria-label': 'Proposals', hidden: true });
    this.box = el('div', { class: 'editor' }, this.copy, this.area, this.list);
  }

  get text() { return this.area.value; }

  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(text.length, text.length);
    this.close();
    this.paint();
  }

  paint() {
    show(this.copy, ...colours(this.area.value).map((t) => el('span', { class: t.colour }, t.text)), '\n');
    this.area.rows = Math.min(12, Math.max(2, this.area.value.split('\n').length));
    this.follow();
  }

  follow() {
    this.copy.scrollTop = this.area.scrollTop;
    this.copy.scrollLeft = this.area.scrollLeft;
  }

  key(e) {
    const mod = e.ctrlKey || e.metaKey;
    if (mod && e.key === 'Enter') this.on.run();
    else if (mod && e.key === ' ') this.propose(true);
    else if (mod && e.key === 'ArrowUp') this.on.earlier();
    else if (mod && e.key === 'ArrowDown') this.on.later();
    else if (!this.items.length) return;
    else if (e.key === 'ArrowDown') this.mark(this.marked + 1);
    else if (e.key === 'ArrowUp') this.mark(this.marked - 1);
    else if (e.key === 'Tab' || (e.key === 'Enter' && !e.shiftKey)) this.take(this.items[this.marked]);
    else if (e.key === 'Escape') this.close();
    else return;
    e.preventDefault();
  }

  /** propose shows what may stand at the caret; unasked only behind a dot, a quote or a word. */
  propose(asked) {
    const at = this.area.selectionStart;
    const before = this.area.value.slice(0, at);
    this.close();
    if (at !== this.area.selectionEnd || (!asked && !/[\w$.'"]$/.test(before))) return;
    const { from, items } = propose(before, this.on.names());
    if (!asked && (/(^|[^\w$.'"])\w$|\d$/.test(before) || items.some((c) => c.text === before.slice(from)))) return;
    this.from = from;
    this.items = items;
    if (items.length) this.open();
  }

  open() {
    show(this.list, ...this.items.map((c, i) => el('li', {
      role: 'option', id: `proposal-${i}`, onmousedown: (e) => { e.preventDefault(); this.take(c); },
    }, el('b', {}, c.text), el('span', {}, c.doc || c.kind))));
    this.list.hidden = false;
    const { x, y } = this.caret();
    this.list.style.left = `${Math.max(0, Math.min(x, this.box.clientWidth - this.list.offsetWidth))}px`;
    this.list.style.top = `${y}px`;
    this.mark(0);
  }

  /** caret is where the replaced word begins, below its line, in the box. */
  caret() {
    const walker = document.createTreeWalker(this.copy, NodeFilter.SHOW_TEXT);
    let left = this.from;
    while (walker.nextNode()) {
      const n = walker.currentNode;
      if (left > n.length) { left -= n.length; continue; }
      const range = document.createRange();
      range.setStart(n, left);
      range.collapse(true);
      const r = range.getBoundingClientRect();
      const box = this.box.getBoundingClientRect();
      return { x: r.left - box.left, y: r.bottom - box.top + 3 };
    }
    return { x: 0, y: this.area.offsetHeight };
  }

  mark(i) {
    this.marked = (i + this.items.length) % this.items.length;
    [...this.list.children].forEach((li, n) => li.setAttribute('aria-selected', String(n === this.marked)));
    this.list.children[this.marked].scrollIntoView({ block: 'nearest' });
    this.area.setAttribute('aria-activedescendant', `proposal-${this.marked}`);
  }

  take(c) {
    const at = this.area.selectionStart;
    this.area.setRangeText(c.text, this.from, at, 'end');
    this.close();
    this.paint();
  }

  close() {
    this.items = [];
    this.list.hidden = true;
    this.area.removeAttribute('aria-activedescendant');
  }
}
