// SPDX-License-Identifier: Apache-2.0
// ND-range to device and back. What fits is device arithmetic; where groups went is what the simulated dispatcher did.
"use strict";
XF.pages.hierarchy = async function (main) {
  const devices = await XF.load("devices");
  const device = devices.find((one) => one.id === XF.state.device) || devices[0];
  const q = (XF.mapQuery = XF.mapQuery || XF.fromAddress({ group: 256, simd: 0, groups: 40 }));
  const simds = device.sub_group_sizes;
  if (!simds.includes(q.simd)) q.simd = device.simd_width;
  const dispatched = await XF.load("dispatch." + device.id);
  const picked = { group: 0, thread: 0, lane: 0 };
  const out = XF.h("div", { id: "map" });
  if (!dispatched.sizes.includes(q.group)) q.group = dispatched.sizes[0];
  if (!dispatched.groups.includes(q.groups)) q.groups = dispatched.groups[0];
  const light = (where) => {
    Object.assign(picked, where);
    XF.keepingFocus(show);
  };
  // Cells of one level: pointed at or reached by arrow keys, each lights its counterpart on the other side.
  function grid(key, label, columns, cells) {
    const box = XF.h("div.map", { role: "group", "aria-label": label, style: `grid-template-columns: ${columns}` }, cells);
    XF.gridKeys(box, () => [...box.querySelectorAll("button:not(:disabled)")], (n) => box.querySelectorAll("button:not(:disabled)")[n].click());
    return box;
  }
  function cell(kind, key, n, chosen, text, label, pick, on) {
    return XF.h("button.cell" + (chosen ? ".hot" : on ? ".acts" : ""), { type: "button", ["data-" + kind]: n, tabindex: chosen ? 0 : -1, "aria-pressed": String(chosen), "aria-label": label, disabled: !pick,
      onclick: pick, onpointerenter: () => cross(key, n), onfocus: () => cross(key, n) }, text);
  }
  let launch = null;
  function show() {
    const answer = XF.occupancy(device, { group_size: q.group, simd: q.simd });
    if (answer.error) {
      XF.clear(out, XF.occupancyRefusal(device, { grf: 128 }, answer));
      return;
    }
    const threads = answer.driver.threads_per_group, room = answer.driver.groups_per_core;
    picked.group = Math.min(picked.group, q.groups - 1);
    picked.thread = Math.min(picked.thread, threads - 1);
    picked.lane = Math.min(picked.lane, q.simd - 1);
    launch = dispatched.launches.find((one) => one.local === q.group && one.count === q.groups && one.simd === q.simd);
    const here = launch.cores[picked.group], load = new Array(device.xe_cores).fill(0);
    launch.cores.forEach((core) => ++load[core]);
    const item = picked.group * q.group + picked.thread * q.simd + picked.lane;
    const small = "repeat(auto-fill, minmax(1.9rem, 1fr))";
    // The program's side.
    const groups = grid("group", XF.t("map.range.program"), small, d3.range(q.groups).map((g) => cell("group", "group", g, g === picked.group, g, XF.t("map.cell.group", { n: g }), () => light({ group: g }))));
    const subs = grid("thread", XF.t("map.group.program"), small, d3.range(threads).map((t) => cell("thread", "thread", t, t === picked.thread, t, XF.t("map.cell.thread", { n: t }), () => light({ thread: t }))));
    const lanes = (side) => grid("lane", XF.t("map.item." + side), "repeat(16, minmax(0, 1fr))", d3.range(q.simd).map((l) =>
      cell("lane", "lane", l, l === picked.lane, side === "program" ? picked.thread * q.simd + l : l, XF.t(side === "program" ? "map.cell.item" : "map.cell.lane", { n: side === "program" ? picked.thread * q.simd + l : l }), () => light({ lane: l }))));
    // The device's side.
    const cores = grid("core", XF.t("map.range.device"), "repeat(auto-fill, minmax(2.9rem, 1fr))", d3.range(device.xe_cores).map((c) =>
      cell("core", "core", c, c === here, [XF.h("span.no", null, "Xe " + c), load[c]], XF.t("map.cell.core", { n: c, groups: load[c] }), load[c] ? () => light({ group: launch.cores.indexOf(c) }) : null, load[c] > 0)));
    const total = device.eus_per_subslice * device.threads_per_eu;
    const slots = XF.h("div.map", { role: "img", "aria-label": XF.t("map.group.device"), style: `grid-template-columns: repeat(${device.eus_per_subslice}, minmax(0, 1fr))` }, d3.range(total).map((n) => {
      const group = Math.floor(n / threads), thread = n % threads;
      return XF.h("div.lane.slot" + (n === picked.thread ? ".hot" : group === 0 ? ".mine" : group < room ? ".acts" : ""), { "data-slot": n, title: group < room ? XF.t("map.cell.slot", { group, thread }) : null,
        onpointerenter: () => group < room && cross("thread", thread), onclick: () => group < room && light({ thread }) });
    }));
    const pair = (key, left, right, leftText, rightText) => XF.h("div.columns.even", { "data-level": key },
      XF.h("div.card", null, XF.h("h3", null, XF.t("map." + key + ".program")), XF.h("p.note", null, leftText), left), XF.h("div.card", null, XF.h("h3", null, XF.t("map." + key + ".device")), XF.h("p.note", null, rightText), right));
    XF.clear(out,
      XF.h("p.mono", { "aria-live": "polite", id: "map-says" }, XF.t("map.path", { item, group: picked.group, thread: picked.thread, lane: picked.lane, core: here })),
      pair("range", groups, cores, XF.t("map.range.count", { items: XF.number(q.groups * q.group), groups: q.groups }), XF.t("map.range.went")),
      pair("group", subs, slots, XF.t("map.group.count", { items: q.group, subs: threads, simd: q.simd }), XF.t("map.group.room", { groups: room, slots: total, engines: device.eus_per_subslice, percent: XF.percent(answer.driver.occupancy) })),
      pair("item", lanes("program"), lanes("device"), XF.t("map.item.count", { simd: q.simd }), XF.t("map.item.width", { simd: q.simd, native: device.simd_width, passes: Math.ceil(q.simd / device.simd_width) })),
      XF.h("div.card", null, XF.h("h3", null, XF.t("map.time"), " ", XF.badge("simulated")), XF.h("p.note", null, XF.t("map.time.what")), XF.coreTimeline(launch, device, picked.group)));
  }
  function cross(kind, n) {
    out.querySelectorAll(".from").forEach((node) => node.classList.remove("from"));
    const mark = (selector) => out.querySelectorAll(selector).forEach((node) => node.classList.add("from"));
    if (kind === "group") mark(`[data-core="${launch.cores[n]}"],[data-group="${n}"],[data-span="${n}"]`);
    if (kind === "core") launch.cores.forEach((core, g) => core === n && mark(`[data-core="${n}"],[data-group="${g}"],[data-span="${g}"]`));
    if (kind === "thread") mark(`[data-thread="${n}"],[data-slot="${n}"]`);
    if (kind === "lane") mark(`[data-lane="${n}"]`);
  }
  const update = (key) => (value) => {
    q[key] = value;
    XF.set(key, value, { quiet: true });
    show();
  };
  XF.fill(main, [XF.prose("map.intro"), XF.h("div.controls", null, XF.deviceChoice(devices.map((one) => one.id))),
    XF.slider(XF.t("map.groups"), dispatched.groups, q.groups, update("groups")), XF.slider(XF.t("occ.group"), dispatched.sizes, q.group, update("group")), XF.slider(XF.t("occ.simd"), simds, q.simd, update("simd")),
    out, XF.h("div.honest", null, XF.prose("map.honest"))]);
  show();
};

// One row a core; groups that are there at the same time lie under one another.
XF.coreTimeline = function (launch, device, picked) {
  const left = 52, width = XF.chartWidth();
  const rows = launch.spans.map(() => 0), depth = new Array(device.xe_cores).fill(1), free = d3.range(device.xe_cores).map(() => []);
  const order = d3.range(launch.spans.length).sort((a, b) => launch.spans[a][0] - launch.spans[b][0]);
  for (const group of order) {
    const core = launch.cores[group], [begin, end] = launch.spans[group];
    let row = free[core].findIndex((until) => until <= begin);
    if (row < 0) row = free[core].length;
    free[core][row] = end;
    rows[group] = row;
    depth[core] = Math.max(depth[core], row + 1);
  }
  const thin = Math.max(2, Math.min(6, 24 / d3.max(depth))), tops = [0];
  for (const d of depth) tops.push(tops[tops.length - 1] + Math.max(11, d * thin + 2));
  const bottom = tops[device.xe_cores], x = d3.scaleLinear([0, launch.cycles], [left, width - 22]);
  const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${bottom + 42}`, width: "100%", role: "img", "aria-label": XF.t("map.time") });
  for (let core = 0; core < device.xe_cores; ++core) {
    svg.append(XF.svg("line", { x1: left, x2: width - 22, y1: tops[core + 1] - 0.5, y2: tops[core + 1] - 0.5, stroke: "var(--line)", "stroke-width": 0.5 }));
    svg.append(XF.svg("text", { x: 0, y: tops[core] + 9, class: "soft", style: "font-size:10px" }, "Xe " + core));
  }
  launch.spans.forEach(([begin, end], group) => {
    const core = launch.cores[group], chosen = group === picked;
    svg.append(XF.svg("rect", { x: x(begin), y: tops[core] + 1 + rows[group] * thin, width: Math.max(0.8, x(end) - x(begin) - 0.4), height: thin - (thin > 3 ? 1 : 0.4), fill: chosen ? "var(--hot)" : `var(--c${[1, 3, 4, 6][group % 4]})`, "data-span": group },
      XF.svg("title", null, XF.t("map.time.cell", { group, core, begin: XF.number(begin), end: XF.number(end) }))));
  });
  d3.select(svg).append("g").attr("transform", `translate(0,${bottom})`).call(d3.axisBottom(x).ticks(XF.narrow() ? 4 : 8));
  svg.append(XF.svg("text", { x: width - 22, y: bottom + 38, "text-anchor": "end", class: "soft" }, XF.t("timing.cycles")));
  return svg;
};
