// SPDX-License-Identifier: Apache-2.0
// Plays one recorded thread: source, instructions, lanes, where each value came from; and the same run as SIMT sees it.
"use strict";
XF.bit = (mask, lane) => ((mask >>> lane) & 1) === 1;
XF.lanesOf = function (recording) {
  let all = 0;
  for (const thread of recording.threads) all |= thread.lanes;
  return Math.max(1, 32 - Math.clz32(all));
};
XF.shown = function (value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return Math.abs(value) >= 1e7 ? "0x" + (value >>> 0).toString(16) : String(value);
  return Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6 ? value.toExponential(2) : String(Math.round(value * 1000) / 1000);
};

XF.legend = (rows) => XF.h("div.legend", null, rows.map(([cls, key]) => XF.h("span", null, XF.h("i.lane." + cls), XF.t(key))));

// The line of the source shown that an instruction belongs to: its own, or that of the call that a header's code came in by.
XF.lineOf = (inst) => (inst.file ? inst.call : inst.line) || 0;
XF.codePanel = function (recording, choose) {
  const rows = new Map();
  const panel = XF.h("div.code", { tabindex: 0, role: "group", "aria-label": XF.t("panel.source") });
  const own = new Set(recording.isa.map(XF.lineOf));
  recording.source.lines.forEach((text, index) => {
    const number = index + 1;
    const row = XF.h("div.row", { "data-line": number, role: choose && own.has(number) ? "button" : null, tabindex: choose && own.has(number) ? 0 : null },
      XF.h("span.no", null, number), XF.h("span", null, text || " "));
    if (choose && own.has(number)) choose(row, number);
    rows.set(number, row);
    panel.append(row);
  });
  return { panel, rows };
};

XF.isaPanel = function (recording, pick) {
  const panel = XF.h("div.isa", { tabindex: 0, role: "group", "aria-label": XF.t("panel.isa") },
    XF.h("div.row.head", null, XF.h("span.no", null, "pc"), XF.h("span.no", { title: XF.t("isa.executed") }, "×"), XF.h("span", null, XF.t("isa.head"))));
  const rows = recording.isa.map((inst, index) => {
    const row = XF.h("div.row" + (inst.executed === 0 ? ".never" : ""), { "data-inst": index, title: XF.instructionTitle(recording, inst), onclick: pick ? () => pick(index) : null },
      XF.h("span.no", null, inst.pc), XF.h("span.no", null, inst.executed), XF.h("span", null, XF.isaText(inst.text)));
    panel.append(row);
    return row;
  });
  return { panel, rows };
};
XF.latency = function (device, key) {
  const row = key && XF.device(device).parameters[key];
  if (!row) return null;
  const range = row.range ? " (" + row.range.map(XF.number).join(" – ") + ")" : "";
  return { text: XF.number(row.value) + range + " " + (row.unit || ""), source: row.source, value: row.value };
};
XF.device = (id) => XF.loaded.devices.find((one) => one.id === id);
XF.instructionTitle = function (recording, inst) {
  const parts = [XF.t("unit." + inst.unit)];
  if (inst.message) parts.push(inst.message);
  const latency = XF.latency(recording.device, inst.latency);
  if (latency) parts.push(XF.t("latency") + ": " + latency.text + " · " + latency.source);
  if (inst.line) parts.push((inst.file || recording.source.name) + ":" + inst.line);
  return parts.join("\n");
};
XF.scrollTo = function (panel, row) {
  if (!row) return;
  const top = row.offsetTop - panel.offsetTop;
  if (top < panel.scrollTop + 20 || top > panel.scrollTop + panel.clientHeight - 50) panel.scrollTop = top - panel.clientHeight / 2;
};

// Once it is laid out, the source shows the kernel instead of the head of its file.
XF.scrollToKernel = function (code, recording) {
  const own = recording.isa.map(XF.lineOf).filter((line) => line > 0);
  if (own.length) requestAnimationFrame(() => requestAnimationFrame(() => XF.scrollTo(code.panel, code.rows.get(Math.min(...own)))));
};

// Which lanes a step shows as what.
XF.laneClass = function (recording, step, lane) {
  const inst = recording.isa[step.i];
  if (inst.no_mask && XF.bit(step.a, lane)) return "uniform";
  if (XF.bit(step.a, lane)) return "acts";
  return XF.bit(step.e, lane) ? "waits" : "idle";
};

// options: {arcs: draw lane movement, simt: show the SIMT view}
XF.player = function (recording, options) {
  options = options || {};
  const lanes = XF.lanesOf(recording);
  let thread = 0, at = 0, timer = null;
  const steps = () => recording.threads[thread].steps;
  const code = XF.codePanel(recording);
  // The next step after this one that fits, else the first.
  const goNext = (fits) => {
    const next = steps().findIndex((step, n) => n > at && fits(step));
    const first = next >= 0 ? next : steps().findIndex(fits);
    if (first >= 0) go(first);
  };
  const isa = XF.isaPanel(recording, (index) => goNext((step) => step.i === index));
  const grid = XF.h("div.lanes" + (lanes <= 8 ? ".eight" : ""), { role: "img" });
  const cells = d3.range(lanes).map((lane) => {
    const cell = XF.h("div.lane", { "data-lane": lane }, XF.h("span.no", null, lane), XF.h("span.value"), XF.h("span.no.second"));
    cell.addEventListener("pointerenter", () => hover(lane));
    cell.addEventListener("pointerleave", () => hover(-1));
    grid.append(cell);
    return cell;
  });
  const arcs = XF.svg("svg", { class: "arcs", viewBox: "0 0 800 96", height: 96, width: "100%", preserveAspectRatio: "none", "aria-hidden": "true" });
  const laneRow = () => XF.h("div.lanerow", { style: `grid-template-columns: repeat(${lanes}, minmax(0, 1fr))`, "aria-hidden": "true" }, d3.range(lanes).map((lane) => XF.h("span", null, lane)));
  const readRow = laneRow(), writtenRow = laneRow();
  const movesSay = XF.h("p.note");
  const says = XF.h("div.says", { "aria-live": "polite" });
  const slider = XF.h("input", { type: "range", min: 0, value: 0, "aria-label": XF.t("player.step") });
  slider.addEventListener("input", () => go(Number(slider.value)));
  const count = XF.h("span.label.count");
  const button = (key, act) => XF.h("button", { type: "button", "data-act": key, title: XF.t("player." + key), "aria-label": XF.t("player." + key), onclick: act }, { first: "|◀", back: "◀", next: "▶", last: "▶|", play: XF.t("player.play") }[key]);
  const play = button("play", () => toggle());
  const box = XF.h("section.player", { tabindex: 0, "aria-label": XF.t("player.name", { kernel: recording.kernel }) });

  function hover(lane) {
    const step = steps()[at];
    const value = lane >= 0 && step.w ? step.w.find((row) => row[0] === lane) : null;
    cells.forEach((cell, n) => cell.classList.toggle("from", !!(value && value[2] && value[2].includes(n))));
  }
  function drawArcs(step) {
    if (!options.arcs) return;
    arcs.replaceChildren();
    const x = (lane) => (lane % lanes + 0.5) * 800 / lanes;
    const moves = (step.w || []).flatMap(([lane, , from]) => (from || []).map((source) => [source, lane]));
    const moved = moves.some(([a, b]) => a !== b);
    const read = new Set(moves.map(([a]) => a)), written = new Set(moves.map(([, b]) => b));
    [...readRow.children].forEach((label, lane) => label.classList.toggle("lit", read.has(lane)));
    [...writtenRow.children].forEach((label, lane) => label.classList.toggle("lit", written.has(lane)));
    movesSay.textContent = XF.t(moved ? "arcs.moved" : moves.length ? "arcs.straight" : "arcs.none");
    for (const [source, lane] of moves) {
      const y = Math.min(86, 18 + Math.abs(x(source) - x(lane)) * 0.16);
      arcs.append(XF.svg("path", { d: `M${x(source)},2 C${x(source)},${y} ${x(lane)},${96 - y} ${x(lane)},92`, fill: "none",
        stroke: source === lane ? "var(--c8)" : `var(--c${(source % 7) + 1})`, "stroke-width": source === lane ? 1 : 2.2, opacity: source === lane && moved ? 0.4 : 1, "vector-effect": "non-scaling-stroke" }));
    }
  }
  function show() {
    const list = steps(), step = list[at], inst = recording.isa[step.i];
    slider.max = list.length - 1;
    slider.value = at;
    slider.setAttribute("aria-valuetext", XF.isaText(inst.text).trim());
    count.textContent = XF.t("player.of", { step: at + 1, steps: list.length });
    code.rows.forEach((row, line) => row.classList.toggle("now", XF.lineOf(inst) === line));
    isa.rows.forEach((row, index) => row.classList.toggle("now", index === step.i));
    XF.scrollTo(isa.panel, isa.rows[step.i]);
    if (XF.lineOf(inst)) XF.scrollTo(code.panel, code.rows.get(XF.lineOf(inst)));
    const written = new Map((step.w || []).map((row) => [row[0], row]));
    cells.forEach((cell, lane) => {
      const exists = XF.bit(recording.threads[thread].lanes, lane);
      cell.className = "lane " + (exists ? XF.laneClass(recording, step, lane) : "idle");
      const value = written.get(lane);
      const flag = step.f !== undefined && XF.bit(step.a, lane) ? (XF.bit(step.f, lane) ? "✓" : "✗") : "";
      cell.children[1].textContent = value ? XF.shown(value[1]) : flag;
      cell.children[1].title = value ? String(value[1]) : "";
      cell.children[2].textContent = step.p !== undefined ? (XF.bit(step.p, lane) ? "p=1" : "p=0") : value && flag ? flag : "";
    });
    drawArcs(step);
    XF.clear(says, XF.stepText(recording, step));
    box.querySelectorAll("[data-act=first],[data-act=back]").forEach((b) => (b.disabled = at === 0));
    box.querySelectorAll("[data-act=next],[data-act=last]").forEach((b) => (b.disabled = at === list.length - 1));
    box.dataset.step = at;
    if (simt) simt.mark(at);
    if (options.onstep) options.onstep(step, at, thread);
  }
  function go(to) {
    at = Math.max(0, Math.min(steps().length - 1, to));
    show();
  }
  function toggle() {
    if (timer) {
      clearInterval(timer);
      timer = null;
    } else {
      if (at === steps().length - 1) go(0);
      timer = setInterval(() => {
        if (at >= steps().length - 1 || !box.isConnected) toggle();
        else go(at + 1);
      }, 450);
    }
    play.textContent = XF.t(timer ? "player.pause" : "player.play");
    play.setAttribute("aria-label", XF.t(timer ? "player.pause" : "player.play"));
  }
  box.addEventListener("keydown", (event) => {
    if (event.target.tagName === "SELECT" || (event.target.type === "range" && event.key.startsWith("Arrow"))) return;
    const act = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(steps().length - 1), " ": toggle }[event.key];
    if (!act || (event.key === " " && event.target.tagName === "BUTTON")) return;
    event.preventDefault();
    act();
  });
  const threads = XF.h("select", { "aria-label": XF.t("player.thread") }, recording.threads.map((one, n) =>
    XF.h("option", { value: n }, XF.t("player.thread_n", { group: one.group[0], thread: one.thread }))));
  threads.addEventListener("change", () => {
    thread = Number(threads.value);
    at = 0;
    if (simt) simt.draw(thread);
    show();
  });
  const simt = options.simt ? XF.simtView(recording, go) : null;
  XF.fill(box, [
    XF.h("div.steps", null, button("first", () => go(0)), button("back", () => go(at - 1)), play, button("next", () => go(at + 1)), button("last", () => go(steps().length - 1)), options.arcs ? XF.h("button", { type: "button", "data-act": "move", onclick: () => goNext(XF.movesData) }, XF.t("player.move")) : null, slider, count, recording.threads.length > 1 ? threads : null),
    XF.h("p.note", null, XF.t("player.keys")),
    XF.h("div.card", null, says,
      options.arcs ? XF.h("div.moves", null, XF.h("span.label", null, XF.t("arcs.read")), readRow, arcs, writtenRow, XF.h("span.label", null, XF.t("arcs.written")), movesSay) : null, grid,
      XF.legend([["acts", "lane.acts"], ["waits", "lane.waits"], ["idle", "lane.idle"], ["uniform", "lane.uniform"]])),
    simt ? simt.box : null,
    XF.h("div.columns", null, XF.h("div", null, XF.h("h3", null, XF.t("panel.source")), code.panel), XF.h("div", null, XF.h("h3", null, XF.t("panel.isa")), isa.panel))]);
  if (simt) simt.draw(0);
  const asked = recording.threads[0].steps.findIndex((step) => String(recording.isa[step.i].pc) === XF.state.pc);
  at = Math.max(0, asked);
  show();
  if (asked >= 0) requestAnimationFrame(() => show());
  else XF.scrollToKernel(code, recording);
  box.xf = { go, steps, get at() { return at; } };
  return box;
};

// Whether data changed lanes in a step.
XF.movesData = (step) => (step.w || []).some(([lane, , from]) => from && from.some((other) => other !== lane));

// Where an instruction comes from: the line of the source, or of a header of SYCL.
XF.placeOf = function (recording, inst) {
  if (!inst.line) return null;
  const line = XF.lineOf(inst), text = recording.source.lines[line - 1];
  return XF.h("p.mono.line", null, line ? [XF.h("span.no", null, line), text ? text.trim() : ""] : null,
    inst.file ? XF.h("span.note", null, (line ? "  ← " : "") + XF.t("step.header", { place: inst.file + ":" + inst.line })) : null);
};

// What the step does, and the line that it is a part of.
XF.stepText = function (recording, step) {
  const inst = recording.isa[step.i];
  const count = (mask) => d3.range(32).filter((lane) => XF.bit(mask, lane)).length;
  const parts = [];
  if (inst.unit === "branch") parts.push(XF.t("step.branch", { lanes: count(step.a) }));
  else if (inst.no_mask) parts.push(XF.t("step.uniform", { lanes: count(step.a) }));
  else parts.push(XF.t("step.lanes", { lanes: count(step.a), enabled: count(step.e) }));
  if (step.k === "barrier_signal") parts.push(XF.t("step.signal"));
  if (step.m && step.s) parts.push(XF.t("step.memory", { kind: XF.t("memory." + step.k), space: XF.t("space." + step.s), pieces: step.m.length }));
  const latency = XF.latency(recording.device, inst.latency);
  return [XF.h("div.mono", null, XF.h("b", null, XF.isaText(inst.text).trim())),
    XF.placeOf(recording, inst) || XF.h("p.note", null, XF.t("step.noline")),
    XF.h("p.note", { title: latency ? latency.source : null }, XF.t("unit." + inst.unit) + " · " + parts.join(" · ") + (latency ? " · " + XF.t("latency") + " " + latency.text : ""))];
};

// The same run as SIMT tells it: one row a work-item, one column an instruction; a row is dark where that work-item works.
XF.simtView = function (recording, go) {
  const box = XF.h("div.card", null, XF.h("h3", null, XF.t("simt.title")), XF.h("p.note", null, XF.t("simt.what")));
  const svg = XF.svg("svg", { width: "100%", height: 190, preserveAspectRatio: "none", role: "img", "aria-label": XF.t("simt.title") });
  const first = XF.h("span"), last = XF.h("span");
  box.append(XF.h("div.simt", null, XF.h("div.ends", null, first, last), svg), XF.h("div.legend", null, [["acts", "var(--on)"], ["waits", "var(--idle)"], ["idle", "var(--off)"], ["uniform", "var(--uniform)"]].map(([kind, colour]) =>
    XF.h("span", null, XF.h("i", { style: "background:" + colour }), XF.t("simt." + kind)))));
  let cursor = null, count = 1;
  svg.addEventListener("click", (event) => {
    const area = svg.getBoundingClientRect();
    go(Math.floor((event.clientX - area.left) / area.width * count));
  });
  function draw(index) {
    const thread = recording.threads[index], steps = thread.steps, lanes = XF.lanesOf(recording);
    count = steps.length;
    first.textContent = XF.t("simt.item", { n: thread.thread * lanes });
    last.textContent = XF.t("simt.item", { n: thread.thread * lanes + lanes - 1 });
    svg.setAttribute("viewBox", `0 0 ${count} ${lanes}`);
    svg.replaceChildren();
    const paths = { acts: "", waits: "", idle: "", uniform: "" };
    for (let lane = 0; lane < lanes; ++lane) {
      let from = 0, was = null;
      for (let n = 0; n <= count; ++n) {
        const is = n < count ? (XF.bit(thread.lanes, lane) ? XF.laneClass(recording, steps[n], lane) : "idle") : null;
        if (is === was) continue;
        if (was) paths[was] += `M${from},${lane + 0.07}h${n - from}v0.86h${from - n}z`;
        from = n;
        was = is;
      }
    }
    const fills = { acts: "var(--on)", waits: "var(--idle)", idle: "var(--off)", uniform: "var(--uniform)" };
    for (const [kind, d] of Object.entries(paths)) if (d) svg.append(XF.svg("path", { d, fill: fills[kind] }));
    cursor = XF.svg("rect", { x: 0, y: 0, width: 1, height: lanes, fill: "none", stroke: "var(--hot)", "stroke-width": 3, "vector-effect": "non-scaling-stroke" });
    svg.append(cursor);
  }
  return { box, draw, mark: (at) => cursor && cursor.setAttribute("x", at) };
};

XF.recordingFacts = function (recording) {
  const c = recording.compiled, l = recording.launch;
  const device = XF.device(recording.device);
  return XF.h("div", null,
    XF.h("p.note", null, XF.badge("compiled"), " ", XF.t("facts.compiled", { kernel: recording.kernel, device: device.name, simd: c.simd, grf: c.grf, bytes: c.code_bytes }),
      " ", c.line_table ? XF.t(c.same_code_without_line_table ? "facts.same" : "facts.differs") : XF.t("facts.nolines")),
    XF.h("p.note", null, XF.badge("recorded"), " ", XF.t("facts.recorded", { groups: l.groups.join("×"), local: l.local.join("×"), instructions: XF.number(recording.counts.instructions), threads: recording.counts.threads }),
      " ", l.arguments.map((argument, n) => XF.t("facts.argument." + argument.kind, { n, count: argument.count, value: argument.value, first: (argument.first || []).join(" ") + (argument.count > 4 ? " …" : "") })).join(" · ")),
    recording.fault ? XF.h("p.warn", null, XF.t("facts.fault") + " " + recording.fault) : null,
    recording.threads.some((thread) => !thread.complete) && !recording.fault ? XF.h("p.warn", null, XF.t("facts.cut")) : null);
};
