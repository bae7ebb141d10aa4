// SPDX-License-Identifier: Apache-2.0
// The climb of the GEMM ladder; every number is from what `xeforge ladder --json` wrote.
"use strict";
XF.MIX = ["send", "dpas", "alu_int", "alu_float", "mov", "math", "sync", "control", "other"];
XF.mixColour = (key) => (key === "other" ? "var(--line)" : `var(--c${XF.MIX.indexOf(key) + 1})`);
// What the catalogue says of a rung, in the reader's language.
XF.catalogText = function (text) {
  const other = XF.state.lang === "zh" ? XF.strings.catalog[text] : text;
  return XF.h("span", { lang: other ? null : "en" }, other || text);
};
XF.milliseconds = (ms) => String(Math.round(ms * 10000) / 10000);
XF.simulatedMs = (rung) => (rung.time_us && rung.time_us.simulated ? rung.time_us.simulated / 1000 : null);

XF.pages.ladder = async function (main) {
  const report = await XF.load("ladder");
  await XF.load("devices");
  main.append(...XF.prose("ladder.intro"));
  if (!report) {
    main.append(XF.h("div.honest", null, XF.prose("ladder.none")));
    return;
  }
  const rungs = report.rungs.filter((rung) => rung.counts);
  const at = Math.max(0, rungs.findIndex((rung) => rung.id === XF.state.rung));
  const pick = (n) => XF.set("rung", rungs[Math.max(0, Math.min(rungs.length - 1, n))].id);
  XF.fill(main, [XF.ladderTime(rungs, at, pick), XF.ladderMix(rungs, at, pick), XF.ladderPair(rungs, at, report, pick), XF.ladderRoof(rungs, at, pick), XF.ladderTable(rungs, at, pick), XF.h("div.honest", null, XF.prose("ladder.honest"))]);
};

// A row for each rung; draw() puts bars into it and gives the words at their end.
XF.ladderBars = function (rungs, at, pick, title, draw, scale, unit) {
  const narrow = XF.narrow(), width = XF.chartWidth(), barHeight = 18, top = narrow ? 19 : 4, height = barHeight + top + 4;
  const x = d3.scaleLinear(scale.domain, [narrow ? 4 : 206, width - (scale.room || 110)]);
  const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${rungs.length * height + 40}`, width: "100%", role: "group", "aria-label": title });
  rungs.forEach((rung, n) => {
    const row = XF.svg("g", { class: "rung", "data-rung": rung.id, tabindex: n === at ? 0 : -1, role: "button", "aria-pressed": String(n === at), style: "cursor:pointer" });
    // The whole row answers, not its text and bars alone.
    row.append(XF.svg("rect", { x: 0, y: n * height, width, height, fill: n === at ? "var(--mark)" : "transparent" }));
    row.append(XF.svg("text", { x: 4, y: n * height + (narrow ? 14 : 17) }, `${n + 1}  ${rung.id}`));
    const [end, words] = draw(row, rung, n * height + top, barHeight, x);
    row.append(XF.svg("text", { x: x(end) + 6, y: n * height + top + 13, class: "soft" }, words));
    row.setAttribute("aria-label", `${rung.id}: ${words}`);
    row.addEventListener("click", () => pick(n));
    row.addEventListener("keydown", (event) => {
      const to = { ArrowDown: n + 1, ArrowUp: n - 1, Home: 0, End: rungs.length - 1 }[event.key];
      if (to === undefined || !svg.querySelectorAll("g.rung")[to]) return;
      event.preventDefault();
      svg.querySelectorAll("g.rung")[to].focus();
      pick(to);
    });
    svg.append(row);
  });
  d3.select(svg).append("g").attr("transform", `translate(0,${rungs.length * height + 2})`).call(d3.axisBottom(x).ticks(narrow ? 3 : 7, scale.format));
  return XF.h("div.card", null, XF.h("h2", null, title), scale.choice || null, svg, XF.h("p.note", null, unit));
};

XF.ladderMix = function (rungs, at, pick) {
  const share = XF.state.mix === "share";
  const bars = XF.ladderBars(rungs, at, pick, XF.t("ladder.mix"), (row, rung, y, height, x) => {
    const all = d3.sum(XF.MIX, (key) => rung.counts[key] || 0), unit = share ? all : 1;
    let sum = 0;
    for (const key of XF.MIX) {
      const value = (rung.counts[key] || 0) / unit;
      row.append(XF.svg("rect", { x: x(sum), y, width: x(sum + value) - x(sum), height, fill: XF.mixColour(key) }, XF.svg("title", null, XF.t("class." + key) + ": " + XF.number(rung.counts[key] || 0) + " (" + XF.percent((rung.counts[key] || 0) / all) + ")")));
      sum += value;
    }
    const published = rung.published_counts && rung.published_counts.instructions;
    if (published && !share)
      row.append(XF.svg("line", { x1: x(published), x2: x(published), y1: y - 2, y2: y + height + 2, stroke: "var(--ink)", "stroke-width": 2.5 }, XF.svg("title", null, XF.t("ladder.published") + ": " + XF.number(published))));
    return [share ? 1 : Math.max(sum, published || 0), XF.number(Math.round(rung.counts.instructions / 1e4) / 100) + " M"];
  }, { domain: [0, share ? 1 : d3.max(rungs, (rung) => rung.counts.instructions)], format: share ? "~%" : "~s",
    choice: XF.h("div.controls", null, XF.choice(XF.t("ladder.mix.scale"), [["count", XF.t("ladder.mix.count")], ["share", XF.t("ladder.mix.share")]], share ? "share" : "count", (value) => XF.set("mix", value))) },
  XF.t(share ? "ladder.mix.share.unit" : "ladder.mix.unit"));
  bars.append(XF.h("div.legend", null, XF.MIX.map((key) => XF.h("span", null, XF.h("i", { style: "background:" + XF.mixColour(key) }), XF.t("class." + key)))));
  return bars;
};

XF.ladderTime = function (rungs, at, pick) {
  const values = rungs.flatMap((rung) => [rung.published_ms && rung.published_ms.high, XF.simulatedMs(rung)]).filter(Boolean);
  if (values.length === 0) return null;
  const both = rungs.some(XF.simulatedMs);
  const bars = XF.ladderBars(rungs, at, pick, XF.t("ladder.time"), (row, rung, y, height, x) => {
    const published = rung.published_ms, simulated = XF.simulatedMs(rung), half = height / 2 - 0.5;
    if (published) row.append(XF.svg("rect", { x: x(0), y, width: x(published.low) - x(0), height: half, fill: "var(--hot)" }), XF.svg("rect", { x: x(published.low), y, width: x(published.high) - x(published.low), height: half, fill: "var(--hot)", opacity: 0.4 }));
    if (simulated) row.append(XF.svg("rect", { x: x(0), y: y + half + 1, width: x(simulated) - x(0), height: half, fill: "var(--c4)" }));
    return [Math.max(published ? published.high : 0, simulated || 0), [published ? XF.milliseconds(published.low) : "–", both ? (simulated ? XF.milliseconds(simulated) : "–") : null].filter(Boolean).join(" / ")];
  }, { domain: [0, d3.max(values)], format: "~g", room: 130 }, XF.t(both ? "ladder.time.both" : "ladder.time.published"));
  bars.append(XF.h("div.legend", null, XF.h("span", null, XF.h("i", { style: "background:var(--hot)" }), XF.t("ladder.published")), both ? XF.h("span", null, XF.h("i", { style: "background:var(--c4)" }), XF.t("ladder.simulated"), " ", XF.badge("simulated")) : null));
  return bars;
};

// Flop per byte that messages carry between threads and memory, against what the device could do at it.
XF.ladderRoof = function (rungs, at, pick) {
  const device = XF.device(rungs[0].device) || XF.loaded.devices[0];
  const p = (key) => (device.parameters[key] ? device.parameters[key].value : null);
  const clock = p("clock_mhz") * 1e6, cores = device.xe_cores;
  const peak = p("throughput.xmx16_flops_per_clock") * cores * clock, simple = p("throughput.fp32_flops_per_clock") * cores * clock, dram = p("memory_gb_per_s") * 1e9;
  const points = rungs.map((rung, n) => {
    const s = rung.shape, flop = 2 * s.m * s.n * s.k, payload = (rung.counts.send_payload_grf + rung.counts.send_return_grf) * device.grf_bytes;
    const ms = rung.published_ms ? rung.published_ms.low : null, simulated = XF.simulatedMs(rung);
    return { rung, n, intensity: flop / payload, published: ms && flop / ms * 1000, simulated: simulated && flop / simulated * 1000 };
  }).filter((one) => one.published || one.simulated);
  if (!points.length || !peak) return null;
  const width = XF.chartWidth(), height = XF.narrow() ? 360 : 440, left = 52, right = width - 12;
  const x = d3.scaleLog([d3.min(points, (one) => one.intensity) / 2, 600], [left, right]).clamp(true), y = d3.scaleLog([1e11, peak * 2], [height - 48, 12]).clamp(true);
  const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": XF.t("ladder.roof") });
  const range = x.domain();
  const roof = (flops, text, colour) => svg.append(XF.svg("line", { x1: left, x2: right, y1: y(flops), y2: y(flops), stroke: colour, "stroke-width": 2 }),
    XF.svg("text", { x: left + 8, y: y(flops) - 6 }, text + " " + XF.number(Math.round(flops / 1e11) / 10) + " Tflop/s"));
  roof(peak, XF.t("ladder.roof.xmx"), "var(--c4)");
  roof(simple, XF.t("ladder.roof.fp32"), "var(--c3)");
  svg.append(XF.svg("path", { d: d3.line()(range.map((i) => [x(i), y(Math.min(peak, i * dram))])), stroke: "var(--c8)", "stroke-width": 2, fill: "none", "stroke-dasharray": "5 4" }),
    XF.svg("text", { x: x(range[0] * 5) + 10, y: y(range[0] * 5 * dram) + 8, class: "soft" }, XF.t("ladder.roof.dram", { speed: XF.number(dram / 1e9) })));
  // The chosen rung last, so that nothing hides it.
  for (const one of points.slice().sort((a, b) => (a.n === at) - (b.n === at))) {
    const chosen = one.n === at;
    if (one.published && one.simulated) svg.append(XF.svg("line", { x1: x(one.intensity), x2: x(one.intensity), y1: y(one.published), y2: y(one.simulated), stroke: "var(--soft)", "stroke-width": 1 }));
    for (const key of ["published", "simulated"]) {
      if (!one[key]) continue;
      const cx = x(one.intensity), cy = y(one[key]), size = chosen ? 10 : 8, stroke = { stroke: chosen ? "var(--ink)" : "var(--card)", "stroke-width": chosen ? 2 : 1 };
      const dot = XF.svg("g", { style: "cursor:pointer", class: "point" },
        key === "published" ? XF.svg("circle", { cx, cy, r: size, fill: "var(--hot)", ...stroke }) : XF.svg("rect", { x: cx - size, y: cy - size, width: 2 * size, height: 2 * size, fill: "var(--c4)", ...stroke }),
        XF.svg("text", { x: cx, y: cy + 4, "text-anchor": "middle", style: "font-size:10px;fill:var(--paper)" }, one.n + 1),
        XF.svg("title", null, `${one.rung.id}: ${XF.number(one[key] / 1e12)} Tflop/s (${XF.t("ladder." + key)}), ${XF.number(one.intensity)} flop/B`));
      dot.addEventListener("click", () => pick(one.n));
      svg.append(dot);
    }
  }
  d3.select(svg).append("g").attr("transform", `translate(0,${height - 46})`).call(d3.axisBottom(x).ticks(6, "~g"));
  d3.select(svg).append("g").attr("transform", `translate(${left},0)`).call(d3.axisLeft(y).ticks(5, "~s"));
  svg.append(XF.svg("text", { x: right, y: height - 8, "text-anchor": "end", class: "soft" }, XF.t("ladder.roof.x")), XF.svg("text", { x: left + 8, y: 12, class: "soft" }, XF.t("ladder.roof.y")));
  return XF.h("div.card", null, XF.h("h2", null, XF.t("ladder.roof")), svg, XF.h("div.legend", null, XF.h("span", null, "● ", XF.t("ladder.published")), points.some((one) => one.simulated) ? XF.h("span", null, "■ ", XF.t("ladder.simulated")) : null, XF.h("span", null, XF.t("ladder.roof.numbers"))),
    XF.h("p.note", null, XF.t("ladder.roof.what")));
};

XF.ladderTile = function (rung, report) {
  const l = rung.launch, s = rung.shape, c = rung.compiled;
  const row = report.catalog[rung.id], k0 = row.block[2];
  // Without a group size of its own a rung's block is what one work-item computes.
  const [m, n] = row.block.slice(0, 2).map((size, dimension) => size * (row.free_group ? l.local[1 - dimension] : 1));
  const width = 340, height = 230, k = Math.min(width / s.n, height / s.m);
  const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": XF.t("ladder.tile") });
  svg.append(XF.svg("rect", { x: 0, y: 0, width: s.n * k, height: s.m * k, fill: "var(--off)", stroke: "var(--line)" }));
  for (let column = 0; column * n < s.n && n * k > 2; ++column) svg.append(XF.svg("line", { x1: column * n * k, x2: column * n * k, y1: 0, y2: s.m * k, stroke: "var(--line)" }));
  for (let line = 0; line * m < s.m && m * k > 2; ++line) svg.append(XF.svg("line", { x1: 0, x2: s.n * k, y1: line * m * k, y2: line * m * k, stroke: "var(--line)" }));
  svg.append(XF.svg("rect", { x: 0, y: 0, width: Math.max(2, n * k), height: Math.max(2, m * k), fill: "var(--on)" }));
  return XF.h("div", null, XF.h("p.mono", null, rung.id), svg, XF.h("p.note", null, XF.t("ladder.tile.what", { m, n, k: k0, rows: s.m, columns: s.n, groups: XF.number(l.groups.reduce((a, b) => a * b)), local: l.local.join("×"), simd: c.simd })));
};

XF.ladderPair = function (rungs, at, report, pick) {
  const now = rungs[at], before = rungs.find((rung) => rung.id === now.base) || (at > 0 ? rungs[at - 1] : null);
  const keys = ["instructions"].concat(XF.MIX, ["barriers", "send_payload_grf", "send_return_grf"]);
  const change = (a, b) => (a ? (b >= a ? "+" : "−") + XF.percent(Math.abs(b / a - 1)) : "–");
  const row = (label, a, b, show) => XF.h("tr", null, XF.h("td", null, label), before ? XF.h("td.num", null, a === null ? "–" : show(a)) : null, XF.h("td.num", null, b === null ? "–" : show(b)), before ? XF.h("td.num", null, a === null || b === null ? "–" : change(a, b)) : null);
  const published = (rung) => (rung && rung.published_ms ? rung.published_ms.low : null), simulated = (rung) => (rung ? XF.simulatedMs(rung) : null);
  const rows = [row(XF.t("ladder.published") + ", ms", published(before), published(now), XF.milliseconds)].concat(rungs.some(XF.simulatedMs) ? [row(XF.t("ladder.simulated") + ", ms", simulated(before), simulated(now), XF.milliseconds)] : [],
    keys.map((key) => row(XF.t("class." + key), before ? before.counts[key] : null, now.counts[key], XF.number)));
  return XF.h("div.card", { id: "rung" }, XF.h("div.steps", null, XF.h("button", { type: "button", "data-act": "rung-back", disabled: at === 0, onclick: () => pick(at - 1) }, XF.t("ladder.back")), XF.h("button", { type: "button", "data-act": "rung-next", disabled: at === rungs.length - 1, onclick: () => pick(at + 1) }, XF.t("ladder.next")), XF.h("span.label", null, XF.t("ladder.of", { n: at + 1, rungs: rungs.length }))),
    XF.h("h3", null, now.id), now.changes ? XF.h("p", null, now.base ? XF.t("ladder.on", { base: now.base }) + " " : "", XF.catalogText(now.changes)) : null, now.choice ? XF.h("p.note", null, XF.t("ladder.choice"), " ", XF.catalogText(now.choice)) : null,
    XF.h("div.columns", null, XF.h("div", null, XF.h("h3", null, XF.t("ladder.tile")), XF.h("div.columns.even", null, before ? XF.ladderTile(before, report) : null, XF.ladderTile(now, report))),
      XF.h("div", null, XF.h("h3", null, before ? XF.t("ladder.change", { before: before.id }) : XF.t("ladder.first")), XF.table(before ? ["", before.id, now.id, "±"] : ["", now.id], rows, { "aria-label": now.id }))));
};

XF.ladderTable = function (rungs, at, pick) {
  return XF.table([XF.t("ladder.rung"), XF.t("ladder.errors"), XF.t("class.instructions"), "SIMD", "GRF", XF.t("ladder.slm"), XF.t("ladder.spill"), XF.t("ladder.published") + " ms"].concat(rungs.some(XF.simulatedMs) ? [XF.t("ladder.simulated") + " ms"] : []), rungs.map((rung, n) =>
    XF.h("tr" + (n === at ? ".limits" : ""), null, XF.h("td", null, XF.h("button", { type: "button", "data-value": rung.id, onclick: () => pick(n) }, rung.id)), XF.h("td.num", null, rung.verified ? rung.verified.errors + "/" + XF.number(rung.verified.total) : "–"), XF.h("td.num", null, XF.number(rung.counts.instructions)), XF.h("td.num", null, rung.compiled.simd), XF.h("td.num", null, rung.compiled.grf), XF.h("td.num", null, rung.compiled.slm_bytes), XF.h("td.num", null, rung.compiled.spill_bytes),
      XF.h("td.num", null, rung.published_ms ? XF.milliseconds(rung.published_ms.low) : "–"), rungs.some(XF.simulatedMs) ? XF.h("td.num", null, XF.simulatedMs(rung) ? XF.milliseconds(XF.simulatedMs(rung)) : "–") : null)), { "aria-label": XF.t("ladder.rung") });
};
