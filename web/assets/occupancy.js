// SPDX-License-Identifier: Apache-2.0
// The occupancy arithmetic: src/device/occupancy.cpp itself, compiled to WebAssembly, and the page around it.
"use strict";
XF.occupancy = (function () {
  let module = null, calls = null, current = null;
  const memory = () => new Uint8Array(calls.memory.buffer);
  const read = (at) => {
    const bytes = memory();
    let end = at;
    while (bytes[end] !== 0) ++end;
    return new TextDecoder().decode(bytes.slice(at, end));
  };
  function start() {
    const fail = (at) => { throw new RangeError(read(at)); };
    const none = () => 0;  // output that is never made
    module = module || new WebAssembly.Module(Uint8Array.from(atob(XF.occupancyWasm), (c) => c.charCodeAt(0)));
    calls = new WebAssembly.Instance(module, { env: { fail }, wasi_snapshot_preview1: { fd_close: none, fd_seek: none, fd_write: none } }).exports;
    calls.__wasm_call_ctors();
  }
  function text(string, use) {
    const bytes = new TextEncoder().encode(string + "\0");
    const at = calls.allocate(bytes.length);
    memory().set(bytes, at);
    use(at);
    calls.release(at);
  }
  function ask(query) {
    calls.set_query(query.group_size, query.simd || 0, query.grf || 128, query.slm_bytes || 0, query.barriers || 0, query.groups || 0);
  }
  function refusal(device, query) {
    choose(device);
    ask(query);
    const [obstacle, asked, given] = read(calls.refused()).split("\n");
    return { obstacle, asked: Number(asked), given: Number(given) };
  }
  function choose(device) {
    if (!calls) start();
    if (current === device.id) return;
    text(device.id, calls.new_device);
    for (const key of ["slices", "subslices_per_slice", "eus_per_subslice", "threads_per_eu", "simd_width", "max_group_size", "max_groups_per_core", "slm_per_group", "barriers_per_core"])
      text(key, (at) => calls.set_number(at, device[key]));
    for (const [key, row] of Object.entries(device.parameters)) text(key, (at) => calls.set_parameter(at, row.value));
    device.sub_group_sizes.forEach((size) => calls.add_sub_group_size(size));
    device.slm_sizes.forEach((size) => calls.add_slm_size(size));
    current = device.id;
  }
  // {driver, calculator} as in `xeforge occupancy --json`, or {error} with {refused}: the same in parts.
  return function (device, query) {
    choose(device);
    ask(query);
    const one = (calculator) => {
      const lines = read(calls.evaluate(calculator)).split("\n");
      const constraints = [], steps = [];
      let i = 7;
      for (const end = i + 5 * Number(lines[6]); i < end; i += 5)
        constraints.push({ resource: lines[i], needed: Number(lines[i + 1]), available: Number(lines[i + 2]), groups: Number(lines[i + 3]), limits: lines[i + 4] === "1" });
      for (; i + 2 < lines.length; i += 3)
        steps.push({ change: lines[i], by: Number(lines[i + 1]), to: Number(lines[i + 2]), then: calls.step_then(calculator, steps.length) });
      return { threads_per_group: Number(lines[0]), slm_allocated: Number(lines[1]), groups_per_core: Number(lines[2]), occupancy: calls.fraction(calculator),
        limited_by: lines[3], next_step: lines[4], rounds: Number(lines[5]), average_occupancy: calls.average(calculator), constraints, steps };
    };
    try {
      return { driver: one(0), calculator: one(1) };
    } catch (error) {
      calls = current = null;  // what was thrown left the instance in the middle of a call: the next question gets a new one
      if (!(error instanceof RangeError)) throw error;
      return { error: error.message, refused: refusal(device, query) };
    }
  };
})();

// The sentences of the C++ in the reader's language, from the numbers beside them.
XF.occupancyRefusal = (device, query, answer) => XF.h("p.warn", { role: "alert" }, XF.t("occ.refused." + answer.refused.obstacle,
  { device: device.name, asked: answer.refused.asked, given: answer.refused.given, grf: query.grf || 128, sizes: device.sub_group_sizes.join(", ") }));
XF.occupancySteps = function (o) {
  if (o.occupancy >= 1) return XF.t("occ.step.full");
  if (o.steps.length === 0) return XF.t("occ.step.none");
  return o.steps.map((step) => XF.t("occ.step." + step.change, { by: step.by, to: step.to, then: XF.percent(step.then), now: XF.percent(o.occupancy) })).join(XF.t("occ.step.or"));
};

XF.pages.occupancy = async function (main) {
  const devices = await XF.load("devices");
  const device = devices.find((one) => one.id === XF.state.device) || devices[0];
  const q = (XF.occupancyQuery = XF.occupancyQuery || XF.fromAddress({ group_size: 256, simd: 16, grf: 128, slm_bytes: 0, barriers: 0, groups: 0 }));
  if (!device.sub_group_sizes.includes(q.simd) && q.simd !== 1) q.simd = device.simd_width;
  const out = XF.h("div", { id: "occupancy-result", "aria-live": "polite" });
  const picture = XF.h("div");
  const update = (key) => (value) => {
    q[key] = value;
    XF.set(key, value, { quiet: true });
    show();
  };
  const kernels = XF.manifest.recordings.concat(XF.manifest.own).filter((row) => row.devices.includes(device.id));
  const pick = XF.h("select", { "aria-label": XF.t("occ.kernel") }, XF.h("option", { value: "" }, XF.t("occ.kernel.none")), kernels.map((row) => XF.h("option", { value: row.id }, row.id)));
  pick.addEventListener("change", async () => {
    if (!pick.value) return;
    const r = await XF.load(pick.value + "." + device.id);
    const local = r.launch.local;
    Object.assign(q, { group_size: local[0] * local[1] * local[2], simd: r.compiled.simd, grf: r.compiled.grf, barriers: r.compiled.barriers,
      slm_bytes: r.compiled.slm_bytes + (r.slm_arguments || 0) });
    XF.render();
  });
  function result(rules, o) {
    return XF.h("div.card", { "data-rules": rules },
      XF.h("h3", null, XF.t("occ.rules." + rules)),
      XF.h("div.big", { "data-value": o.occupancy }, XF.percent(o.occupancy)),
      XF.h("p", null, XF.t("occ.sum", { groups: o.groups_per_core, threads: o.threads_per_group, slots: device.eus_per_subslice * device.threads_per_eu })),
      XF.table([XF.t("occ.constraint"), XF.t("occ.needed"), XF.t("occ.available"), XF.t("occ.groups")], o.constraints.map((c) =>
        XF.h("tr" + (c.limits ? ".limits" : ""), null, XF.h("td", null, XF.t("occ.resource." + c.resource) + (c.limits ? " ← " + XF.t("occ.limits") : "")), XF.h("td.num", null, c.needed), XF.h("td.num", null, c.available), XF.h("td.num", null, c.groups)))),
      XF.h("p", null, XF.h("b", null, XF.t("occ.limited_by")), " ", XF.h("span.limited", null, o.limited_by.split(", ").map((name) => XF.t("occ.resource." + name)).join(", "))),
      XF.h("p", null, XF.h("b", null, XF.t("occ.next_step")), " ", XF.h("span.next", { "data-next": o.next_step }, XF.occupancySteps(o))),
      o.rounds ? XF.h("p.note", null, XF.t("occ.rounds", { rounds: o.rounds, average: XF.percent(o.average_occupancy) })) : null);
  }
  function slots(o) {
    const total = device.eus_per_subslice * device.threads_per_eu, columns = device.eus_per_subslice;
    const used = o.groups_per_core * o.threads_per_group;
    const usable = q.grf > 128 ? total / 2 : total;
    const width = 26 * columns;
    const svg = XF.svg("svg", { viewBox: `0 0 ${width} ${22 * device.threads_per_eu}`, width: "100%", style: `max-width:${width * 1.4}px`, role: "img", "aria-label": XF.t("occ.slots") });
    for (let n = 0; n < total; ++n) {
      const x = (n % columns) * 26, y = Math.floor(n / columns) * 22;
      const group = Math.floor(n / o.threads_per_group);
      svg.append(XF.svg("rect", { x: x + 1, y: y + 1, width: 23, height: 19, rx: 3, fill: n < used ? `var(--c${group % 7 + 1})` : "var(--idle)", opacity: n >= usable ? 0.35 : 1 }));
    }
    return XF.h("div.card", null, XF.h("h3", null, XF.t("occ.slots")), svg, XF.h("p.note", null, XF.t("occ.slots.what", { columns, rows: device.threads_per_eu })));
  }
  function show() {
    const answer = XF.occupancy(device, q);
    if (answer.error) {
      XF.clear(picture);
      XF.clear(out, XF.occupancyRefusal(device, q, answer));
      return;
    }
    const differ = answer.driver.groups_per_core !== answer.calculator.groups_per_core;
    XF.clear(picture, slots(answer.driver));
    XF.clear(out, XF.h("p" + (differ ? ".warn" : ".note"), null, XF.t(differ ? "occ.differ" : "occ.agree")),
      XF.h("div.columns.even", null, result("driver", answer.driver), result("calculator", answer.calculator)));
  }
  XF.fill(main, [XF.prose("occ.intro"), XF.h("div.controls", null, XF.deviceChoice(devices.map((one) => one.id)), XF.h("label.labelled", null, XF.h("span.label", null, XF.t("occ.kernel")), pick)),
    XF.h("div.columns", null, XF.h("div.sliders", null,
    XF.slider(XF.t("occ.group"), d3.range(8, device.max_group_size + 1, 8), q.group_size, update("group_size")),
    XF.slider(XF.t("occ.simd"), [1].concat(device.sub_group_sizes), q.simd, update("simd"), (v) => (v === 1 ? "ESIMD (1)" : v)),
    XF.slider(XF.t("occ.grf"), [128, 256], q.grf, update("grf")),
    XF.slider(XF.t("occ.slm"), d3.range(0, device.slm_per_group + 1, 1024), q.slm_bytes, update("slm_bytes"), XF.bytes),
    XF.slider(XF.t("occ.barriers"), d3.range(0, 33), q.barriers, update("barriers")),
    XF.slider(XF.t("occ.grid"), [0].concat(d3.range(1, 64), d3.range(64, 4097, 32)), q.groups, update("groups"), (v) => v || XF.t("occ.many"))), picture),
    out, XF.h("div.honest", null, XF.prose("occ.honest"))]);
  show();
};
