// Elements without a framework: h("p", {class: "soft"}, "text", child). Text is always text, never markup.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

// Fills an element anew only if what it shows has changed: what is focused, opened or being typed in it stays as it is.
export function refill(element, state, make) {
  const key = JSON.stringify(state);
  if (element.shownState === key) return;
  element.shownState = key;
  fill(element, make());
}

// Only touches the document when the text changes: 64 boards are redrawn often.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const svgSpace = "http://www.w3.org/2000/svg";
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children.flat(Infinity)) element.append(child);
  return element;
}

export function table(heads, rows, caption) {
  return h("div", {class: "table"}, h("table", {},
    caption ? h("caption", {class: "unseen"}, caption) : null,
    h("thead", {}, h("tr", {}, heads.map(([text, kind]) => h("th", {scope: "col", class: kind || null}, text)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, i) =>
      h(i === 0 ? "th" : "td", {class: heads[i][1] || null, scope: i === 0 ? "row" : null}, cell)))))));
}
