// The slider of a graph with history: it says of when all answers are.

import { el, show } from '../dom.js';
import { string } from '../graphson.js';

const patience = 200; // ms that the slider stands still before it asks
const ticks = 1000;

export class Time {
  /** changed is called when another time is asked of. */
  constructor(changed) {
    this.changed = changed;
    this.at = ''; // ISO 8601; '' for now
    this.range = el('input', { type: 'range', min: 0, max: ticks, value: ticks, 'aria-label': 'Time that answers are of', oninput: () => this.slid() });
    this.shown = el('output', {}, 'now');
    this.now = el('button', { type: 'button', onclick: () => { this.range.value = ticks; this.slid(); } }, 'now');
    this.box = el('div', { class: 'time bar', hidden: true }, el('label', {}, 'as of ', this.range), this.shown, this.now);
  }

  /** look finds out whether the graph has history, and since when. */
  async look(ask) {
    this.at = '';
    this.range.value = ticks;
    this.show();
    this.since = NaN;
    try {
      const { results } = await ask("g.call('gremlind.feature')");
      const history = results.find((m) => m.get('feature') === 'history');
      const since = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(history ? string(history.get('keeps')) : '');
      this.since = since ? Date.parse(since[0]) + 1000 : NaN;
    } catch { /* who may not know has no slider */ }
    this.box.hidden = !Number.isFinite(this.since);
  }

  slid() {
    const t = Number(this.range.value);
    const now = Date.now();
    this.at = t >= ticks ? '' : new Date(this.since + (now - this.since) * t / ticks).toISOString();
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed(), patience);
  }

  show() {
    const text = this.at ? this.at.replace('T', ' ').replace(/\.\d+Z/, ' UTC') : 'now';
    show(this.shown, text);
    this.range.setAttribute('aria-valuetext', text);
  }
}
