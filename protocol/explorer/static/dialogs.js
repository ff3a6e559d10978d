// Dialogs: keys, login, what was asked before.

import { el, show } from './dom.js';

function dialog(title, ...children) {
  const d = el('dialog', { 'aria-label': title, onclose: () => d.remove() },
    el('h2', {}, title), children);
  document.body.append(d);
  d.showModal();
  return d;
}

const keys = [
  ['Ctrl Enter', 'run'], ['Ctrl Space', 'propose'], ['Tab, Enter', 'take a proposal'], ['Ctrl ↑, Ctrl ↓', 'what was asked before'], ['Esc', 'stop what runs; close'],
  ['← →', 'between tabs'],
];
const pictureKeys = [
  ['arrows', 'from vertex to vertex'], ['Shift arrows', 'move the picture'], ['Enter, double click', 'expand or collapse'], ['Delete', 'hide'],
  ['+ − 0', 'zoom, show all'], ['drag, wheel, pinch', 'move, zoom'],
];

/** help shows the keys. */
export function help() {
  const part = (title, list) => [el('h3', {}, title), el('dl', { class: 'keys' }, list.map(([k, t]) => [el('dt', {}, k), el('dd', {}, t)]))];
  const d = dialog('Keys', part('Editor', keys), part('Picture', pictureKeys),
    el('p', { class: 'note' }, 'Each query stands alone and commits what it writes. g is the source above.'),
    el('button', { type: 'button', class: 'main', onclick: () => d.close() }, 'close'));
}

/** login asks for a name and a password, or a token; done gets them. */
export function login(why, done) {
  if (document.querySelector('dialog.login')) return;
  const user = el('input', { name: 'user', autocomplete: 'username', 'aria-describedby': 'login-why' });
  const secret = el('input', { name: 'secret', type: 'password', autocomplete: 'current-password' });
  const form = el('form', {
    method: 'dialog', onsubmit: (e) => { e.preventDefault(); d.close(); done(user.value, secret.value); },
  }, el('p', { class: 'note', id: 'login-why' }, why), el('label', {}, 'name ', user), el('label', {}, 'password, or a token without a name ', secret),
  el('div', { class: 'bar' }, el('button', { class: 'main' }, 'log in'), el('button', { type: 'button', onclick: () => d.close() }, 'cancel')));
  const d = dialog('Log in', form);
  d.classList.add('login');
  user.focus();
}

/** recall shows what was asked before, the latest first; chosen gets one. */
export function recall(history, chosen) {
  const box = el('ul', { class: 'recall' });
  const fill = (text) => show(box, history.list.filter((s) => s.toLowerCase().includes(text.toLowerCase())).reverse().slice(0, 100)
    .map((s) => el('li', {}, el('button', { type: 'button', class: 'plain', onclick: () => { d.close(); chosen(s); } }, s))));
  const search = el('input', { type: 'search', placeholder: 'search', 'aria-label': 'Search', oninput: () => fill(search.value) });
  const d = dialog('Asked before', search, box, el('div', { class: 'bar' },
    el('button', { type: 'button', class: 'main', onclick: () => d.close() }, 'close'),
    el('button', { type: 'button', onclick: () => { history.clear(); fill(''); } }, 'forget all')));
  fill('');
}
