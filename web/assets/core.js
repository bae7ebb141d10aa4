// SPDX-License-Identifier: Apache-2.0
// What all pages share: strings in two languages, theme and device, data files, the frame of a page.
"use strict";
const XF = { strings: null, pages: {}, state: {}, loaded: {}, waiting: {} };

// Elements: h("p.note", {title: "x"}, "text", child, [more])
XF.h = function (what, attributes, ...children) {
  const [tag, ...classes] = what.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  XF.fill(node, children);
  return node;
};
XF.fill = function (node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
};
XF.clear = function (node, ...children) {
  node.replaceChildren();
  return XF.fill(node, children);
};
XF.svg = function (tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined) node.setAttribute(key, value);
  return XF.fill(node, children);
};

// Text of the chosen language: t("player.next"), t("x", {n: 3}). "{n:lane|lanes}" is one of the two words, by the number
// n. A missing key is an error that tests see.
XF.t = function (key, values) {
  let row = XF.strings.text[key];
  if (!row) {
    console.error("no text for '" + key + "'");
    return key;
  }
  let text = row[XF.state.lang].replace(/\{(\w+):([^|{}]*)\|([^{}]*)\}/g, (all, name, one, many) => (String(values[name]) === "1" ? one : many));
  for (const [name, value] of Object.entries(values || {})) text = text.split("{" + name + "}").join(value);
  return text;
};
XF.local = (row) => row[XF.state.lang] || row.en;
// Paragraphs with `code` and *emphasis*.
XF.prose = function (key, values) {
  return XF.t(key, values).split("\n").map((line) => XF.h("p", null, XF.inline(line)));
};
XF.inline = function (text) {
  return text.split(/(`[^`]+`|\*[^*]+\*)/).map((part) => {
    if (part.startsWith("`") && part.length > 2) return XF.h("code", null, part.slice(1, -1));
    if (part.startsWith("*") && part.length > 2) return XF.h("em", null, part.slice(1, -1));
    return part;
  });
};
// The disassembler pads its columns widely; here a line has to fit beside the source.
XF.isaText = function (text) {
  const words = text.trim().replace(/\s+/g, " ");
  const predicate = words.match(/^\([^)]*\) /);
  return predicate ? predicate[0].padEnd(4) + words.slice(predicate[0].length) : "    " + words;
};
XF.number = (value) => (typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 3 }) : String(value));
XF.bytes = (value) => (value >= 1024 && value % 1024 === 0 ? value / 1024 + " KB" : value + " B");
XF.percent = (fraction) => Math.round(fraction * 1000) / 10 + " %";

// Data files call XF.data(name, json). They are scripts because a page opened from a folder cannot fetch.
XF.data = function (name, json) {
  XF.loaded[name] = json;
  (XF.waiting[name] || []).forEach((done) => done(json));
  delete XF.waiting[name];
};
XF.load = function (name) {
  if (name in XF.loaded) return Promise.resolve(XF.loaded[name]);
  return new Promise((resolve, reject) => {
    const first = !XF.waiting[name];
    (XF.waiting[name] = XF.waiting[name] || []).push(resolve);
    if (!first) return;
    const script = document.createElement("script");
    script.src = "data/" + encodeURIComponent(name) + ".js";
    script.onerror = () => reject(new Error("cannot load " + script.src));
    document.head.append(script);
  });
};

// What the reader chose is kept in the address (so that it can be passed on) and, where allowed, for the next page.
const KEPT = ["lang", "theme", "device"];
function stored(key) {
  try {
    return localStorage.getItem("xeforge." + key);
  } catch (error) {
    return null;  // private windows and some folders refuse it
  }
}
XF.set = function (key, value, options) {
  XF.state[key] = value;
  if (KEPT.includes(key)) {
    try {
      localStorage.setItem("xeforge." + key, value);
    } catch (error) { /* not kept then */ }
  }
  const hash = Object.entries(XF.state).filter(([k]) => !KEPT.includes(k) || k === "device").map(([k, v]) => k + "=" + encodeURIComponent(v));
  try {
    history.replaceState(null, "", "#" + hash.join("&"));
  } catch (error) { /* some browsers refuse it for files */ }
  if (!options || !options.quiet) XF.render();
};
XF.readState = function () {
  const fromHash = Object.fromEntries(location.hash.slice(1).split("&").filter((p) => p.includes("=")).map((p) => {
    const at = p.indexOf("=");
    return [p.slice(0, at), decodeURIComponent(p.slice(at + 1))];
  }));
  const dark = window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches;
  const chinese = (navigator.language || "").startsWith("zh");
  XF.state = Object.assign({ lang: stored("lang") || (chinese ? "zh" : "en"), theme: stored("theme") || (dark ? "dark" : "light"),
    device: stored("device") || "b580" }, fromHash);
  if (!["en", "zh"].includes(XF.state.lang)) XF.state.lang = "en";
};

// Numbers of a figure that the address names, over the figure's own.
XF.fromAddress = (numbers) => Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, XF.state[key] !== undefined && !isNaN(XF.state[key]) ? Number(XF.state[key]) : value]));
XF.deviceName = (id) => ({ b580: "B580", a770: "A770", lnl: "Lunar Lake", b60: "B60" }[id] || id);

// A row of buttons of which one is pressed.
XF.choice = function (label, options, current, choose) {
  const group = XF.h("div.choice", { role: "group", "aria-label": label });
  for (const [value, text] of options)
    group.append(XF.h("button", { type: "button", "aria-pressed": String(value === current), "data-value": value, onclick: () => choose(value) }, text));
  return XF.h("div.labelled", null, XF.h("span.label", null, label), group);
};
XF.deviceChoice = function (devices) {
  return XF.choice(XF.t("device"), devices.map((id) => [id, XF.deviceName(id)]), XF.state.device, (id) => XF.set("device", id));
};
// The chosen device if it is among these, else the first of them.
XF.deviceOf = (devices) => (devices.includes(XF.state.device) ? XF.state.device : devices[0]);
XF.slider = function (label, values, current, change, format) {
  const shown = XF.h("output", null, (format || String)(current));
  const at = Math.max(0, values.indexOf(current));
  const input = XF.h("input", { type: "range", min: 0, max: values.length - 1, value: at, "aria-label": label });
  input.addEventListener("input", () => {
    const value = values[Number(input.value)];
    shown.textContent = (format || String)(value);
    input.setAttribute("aria-valuetext", shown.textContent);
    change(value);
  });
  input.setAttribute("aria-valuetext", shown.textContent);
  return XF.h("label.slider", null, XF.h("span.label", null, label), input, shown);
};
// Charts are drawn for the width that they are shown in, so that their letters keep their size on a phone.
XF.narrow = () => window.innerWidth < 700;
XF.chartWidth = () => (XF.narrow() ? Math.max(300, window.innerWidth - 58) : 1000);
// What is drawn anew must not throw a keyboard's user back to the top: the focus goes to the same thing of the new drawing.
XF.keepingFocus = function (draw) {
  const had = document.activeElement;
  const marks = had ? ["id", "data-act", "data-value", "data-rung", "data-group", "data-thread", "data-lane", "data-core"].filter((key) => had.hasAttribute(key)) : [];
  const selector = marks.length ? marks.map((key) => `[${key}="${had.getAttribute(key)}"]`).join("") : null;
  const place = selector ? [...document.querySelectorAll(selector)].indexOf(had) : -1;
  const focus = () => {
    if (!selector || (document.activeElement && document.activeElement !== document.body)) return;
    const now = [...document.querySelectorAll(selector)];
    if (now.length) now[Math.max(0, Math.min(place, now.length - 1))].focus({ preventScroll: true });
  };
  const result = draw();
  return result && result.then ? result.then(focus) : focus();
};
// Arrow keys over the cells of a grid: one tab stop, as a list box has.
XF.gridKeys = function (grid, cells, pick) {
  grid.addEventListener("keydown", (event) => {
    const all = cells(), at = all.indexOf(event.target);
    if (at < 0) return;
    const columns = all.filter((cell) => cell.offsetTop === all[0].offsetTop).length;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(all.length - 1, to));
    all[next].focus();
    pick(next);
  });
};
XF.badge = (kind) => XF.h("span.badge." + kind, { title: XF.t("badge." + kind + ".what") }, XF.t("badge." + kind));
XF.table = function (heads, rows, attributes) {
  return XF.h("div.scroll", { tabindex: 0, role: "region", "aria-label": (attributes && attributes["aria-label"]) || heads.join(", ") },
    XF.h("table", attributes, XF.h("thead", null, XF.h("tr", null, heads.map((head) => XF.h("th", { scope: "col" }, head)))),
      XF.h("tbody", null, rows)));
};

XF.frame = function () {
  document.documentElement.lang = XF.state.lang === "zh" ? "zh-Hans" : "en";
  document.documentElement.dataset.theme = XF.state.theme;
  document.querySelector(".skip").textContent = XF.t("skip");
  const pages = XF.strings.pages.filter((page) => page.id !== "own" || XF.manifest.own.length > 0);
  const page = pages.find((one) => one.id === XF.page) || XF.strings.pages[0];
  document.title = XF.local(page.title) + " · xeforge";
  const links = pages.map((one) => XF.h("a", { href: one.id + ".html", "aria-current": one.id === XF.page ? "page" : null }, XF.local(one.nav || one.title)));
  const other = XF.state.lang === "en" ? "zh" : "en";
  XF.clear(document.getElementById("top"),
    XF.h("div.bar", null, XF.h("a.brand", { href: "index.html" }, "xeforge"),
      XF.h("div.settings", null,
        XF.h("button", { type: "button", id: "lang", lang: other === "zh" ? "zh-Hans" : "en", onclick: () => XF.set("lang", other) }, other === "zh" ? "中文" : "English"),
        XF.h("button", { type: "button", id: "theme", onclick: () => XF.set("theme", XF.state.theme === "dark" ? "light" : "dark") }, XF.t(XF.state.theme === "dark" ? "theme.light" : "theme.dark")))),
    XF.h("nav", { "aria-label": XF.t("pages") }, links));
  const nav = document.querySelector("nav"), current = nav.querySelector("[aria-current]");
  if (current) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - 24;
  XF.clear(document.getElementById("foot"), XF.prose("foot", { version: XF.manifest.version }));
};

XF.render = () => XF.keepingFocus(async () => {
  const turn = (XF.turn = (XF.turn || 0) + 1);
  XF.frame();
  const main = XF.h("div.page", null);
  const page = XF.strings.pages.find((one) => one.id === XF.page);
  main.append(XF.h("h1", null, XF.local(page.title)));
  await XF.pages[XF.page](main);
  if (turn !== XF.turn) return;  // something else was chosen meanwhile
  XF.clear(document.getElementById("main"), main);
  document.body.dataset.ready = String(turn);
});

XF.start = async function (page) {
  XF.page = page;
  XF.readState();
  XF.manifest = await XF.load("manifest");
  window.addEventListener("hashchange", () => {
    XF.readState();
    XF.render();
  });
  let narrow = XF.narrow();
  window.addEventListener("resize", () => {
    if (narrow === XF.narrow()) return;
    narrow = XF.narrow();
    XF.render();
  });
  await XF.render();
};
