// SPDX-License-Identifier: Apache-2.0
// The first page, the table of claims, and the numbers of the devices.
"use strict";
XF.pages.index = async function (main) {
  await XF.load("devices");
  const tiles = XF.strings.pages.filter((page) => page.id !== "index" && (page.id !== "own" || XF.manifest.own.length));
  XF.fill(main, [XF.prose("index.intro"), XF.h("div.tiles", null, tiles.map((page) => XF.h("a.tile", { href: page.id + ".html" }, XF.h("b", null, XF.local(page.title)), XF.h("span", null, XF.local(page.what))))),
    XF.h("h2", null, XF.t("index.trust")), XF.h("ul", null, ["article", "documented", "compiled", "recorded", "simulated"].map((kind) => XF.h("li", null, XF.badge(kind), " ", XF.t("badge." + kind + ".what")))),
    XF.prose("index.own"), XF.h("pre.card.mono", null, "xeforge pages --out pages --kernel mine.cpp")]);
};

XF.KERNEL_PAGES = { divergence: "divergence", subgroup: "subgroup", barrier: "barrier", article: "code" };
XF.numberLink = (device, key, text) => XF.h("a", { href: `devices.html#device=${device}&number=${encodeURIComponent(key)}` }, XF.h("code", null, text));
// One row for each kind of evidence in claims.json.
XF.EVIDENCE = {
  parameter: (row) => [XF.badge("documented"), " ", XF.numberLink(row.device, row.parameter, row.device + " " + row.parameter + " = " + XF.number(row.value) + (row.unit ? " " + row.unit : "")),
    row.range ? XF.h("span.note", null, " (" + row.range.map(XF.number).join(" – ") + ")") : null, XF.h("div.note", null, row.source)],
  list: (row) => [XF.badge("documented"), " ", XF.numberLink(row.device, row.list, row.device + " " + row.list + ": " + row.values.join(", ")), XF.h("div.note", null, row.source)],
  recording: (row) => {
    const [page, kernel, device] = row.recording.split(".");
    return [XF.badge("compiled"), " ", XF.h("a", { href: `${XF.KERNEL_PAGES[page]}.html#kernel=${page}.${kernel}&device=${device}&pc=${row.lines[0].pc}` }, kernel + ", " + XF.deviceName(device)),
      XF.h("pre.mono.note", null, row.lines.map((line) => String(line.pc).padStart(5) + "  " + XF.isaText(line.text).trim()).join("\n"))];
  },
  code: (row) => [XF.badge("compiled"), " ", XF.h("a", { href: XF.KERNEL_PAGES[row.code] + ".html" }, XF.t("claims.source", { name: row.code })), XF.h("pre.mono.note", null, row.lines.join("\n"))],
  cycles: (row) => [XF.badge("simulated"), " ", row.cycles.map((name, n) => [n ? " · " : "", XF.h("a", { href: `${XF.KERNEL_PAGES[name.split(".")[0]]}.html#kernel=${name.split(".").slice(0, 2).join(".")}&device=${name.split(".")[2]}` }, name.split(".")[1]), " " + XF.number(Math.round(row.values[n]))]),
    " ", XF.t("timing.cycles"), XF.h("div.note", null, XF.t("claims.ratio", { ratio: XF.number(Math.round(row.values[1] / row.values[0] * 10) / 10) }))],
  refused: (row) => [XF.badge("compiled"), " ", XF.t("claims.refused", { device: XF.deviceName(row.refused.split(".")[0]), size: row.refused.split(".")[1] }), XF.h("pre.mono.note", { lang: "en" }, row.message)],
  occupancy: (row) => {
    const q = row.occupancy;
    return [XF.badge("documented"), " ", XF.h("a", { href: `occupancy.html#device=${q.device}&group_size=${q.group_size}&simd=${q.simd || 0}&slm_bytes=${q.slm_bytes || 0}&grf=${q.grf || 128}` }, XF.t("claims.occupancy", { device: XF.deviceName(q.device), group: q.group_size, simd: q.simd, slm: XF.bytes(q.slm_bytes || 0), grf: q.grf || 128 })), " → ", XF.percent(row.driver.occupancy),
      row.calculator.occupancy !== row.driver.occupancy ? XF.h("span", null, " / ", XF.percent(row.calculator.occupancy), XF.h("span.note", null, " ", XF.t("claims.calculator"))) : null];
  },
  text: (row) => [row.badge ? XF.badge(row.badge) : null, " ", XF.inline(XF.local(row.text))],
};
XF.evidence = (row) => XF.h("div.evidence", null, XF.EVIDENCE[Object.keys(XF.EVIDENCE).find((kind) => row[kind] !== undefined)](row));

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

// The numbers of the device files with their sources: where "documented" leads.
XF.pages.devices = async function (main) {
  const devices = await XF.load("devices");
  const device = devices.find((one) => one.id === XF.state.device) || devices[0];
  const rows = Object.entries(device.parameters).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, row]) => XF.h("tr" + (key === XF.state.number ? ".limits" : ""), { "data-number": key },
    XF.h("td", null, XF.h("code", null, key)), XF.h("td.num", null, XF.number(row.value)), XF.h("td", null, row.unit || ""), XF.h("td", null, row.range ? row.range.map(XF.number).join(" – ") : ""), XF.h("td.note", { lang: "en" }, row.source)));
  XF.fill(main, [XF.prose("devices.intro"), XF.h("div.controls", null, XF.deviceChoice(devices.map((one) => one.id))),
    XF.h("h2", null, device.name), XF.table([XF.t("devices.number"), XF.t("devices.value"), XF.t("devices.unit"), XF.t("devices.range"), XF.t("source")], rows, { "aria-label": device.name })]);
  const chosen = rows.find((row) => row.dataset.number === XF.state.number);
  if (chosen) requestAnimationFrame(() => requestAnimationFrame(() => chosen.scrollIntoView({ block: "center" })));
};
