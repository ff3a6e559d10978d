// What profile() and explain() tell, as a picture of the plan.

import { el } from '../dom.js';
import { string } from '../graphson.js';

/** plan shows a Plan. */
export function plan(p) {
  const inner = p.kind === 'profile' ? profile(p.fields) : explain(p.fields);
  return el('div', { class: 'scroll plan', tabindex: '0', role: 'region', 'aria-label': `Plan: ${p.kind}()` }, inner);
}

/** profile draws a box for each step: its share of the time, and the rows that leave it. */
function profile(fields) {
  const total = Number(fields.get('dur')) || 0;
  const steps = fields.get('metrics') ?? [];
  const most = Math.max(1, ...steps.map(rows));
  const boxes = steps.flatMap((m, i) => [i ? arrow(rows(steps[i - 1]), most) : null, box(m, total)]);
  return [el('p', { class: 'sum' }, `${time(total)} in ${steps.length} steps`), el('ol', {}, boxes)];
}

function box(m, total) {
  const ms = Number(m.get('dur')) || 0;
  const share = total > 0 ? Math.min(100, 100 * ms / total) : 0;
  const bar = el('div', { class: 'bar' });
  bar.style.width = `${share}%`;
  const notes = [...(m.get('annotations') ?? [])].filter(([k]) => k !== 'percentDur');
  const inner = m.get('metrics') ?? [];
  return el('li', { class: share >= 50 ? 'step hot' : 'step' },
    el('div', { class: 'head' }, el('b', {}, string(m.get('name'))), el('span', {}, `${count(rows(m), 'row')}`), el('span', {}, `${time(ms)} · ${share.toFixed(0)} %`)),
    el('div', { class: 'track', 'aria-hidden': 'true' }, bar),
    notes.length ? el('div', { class: 'notes' }, notes.map(([k, v]) => `${string(k)}: ${string(v)}`).join(' · ')) : null,
    inner.length ? el('ol', {}, inner.map((n) => box(n, total))) : null);
}

const rows = (m) => Number(m.get('counts')?.get('elementCount') ?? m.get('counts')?.get('traverserCount') ?? 0);

const count = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

/** arrow is as wide as many rows go along it. */
function arrow(n, most) {
  const line = el('span', { class: 'line' });
  line.style.width = `${(1 + 9 * Math.log(1 + n) / Math.log(1 + most)).toFixed(1)}px`;
  return el('li', { class: 'arrow', 'aria-hidden': 'true' }, line);
}

function time(ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 1 ? `${ms.toFixed(1)} ms` : `${(ms * 1000).toFixed(0)} µs`;
}

/** explain draws what was asked and what is done, and which strategies changed something. */
function explain(fields) {
  let before = string(fields.get('original'));
  const changes = [];
  for (const i of fields.get('intermediate') ?? []) {
    const after = string(i.get('traversal'));
    if (after !== before) changes.push([string(i.get('strategy')), after]);
    before = after;
  }
  return [
    el('div', { class: 'two' }, chain('asked', fields.get('original')), chain('done', fields.get('final'))),
    el('h3', {}, changes.length ? 'Strategies that changed it' : 'No strategy changed it'),
    el('dl', { class: 'changes' }, changes.map(([name, text]) => [el('dt', {}, name), el('dd', {}, text)])),
  ];
}

function chain(title, steps) {
  const list = Array.isArray(steps) ? steps : [steps];
  return el('section', {}, el('h3', {}, title), el('ol', {}, list.flatMap((s, i) => [
    i ? el('li', { class: 'arrow', 'aria-hidden': 'true' }, el('span', { class: 'line' })) : null,
    el('li', { class: 'step' }, el('div', { class: 'head' }, el('b', {}, string(s))))])));
}
