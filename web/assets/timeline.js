// SPDX-License-Identifier: Apache-2.0
// Thread slots over simulated time, one cell a stretch with one cause; and the page that embeds such a view.
"use strict";
XF.CAUSE_COLOUR = { issued: "var(--on)", wait: "var(--hot)", busy: "var(--c5)", barrier: "var(--c4)", start: "var(--c8)", empty: "var(--off)" };

XF.timelineView = function (recording, options) {
  const timing = recording.timing;
  const kinds = timing.causes.map((row) => row.kind);
  const rows = d3.groups(timing.slices, (s) => s[2] * 64 + s[3]).sort((a, b) => a[0] - b[0]);
  const height = Math.max(8, Math.min(22, 480 / rows.length)), left = 84, width = 1000;
  let domain = [0, timing.cycles];
  const box = XF.h("section.card.timeline", { tabindex: 0, "aria-label": XF.t("time.title") });
  const says = XF.h("p.mono", { "aria-live": "polite" }, XF.t("time.hint"));
  const holder = XF.h("div");
  function draw() {
    const x = d3.scaleLinear(domain, [left, width]).clamp(true);
    const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${rows.length * height + 26}`, width: "100%", role: "img", "aria-label": XF.t("time.title") });
    rows.forEach(([key, slices], r) => {
      svg.append(XF.svg("text", { x: 0, y: r * height + height * 0.75, class: "soft" }, XF.t("time.slot", { engine: Math.floor(key / 64), slot: key % 64 })));
      for (const slice of slices) {
        if (slice[1] <= domain[0] || slice[0] >= domain[1]) continue;
        const rect = XF.svg("rect", { x: x(slice[0]), y: r * height + 1, width: Math.max(0.4, x(slice[1]) - x(slice[0])), height: height - 2, fill: XF.CAUSE_COLOUR[kinds[slice[4]]], "data-cause": timing.causes[slice[4]].name });
        rect.addEventListener("pointerenter", () => say(slice));
        rect.addEventListener("click", () => say(slice));
        svg.append(rect);
      }
    });
    for (const at of timing.barriers) if (at >= domain[0] && at <= domain[1]) svg.append(XF.svg("line", { x1: x(at), x2: x(at), y1: 0, y2: rows.length * height, stroke: "var(--c4)", "stroke-width": 2 }));
    d3.select(svg).append("g").attr("transform", `translate(0,${rows.length * height})`).call(d3.axisBottom(x).ticks(8));
    XF.clear(holder, svg);
  }
  function say(slice) {
    const cause = timing.causes[slice[4]], inst = recording.isa[slice[5]];
    says.textContent = `${XF.number(slice[0])} – ${XF.number(slice[1])}: ${cause.name} · ${cause.what} · ${inst ? inst.text : ""}`;
  }
  function zoom(factor, shift) {
    const middle = (domain[0] + domain[1]) / 2 + (shift || 0) * (domain[1] - domain[0]), half = Math.min(timing.cycles, (domain[1] - domain[0]) * factor) / 2;
    const from = Math.max(0, Math.min(timing.cycles - 2 * half, middle - half));
    domain = [from, from + 2 * half];
    draw();
  }
  box.addEventListener("keydown", (event) => {
    const act = { "+": [0.5], "-": [2], ArrowLeft: [1, -0.25], ArrowRight: [1, 0.25] }[event.key];
    if (!act) return;
    event.preventDefault();
    zoom(...act);
  });
  const total = timing.causes.reduce((sum, row) => sum + (row.name === "empty" ? 0 : row.ticks), 0);
  XF.fill(box, [XF.h("p", null, XF.t("time.sum", { cycles: XF.number(timing.cycles), us: XF.number(timing.us) })),
    XF.h("div.steps", null, [["time.in", 0.5, 0], ["time.out", 2, 0], ["time.left", 1, -0.25], ["time.right", 1, 0.25]].map(([key, f, s]) => XF.h("button", { type: "button", onclick: () => zoom(f, s) }, XF.t(key)))),
    holder, says, XF.h("div.legend", null, Object.entries(XF.CAUSE_COLOUR).map(([kind, colour]) => XF.h("span", null, XF.h("i", { style: "background:" + colour }), XF.t("cause." + kind)))),
    options && options.table ? XF.table([XF.t("time.cause"), XF.t("time.what"), XF.t("time.share")], timing.causes.filter((row) => row.ticks > 0 && row.name !== "empty").sort((a, b) => b.ticks - a.ticks).map((row) =>
      XF.h("tr", null, XF.h("td", null, row.name), XF.h("td", null, row.what), XF.h("td.num", null, XF.percent(row.ticks / total))))) : null,
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
