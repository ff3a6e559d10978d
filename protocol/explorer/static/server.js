// The server that the page came from. Name and password are held by this object alone, and
// gone with the page.

import { decode, read } from './graphson.js';

const mime = 'application/vnd.gremlin-v3.0+json';

// answerBytes is how much of an answer a page takes.
const answerBytes = 48 << 20;

/** Refused is an answer that is an error; its status is 'login' where the server asks who one is: 401 may also mean that one may not. */
export class Refused extends Error {
  constructor(message, status) { super(message); this.status = status; }
}

const map = (fields) => ({ '@type': 'g:Map', '@value': Object.entries(fields).flat() });

/** list makes an argument of raw ids. */
export const list = (raw) => ({ '@type': 'g:List', '@value': raw });

export class Server {
  constructor() {
    this.source = 'g'; // the source that scripts call g
    this.user = ''; // who has logged in
    this.authorization = '';
    this.seeAs = ''; // the user with whose rights all is read; '' for one's own
    this.url = new URL('gremlin', document.baseURI);
  }

  /** logIn is by a name and a password, or by a token alone. */
  logIn(user, secret) {
    this.user = user || 'token';
    if (!user) {
      this.authorization = `Bearer ${secret}`;
      return;
    }
    const bytes = new TextEncoder().encode(`${user}:${secret}`);
    this.authorization = `Basic ${btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))}`;
  }

  logOut() { this.user = this.authorization = ''; }

  /**
   * ask evaluates a script and returns its results. bindings are GraphSON. Who aborts the
   * signal stops the request in the server, too; timeout is in milliseconds.
   */
  async ask(script, { bindings = {}, signal, timeout } = {}) {
    const args = { gremlin: script, bindings: map(bindings), aliases: map({ g: this.source }) };
    if (this.seeAs) args.seeAs = this.seeAs;
    if (timeout) args.evaluationTimeout = { '@type': 'g:Int64', '@value': timeout };
    const headers = { 'Content-Type': mime, Accept: mime };
    if (this.authorization) headers.Authorization = this.authorization;
    const body = JSON.stringify({ requestId: { '@type': 'g:UUID', '@value': uuid() }, op: 'eval', processor: '', args: map(args) });
    const asked = performance.now();
    const r = await fetch(this.url, { method: 'POST', headers, body, signal, credentials: 'omit', cache: 'no-store', redirect: 'error' });
    const text = await bounded(r);
    const ms = performance.now() - asked;
    if (!r.ok) throw refusal(r.headers.has('WWW-Authenticate') ? 'login' : r.status, text);
    const raw = read(text).result.data;
    return { ms, raw, results: decode(raw) ?? [] };
  }
}

// uuid is made by hand: randomUUID is there on HTTPS and localhost alone.
function uuid() {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b, i) => (i === 6 ? (b & 15) | 64 : i === 8 ? (b & 63) | 128 : b).toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

async function bounded(r) {
  const reader = r.body.getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > answerBytes) {
      await reader.cancel();
      throw new Refused(`The answer has more than ${answerBytes >> 20} MiB, which is more than a page shows: add limit().`, 0);
    }
    chunks.push(value);
  }
  return new Blob(chunks).text();
}

function refusal(status, text) {
  try {
    return new Refused(JSON.parse(text).message || `status ${status}`, status);
  } catch {
    return new Refused(text.slice(0, 500) || `status ${status}`, status);
  }
}
