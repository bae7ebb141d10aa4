#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every figure in a real browser: steps, hovers, switches device, language and theme; no console error, no request that
leaves the folder; the occupancy page against the command. Usage: browser_test.py XEFORGE PAGES [SCREENSHOTS [Pages.test_NAME ...]]"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from playwright.sync_api import sync_playwright

XEFORGE, PAGES = sys.argv[1], os.path.abspath(sys.argv[2])
SHOTS = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
ALL = ["index", "divergence", "hierarchy", "subgroup", "barrier", "occupancy", "code", "claims", "ladder", "timeline", "devices", "own"]


def data(name):
    with open(os.path.join(PAGES, "data", name + ".js"), encoding="utf-8") as file:
        text = file.read()
    return json.loads(text[text.index("\n") + 1 : text.rindex("\n);")])


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        self.context = self.browser.new_context(viewport={"width": 1360, "height": 900}, locale="en-US", color_scheme="light")
        self.page = self.context.new_page()
        self.problems = []
        self.page.on("console", lambda m: self.problems.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.problems.append(str(e)))
        self.page.on("request", lambda r: None if r.url.startswith(("file://" + PAGES, "data:")) else self.problems.append("request to " + r.url))
        self.page.on("requestfailed", lambda r: self.problems.append("failed: " + r.url))

    def tearDown(self):
        self.context.close()
        self.assertEqual(self.problems, [])

    def open(self, name, state=""):
        self.page.goto("file://" + os.path.join(PAGES, name + ".html") + state)
        self.ready()

    def ready(self, after=None):
        self.page.wait_for_function("after => document.body.dataset.ready && document.body.dataset.ready !== after", arg=after)

    def click(self, selector):
        """A click that makes the page draw itself anew."""
        turn = self.page.evaluate("document.body.dataset.ready")
        self.page.click(selector)
        self.ready(turn)

    def device(self, name):
        self.click(f'.choice [data-value="{name}"]')

    def step_of_player(self):
        return int(self.page.get_attribute(".player", "data-step"))

    def play(self, recording):
        steps = len(data(recording)["threads"][0]["steps"])
        self.page.focus(".player")
        seen = set()
        for n in range(steps - 1):
            self.assertEqual(self.step_of_player(), n)
            self.page.keyboard.press("ArrowRight")
            seen.add(self.page.inner_text(".says .mono"))
        self.assertEqual(self.step_of_player(), steps - 1)
        self.assertTrue(self.page.is_disabled('[data-act="next"]'))
        self.page.keyboard.press("Home")
        self.assertEqual(self.step_of_player(), 0)
        self.assertGreater(len(seen), 5)

    def lanes_match(self, recording):
        """What the cells show at every step is what was recorded."""
        r = data(recording)
        thread = r["threads"][0]
        for n, step in enumerate(thread["steps"]):
            self.page.evaluate("n => document.querySelector('.player').xf.go(n)", n)
            shown = self.page.evaluate("[...document.querySelectorAll('.player .lane[data-lane]')].map(c => c.className)")
            for lane, name in enumerate(shown):
                acts = step["a"] >> lane & 1
                self.assertEqual("acts" in name or "uniform" in name, bool(acts), (n, lane, name))
                if not acts:
                    self.assertEqual("waits" in name, bool(step["e"] >> lane & 1), (n, lane, name))
            values = dict((row[0], row[1]) for row in step.get("w", []))
            texts = self.page.evaluate("[...document.querySelectorAll('.player .lane[data-lane] .value')].map(c => c.title)")
            for lane, text in enumerate(texts):
                if lane in values:
                    wanted = values[lane]
                    if isinstance(wanted, str):
                        self.assertEqual(text, wanted)
                    else:
                        self.assertEqual(float(text), float(wanted))

    def test_every_page_in_both_languages_themes_and_widths(self):
        for name in ALL:
            with self.subTest(page=name):
                self.open(name)
                english = self.page.inner_text("h1")
                self.click("#lang")
                self.assertNotEqual(self.page.inner_text("h1"), english)
                self.assertRegex(self.page.inner_text("main"), "[\u4e00-\u9fff]")
                self.assertEqual(self.page.get_attribute("html", "lang"), "zh-Hans")
                if SHOTS:
                    self.page.screenshot(path=os.path.join(SHOTS, name + ".zh.png"), full_page=True)
                self.click("#lang")
                self.assertEqual(self.page.inner_text("h1"), english)
                light = self.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
                if SHOTS:
                    self.page.screenshot(path=os.path.join(SHOTS, name + ".light.png"), full_page=True)
                self.click("#theme")
                self.assertNotEqual(self.page.evaluate("getComputedStyle(document.documentElement).backgroundColor"), light)
                if SHOTS:
                    self.page.screenshot(path=os.path.join(SHOTS, name + ".dark.png"), full_page=True)
                self.click("#theme")
                for width in (390, 1280, 1920):
                    self.page.set_viewport_size({"width": width, "height": 844})
                    wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    self.assertLessEqual(wide, 0, f"{name} at {width}: scrolls sideways")
                    if SHOTS and width != 1280:
                        self.page.screenshot(path=os.path.join(SHOTS, f"{name}.{'phone' if width == 390 else 'projector'}.png"), full_page=True)
                self.page.set_viewport_size({"width": 1360, "height": 900})

    def test_strings_are_complete(self):
        self.open("index")
        missing = self.page.evaluate("Object.entries(XF.strings.text).filter(([k, v]) => !v.en || !v.zh).map(([k]) => k)")
        self.assertEqual(missing, [])
        # Texts of the command itself: every rung of the catalogue, every cause of the clock model.
        listed = subprocess.run([XEFORGE, "ladder", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
        catalog = self.page.evaluate("XF.strings.catalog")
        self.assertGreater(len(listed), 50)
        for line in listed:
            changes = re.sub(r"^\S+ +(on \S+ +)?", "", line)
            self.assertIn(changes, catalog)
        for cause in data("article.code_to_hardware.b580")["timing"]["causes"]:
            self.assertEqual(self.page.evaluate("name => XF.strings.text['stall.' + name].en", cause["name"]), cause["what"])

    def test_divergence(self):
        self.open("divergence")
        self.play("divergence.short_if.b580")
        self.lanes_match("divergence.short_if.b580")
        self.click('[data-value="divergence.divergent_loop"]')
        self.lanes_match("divergence.divergent_loop.b580")
        partly = [s for s in data("divergence.divergent_loop.b580")["threads"][0]["steps"] if 0 < s["e"] < 0xFFFF]
        self.assertGreater(len(partly), 3)
        self.assertIn("no fusion", self.page.inner_text("#pairs"))
        self.device("a770")
        fused = int(self.page.get_attribute("#pairs [data-cost]", "data-cost"))
        pair = data("divergence.divergent_loop.a770")["pairs"][0]
        self.assertEqual(fused, 2 * pair["together"])
        self.page.click('#pairs [data-value="off"]')
        alone = int(self.page.get_attribute("#pairs [data-cost]", "data-cost"))
        self.assertEqual(alone, sum(pair["alone"]))
        self.assertGreater(fused, alone)
        self.page.click(".player svg", position={"x": 200, "y": 40})
        self.assertGreater(self.step_of_player(), 0)
        self.page.click('[data-act="play"]')
        self.page.wait_for_function("before => Number(document.querySelector('.player').dataset.step) > before", arg=self.step_of_player())
        self.page.click('[data-act="play"]')

    def test_subgroup_operations(self):
        self.open("subgroup")
        for row in data("manifest")["recordings"]:
            if not row["id"].startswith("subgroup."):
                continue
            for name in row["devices"]:
                with self.subTest(operation=row["id"], device=name):
                    self.page.goto("about:blank")
                    self.open("subgroup", f"#kernel={row['id']}&device={name}")
                    recording = data(row["id"] + "." + name)
                    self.assertIsNone(recording["fault"])
                    moves = [n for n, s in enumerate(recording["threads"][0]["steps"]) if any(len(w) > 2 and any(f != w[0] for f in w[2]) for w in s.get("w", []))]
                    if row["kernel"] in ("shuffle_xor", "shuffle_lane", "reduce", "scan", "broadcast"):
                        self.assertTrue(moves)
                    if moves:
                        self.page.evaluate("n => document.querySelector('.player').xf.go(n)", moves[0])
                        self.assertGreater(self.page.locator(".arcs path").count(), 0)
                        step = recording["threads"][0]["steps"][moves[0]]
                        target = next(w for w in step["w"] if len(w) > 2 and any(f != w[0] for f in w[2]))
                        self.page.hover(f'.player .lane[data-lane="{target[0]}"]')
                        lit = self.page.evaluate("[...document.querySelectorAll('.player .lane.from')].map(c => Number(c.dataset.lane))")
                        self.assertEqual(lit, target[2])
        self.page.goto("about:blank")
        self.open("subgroup", "#kernel=subgroup.reduce&device=b580")
        self.play("subgroup.reduce.b580")

    def waits_at_the_barrier(self, recording):
        """In simulated time no thread reads before the barrier is complete."""
        timing = data(recording)["timing"]
        names = [cause["name"] for cause in timing["causes"]]
        waits = [s for s in timing["slices"] if names[s[4]] == "wait_barrier"]
        self.assertGreater(len(waits), 0)
        for wait in waits:
            self.assertAlmostEqual(wait[1], timing["barriers"][0], delta=2)

    def test_barrier(self):
        self.open("barrier")
        self.page.focus("#barrier-figure")
        self.page.keyboard.press("ArrowRight")
        self.assertEqual(self.page.get_attribute("#barrier-figure", "data-step"), "1")
        self.page.click("#barrier-figure button >> nth=0")
        self.assertGreater(self.page.locator("#barrier-figure .slm .fresh").count(), 0)
        self.waits_at_the_barrier("barrier.exchange.b580")
        self.waits_at_the_barrier("barrier.exchange.a770")
        self.assertEqual(self.page.locator(".timeline .arrives").count(), 4)
        self.assertIn("No race", self.page.inner_text("#findings"))
        self.click('[data-value="barrier.exchange_unsynchronised"]')
        found = data("barrier.exchange_unsynchronised.b580")["findings"]
        self.assertEqual({f["id"].split(".")[0] for f in found}, {"races"})
        self.assertIn(found[0]["message"], self.page.inner_text("#findings"))
        self.assertGreater(self.page.locator("#findings .card").count(), 0)
        self.device("a770")
        self.assertGreater(self.page.locator("#findings .card").count(), 0)

    def test_code(self):
        self.open("code")
        for name in ("b580", "a770"):
            self.device(name)
            recording = data("article.code_to_hardware." + name)
            line_of = lambda i: i.get("call" if "file" in i else "line", 0)
            lines = sorted({line_of(i) for i in recording["isa"]} - {0})
            for call in ("permute_group_by_xor", "group_barrier"):  # what headers made of them is theirs
                line = next(n for n, text in enumerate(recording["source"]["lines"], 1) if call in text)
                self.assertIn(line, lines)
            for line in lines:
                self.page.hover(f'.code .row[data-line="{line}"]')
                lit = self.page.evaluate("[...document.querySelectorAll('.isa .row.lit')].map(r => Number(r.dataset.inst))")
                self.assertEqual(lit, [n for n, i in enumerate(recording["isa"]) if line_of(i) == line])
            index = next(n for n, i in enumerate(recording["isa"]) if i["unit"] == "slm")
            self.page.hover(f'.isa .row[data-inst="{index}"]')
            self.assertEqual(self.page.get_attribute(".tile.hot", "data-unit"), "slm")
            self.page.hover('.tile[data-unit="gateway"]')
            self.assertGreater(self.page.locator(".code .row.lit, .isa .row.lit").count(), 0)
            self.page.focus(".isa")
            self.page.keyboard.press("ArrowDown")
            self.assertEqual(self.page.locator(".isa .row.lit").count(), 1)

    def test_hierarchy(self):
        self.open("hierarchy")
        for name in ("b580", "a770", "b60", "lnl"):
            self.device(name)
            for slider in range(3):
                self.page.locator(".slider input").nth(slider).focus()
                self.page.keyboard.press("ArrowRight")
            self.assertRegex(self.page.inner_text("#map-says"), r"work-item \d+ = group \d+ . sub-group \d+ . lane \d+")
        for device in data("devices"):  # every position of every slider was simulated, with this device's threads
            launches = data("dispatch." + device["id"])
            self.assertEqual({(x["local"], x["count"], x["simd"]) for x in launches["launches"]},
                             {(s, c, w) for s in launches["sizes"] for c in launches["groups"] for w in device["sub_group_sizes"]})
            self.assertTrue(all(len(x["cores"]) == x["count"] and max(x["cores"]) < device["xe_cores"] for x in launches["launches"]))
        self.device("b580")
        self.page.click('[data-group="3"]')
        self.assertIn("group 3", self.page.inner_text("#map-says"))
        self.page.keyboard.press("ArrowRight")
        self.assertIn("group 4", self.page.inner_text("#map-says"))
        self.page.keyboard.press("ArrowLeft")
        self.page.hover('[data-thread="1"]')
        self.assertGreaterEqual(self.page.locator("[data-slot].from").count(), 1)
        launches = data("dispatch.b580")["launches"]
        local, count, simd = self.page.evaluate("[XF.mapQuery.group, XF.mapQuery.groups, XF.mapQuery.simd]")
        one = next(x for x in launches if (x["local"], x["count"], x["simd"]) == (local, count, simd))
        self.assertIn("Xe-core %d" % one["cores"][3], self.page.inner_text("#map-says"))
        self.page.hover(f'[data-core="{one["cores"][0]}"]')
        groups = self.page.evaluate("[...document.querySelectorAll('[data-group].from')].map(c => Number(c.dataset.group))")
        self.assertEqual(groups, [g for g, c in enumerate(one["cores"]) if c == one["cores"][0]])

    def test_claims(self):
        self.open("claims")
        self.assertEqual(self.page.locator("tr[data-claim]").count(), 24)
        for claim in data("claims"):
            self.assertTrue(claim["evidence"])
        self.click('[data-value="wrong"]')
        self.assertEqual(self.page.locator("tr[data-claim]").count(), sum(c["verdict"] == "wrong" for c in data("claims")))
        self.click('[data-value="all"]')
        links = self.page.evaluate("[...document.querySelectorAll('tr[data-claim] a')].map(a => a.getAttribute('href'))")
        self.assertGreater(len(links), 40)
        where = {"devices": "tr.limits", "occupancy": "#occupancy-result .big", "barrier": "#barrier-figure", "code": "#code-figure"}
        for link in sorted(set(links)):  # each leads to what it names
            name, _, state = link.partition(".html")
            self.page.goto("about:blank")
            self.open(name, state)
            self.assertEqual(self.page.locator(where.get(name, ".player")).count(), 2 if name == "occupancy" else 1, link)
            step = re.search(r"pc=(\d+)", state)
            if step and name in ("divergence", "subgroup"):
                self.assertEqual(self.page.inner_text(".isa .row.now .no >> nth=0"), step[1], link)

    def test_timeline(self):
        self.open("timeline")
        self.assertGreater(self.page.locator(".timeline rect").count(), 20)
        # The widest slice: the pointer cannot meet one that is narrower than a pixel.
        widest = self.page.evaluate("""() => [...document.querySelectorAll(".timeline rect[data-cause]")]
          .map((r, i) => [Number(r.getAttribute("width")), i]).sort((a, b) => b[0] - a[0])[0][1]""")
        self.page.hover(f".timeline rect[data-cause] >> nth={widest}")
        self.assertIn(":", self.page.inner_text(".timeline .mono"))
        self.page.mouse.move(0, 0)
        before = self.page.locator(".timeline rect").count()
        self.page.focus(".timeline")
        for _ in range(4):
            self.page.keyboard.press("+")
        self.assertLess(self.page.locator(".timeline rect").count(), before)
        self.page.keyboard.press("0")
        said = set()
        for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
            self.page.keyboard.press(key)
            said.add(self.page.inner_text(".timeline p.mono"))
        self.assertEqual(len(said), 3)
        self.device("a770")
        with open(os.path.join(PAGES, "traces", "article.code_to_hardware.b580.json"), encoding="utf-8") as file:
            trace = json.load(file)
        events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
        self.assertGreater(len(events), 20)
        self.assertTrue(all(e["dur"] >= 0 and e["ts"] >= 0 for e in events))

    def test_ladder(self):
        report = data("ladder")
        self.open("ladder")
        if report is None:
            self.assertIn("without a ladder report", self.page.inner_text("main"))
            return
        ids = [r["id"] for r in report["rungs"] if r["counts"]]
        self.assertEqual(self.page.locator("g.rung[data-rung]").count() % len(ids), 0)
        self.click(f'g.rung[data-rung="{ids[-1]}"] >> nth=0')
        self.assertIn(ids[-1], self.page.inner_text("#rung h3 >> nth=0"))
        shown = self.page.inner_text("#rung table")
        self.assertIn(f'{report["rungs"][-1]["counts"]["instructions"]:,}', shown)
        self.assertEqual(self.page.evaluate("document.activeElement.dataset.rung"), ids[-1])
        turn = self.page.evaluate("document.body.dataset.ready")
        self.page.keyboard.press("ArrowUp")
        self.ready(turn)
        self.assertIn(ids[-2], self.page.inner_text("#rung h3 >> nth=0"))
        self.click('[data-value="share"]')
        self.assertEqual(self.page.locator("g.rung[data-rung]").count() % len(ids), 0)
        simulated = [r for r in report["rungs"] if r["time_us"]["simulated"]]
        self.assertEqual("simulated ms" in self.page.inner_text("main"), bool(simulated))

    def command(self, device, query):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            words = [XEFORGE, "occupancy", "--device", device, "--json", out.name, "--group", str(query["group_size"]), "--simd", str(query["simd"]), "--grf", str(query["grf"]),
                     "--slm", str(query["slm_bytes"]), "--barriers", str(query["barriers"])]
            if query["groups"]:
                words += ["--groups", str(query["groups"])]
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode != 0:
                return {"error": re.sub("^xeforge: ", "", done.stderr.strip())}
            with open(out.name, encoding="utf-8") as file:  # the command replaced it
                result = json.load(file)
            return {"driver": result["driver"], "calculator": result["calculator"]}

    def test_occupancy_equals_the_command(self):
        """A thousand random inputs, faulty ones among them, and the golden rows."""
        self.open("occupancy")
        rng = random.Random(7)
        cases = []
        for device in data("devices"):
            for _ in range(250):
                cases.append((device["id"], {
                    "group_size": rng.choice([rng.randint(1, 1100), 2 ** rng.randint(0, 10)]), "simd": rng.choice([0, 1, 8, 16, 32]), "grf": rng.choice([128, 256]),
                    "slm_bytes": rng.choice([0, rng.randint(0, 140000), 1024 * rng.randint(0, 128)]), "barriers": rng.choice([0, 1, rng.randint(0, 70)]), "groups": rng.choice([0, 0, rng.randint(1, 5000)])}))
        q = dict(group_size=256, simd=16, grf=128, slm_bytes=0, barriers=0, groups=0)
        golden = [("a770", q, 8, 1), ("a770", q | {"slm_bytes": 32768}, 4, 0.5), ("a770", q | {"simd": 8}, 4, 1), ("b580", q, 4, 1), ("b580", q | {"simd": 32}, 8, 1),
                  ("b580", q | {"grf": 256}, 2, 0.5), ("b580", q | {"slm_bytes": 49152}, 3, 0.75), ("b580", q | {"simd": 32, "slm_bytes": 32768}, 5, 0.625)]
        evaluate = "([d, q]) => XF.occupancy(XF.loaded.devices.find(x => x.id === d), q)"
        errors = 0
        for device, query in cases + [(d, x) for d, x, _, _ in golden]:
            page = self.page.evaluate(evaluate, [device, query])
            command = self.command(device, query)
            self.assertEqual("error" in page, page.pop("refused", None) is not None)
            self.assertEqual(page, command, (device, query))
            errors += "error" in page
        self.assertGreater(errors, 50)
        self.assertLess(errors, 900)
        for device, query, groups, fraction in golden:
            page = self.page.evaluate(evaluate, [device, query])["driver"]
            self.assertEqual((page["groups_per_core"], page["occupancy"]), (groups, fraction))

    def test_occupancy_page(self):
        self.open("occupancy")
        for device in ("a770", "lnl", "b580"):
            self.device(device)
            self.assertEqual(self.page.locator("#occupancy-result .card[data-rules]").count(), 2)
        before = self.page.inner_text("#occupancy-result")
        self.page.locator(".slider input").nth(3).focus()
        self.page.keyboard.press("End")
        self.assertNotEqual(self.page.inner_text("#occupancy-result"), before)
        self.assertIn("shared local memory", self.page.inner_text("#occupancy-result .limited >> nth=0"))
        # The page's sentence is the command's, made of the same numbers; and there is one in Chinese.
        for said, meant in self.page.evaluate("[...document.querySelectorAll('.next')].map(n => [n.textContent, n.dataset.next])"):
            self.assertEqual(said, meant)
        self.click("#lang")
        self.assertRegex(self.page.inner_text("#occupancy-result .next >> nth=0"), "占用率由")
        self.page.locator(".slider input").nth(1).focus()
        self.page.keyboard.press("Home")
        self.assertRegex(self.page.inner_text("#occupancy-result [role=alert]"), "硬件线程")
        self.page.keyboard.press("ArrowRight")
        self.click("#lang")
        turn = self.page.evaluate("document.body.dataset.ready")
        self.page.select_option("main select", "article.code_to_hardware")
        self.ready(turn)
        self.assertEqual(self.page.evaluate("XF.occupancyQuery.barriers"), data("article.code_to_hardware.b580")["compiled"]["barriers"])

    def test_own_kernel(self):
        self.open("own")
        row = data("manifest")["own"][0]
        self.play(f"{row['id']}.b580")
        self.assertIn(row["kernel"], self.page.inner_text("main"))


if __name__ == "__main__":
    if SHOTS:
        os.makedirs(SHOTS, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
