// Elements of the page. What comes from a graph goes in as text, never as markup.

/**
 * el makes an element: attributes by name, listeners by onName, and children, of which
 * texts become text nodes. null, undefined and false are left out.
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** svg makes an element of a drawing in the same way. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(e, attributes, children) {
  for (const [name, v] of Object.entries(attributes)) {
    if (v === null || v === undefined || v === false) continue;
    if (typeof v === 'function') e.addEventListener(name.slice(2), v);
    else e.setAttribute(name, v === true ? '' : String(v));
  }
  add(e, children);
  return e;
}

/** add appends children to an element. */
export function add(e, children) {
  for (const c of children.flat(Infinity)) {
    if (c !== null && c !== undefined && c !== false) e.append(c);
  }
}

/** show puts children in place of what an element holds. */
export function show(e, ...children) {
  e.replaceChildren();
  add(e, children);
}

/** tabs makes a row of tabs: names by key; chosen is called with the key of a new one. */
export function tabs(list, names, chosen) {
  const buttons = new Map();
  const choose = (key) => {
    for (const [k, b] of buttons) {
      b.setAttribute('aria-selected', String(k === key));
      b.tabIndex = k === key ? 0 : -1;
    }
    chosen(key);
  };
  for (const [key, name] of Object.entries(names)) {
    buttons.set(key, el('button', { type: 'button', role: 'tab', 'data-tab': key, onclick: () => choose(key) }, name));
  }
  list.addEventListener('keydown', (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    const seen = [...buttons.values()].filter((b) => !b.hidden);
    const next = seen[(seen.indexOf(document.activeElement) + step + seen.length) % seen.length];
    next.focus();
    next.click();
    e.preventDefault();
  });
  show(list, ...buttons.values());
  return { choose, hide: (key, hidden) => { buttons.get(key).hidden = hidden; } };
}

/** say tells a screen reader what has happened. */
export function say(text) {
  document.getElementById('says').textContent = text;
}
