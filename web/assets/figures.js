// SPDX-License-Identifier: Apache-2.0
// The pages that play recordings.
"use strict";
XF.recordingOf = (id, device) => XF.load(id + "." + device);
XF.rowsOf = (prefix) => XF.manifest.recordings.filter((row) => row.id.startsWith(prefix));

XF.pages.divergence = async function (main) {
  await XF.load("devices");
  const device = XF.deviceOf(XF.manifest.recorded_devices);
  const id = XF.state.kernel && XF.state.kernel.startsWith("divergence.") ? XF.state.kernel : "divergence.short_if";
  const recording = await XF.recordingOf(id, device);
  const sent = recording.isa.reduce((sum, inst) => sum + inst.executed * inst.exec, 0);
  const useful = recording.isa.reduce((sum, inst) => sum + inst.lanes, 0);
  const jumps = recording.isa.filter((inst) => inst.unit === "branch" && inst.executed > 0).map((inst) => XF.isaText(inst.text).trim());
  XF.fill(main, [XF.prose("div.intro"), XF.h("div.controls", null, XF.deviceChoice(XF.manifest.recorded_devices),
    XF.choice(XF.t("kernel"), XF.rowsOf("divergence.").map((row) => [row.id, row.kernel]), id, (value) => XF.set("kernel", value))),
    XF.recordingFacts(recording), XF.player(recording, { simt: true }),
    XF.h("h2", null, XF.t("div.cost")),
    XF.h("div.card", null, XF.h("div.big", null, XF.percent(useful / sent)), XF.h("p", null, XF.t("div.cost.what", { useful: XF.number(useful), sent: XF.number(sent) })),
      XF.h("p.note", null, jumps.length ? XF.t("div.jumps", { n: jumps.length }) + " " : XF.inline(XF.t("div.nojumps")), XF.h("code", null, jumps.slice(0, 4).join("   ")))),
    XF.pairFigure(recording)]);
};

// What fused vector engines cost: both threads' ways laid over one another.
XF.pairFigure = function (recording) {
  const box = XF.h("div", { id: "pairs" }, XF.h("h2", null, XF.t("pair.title")), XF.prose("pair.intro"));
  if (recording.pairs.length === 0) {
    box.append(XF.h("p.honest", null, XF.t(XF.device(recording.device).fused_eus ? "pair.none" : "pair.unfused", { device: XF.device(recording.device).name })));
    return box;
  }
  const pair = recording.pairs[0];
  const chart = XF.h("div.card");
  const draw = (fused) => {
    const ways = fused ? [pair.way.map(([i, who]) => [i, who & 1]), pair.way.map(([i, who]) => [i, (who >> 1) & 1])]
      : pair.threads.map((t) => recording.threads[t].steps.map((step) => [step.i, 1]));
    const length = Math.max(...pair.alone, pair.together), rowHeight = 34;
    const svg = XF.svg("svg", { viewBox: `0 0 ${length} 80`, width: "100%", height: 84, preserveAspectRatio: "none", role: "img", "aria-label": XF.t("pair.title") });
    ways.forEach((way, row) => way.forEach(([, runs], n) => svg.append(XF.svg("rect", { x: n, y: 3 + row * (rowHeight + 4), width: 0.92, height: rowHeight, fill: runs ? `var(--c${row + 1})` : "var(--idle)" }))));
    const cost = fused ? 2 * pair.together : pair.alone[0] + pair.alone[1];
    XF.clear(chart, XF.h("div.controls", null, XF.choice(XF.t("pair.switch"), [["on", XF.t("pair.on")], ["off", XF.t("pair.off")]], fused ? "on" : "off", (value) => draw(value === "on"))),
      svg, XF.h("p", { "data-cost": cost }, XF.t(fused ? "pair.cost.on" : "pair.cost.off", { first: pair.alone[0], second: pair.alone[1], together: pair.together, more: XF.percent(pair.together / Math.min(...pair.alone) - 1), cost })));
  };
  draw(true);
  box.append(chart, XF.h("p.honest", null, XF.t("pair.honest")));
  return box;
};

XF.pages.subgroup = async function (main) {
  await XF.load("devices");
  const device = XF.deviceOf(XF.manifest.recorded_devices);
  const rows = XF.rowsOf("subgroup.");
  const id = XF.state.kernel && XF.state.kernel.startsWith("subgroup.") ? XF.state.kernel : rows[0].id;
  const recording = await XF.recordingOf(id, device);
  const kernel = id.split(".")[1];
  const moving = recording.threads[0].steps.filter((step) => XF.movesData(step) && recording.isa[step.i].unit !== "lsc");
  const line = recording.source.lines.findIndex((text) => text.includes("void " + kernel + "("));
  const body = line < 0 ? -1 : recording.source.lines.findIndex((text, n) => n > line && /permute|select_from|broadcast|reduce_over|scan_over|any_of|slm\[lane\]/.test(text)) + 1;
  const list = XF.table(["pc", XF.t("panel.isa"), XF.t("unit"), XF.t("latency"), XF.t("source")], moving.map((step) => {
    const inst = recording.isa[step.i], latency = XF.latency(device, inst.latency);
    return XF.h("tr", null, XF.h("td.num", null, inst.pc), XF.h("td", null, XF.h("code", null, XF.isaText(inst.text).trim())), XF.h("td", null, XF.t("unit." + inst.unit)), XF.h("td", null, latency ? latency.text : "–"), XF.h("td.note", null, latency ? latency.source : ""));
  }), { "aria-label": XF.t("sub.moves") });
  const compare = await Promise.all(["subgroup.reduce", "subgroup.reduce_through_slm"].map((name) => XF.recordingOf(name, device)));
  const counts = (key) => compare.map((one) => one.counts[key]);
  XF.fill(main, [XF.prose("sub.intro"), XF.h("div.controls", null, XF.deviceChoice(XF.manifest.recorded_devices),
    XF.choice(XF.t("sub.operation"), rows.map((row) => [row.id, XF.t("sub." + row.kernel)]), id, (value) => XF.set("kernel", value))),
    body > 0 ? XF.h("pre.card.mono", null, recording.source.lines[body - 1].trim()) : null,
    XF.prose("sub." + kernel + ".what"), XF.recordingFacts(recording), XF.player(recording, { arcs: true }),
    XF.h("h2", null, XF.t("sub.moves")), moving.length ? list : XF.h("p", null, XF.t("sub.nomoves")), XF.h("p.honest", null, XF.t("latency.honest")),
    XF.h("h2", null, XF.t("sub.compare")), XF.prose("sub.compare.what"),
    XF.table(["", XF.t("sub.reduce"), XF.t("sub.reduce_through_slm")], ["instructions", "send", "barriers", "slm_loads", "slm_stores"].map((key) =>
      XF.h("tr", null, XF.h("td", null, XF.t("count." + key)), counts(key).map((value) => XF.h("td.num", null, XF.number(value))))).concat(
      compare.every((one) => one.timing) ? [XF.h("tr", null, XF.h("td", null, XF.t("timing.cycles"), " ", XF.badge("simulated")), compare.map((one) => XF.h("td.num", null, XF.number(Math.round(one.timing.cycles)))))] : [])),
    compare.every((one) => one.timing) ? XF.h("p", { id: "ratio" }, XF.t("sub.compare.ratio", { ratio: XF.number(Math.round(compare[1].timing.cycles / compare[0].timing.cycles * 10) / 10), instructions: XF.number(Math.round(counts("instructions")[1] / counts("instructions")[0] * 10) / 10) })) : null]);
};

XF.pages.code = async function (main) {
  await XF.load("devices");
  const device = XF.deviceOf(XF.manifest.recorded_devices);
  const recording = await XF.recordingOf("article.code_to_hardware", device);
  XF.fill(main, [XF.prose("code.intro"), XF.h("div.controls", null, XF.deviceChoice(XF.manifest.recorded_devices)), XF.recordingFacts(recording), XF.codeFigure(recording), XF.h("p.honest", null, XF.t("code.honest"))]);
};

// The units as they lie in the device: of each vector engine, and of the Xe-core around it.
XF.HARDWARE = [["engine", ["fpu", "int", "em", "xmx", "branch", "scoreboard", "none"]], ["core", ["lsc", "hdc", "slm", "gateway"]]];
XF.codeFigure = function (recording) {
  const says = XF.h("div.card.saying", { "aria-live": "polite" }, XF.h("p.note", null, XF.t("code.hint")));
  const cost = (list) => list.reduce((sum, inst) => sum + inst.executed, 0);
  const total = cost(recording.isa);
  const choose = (row, line) => {
    const act = () => light(recording.isa.map((inst, index) => index).filter((index) => XF.lineOf(recording.isa[index]) === line), line);
    row.addEventListener("pointerenter", act);
    row.addEventListener("focus", act);
    row.addEventListener("click", act);
  };
  const code = XF.codePanel(recording, choose);
  let picked = -1;
  const pick = (index) => {
    picked = index;
    light([index], XF.lineOf(recording.isa[index]), true);
  };
  const isa = XF.isaPanel(recording, pick);
  isa.rows.forEach((row, index) => row.addEventListener("pointerenter", () => pick(index)));
  isa.panel.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    pick(Math.max(0, Math.min(isa.rows.length - 1, picked + by)));
    XF.scrollTo(isa.panel, isa.rows[picked]);
  });
  const ofUnit = (unit) => recording.isa.map((inst, index) => index).filter((index) => recording.isa[index].unit === unit);
  const older = XF.device(recording.device).platform === "xe_hpg";  // the HDC is Xe-HPG's
  const units = XF.h("div.hardware", null, XF.HARDWARE.map(([place, list]) => XF.h("div.place", null, XF.h("span.label", null, XF.t("code.place." + place)), XF.h("div.units", null,
    list.filter((unit) => cost(ofUnit(unit).map((i) => recording.isa[i])) > 0 || (unit !== "none" && (unit !== "hdc" || older))).map((unit) => {
      const indices = ofUnit(unit), executed = cost(indices.map((i) => recording.isa[i]));
      const tile = XF.h("div.tile.unit" + (executed ? "" : ".unused"), { "data-unit": unit, tabindex: 0, role: "button", title: XF.t("unit." + unit + ".what") }, XF.h("b", null, XF.t("unit." + unit)),
        XF.h("span", null, executed ? XF.t("code.share", { n: XF.number(executed), share: XF.percent(executed / total) }) : XF.t("code.unused")));
      const act = () => light(indices, 0, false, unit);
      tile.addEventListener("pointerenter", act);
      tile.addEventListener("focus", act);
      return tile;
    })))));
  function light(indices, line, fromIsa, unit) {
    const set = new Set(indices), list = indices.map((index) => recording.isa[index]);
    const lines = new Set(list.map(XF.lineOf));
    isa.rows.forEach((row, index) => row.classList.toggle("lit", set.has(index)));
    code.rows.forEach((row, number) => row.classList.toggle("lit", lines.has(number)));
    if (!fromIsa && indices.length) XF.scrollTo(isa.panel, isa.rows[indices[0]]);
    if (fromIsa && line) XF.scrollTo(code.panel, code.rows.get(line));
    const lit = new Set(unit ? [unit] : list.map((inst) => inst.unit));
    units.querySelectorAll(".tile").forEach((tile) => tile.classList.toggle("hot", lit.has(tile.dataset.unit)));
    const rows = list.map((inst) => XF.latency(recording.device, inst.latency)).filter(Boolean);
    const file = fromIsa && list[0] && list[0].file ? list[0].file + ":" + list[0].line : line ? recording.source.name + ":" + line : "";
    const causes = list.reduce((sum, inst) => sum + (inst.cycles || 0), 0);
    XF.clear(says, unit ? XF.h("p", null, XF.h("b", null, XF.t("unit." + unit)), " ", XF.t("unit." + unit + ".what")) : null,
      unit && !indices.length ? null : XF.h("p", null, XF.h("b", null, file), " ", XF.t(unit ? "code.runs" : "code.became", { n: list.length, executed: XF.number(cost(list)), share: XF.percent(total ? cost(list) / total : 0) }),
      causes ? " " + XF.t("code.cycles", { cycles: XF.number(Math.round(causes)) }) : ""),
      fromIsa && list[0] ? XF.h("pre.note.mono", null, XF.instructionTitle(recording, list[0])) : rows.length ? XF.h("p.note", null, XF.t("code.longest", { latency: rows.reduce((a, b) => (a.value > b.value ? a : b)).text })) : null);
  }
  XF.scrollToKernel(code, recording);
  return XF.h("div", { id: "code-figure" }, XF.h("h2", null, XF.t("code.units")), units, says,
    XF.h("div.columns.even", null, XF.h("div", null, XF.h("h3", null, XF.t("panel.source")), code.panel), XF.h("div", null, XF.h("h3", null, XF.t("panel.isa")), isa.panel)));
};

XF.pages.barrier = async function (main) {
  await XF.load("devices");
  const device = XF.deviceOf(XF.manifest.recorded_devices);
  const id = XF.state.kernel === "barrier.exchange_unsynchronised" ? XF.state.kernel : "barrier.exchange";
  const recording = await XF.recordingOf(id, device);
  const strides = await Promise.all(["barrier.banks_stride1", "barrier.banks_stride16"].map((name) => XF.recordingOf(name, device)));
  const timed = recording.timing ? XF.timelineView(recording, { window: XF.barrierWindow(recording) }) : null;
  XF.fill(main, [XF.prose("bar.intro"), XF.h("div.controls", null, XF.deviceChoice(XF.manifest.recorded_devices),
    XF.choice(XF.t("bar.which"), [["barrier.exchange", XF.t("bar.with")], ["barrier.exchange_unsynchronised", XF.t("bar.without")]], id, (value) => XF.set("kernel", value))),
    XF.recordingFacts(recording), XF.h("h2", null, XF.t("bar.title"), " ", XF.badge("recorded")), XF.barrierFigure(recording), XF.findings(recording),
    timed ? [XF.h("h2", null, XF.t("bar.timed"), " ", XF.badge("simulated")), XF.h("p", null, XF.t("bar.timed.what")), timed] : null,
    XF.h("h2", null, XF.t("bar.made")), XF.prose("bar.made.what"), XF.barrierCost(recording),
    XF.h("h2", null, XF.t("banks.title")), XF.prose("banks.what"), XF.h("div.columns", null, strides.map((one, n) => XF.banks(one, [1, 16][n])))]);
};

// The group's threads over the order of execution, and what local memory holds at a chosen moment.
XF.barrierFigure = function (recording) {
  const steps = recording.threads.flatMap((thread, t) => thread.steps.map((step) => ({ step, t }))).sort((a, b) => a.step.o - b.step.o);
  const words = Math.max(1, ...steps.filter(({ step }) => step.s === "slm").flatMap(({ step }) => step.m.map((m) => m[1] / 4 + m[2] / 4)));
  const kindOf = (step) => {
    const inst = recording.isa[step.i];
    if (step.k === "barrier_signal") return "signal";
    if (inst.unit === "gateway" && inst.text.includes("sync.bar")) return "wait";
    if (step.s === "slm") return step.k === "store" ? "store" : "load";
    return "other";
  };
  const colours = { signal: "var(--c4)", wait: "var(--hot)", store: "var(--on)", load: "var(--good)", other: "var(--idle)" };
  const rowHeight = 26, left = 74, width = XF.chartWidth(), height = recording.threads.length * rowHeight + 26;
  const last = steps[steps.length - 1].step.o + 1;
  const x = d3.scaleLinear([0, last], [left, width - 6]);
  const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": XF.t("bar.title") });
  recording.threads.forEach((thread, t) => svg.append(XF.svg("text", { x: 0, y: t * rowHeight + 18 }, XF.t("bar.thread", { n: thread.thread }))));
  for (const { step, t } of steps)
    svg.append(XF.svg("rect", { x: x(step.o), y: t * rowHeight + 4, width: Math.max(1, x(1) - x(0) - 0.4), height: rowHeight - 8, fill: colours[kindOf(step)] }));
  for (const phase of recording.phases)
    svg.append(XF.svg("line", { x1: x(phase.o), x2: x(phase.o), y1: 0, y2: height - 22, stroke: "var(--c4)", "stroke-width": 2, "stroke-dasharray": "4 3" }), XF.svg("text", { x: Math.min(x(phase.o) + 4, width - 150), y: height - 7, class: "soft" }, XF.t("bar.complete")));
  const cursor = XF.svg("line", { y1: 0, y2: height - 22, stroke: "var(--ink)", "stroke-width": 1.5 });
  svg.append(cursor);
  // Sixteen words a row: a column is a bank, by the count that is documented for Xe-HPG.
  const slm = XF.h("div.slm", { role: "img", "aria-label": XF.t("bar.slm") });
  const cells = d3.range(words).map((word) => slm.appendChild(XF.h("div", { title: XF.t("bar.word", { word, offset: word * 4, bank: word % 16 }) })));
  const bankRow = XF.h("div.slm.heads", { "aria-hidden": "true" }, d3.range(16).map((bank) => XF.h("span", null, bank)));
  const says = XF.h("p.mono", { "aria-live": "polite" });
  const slider = XF.h("input", { type: "range", min: 0, max: steps.length - 1, value: 0, "aria-label": XF.t("bar.moment") });
  const real = (hex) => new DataView(Uint32Array.of(parseInt(hex, 16)).buffer).getFloat32(0, true);
  function show(at) {
    const contents = new Array(words).fill(null), now = steps[at];
    for (let n = 0; n <= at; ++n) {
      const { step } = steps[n];
      if (step.s === "slm" && step.k === "store") for (const [, address, , value] of step.m) contents[address / 4] = value;
    }
    const touched = new Map(now.step.s === "slm" ? now.step.m.map((m) => [m[1] / 4, now.step.k]) : []);
    cells.forEach((cell, word) => {
      cell.textContent = contents[word] === null ? "" : XF.shown(real(contents[word]));
      cell.className = (contents[word] !== null ? "written" : "") + (touched.get(word) === "store" ? " fresh" : touched.has(word) ? " read" : "");
    });
    cursor.setAttribute("x1", x(now.step.o + 0.5));
    cursor.setAttribute("x2", x(now.step.o + 0.5));
    says.textContent = XF.t("bar.thread", { n: recording.threads[now.t].thread }) + ": " + XF.isaText(recording.isa[now.step.i].text).trim();
    box.dataset.step = at;
    slider.value = at;
  }
  slider.addEventListener("input", () => show(Number(slider.value)));
  svg.addEventListener("click", (event) => {
    const area = svg.getBoundingClientRect(), o = x.invert((event.clientX - area.left) / area.width * width);
    const at = steps.findIndex(({ step }) => step.o >= o - 0.5);
    show(at < 0 ? steps.length - 1 : at);
  });
  const jump = (kind) => XF.h("button", { type: "button", onclick: () => {
    const at = Number(slider.value);
    const next = steps.findIndex((row, n) => n > at && kindOf(row.step) === kind);
    show(next >= 0 ? next : Math.max(0, steps.findIndex((row) => kindOf(row.step) === kind)));
  } }, XF.t("bar.next." + kind));
  const box = XF.h("section.card", { id: "barrier-figure", tabindex: 0, "aria-label": XF.t("bar.title") }, svg,
    XF.h("div.legend", null, Object.entries(colours).map(([kind, colour]) => XF.h("span", null, XF.h("i", { style: "background:" + colour }), XF.t("bar." + kind)))),
    XF.h("div.steps", null, slider, ["store", "signal", "wait", "load"].filter((kind) => steps.some((row) => kindOf(row.step) === kind)).map(jump)), says, XF.h("h3", null, XF.t("bar.slm")), XF.h("p.note", null, XF.t("bar.slm.what")), bankRow, slm, XF.h("p.honest", null, XF.t("bar.honest")));
  box.addEventListener("keydown", (event) => {
    const at = Number(slider.value), to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined || event.target === slider) return;
    event.preventDefault();
    show(Math.max(0, Math.min(steps.length - 1, to)));
  });
  show(0);
  return box;
};

// The instructions of a barrier: fences, the signal, the wait. A thread's last message goes to the gateway, too.
XF.isSignal = (inst) => inst.unit === "gateway" && !/EOT/.test(inst.text) && !inst.text.includes("sync.bar");
XF.isBarrierPart = (inst) => /fence/.test(inst.text) || XF.isSignal(inst) || inst.text.includes("sync.bar");
// The stretch of time around a launch's barriers; null if it has none.
XF.barrierWindow = function (recording) {
  const near = recording.timing.slices.filter((slice) => XF.isSignal(recording.isa[slice[5]]) || recording.isa[slice[5]].text.includes("sync.bar"));
  if (near.length === 0) return null;
  const from = d3.min(near, (slice) => slice[0]), to = d3.max(near, (slice) => slice[1]), margin = Math.max(20, (to - from) * 0.25);
  return [Math.max(0, from - margin), Math.min(recording.timing.cycles, to + margin)];
};

XF.lanesText = function (mask) {
  const lanes = d3.range(32).filter((lane) => XF.bit(mask, lane));
  if (lanes.length === 0) return "";
  const all = lanes[lanes.length - 1] - lanes[0] === lanes.length - 1 && lanes.length > 1 ? lanes[0] + "–" + lanes[lanes.length - 1] : lanes.join(", ");
  return XF.t("finding.lanes", { n: lanes.length, lanes: all });
};
XF.findings = function (recording) {
  if (!recording.findings) return null;
  const box = XF.h("div", { id: "findings" }, XF.h("h2", null, XF.t("race.title")));
  box.append(XF.h("p.note", null, XF.inline(XF.t("race.what"))));
  if (recording.findings.length === 0) box.append(XF.h("p", null, XF.t("race.none")));
  for (const finding of recording.findings) {
    const title = "finding." + finding.id in XF.strings.text ? XF.t("finding." + finding.id) : finding.kind;
    box.append(XF.h("div.card", null, XF.h("h3.warn", null, title),
      [[finding.first, "finding.this"], [finding.other, "finding.other"]].filter(([place]) => place).map(([place, key]) => XF.h("p", null, XF.t(key), " ", XF.t("bar.thread", { n: place.thread }), " ", XF.lanesText(place.lanes), place.source ? ", " + place.source : "",
        XF.h("br"), XF.h("code", null, XF.isaText(place.text).trim()))),
      XF.h("p.note", null, XF.t("finding.words"), " ", XF.h("q", { lang: "en" }, finding.message), " ", XF.t("finding.count", { n: XF.number(finding.count) }))));
  }
  return box;
};

// The instructions of one barrier: fence, signal, wait.
XF.barrierCost = function (recording) {
  const rows = recording.isa.map((inst, index) => ({ inst, index })).filter(({ inst }) => inst.executed > 0 && XF.isBarrierPart(inst));
  if (!rows.some(({ inst }) => XF.isSignal(inst))) return XF.h("p", null, XF.t("bar.nobarrier"));
  return XF.table(["pc", XF.t("panel.isa"), XF.t("isa.executed"), XF.t("latency"), XF.t("source")], rows.map(({ inst }) => {
    const latency = XF.latency(recording.device, inst.latency);
    return XF.h("tr", null, XF.h("td.num", null, inst.pc), XF.h("td", null, XF.h("code", null, XF.isaText(inst.text).trim())), XF.h("td.num", null, inst.executed), XF.h("td", null, latency ? latency.text : "–"), XF.h("td.note", null, latency ? latency.source : ""));
  }), { "aria-label": XF.t("bar.made") });
};

XF.banks = function (recording, stride) {
  const count = 16;  // of 4 bytes: the oneAPI guide's training material, for Xe-HPG
  const step = recording.threads[0].steps.find((one) => one.s === "slm" && one.k === "store");
  const load = new Array(count).fill(0);
  const box = XF.h("div.card", null, XF.h("h3", null, XF.t("banks.stride", { stride })));
  const svg = XF.svg("svg", { viewBox: "0 0 480 190", width: "100%", role: "img", "aria-label": XF.t("banks.title") });
  for (const [lane, address] of step.m) {
    const bank = (address / 4) % count;
    svg.append(XF.svg("rect", { x: bank * 30 + 2, y: 166 - (load[bank] + 1) * 9.6, width: 26, height: 8.6, rx: 2, fill: "var(--on)" }, XF.svg("title", null, XF.t("banks.cell", { lane, address, bank }))));
    ++load[bank];
  }
  for (let bank = 0; bank < count; ++bank) svg.append(XF.svg("text", { x: bank * 30 + 15, y: 184, "text-anchor": "middle", class: "soft" }, bank));
  return XF.fill(box, [svg, XF.h("p", null, XF.t("banks.passes", { passes: Math.max(...load), lanes: step.m.length })), XF.h("p.mono.note", null, XF.isaText(recording.isa[step.i].text).trim())]);
};

XF.pages.own = async function (main) {
  await XF.load("devices");
  const rows = XF.manifest.own;
  if (rows.length === 0) {
    XF.fill(main, XF.prose("own.none"));
    return;
  }
  const row = rows.find((one) => one.id === XF.state.kernel) || rows[0];
  const device = XF.deviceOf(row.devices);
  const recording = await XF.recordingOf(row.id, device);
  XF.fill(main, [XF.prose("own.intro"), XF.h("div.controls", null, XF.deviceChoice(row.devices), XF.choice(XF.t("kernel"), rows.map((one) => [one.id, one.kernel]), row.id, (value) => XF.set("kernel", value))),
    XF.recordingFacts(recording), recording.threads.some((thread) => thread.steps.length) ? XF.player(recording, { simt: true, arcs: true }) : null,
    XF.codeFigure(recording), XF.findings(recording), recording.timing ? [XF.h("h2", null, XF.t("time.title"), " ", XF.badge("simulated")), XF.timelineView(recording)] : null, XF.pairFigure(recording)]);
};
