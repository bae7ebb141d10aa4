// SPDX-License-Identifier: Apache-2.0
// The first page, the map of the hierarchy and the table of claims.
"use strict";
XF.pages.index = async function (main) {
  await XF.load("devices");
  const tiles = XF.strings.pages.filter((page) => page.id !== "index" && (page.id !== "own" || XF.manifest.own.length));
  XF.fill(main, [XF.prose("index.intro"), XF.h("div.tiles", null, tiles.map((page) => XF.h("a.tile", { href: page.id + ".html" }, XF.h("b", null, XF.local(page.title)), XF.h("span", null, XF.local(page.what))))),
    XF.h("h2", null, XF.t("index.trust")), XF.h("ul", null, ["article", "documented", "compiled", "recorded", "simulated"].map((kind) => XF.h("li", null, XF.badge(kind), " ", XF.t("badge." + kind + ".what")))),
    XF.prose("index.own"), XF.h("pre.card.mono", null, "xeforge pages --out pages --kernel mine.cpp")]);
};

XF.evidence = function (row) {
  if (row.parameter) return XF.h("div", null, XF.badge("documented"), " ", XF.h("code", null, row.device + " " + row.parameter + " = " + XF.number(row.value) + (row.unit ? " " + row.unit : "")), row.range ? XF.h("span.note", null, " (" + row.range.map(XF.number).join(" – ") + ")") : null, XF.h("div.note", null, row.source));
  if (row.recording) {
    const [page, kernel] = row.recording.split(".");
    const file = { divergence: "divergence", subgroup: "subgroup", barrier: "barrier", article: "code" }[page];
    const device = row.recording.split(".").pop();
    return XF.h("div", null, XF.badge("compiled"), " ", XF.h("a", { href: `${file}.html#kernel=${page}.${kernel}&device=${device}` }, kernel + ", " + XF.deviceName(device)),
      XF.h("pre.mono.note", null, row.lines.map((line) => String(line.pc).padStart(5) + "  " + line.text).join("\n")));
  }
  if (row.occupancy) {
    const q = row.occupancy;
    return XF.h("div", null, XF.badge("documented"), " ", XF.h("code", null, `${q.device} ${q.group_size}/${q.simd || "-"} SLM ${XF.bytes(q.slm_bytes || 0)} GRF ${q.grf || 128}`), " → ", XF.percent(row.driver.occupancy),
      row.calculator.occupancy !== row.driver.occupancy ? XF.h("span", null, " / ", XF.percent(row.calculator.occupancy), XF.h("span.note", null, " ", XF.t("claims.calculator"))) : null);
  }
  return XF.h("div", null, row.badge ? XF.badge(row.badge) : null, " ", XF.inline(XF.local(row.text)));
};

XF.pages.claims = async function (main) {
  const claims = await XF.load("claims");
  const verdicts = ["all", "wrong", "half", "right"];
  const shown = XF.state.verdict || "all";
  const rows = claims.filter((claim) => shown === "all" || claim.verdict === shown).map((claim) => XF.h("tr", { "data-claim": claim.number },
    XF.h("td.num", null, claim.number), XF.h("td", null, XF.badge("article"), " ", XF.inline(XF.local(claim.says))), XF.h("td", null, XF.h("b." + claim.verdict, null, XF.t("verdict." + claim.verdict)), XF.h("div", null, XF.inline(XF.local(claim.truth)))),
    XF.h("td", null, claim.evidence.map(XF.evidence))));
  XF.fill(main, [XF.prose("claims.intro"), XF.h("div.controls", null, XF.choice(XF.t("claims.show"), verdicts.map((v) => [v, XF.t("verdict." + v) + " (" + (v === "all" ? claims.length : claims.filter((c) => c.verdict === v).length) + ")"]), shown, (v) => XF.set("verdict", v))),
    XF.table(["#", XF.t("claims.says"), XF.t("claims.truth"), XF.t("claims.evidence")], rows, { class: "claims" })]);
};

// ND-range to device. What fits is device arithmetic; where groups went is what the simulated dispatcher did.
XF.pages.hierarchy = async function (main) {
  const devices = await XF.load("devices");
  const device = devices.find((one) => one.id === XF.state.device) || devices[0];
  const q = (XF.mapQuery = XF.mapQuery || { group: 256, simd: 0, groups: 40 });
  const simds = device.sub_group_sizes;
  if (!simds.includes(q.simd)) q.simd = device.simd_width;
  const dispatched = XF.manifest.dispatch && XF.manifest.dispatch.includes(device.id) ? await XF.load("dispatch." + device.id) : null;
  const out = XF.h("div", { id: "map" });
  let picked = { group: 0, thread: 0, lane: 0 };
  const sizes = dispatched ? dispatched.sizes : [64, 128, 256, 512, 1024];
  const counts = dispatched ? dispatched.groups : [1, 8, 40, 160, 320];
  if (!sizes.includes(q.group)) q.group = sizes[0];
  if (!counts.includes(q.groups)) q.groups = counts[0];
  const light = (where) => {
    Object.assign(picked, where);
    show();
  };
  function show() {
    const answer = XF.occupancy(device, { group_size: q.group, simd: q.simd });
    if (answer.error) {
      XF.clear(out, XF.h("p.warn", { role: "alert" }, answer.error));
      return;
    }
    const threads = answer.driver.threads_per_group, room = answer.driver.groups_per_core;
    picked.group = Math.min(picked.group, q.groups - 1);
    picked.thread = Math.min(picked.thread, threads - 1);
    picked.lane = Math.min(picked.lane, q.simd - 1);
    const launch = dispatched && dispatched.launches.find((one) => one.local === q.group && one.count === q.groups && one.simd === q.simd);
    const coreOf = launch ? (group) => launch.cores[group] : null;
    const item = picked.group * q.group + picked.thread * q.simd + picked.lane;
    // Left: the program's side.
    const groups = XF.h("div.map", { style: "grid-template-columns: repeat(auto-fill, minmax(1.9rem, 1fr))" }, d3.range(q.groups).map((g) =>
      XF.h("button.cell" + (g === picked.group ? ".hot" : ""), { type: "button", "data-group": g, style: "padding:0;min-height:1.6rem;font-size:.7rem", "aria-pressed": String(g === picked.group), onclick: () => light({ group: g }), onpointerenter: () => cross("group", g) }, g)));
    const subs = XF.h("div.map", { style: "grid-template-columns: repeat(auto-fill, minmax(1.9rem, 1fr))" }, d3.range(threads).map((t) =>
      XF.h("button.cell" + (t === picked.thread ? ".hot" : ""), { type: "button", "data-thread": t, style: "padding:0;min-height:1.6rem;font-size:.7rem", "aria-pressed": String(t === picked.thread), onclick: () => light({ thread: t }), onpointerenter: () => cross("thread", t) }, t)));
    const lanes = (side) => XF.h("div.map", { style: "grid-template-columns: repeat(16, minmax(0, 1fr))" }, d3.range(q.simd).map((l) =>
      XF.h("button.cell" + (l === picked.lane ? ".hot" : ""), { type: "button", "data-lane": l, style: "padding:0;min-height:1.6rem;font-size:.66rem", "aria-pressed": String(l === picked.lane), onclick: () => light({ lane: l }), onpointerenter: () => cross("lane", l) }, side === "program" ? picked.thread * q.simd + l : l)));
    // Right: the device's side.
    const here = coreOf ? coreOf(picked.group) : null;
    const load = new Array(device.xe_cores).fill(0);
    if (launch) launch.cores.forEach((core) => ++load[core]);
    const cores = XF.h("div.map", { style: "grid-template-columns: repeat(auto-fill, minmax(2.9rem, 1fr))" }, d3.range(device.xe_cores).map((c) =>
      XF.h("div.lane.core" + (c === here ? ".hot" : launch && load[c] ? ".acts" : ""), { "data-core": c, tabindex: launch ? 0 : null, onpointerenter: () => cross("core", c), onclick: () => launch && load[c] && light({ group: launch.cores.indexOf(c) }) }, XF.h("span.no", null, "Xe " + c), launch ? load[c] : "")));
    const total = device.eus_per_subslice * device.threads_per_eu;
    const slots = XF.h("div.map", { style: `grid-template-columns: repeat(${device.eus_per_subslice}, minmax(0, 1fr))` }, d3.range(total).map((n) => {
      const occupied = n < room * threads, mine = n < threads && n === picked.thread;
      return XF.h("div.lane.slot" + (mine ? ".hot" : occupied ? ".acts" : ""), { "data-slot": n, style: "min-height:.8rem;padding:0", onpointerenter: () => n < threads && cross("thread", n), onclick: () => n < threads && light({ thread: n }) });
    }));
    const pair = (key, left, right, leftText, rightText) => XF.h("div.columns", { "data-level": key }, XF.h("div.card", null, XF.h("h3", null, XF.t("map." + key + ".program")), XF.h("p.note", null, leftText), left), XF.h("div.card", null, XF.h("h3", null, XF.t("map." + key + ".device")), XF.h("p.note", null, rightText), right));
    XF.clear(out,
      XF.h("p.mono", { "aria-live": "polite", id: "map-says" }, XF.t("map.path", { item, group: picked.group, thread: picked.thread, lane: picked.lane }) + (here !== null ? " → Xe-core " + here : "")),
      pair("range", groups, cores, XF.t("map.range.count", { items: XF.number(q.groups * q.group), groups: q.groups }), launch ? XF.t("map.range.went") : XF.t("map.range.unknown")),
      pair("group", subs, slots, XF.t("map.group.count", { items: q.group, subs: threads, simd: q.simd }), XF.t("map.group.room", { groups: room, slots: total, engines: device.eus_per_subslice, percent: XF.percent(answer.driver.occupancy) })),
      pair("item", lanes("program"), lanes("device"), XF.t("map.item.count", { simd: q.simd }), XF.t("map.item.width", { simd: q.simd, native: device.simd_width, passes: Math.ceil(q.simd / device.simd_width) })),
      launch && launch.spans ? XF.h("div.card", null, XF.h("h3", null, XF.t("map.time"), " ", XF.badge("simulated")), XF.coreTimeline(launch, device)) : null);
    function cross(kind, n) {
      out.querySelectorAll(".from").forEach((node) => node.classList.remove("from"));
      const mark = (selector) => out.querySelectorAll(selector).forEach((node) => node.classList.add("from"));
      if (kind === "group" && coreOf) mark(`[data-core="${coreOf(n)}"],[data-group="${n}"]`);
      if (kind === "core" && launch) launch.cores.forEach((core, g) => core === n && mark(`[data-group="${g}"]`));
      if (kind === "thread") mark(`[data-thread="${n}"],[data-slot="${n}"]`);
      if (kind === "lane") mark(`[data-lane="${n}"]`);
    }
  }
  const update = (key) => (value) => {
    q[key] = value;
    show();
  };
  XF.fill(main, [XF.prose("map.intro"), XF.h("div.controls", null, XF.deviceChoice(devices.map((one) => one.id))),
    XF.slider(XF.t("map.groups"), counts, q.groups, update("groups")), XF.slider(XF.t("occ.group"), sizes, q.group, update("group")), XF.slider(XF.t("occ.simd"), simds, q.simd, update("simd")),
    out, XF.h("div.honest", null, XF.prose("map.honest"))]);
  show();
};

XF.coreTimeline = function (launch, device) {
  const height = 13, left = 52, width = 960;
  const x = d3.scaleLinear([0, launch.cycles], [left, width]);
  const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${device.xe_cores * height + 24}`, width: "100%", role: "img", "aria-label": XF.t("map.time") });
  launch.spans.forEach(([begin, end], group) => {
    const bar = XF.svg("rect", { x: x(begin), y: launch.cores[group] * height + 1, width: Math.max(0.8, x(end) - x(begin) - 0.5), height: height - 2, fill: `var(--c${group % 7 + 1})`, opacity: 0.8 });
    bar.append(XF.svg("title", null, `${group}: ${begin} – ${end}`));
    svg.append(bar);
  });
  for (let core = 0; core < device.xe_cores; core += 4) svg.append(XF.svg("text", { x: 0, y: core * height + 11, class: "soft" }, "Xe " + core));
  const axis = d3.select(svg).append("g").attr("transform", `translate(0,${device.xe_cores * height})`);
  axis.call(d3.axisBottom(x).ticks(8));
  return svg;
};
