/* What a table has, from the csv file that the program has written: its numbers are plain, its missing cells empty.
 * Columns are kept as numbers, or as numbers of levels where one cell is a text, for pictures and for single rows. Lines
 * are read by cells.js. */
"use strict";

const MOST_TEXT = 2e8; /* letters that are looked at */
const MOST_CELLS = 2e7;
const BARS = 16;
const DATE = /^(\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{4})([ T]\d\d?:\d\d.*)?$/;
let table = null;
let tableKey = 0;

const isText = (cell) => cell !== "" && Number.isNaN(Number(cell));

/* The rule of the program: a text over a number, or texts and no number at all. */
function hasNames(first, second, header) {
    if (header) return header === "yes";
    return (
        first.some((cell, j) => isText(cell) && second[j] && !isText(second[j])) ||
        (first.some(isText) && first.every((cell) => cell === "" || isText(cell)))
    );
}

/* 53 bits of a line. */
function hash(text) {
    let a = 0xdeadbeef;
    let b = 0x41c6ce57;
    for (let i = 0; i < text.length; i++) {
        const letter = text.charCodeAt(i);
        a = Math.imul(a ^ letter, 2654435761);
        b = Math.imul(b ^ letter, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
}

function takeLevel(column, cell) {
    let code = column.levels.get(cell);
    if (code === undefined) {
        code = column.levels.size;
        column.levels.set(cell, code);
    }
    return code;
}

/* The first text of a column: the numbers before it are texts too. */
function becomeText(column, before) {
    column.levels = new Map();
    for (let i = 0; i < before; i++)
        if (!Number.isNaN(column.values[i])) column.values[i] = takeLevel(column, String(column.values[i]));
}

function putCell(column, i, cell) {
    if (cell === undefined || cell === "") {
        column.values[i] = NaN;
        return;
    }
    const value = Number(cell);
    if (!column.levels && Number.isNaN(value)) becomeText(column, i);
    column.values[i] = column.levels ? takeLevel(column, cell) : value;
}

function countLines(text) {
    let count = 1;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
    return count;
}

function readTable(bytes, header) {
    const text = decoder.decode(bytes.length > MOST_TEXT ? bytes.subarray(0, MOST_TEXT) : bytes);
    const first = readLine(text, 0);
    const second = readLine(text, first.next);
    const named = hasNames(first.cells, second.cells, header);
    const most = Math.min(countLines(text), Math.max(10, Math.floor(MOST_CELLS / first.cells.length)));
    const columns = first.cells.map((cell, j) => ({
        name: named ? cell : `#${j + 1}`,
        values: new Float64Array(most),
        levels: null,
    }));
    const seen = new Set();
    let rows = 0;
    let copies = 0;
    let at = named ? first.next : 0;
    for (; at < text.length && rows < most; rows++) {
        const { cells, next } = readLine(text, at);
        columns.forEach((column, j) => putCell(column, rows, cells[j]));
        const mark = hash(text.slice(at, next));
        if (seen.has(mark)) copies++;
        seen.add(mark);
        at = next;
    }
    return { columns, rows, copies, named, whole: at >= text.length && bytes.length <= MOST_TEXT };
}

function barsOf(values, rows, low, high) {
    const bars = new Array(BARS).fill(0);
    const factor = high > low ? BARS / (high - low) : 0;
    for (let i = 0; i < rows; i++)
        if (Number.isFinite(values[i])) bars[Math.min(BARS - 1, Math.floor((values[i] - low) * factor))]++;
    return bars;
}

function describeNumbers({ values }, rows) {
    let count = 0;
    let mean = 0;
    let square = 0;
    let whole = true;
    let steps = 0;
    let low = Infinity;
    let high = -Infinity;
    const different = new Map();
    for (let i = 0; i < rows; i++) {
        const value = values[i];
        if (!Number.isFinite(value)) continue;
        const off = value - mean;
        count++;
        mean += off / count;
        square += off * (value - mean);
        low = Math.min(low, value);
        high = Math.max(high, value);
        whole = whole && Number.isInteger(value);
        steps += i > 0 && value === values[i - 1] + 1;
        if (different.size < 100000 || different.has(value)) different.set(value, different.has(value));
    }
    const isFew = different.size <= 20;
    return {
        kind: count === 0 ? "empty" : "number",
        missing: rows - count,
        distinct: different.size,
        whole,
        counting: whole && count > 2 && steps === rows - 1,
        low,
        high,
        mean: Math.abs(mean) > 1e-12 * (high - low) ? mean : 0 /* of rounding alone */,
        sd: count > 1 ? Math.sqrt(square / (count - 1)) : 0,
        bars: count ? barsOf(values, rows, low, high) : [],
        few: isFew ? [...different.keys()].sort((a, b) => a - b) : null,
        repeated: isFew && [...different.values()].every(Boolean),
    };
}

function describeTexts({ values, levels }, rows) {
    const names = [...levels.keys()];
    const counts = new Array(names.length).fill(0);
    let missing = 0;
    for (let i = 0; i < rows; i++) {
        if (Number.isNaN(values[i])) missing++;
        else counts[values[i]]++;
    }
    const order = names.map((_, k) => k).sort((a, b) => counts[b] - counts[a]);
    return {
        kind: names.slice(0, 50).every((name) => DATE.test(name)) ? "date" : "text",
        missing,
        distinct: names.length,
        levels: order.slice(0, 200).map((k) => [names[k], counts[k]]),
        bars: order.slice(0, BARS).map((k) => counts[k]),
    };
}

const describe = (column, rows) => ({
    name: column.name,
    ...(column.levels ? describeTexts : describeNumbers)(column, rows),
});

/* The columns are a text: thousands of objects would take the page longer than a frame to receive. */
function describeAll() {
    const { columns, rows, copies, named, whole } = table;
    const first = [];
    for (let i = 0; i < Math.min(6, rows); i++) first.push(cellsOfRow(i).slice(0, 30));
    return {
        rows,
        copies,
        named,
        whole,
        first,
        smooth: smoothness(),
        columns: JSON.stringify(columns.map((column) => describe(column, rows))),
    };
}

function correlation(a, b, rows) {
    let n = 0;
    let ma = 0;
    let mb = 0;
    let aa = 0;
    let bb = 0;
    let ab = 0;
    for (let i = 0; i < rows; i++) {
        if (Number.isNaN(a[i] + b[i])) continue;
        n++;
        const da = a[i] - ma;
        const db = b[i] - mb;
        ma += da / n;
        mb += db / n;
        aa += da * (a[i] - ma);
        bb += db * (b[i] - mb);
        ab += da * (b[i] - mb);
    }
    return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/* The median correlation of neighbouring columns of numbers, of at most 40 pairs: near 1 for curves. */
function smoothness() {
    const pairs = [];
    for (let j = 1; j < table.columns.length; j++)
        if (!table.columns[j].levels && !table.columns[j - 1].levels) pairs.push(j);
    if (pairs.length < 15) return 0;
    const every = Math.ceil(pairs.length / 40);
    const found = pairs
        .filter((_, k) => k % every === 0)
        .map((j) =>
            correlation(table.columns[j].values, table.columns[j - 1].values, Math.min(table.rows, 500)),
        )
        .sort((a, b) => a - b);
    return found[Math.floor(found.length / 2)];
}

/* Whether each value of one column has its own value of the other. */
function isOneToOne(a, b, rows) {
    const there = new Map();
    const back = new Map();
    for (let i = 0; i < rows; i++) {
        if (Number.isNaN(a.values[i] + b.values[i])) continue;
        if (!there.has(a.values[i])) there.set(a.values[i], b.values[i]);
        if (!back.has(b.values[i])) back.set(b.values[i], a.values[i]);
        if (there.get(a.values[i]) !== b.values[i] || back.get(b.values[i]) !== a.values[i]) return false;
    }
    return there.size > 1 && there.size <= rows / 2;
}

/* What is almost the target: [column, "same"], or [column, correlation]. */
function relateTo(target) {
    const { columns, rows } = table;
    const own = columns[target];
    const found = [];
    columns.forEach((column, j) => {
        if (j === target) return;
        const r = column.levels || own.levels ? 0 : correlation(column.values, own.values, rows);
        if (Math.abs(r) > 0.98) found.push([j, r]);
        else if (isOneToOne(column, own, rows)) found.push([j, "same"]);
    });
    return found;
}

/* Numbers of some rows; texts are NaN. */
function numbersAt(rows, columns) {
    return rows.map((i) => columns.map((j) => (table.columns[j].levels ? NaN : table.columns[j].values[i])));
}

/* One column at some rows: its numbers, or where it has texts their places among `names`. */
function valuesAt(rows, j) {
    const { values, levels } = table.columns[j];
    return { values: rows.map((i) => values[i]), names: levels && [...levels.keys()] };
}

function cellsOfRow(i) {
    return table.columns.map(({ values, levels, names }, j) => {
        if (Number.isNaN(values[i])) return "";
        if (!levels) return String(values[i]);
        table.columns[j].names ||= [...levels.keys()];
        return table.columns[j].names[values[i]];
    });
}

const looks = { describe: describeAll, relate: relateTo, numbers: numbersAt, values: valuesAt, row: cellsOfRow };

/* A worker that was started anew reads the table again. */
function lookAt({ table: { key }, header, what, arguments: given = [] }, bytes) {
    if (tableKey !== key) table = readTable(bytes, header);
    tableKey = key;
    return looks[what](...given);
}
