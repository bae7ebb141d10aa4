// SPDX-License-Identifier: Apache-2.0
// Thread slots over simulated time, one cell a stretch with one cause; and the page that embeds such a view.
"use strict";
XF.CAUSE_COLOUR = { issued: "var(--on)", wait: "var(--hot)", busy: "var(--c5)", barrier: "var(--c4)", start: "var(--c8)", empty: "var(--off)" };

// options: {window: [from, to] to begin with, table: show where the time went}
XF.timelineView = function (recording, options) {
  options = options || {};
  const timing = recording.timing;
  const kinds = timing.causes.map((row) => row.kind);
  const rows = d3.groups(timing.slices, (s) => s[2] * 64 + s[3]).sort((a, b) => a[0] - b[0]);
  for (const [, slices] of rows) slices.sort((a, b) => a[0] - b[0]);
  const height = Math.max(10, Math.min(22, 480 / rows.length)), left = 84, width = XF.chartWidth();
  const whole = [0, timing.cycles];
  const slotName = (row) => XF.t("time.slot", { engine: Math.floor(rows[row][0] / 64), slot: rows[row][0] % 64 });
  let domain = options.window || whole;
  let cursor = null;  // {row, n}: the stretch that is spoken of
  const box = XF.h("section.card.timeline", { tabindex: 0, role: "group", "aria-label": XF.t("time.title") });
  const says = XF.h("p.mono", { "aria-live": "polite" }, XF.t("time.hint"));
  const holder = XF.h("div");
  function draw() {
    const x = d3.scaleLinear(domain, [left, width - 22]).clamp(true), bottom = rows.length * height;
    const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${bottom + 42}`, width: "100%", role: "img", "aria-label": XF.t("time.title") });
    const arrivals = [];
    rows.forEach(([, slices], r) => {
      svg.append(XF.svg("text", { x: 0, y: r * height + height * 0.75, class: "soft", style: height < 13 ? "font-size:10px" : null }, slotName(r)));
      slices.forEach((slice, n) => {
        if (slice[1] <= domain[0] || slice[0] >= domain[1]) return;
        const here = cursor && cursor.row === r && cursor.n === n;
        const rect = XF.svg("rect", { x: x(slice[0]), y: r * height + 1, width: Math.max(0.4, x(slice[1]) - x(slice[0])), height: height - 2, fill: XF.CAUSE_COLOUR[kinds[slice[4]]], "data-cause": timing.causes[slice[4]].name,
          stroke: here ? "var(--ink)" : null, "stroke-width": here ? 2 : null });
        rect.addEventListener("pointerenter", () => say(slice, r));
        rect.addEventListener("click", () => {
          cursor = { row: r, n };
          say(slice, r);
          draw();
        });
        svg.append(rect);
        if (XF.isSignal(recording.isa[slice[5]]) && kinds[slice[4]] === "issued") arrivals.push([x(slice[0]), r * height]);
      });
    });
    for (const [at, y] of arrivals) svg.append(XF.svg("path", { d: `M${at - 5},${y}h10l-5,9z`, fill: "var(--ink)", stroke: "var(--card)", "pointer-events": "none", class: "arrives" }));
    for (const at of timing.barriers)
      if (at >= domain[0] && at <= domain[1]) svg.append(XF.svg("line", { x1: x(at), x2: x(at), y1: 0, y2: bottom, stroke: "var(--ink)", "stroke-width": 1.5, "stroke-dasharray": "4 3", "pointer-events": "none" }));
    d3.select(svg).append("g").attr("transform", `translate(0,${bottom})`).call(d3.axisBottom(x).ticks(XF.narrow() ? 4 : 8));
    svg.append(XF.svg("text", { x: width - 22, y: bottom + 38, "text-anchor": "end", class: "soft" }, XF.t("timing.cycles")));
    XF.clear(holder, svg);
  }
  function say(slice, row) {
    const cause = timing.causes[slice[4]], inst = recording.isa[slice[5]];
    says.textContent = `${slotName(row)}, ${XF.number(slice[0])} – ${XF.number(slice[1])}: ${XF.t("stall." + cause.name)}${inst ? " · " + XF.isaText(inst.text).trim() : ""}`;
  }
  function view(from, to) {
    const span = Math.max(4, Math.min(timing.cycles, to - from));
    const begin = Math.max(0, Math.min(timing.cycles - span, from));
    domain = [begin, begin + span];
    draw();
  }
  function zoom(factor, shift) {
    const slice = cursor && rows[cursor.row][1][cursor.n], span = domain[1] - domain[0];
    const middle = slice && factor < 1 ? (slice[0] + slice[1]) / 2 : (domain[0] + domain[1]) / 2 + (shift || 0) * span;
    view(middle - span * factor / 2, middle + span * factor / 2);
  }
  // To the next stretch of this slot, or to the stretch of another slot at the same time.
  function move(rowBy, by) {
    const now = cursor && rows[cursor.row][1][cursor.n];
    const row = cursor ? Math.max(0, Math.min(rows.length - 1, cursor.row + rowBy)) : 0;
    const slices = rows[row][1], from = now ? now[0] : domain[0];
    let n = now && !rowBy ? cursor.n + by : slices.findIndex((slice) => slice[1] > from);
    if (n < 0 && rowBy) n = slices.length - 1;
    cursor = { row, n: Math.max(0, Math.min(slices.length - 1, n)) };
    const slice = slices[cursor.n], span = domain[1] - domain[0];
    if (slice[0] < domain[0] || slice[1] > domain[1]) view(slice[0] - span / 4, slice[0] + 3 * span / 4);
    else draw();
    say(slice, row);
  }
  const keys = { "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => view(...whole),
    ArrowLeft: () => move(0, -1), ArrowRight: () => move(0, 1), ArrowUp: () => move(-1, 0), ArrowDown: () => move(1, 0) };
  box.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  const total = timing.causes.reduce((sum, row) => sum + (row.name === "empty" ? 0 : row.ticks), 0);
  const button = (key, act) => XF.h("button", { type: "button", onclick: act }, XF.t(key));
  const swatch = (kind) => XF.h("i", { style: "background:" + XF.CAUSE_COLOUR[kind] });
  XF.fill(box, [XF.h("p", null, XF.t("time.sum", { cycles: XF.number(timing.cycles), us: XF.number(timing.us) })),
    XF.h("div.steps", null, button("time.in", () => zoom(0.5)), button("time.out", () => zoom(2)), button("time.left", () => zoom(1, -0.25)), button("time.right", () => zoom(1, 0.25)), button("time.all", () => view(...whole)),
      options.window ? button("time.barrier", () => view(...options.window)) : null),
    holder, says, XF.h("p.note", null, XF.t("time.keys")),
    XF.h("div.legend", null, Object.keys(XF.CAUSE_COLOUR).filter((kind) => kind !== "empty").map((kind) => XF.h("span", null, swatch(kind), XF.t("cause." + kind))),
      timing.barriers.length ? [XF.h("span", null, "▼ ", XF.t("bar.signal")), XF.h("span", null, "┆ ", XF.t("bar.complete"))] : null),
    options.table ? XF.table([XF.t("time.cause"), XF.t("time.what"), XF.t("time.share")], timing.causes.filter((row) => row.ticks > 0 && row.name !== "empty").sort((a, b) => b.ticks - a.ticks).map((row) =>
      XF.h("tr", null, XF.h("td.swatch", null, swatch(row.kind), XF.h("code", null, row.name)), XF.h("td", null, XF.t("stall." + row.name)), XF.h("td.num", null, XF.percent(row.ticks / total))))) : null,
    XF.h("p.honest", null, XF.t("time.honest", { model: timing.model }))]);
  draw();
  return box;
};

XF.pages.timeline = async function (main) {
  await XF.load("devices");
  const rows = XF.manifest.recordings.concat(XF.manifest.own);
  const row = rows.find((one) => one.id === XF.state.kernel) || rows.find((one) => one.id === "article.code_to_hardware");
  const device = XF.deviceOf(row.devices);
  const recording = await XF.recordingOf(row.id, device);
  const pick = XF.h("select", { "aria-label": XF.t("kernel"), id: "timeline-kernel" }, rows.map((one) => XF.h("option", { value: one.id, selected: one.id === row.id }, one.id)));
  pick.addEventListener("change", () => XF.set("kernel", pick.value));
  XF.fill(main, [XF.prose("time.intro"), XF.h("div.controls", null, XF.deviceChoice(row.devices), XF.h("label.labelled", null, XF.h("span.label", null, XF.t("kernel")), pick)),
    recording.timing ? XF.timelineView(recording, { table: true }) : XF.h("p.honest", null, XF.t("time.none")),
    recording.timing ? XF.h("p", null, XF.h("a", { href: `traces/${row.id}.${device}.json`, download: true }, XF.t("time.perfetto"))) : null]);
};
