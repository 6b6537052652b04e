// The pieces of the page that need no browser: node --test tests/report/units.mjs
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const folder = new URL("../../src/show/report/page/", import.meta.url);
const names = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .sort();
const texts = names.map((name) => readFileSync(new URL(name, folder), "utf8"));
const element = { addEventListener() {} };
const context = vm.createContext({ document: { ...element, documentElement: element }, atob });
// The script as it is written, or as it is in the page: squeezed (PAGE_SCRIPT, a file).
// There names are short (PAGE_NAMES, a file).
const squeezed = process.env.PAGE_SCRIPT;
const short = squeezed ? JSON.parse(readFileSync(process.env.PAGE_NAMES, "utf8")) : {};
vm.runInContext(squeezed ? readFileSync(squeezed, "utf8") : texts.join(""), context);
const page = vm.runInContext(
    `({ numbersOf, programText, decimalsFor, withError, plusMinus, fixedText, briefText, withInterval, percentText, groupedText, pluralText, linearScale, extentOf,
  paddedSpan, roundTicks, pointsInside, nearestPoint, makeSelection, csvText, csvCell, classLook, byClass, byNumber, rampColour, SHAPES, svgPen, xmlText,
  pathOf, outlineOf, cut, confusionOf, rocOf, outlyingRows, leading, sortRows, targetOf, factText, pixelOf, marksAlong, shareInterval, powersBetween })`.replace(/\w+(?=[,\s}])/g, (name) => `${name}: ${short[name] || name}`),
    context
);
// What comes out of the other context, as objects of this one.
const plain = (value) => JSON.parse(JSON.stringify(value));

test("no two files declare the same name", () => {
    const seen = new Map();
    for (const [i, text] of texts.entries()) {
        for (const [, name] of text.matchAll(/^(?:function|const|let) (\w+)/gm)) {
            assert.ok(!seen.has(name), `${name} of ${names[i]} is declared in ${seen.get(name)} too`);
            seen.set(name, names[i]);
        }
    }
});

test("what the squeezing relies on: no template in a template, no odd quote, no comment behind code", () => {
    for (const [i, text] of texts.entries()) {
        for (const [number, line] of text.split("\n").entries()) {
            const place = `${names[i]}:${number + 1}`;
            if (/^ *\/\//.test(line)) continue;
            const rest = line.replace(/"[^"\n]*"|`[^`]*`/g, "");
            assert.ok(!/["`]/.test(rest), `${place}: a quote without its partner`);
            assert.ok(!/\/\/|\/\*/.test(rest), `${place}: a comment behind code`);
            const literals = line.match(/"[^"\n]*"|`[^`]*`/g) || [];
            assert.ok(
                !literals.some((text) => /[,;]\}|,[\])]|\([a-z]+\)=>/.test(text)),
                `${place}: a text that looks like what is squeezed`
            );
            assert.ok(!/[+-] [+-]/.test(rest), `${place}: two signs side by side`);
            for (const [, inner] of line.matchAll(/`([^`]*)`/g)) {
                assert.ok(inner.split("${").length <= inner.split("}").length, `${place}: a template in a template`);
            }
        }
    }
});

test("names with a capital letter that belong to the whole script are nothing else: they are made short", () => {
    const all = texts.join("").replace(/^ *\/\/.*$/gm, ""),
        words = all.match(/"[^"\n]*"/g).join(" ");
    for (const [, name] of all.matchAll(/^(?:function|const|let) (\w*[A-Z]\w*)/gm)) {
        assert.ok(!new RegExp(`[^.]\\.${name}\\b`).test(all), `${name} is a property too`);
        assert.ok(!new RegExp(`((?<!\\$)\\{|,)\\s*${name}\\s*[:}]`).test(all), `${name} is a key too`);
        assert.ok(!new RegExp(`\\b${name}\\b`).test(words), `${name} is in a text`);
    }
    assert.ok(!/\$[a-zA-Z]|\b_[a-zA-Z0-9]\b/.test(all), "a name like those that are made");
});

test("scripts do not make code or markup of texts", () => {
    for (const [i, text] of texts.entries()) {
        assert.ok(!/\beval\b|innerHTML|outerHTML|insertAdjacentHTML|document\.write|new Function/.test(text), names[i]);
    }
});

test("columns of numbers", () => {
    const encode = (array) => Buffer.from(array.buffer).toString("base64");
    for (const [kind, type] of Object.entries({
        f64: Float64Array,
        f32: Float32Array,
        u8: Uint8Array,
        u16: Uint16Array,
        u32: Uint32Array,
    })) {
        const column = { [kind]: encode(type.from([0, 1, 200, 3])) };
        assert.deepEqual([...page.numbersOf(column)], [0, 1, 200, 3]);
        assert.equal(page.numbersOf(column), page.numbersOf(column), "decoded once");
    }
    assert.equal(page.numbersOf(null), null);
    assert.deepEqual(page.numbersOf({ f64: "" }).length, 0);
});

test("digits end with the second one of the standard error, here, there and in files", () => {
    for (const [value, error, words, number] of [
        [2.28271, 0.117, "2.28", 2.28],
        [2561.4, 160, "2560", 2560],
        [2561.4, 31, "2561", 2561],
        [-2561.4, 2e4, "\u22123000", -3000],
        [0.98314606, 0.0097, "0.9831", 0.9831],
        [0.98314606, 0.0114, "0.983", 0.983],
        [-0.0001, 0.1, "0.00", 0],
        [12.3456, NaN, "12.3", 12.3],
    ]) {
        assert.equal(page.withError(value, error, true), words);
        assert.equal(page.withError(value, error, false), number);
    }
    assert.equal(page.withInterval(2561.4, 2241.3, 2881.5), "2560 [2240, 2880]");
    assert.equal(page.plusMinus(2561.4, 160.2), "2560 \u00b1 160");
    assert.equal(page.plusMinus(0.5, null), "0.5");
    assert.equal(page.withError("words", 1, true), "words");
});

test("numbers as the program writes them", () => {
    const cases = [
        [0.1, "0.1"],
        [-0, "-0"],
        [1e-5, "1e-5"],
        [0.0001, "0.0001"],
        [1.5e-7, "1.5e-7"],
        [123456789012345, "123456789012345"],
        [1e15, "1e15"],
        [1e20, "1e20"],
        [1234567890123456, "1234567890123456"],
        [0.11390753013881369, "0.11390753013881369"],
        [NaN, "nan"],
        [-Infinity, "-inf"],
        [100, "100"],
        [1 / 3, "0.3333333333333333"],
        [2.5, "2.5"],
        [-2.3875649542009034, "-2.3875649542009034"],
        [123456.5, "123456.5"],
    ];
    for (const [value, text] of cases) assert.equal(page.programText(value), text);
    for (let i = 0; i < 500; i++) {
        const value = (Math.random() - 0.5) * 10 ** (Math.random() * 40 - 20);
        assert.equal(Number(page.programText(value)), value);
    }
});

test("numbers for people", () => {
    assert.equal(page.decimalsFor(0.043), 3);
    assert.equal(page.decimalsFor(2), 1);
    assert.equal(page.decimalsFor(0), 3);
    assert.equal(page.withInterval(2.3142, 2.1731, 2.4512), "2.314 [2.173, 2.451]");
    assert.equal(page.withInterval(0.5, null, null), "0.5");
    assert.equal(page.briefText(1234.5678), "1235");
    assert.equal(page.briefText(-0.00001234567), "\u22121.235e\u22125");
    assert.equal(page.briefText(12.30001), "12.3");
    assert.equal(page.briefText(0), "0");
    assert.equal(page.briefText(null), "\u2013");
    assert.equal(page.fixedText(-0.0001, 2), "0.00");
    assert.equal(page.percentText(0.5), "50\u00a0%");
    assert.equal(page.groupedText(1234567), "1\u202f234\u202f567");
    assert.equal(page.pluralText(1, "row"), "1 row");
});

test("scales and round values", () => {
    const scale = page.linearScale(10, 20, 100, 300);
    assert.equal(scale(15), 200);
    assert.equal(scale.invert(200), 15);
    assert.equal(page.linearScale(3, 3, 0, 10)(3), 5);
    assert.deepEqual(plain(page.extentOf([3, NaN, -1], [7, Infinity])), [-1, 7]);
    assert.deepEqual(plain(page.extentOf([])), [0, 1]);
    assert.deepEqual(plain(page.paddedSpan([5, 5])), [4.5, 5.5]);
    assert.deepEqual(plain(page.roundTicks(0, 1, 5).values), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    assert.equal(page.roundTicks(0, 1, 5).decimals, 1);
    assert.deepEqual(plain(page.roundTicks(-3, 3, 3).values), [-2, 0, 2]);
    for (const [low, high] of [
        [1e-12, 3e-12],
        [1e9, 5e9],
        [-7, -6.99],
    ]) {
        const { values } = page.roundTicks(low, high, 5);
        assert.ok(
            values.length >= 2 &&
                values.length <= 8 &&
                values.every((value) => value >= low - Math.abs(low) * 1e-6 && value <= high + Math.abs(high) * 1e-6)
        );
    }
    assert.equal(page.roundTicks(2, 2, 5).values.length, 1);
});

test("points in a rectangle and near a place", () => {
    const xs = [10, 20, NaN, 30, 400],
        ys = [10, 20, 5, 30, 400],
        found = [];
    page.pointsInside(xs, ys, { x0: 10, y0: 5, x1: 30, y1: 20 }, (i) => found.push(i));
    assert.deepEqual(found, [0, 1]);
    assert.equal(page.nearestPoint(xs, ys, 22, 22, 14), 1);
    assert.equal(page.nearestPoint(xs, ys, 100, 100, 14), -1);
});

test("the selection tells everybody", () => {
    const selection = page.makeSelection(5),
        told = [];
    selection.listen((source) => told.push([source, selection.count]));
    selection.replace((visit) => [1, 2].forEach(visit), "a");
    selection.replace((visit) => visit(4), "b", selection.mask.slice());
    selection.toggle(1, "c");
    assert.deepEqual([...selection.mask], [0, 0, 1, 0, 1]);
    selection.clear("d");
    assert.deepEqual(told, [
        ["a", 2],
        ["b", 3],
        ["c", 2],
        ["d", 0],
    ]);
});

test("text separated by commas", () => {
    assert.equal(
        page.csvText(["a", "b,c"], 2, (i, j) => (j ? `x"${i}` : i / 2)),
        'a,"b,c"\n0,"x""0"\n0.5,"x""1"\n'
    );
    assert.equal(page.csvCell(" blank"), '" blank"');
    assert.equal(page.csvCell("two\nlines"), '"two\nlines"');
    assert.equal(page.csvCell(NaN), "");
    assert.equal(page.csvCell(null), "");
    assert.equal(
        page.csvText(["z1"], 1, () => NaN),
        'z1\n""\n'
    );
});

test("colours: 20 classes have 20 colours and 100 look different, on light and on dark", () => {
    for (const dark of [false, true]) {
        const looks = Array.from({ length: 100 }, (_, c) => page.classLook(c, dark));
        assert.equal(new Set(looks.map((look) => JSON.stringify(look))).size, 100);
        assert.equal(new Set(looks.slice(0, 20).map(({ colour }) => colour)).size, 20);
    }
    const { key, groups } = page.byClass([0, 1, 65535], ["a", "b"], false);
    assert.deepEqual([...key], [0, 1, 255]);
    assert.equal(groups[1].label, "b");
    const numbers = page.byNumber([0, 5, 10, NaN], [0, 10], false);
    assert.deepEqual([...numbers.key], [0, 6, 12, 255]);
    assert.ok([...numbers.key].every((k) => /^#[0-9a-f]{6}$/.test(numbers.groups[k].colour)));
    assert.equal(page.pixelOf("#102030"), 0xff302010);
});

test("pictures as SVG hold any text", () => {
    assert.equal(page.xmlText('<a b="c">&\u0000\u0007'), "&#60;a b=&#34;c&#34;&#62;&#38;");
    const pen = page.svgPen(100, 50, "#ffffff");
    pen.line([0, 0, 10, 5, NaN, 0, 20, 20], "#000000");
    pen.marks([0], [5], [6], { colour: "#112233", shape: "plus" }, 3);
    pen.marks([0], [5], [6], { colour: "#445566", shape: "plus", hollow: 1 }, 3);
    pen.within(0, 0, 10, 10, () => pen.write(1, 2, "</text><script>", { fill: "#000000" }));
    const text = pen.result();
    assert.ok(
        text.startsWith("<svg xmlns=") &&
            !text.includes("<script>") &&
            text.includes("M0 0L10 5M20 20") &&
            text.includes('fill="#112233"') &&
            /fill="none" stroke="#445566"/.test(text) &&
            text.includes("&#60;/text&#62;")
    );
    assert.match(page.outlineOf("circle", 3), /^m-3 0a3 3/);
});

test("names are cut to one line, in the middle", () => {
    assert.equal(page.cut("concentration of fat", 9), "conce\u2026fat");
    assert.equal([...page.cut("0123456789", 6)].length, 6);
    assert.equal(page.cut("two\nlines", 20), "two lines");
    assert.equal(page.cut("\u{1f52d}\u{1f52d}\u{1f52d}", 2), "\u{1f52d}\u2026");
    assert.equal(page.cut("", 5), "");
});

test("confusion and ROC", () => {
    const target = { measured: [0, 0, 1, 1, 65535], predicted: [0, 1, 1, 1, 0], classes: ["a", "b"] };
    assert.deepEqual([...page.confusionOf(target, () => true)], [1, 1, 0, 2]);
    assert.deepEqual([...page.confusionOf(target, (i) => [0, 1, 0, 1, 1][i])], [0, 1, 0, 1]);
    // The interval of a share by Wilson, as R's prop.test without correction prints it for 8 of 10.
    const [low, high] = page.shareInterval(8, 10);
    assert.ok(Math.abs(low - 0.4902) < 1e-4 && Math.abs(high - 0.9433) < 1e-4);
    const roc = page.rocOf(Float32Array.from([0.9, 0.8, 0.8, 0.1, NaN]), [1, 1, 0, 0, 1]);
    assert.deepEqual(plain(roc.fpr), [0, 0, 0.5, 1]);
    assert.deepEqual(plain(roc.tpr), [0, 0.5, 1, 1]);
    assert.equal(roc.auc, 0.875);
    assert.deepEqual([...roc.place], [1, 2, 2, 3, -1]);
    assert.ok(Number.isNaN(page.rocOf([0.1, 0.2], [1, 1]).auc));
});

test("a logarithmic axis has round values, as many as fit", () => {
    assert.deepEqual(plain(page.powersBetween(-3, 0.1, 9)), [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1]);
    assert.deepEqual(plain(page.powersBetween(-0.1, 0.8, 9)), [1, 2, 5]);
    assert.deepEqual(plain(page.powersBetween(-4.5, 3.5, 9)), [0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000]);
});

test("rows beyond a limit, the farthest first", () => {
    const found = page.outlyingRows({ t2: [1, 20, 5], q: [1, 3, 9], t2_limit: 10, q_limit: 2 });
    assert.deepEqual(plain(found), [
        { row: 2, times: 4.5, by: "Q" },
        { row: 1, times: 2, by: "T\u00b2 and Q" },
    ]);
    assert.deepEqual(plain(page.outlyingRows({ t2: [1], q: [1], t2_limit: null, q_limit: null })), []);
});

test("sorting: missing values last both ways", () => {
    const values = [3, NaN, 1, 2],
        rows = () => [0, 1, 2, 3];
    assert.deepEqual(
        page.sortRows(rows(), (row) => values[row], false),
        [2, 3, 0, 1]
    );
    assert.deepEqual(
        page.sortRows(rows(), (row) => values[row], true),
        [0, 3, 2, 1]
    );
    assert.deepEqual(
        page.sortRows([0, 1], (row) => ["b", "a"][row], false),
        [1, 0]
    );
    assert.deepEqual(plain(page.leading([1, -5, 3], 2)), [1, 2]);
});

test("the target by its kind", () => {
    assert.deepEqual(plain(page.targetOf({ task: "none", response: null }, 0)), {});
    const label = page.targetOf(
        { task: "multilabel", response: [[0, 1, NaN]], predicted: [[0.2, 0.7, 0.6]], responses: [{ name: "sad" }] },
        0
    );
    assert.deepEqual([...label.measured], [0, 1, 255]);
    assert.deepEqual([...label.predicted], [0, 1, 1]);
    assert.equal(label.score(0)[1], 1 - 0.7);
    assert.equal(
        page.targetOf(
            { task: "regression", response: [[1]], predicted: null, responses: [{ name: "fat", unit: "%" }] },
            0
        ).title,
        "fat (%)"
    );
});
