// Reading of Gremlin as it is typed, for colours, completion and small changes of it.

const pattern = new RegExp([
  /(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))/, /(?<string>'''[^]*?(?:'''|$)|"""[^]*?(?:"""|$)|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?)/,
  /(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[a-zA-Z]?)/, /(?<word>[A-Za-z_$][\w$]*)/, /(?<space>\s+)/, /(?<mark>[^])/,
].map((r) => r.source).join('|'), 'g');

/** tokens cuts a text into {type, text, at}. */
export function tokens(text) {
  const list = [];
  for (const m of text.matchAll(pattern)) {
    const type = Object.keys(m.groups).find((k) => m.groups[k] !== undefined);
    list.push({ type, text: m[0], at: m.index });
  }
  return list;
}

const keywords = new Set(['true', 'false', 'null', 'def', 'new', 'return', 'if', 'else', 'for', 'while', 'in', 'as']);

/** colours gives every token the class that style.css knows. */
export function colours(text) {
  const list = tokens(text);
  const solid = list.filter((t) => t.type !== 'space' && t.type !== 'comment');
  solid.forEach((t, i) => {
    const before = solid[i - 1]?.text;
    const after = solid[i + 1]?.text;
    if (t.type !== 'word') t.colour = t.type;
    else if (after === '(') t.colour = 'step';
    else if (before !== '.' && keywords.has(t.text)) t.colour = 'keyword';
    else t.colour = 'word';
  });
  return list;
}

/** asOf makes every g of a script read the past: g.V() becomes g.with('asOf', time).V(). */
export function asOf(script, time) {
  const list = tokens(script);
  const solid = list.filter((t) => t.type !== 'space' && t.type !== 'comment');
  solid.forEach((t, i) => {
    if (t.type === 'word' && t.text === 'g' && solid[i - 1]?.text !== '.' && solid[i + 1]?.text === '.') {
      t.text = `g.with('asOf', ${quoted(time)})`;
    }
  });
  return list.map((t) => t.text).join('');
}

const endings = new Set(['next', 'toList', 'toSet', 'iterate', 'hasNext', 'tryNext', 'explain', 'profile']);

/** asking puts explain() or profile() behind a traversal, in place of what iterates it. */
export function asking(script, step) {
  const list = tokens(script);
  for (;;) {
    while (list.length && (['space', 'comment'].includes(list.at(-1).type) || list.at(-1).text === ';')) list.pop();
    const n = list.length;
    const ends = n >= 4 && list[n - 1].text === ')' && list[n - 2].text === '(' && endings.has(list[n - 3].text) && list[n - 4].text === '.';
    if (!ends) break;
    list.length = n - 4;
  }
  return `${list.map((t) => t.text).join('')}.${step}()`;
}

/** quoted is a text as Gremlin writes it. */
export function quoted(text) {
  const escapes = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `'${text.replace(/[\\'$]/g, '\\$&').replace(/[\n\r\t]/g, (c) => escapes[c])}'`;
}
