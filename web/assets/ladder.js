// SPDX-License-Identifier: Apache-2.0
// The climb of the GEMM ladder; every number is from what `xeforge ladder --json` wrote.
"use strict";
XF.MIX = ["send", "dpas", "alu_int", "alu_float", "mov", "math", "sync", "control", "other"];

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
  const pick = (rung) => XF.set("rung", rung.id);
  XF.fill(main, [XF.ladderMix(rungs, at, pick), XF.ladderTime(rungs, at, pick), XF.ladderRoof(rungs, at, pick), XF.ladderPair(rungs, at, report), XF.ladderTable(rungs, at, pick), XF.h("div.honest", null, XF.prose("ladder.honest"))]);
};

XF.ladderBars = function (rungs, at, pick, title, draw, max, unit) {
  const height = 26, left = 190, width = 1000;
  const x = d3.scaleLinear([0, max], [left, width - 90]).nice();
  const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${rungs.length * height + 40}`, width: "100%", role: "img", "aria-label": title });
  rungs.forEach((rung, n) => {
    const row = XF.svg("g", { class: "rung", "data-rung": rung.id, tabindex: 0, role: "button", "aria-label": rung.id, style: "cursor:pointer" });
    // The whole row answers, not its text and bars alone.
    row.append(XF.svg("rect", { x: 0, y: n * height, width, height, fill: n === at ? "var(--mark)" : "transparent" }));
    row.append(XF.svg("text", { x: 4, y: n * height + 17 }, rung.id));
    draw(row, rung, n * height, height, x);
    row.addEventListener("click", () => pick(rung));
    row.addEventListener("keydown", (event) => event.key === "Enter" && pick(rung));
    svg.append(row);
  });
  d3.select(svg).append("g").attr("transform", `translate(0,${rungs.length * height + 2})`).call(d3.axisBottom(x).ticks(7, "~s"));
  return XF.h("div.card", null, XF.h("h3", null, title), svg, XF.h("p.note", null, unit));
};

XF.ladderMix = function (rungs, at, pick) {
  const colour = (key) => (key === "other" ? "var(--line)" : `var(--c${XF.MIX.indexOf(key) + 1})`);
  const bars = XF.ladderBars(rungs, at, pick, XF.t("ladder.mix"), (row, rung, y, height, x) => {
    let sum = 0;
    for (const key of XF.MIX) {
      const value = rung.counts[key] || 0;
      const bar = XF.svg("rect", { x: x(sum), y: y + 4, width: x(sum + value) - x(sum), height: height - 8, fill: colour(key) }, XF.svg("title", null, key + ": " + XF.number(value)));
      row.append(bar);
      sum += value;
    }
    if (rung.published_counts && rung.published_counts.instructions) {
      const px = x(rung.published_counts.instructions);
      row.append(XF.svg("line", { x1: px, x2: px, y1: y + 2, y2: y + height - 2, stroke: "var(--ink)", "stroke-width": 2.5 }, XF.svg("title", null, XF.t("ladder.published") + ": " + XF.number(rung.published_counts.instructions))));
    }
  }, d3.max(rungs, (rung) => rung.counts.instructions), XF.t("ladder.mix.unit"));
  bars.append(XF.h("div.legend", null, XF.MIX.map((key) => XF.h("span", null, XF.h("i", { style: "background:" + colour(key) }), XF.t("class." + key)))));
  return bars;
};

XF.simulatedMs = (rung) => (rung.time_us && rung.time_us.simulated ? rung.time_us.simulated / 1000 : null);
XF.ladderTime = function (rungs, at, pick) {
  const values = rungs.flatMap((rung) => [rung.published_ms && rung.published_ms.high, XF.simulatedMs(rung)]).filter(Boolean);
  if (values.length === 0) return null;
  return XF.ladderBars(rungs, at, pick, XF.t("ladder.time"), (row, rung, y, height, x) => {
    if (rung.published_ms) row.append(XF.svg("rect", { x: x(0), y: y + 4, width: x(rung.published_ms.low) - x(0), height: height / 2 - 5, fill: "var(--hot)" }, XF.svg("title", null, XF.t("ladder.published") + ": " + rung.published_ms.low + " – " + rung.published_ms.high + " ms")),
      XF.svg("rect", { x: x(rung.published_ms.low), y: y + 4, width: x(rung.published_ms.high) - x(rung.published_ms.low), height: height / 2 - 5, fill: "var(--hot)", opacity: 0.4 }));
    const simulated = XF.simulatedMs(rung);
    if (simulated) row.append(XF.svg("rect", { x: x(0), y: y + height / 2 + 1, width: x(simulated) - x(0), height: height / 2 - 5, fill: "var(--c4)" }, XF.svg("title", null, XF.t("ladder.simulated") + ": " + simulated + " ms")));
  }, d3.max(values), XF.t(rungs.some(XF.simulatedMs) ? "ladder.time.both" : "ladder.time.published"));
};

// Flop per byte that messages carry between threads and memory, against what the device could do at it.
XF.ladderRoof = function (rungs, at, pick) {
  const device = XF.device(rungs[0].device) || XF.loaded.devices[0];
  const p = (key) => (device.parameters[key] ? device.parameters[key].value : null);
  const clock = p("clock_mhz") * 1e6, cores = device.xe_cores;
  const peak = p("throughput.xmx16_flops_per_clock") * cores * clock, simple = p("throughput.fp32_flops_per_clock") * cores * clock, dram = p("memory_gb_per_s") * 1e9;
  const points = rungs.map((rung) => {
    const s = rung.shape, flop = 2 * s.m * s.n * s.k, payload = (rung.counts.send_payload_grf + rung.counts.send_return_grf) * device.grf_bytes;
    const ms = rung.published_ms ? rung.published_ms.low : null, simulated = XF.simulatedMs(rung);
    return { rung, intensity: flop / payload, published: ms && flop / ms * 1000, simulated: simulated && flop / simulated * 1000 };
  }).filter((one) => one.published || one.simulated);
  if (!points.length || !peak) return null;
  const width = 1000, height = 420, left = 70;
  const x = d3.scaleLog([d3.min(points, (one) => one.intensity) / 2, 600], [left, width - 20]).clamp(true), y = d3.scaleLog([1e11, peak * 2], [height - 40, 12]).clamp(true);
  const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": XF.t("ladder.roof") });
  const roof = (flops, text, colour) => {
    svg.append(XF.svg("line", { x1: left, x2: width - 20, y1: y(flops), y2: y(flops), stroke: colour, "stroke-width": 2 }), XF.svg("text", { x: width - 24, y: y(flops) - 6, "text-anchor": "end" }, text + " " + XF.number(flops / 1e12) + " Tflop/s"));
  };
  roof(peak, XF.t("ladder.roof.xmx"), "var(--c4)");
  roof(simple, XF.t("ladder.roof.fp32"), "var(--c3)");
  const range = x.domain();
  svg.append(XF.svg("path", { d: d3.line()(range.map((i) => [x(i), y(Math.min(peak, i * dram))])), stroke: "var(--c8)", "stroke-width": 2, fill: "none", "stroke-dasharray": "5 4" }), XF.svg("text", { x: left + 8, y: y(range[0] * dram * 4) - 8, class: "soft" }, "DRAM " + XF.number(dram / 1e9) + " GB/s"));
  for (const one of points)
    for (const [key, colour] of [["published", "var(--hot)"], ["simulated", "var(--c4)"]]) {
      if (!one[key]) continue;
      const dot = XF.svg("circle", { cx: x(one.intensity), cy: y(one[key]), r: one.rung === rungs[at] ? 8 : 5, fill: colour, style: "cursor:pointer" }, XF.svg("title", null, `${one.rung.id}: ${XF.number(one[key] / 1e12)} Tflop/s, ${XF.number(one.intensity)} flop/B`));
      dot.addEventListener("click", () => pick(one.rung));
      svg.append(dot);
    }
  d3.select(svg).append("g").attr("transform", `translate(0,${height - 38})`).call(d3.axisBottom(x).ticks(6, "~g"));
  d3.select(svg).append("g").attr("transform", `translate(${left},0)`).call(d3.axisLeft(y).ticks(5, "~s"));
  return XF.h("div.card", null, XF.h("h3", null, XF.t("ladder.roof")), svg, XF.h("p.note", null, XF.t("ladder.roof.what")));
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
  return XF.h("div", null, svg, XF.h("p.note", null, XF.t("ladder.tile.what", { m, n, k: k0, groups: XF.number(l.groups.reduce((a, b) => a * b)), local: l.local.join("×"), simd: c.simd })));
};

XF.ladderPair = function (rungs, at, report) {
  const now = rungs[at], before = rungs.find((rung) => rung.id === now.base) || (at > 0 ? rungs[at - 1] : null);
  const keys = ["instructions"].concat(XF.MIX, ["barriers", "send_payload_grf", "send_return_grf"]);
  const rows = keys.map((key) => {
    const a = before ? before.counts[key] : null, b = now.counts[key];
    return XF.h("tr", null, XF.h("td", null, XF.t("class." + key)), before ? XF.h("td.num", null, XF.number(a)) : null, XF.h("td.num", null, XF.number(b)), before ? XF.h("td.num", null, a ? XF.percent(b / a - 1) : "–") : null);
  });
  return XF.h("div.card", { id: "rung" }, XF.h("h3", null, now.id), now.changes ? XF.h("p", null, now.changes) : null, now.choice ? XF.h("p.note", null, now.choice) : null,
    XF.h("div.columns", null, XF.h("div", null, XF.h("h3", null, XF.t("ladder.tile")), XF.ladderTile(now, report)),
      XF.h("div", null, XF.h("h3", null, before ? XF.t("ladder.change", { before: before.id }) : XF.t("ladder.first")), XF.table(before ? ["", before.id, now.id, "±"] : ["", now.id], rows, { "aria-label": now.id }))));
};

XF.ladderTable = function (rungs, at, pick) {
  return XF.table([XF.t("ladder.rung"), XF.t("ladder.errors"), XF.t("class.instructions"), "SIMD", "GRF", "SLM", XF.t("ladder.spill"), XF.t("ladder.published") + " ms"].concat(rungs.some(XF.simulatedMs) ? [XF.t("ladder.simulated") + " ms"] : []), rungs.map((rung, n) =>
    XF.h("tr" + (n === at ? ".limits" : ""), null, XF.h("td", null, XF.h("button", { type: "button", onclick: () => pick(rung) }, rung.id)), XF.h("td.num", null, rung.verified ? rung.verified.errors + "/" + XF.number(rung.verified.total) : "–"), XF.h("td.num", null, XF.number(rung.counts.instructions)), XF.h("td.num", null, rung.compiled.simd), XF.h("td.num", null, rung.compiled.grf), XF.h("td.num", null, rung.compiled.slm_bytes), XF.h("td.num", null, rung.compiled.spill_bytes),
      XF.h("td.num", null, rung.published_ms ? rung.published_ms.low : "–"), rungs.some(XF.simulatedMs) ? XF.h("td.num", null, XF.simulatedMs(rung) ? XF.number(XF.simulatedMs(rung)) : "–") : null)), { "aria-label": XF.t("ladder.rung") });
};
