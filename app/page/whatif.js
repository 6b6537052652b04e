// "What if": the values of one row are moved; prediction, interval and its place among the other rows follow.

const MOST_MOVED = 8;
const MOST_MARKS = 2000;
let what = null; // {cells, moved, files, places, columns}

function rowBlob(cells) {
    const names = work.profile.columns.map(({ name }) => name);
    return new Blob([
        work.profile.named ? csvText(names, 1, (_, j) => cells[j]) : `${cells.map(csvCell).join(",")}\n`,
    ]);
}

async function oneRow(words, wanted) {
    const header = work.profile.named ? "yes" : "no",
        files = { "model.ald": what.model, "row.csv": asEntry(rowBlob(what.cells)) };
    const told = await ask({
        command: [words[0], "model.ald", "row.csv", `--header=${header}`, ...words.slice(1), "-o", wanted],
        files,
        wanted: [wanted],
    });
    if (!told || told.code !== 0) return { failure: told?.messages || "" };
    const [names, cells] = (await told.files[wanted].text()).split("\n").map((line) => line.split(","));
    return { names, cells };
}

// With the interval where the model knows its errors, else with probabilities, else alone.
async function predictRow() {
    for (const more of what.ways) {
        const told = await oneRow(["predict", ...more], "one.csv");
        if (!told.failure && told.cells) {
            what.ways = [more];
            return told;
        }
        what.failure = told.failure;
    }
    throw new Error(what.failure || "This row cannot be predicted.");
}

function predictionWords({ names, cells }) {
    const ids = columnsWith("id").length,
        facts = names.map((name, j) => [name, cells[j]]).slice(ids);
    const value = (text) => (text !== "" && isFinite(text) ? briefText(Number(text)) : text);
    const certain = (name) => /^(low|high|in|set|p|score)\(/.test(name);
    return facts
        .filter(([name]) => !certain(name))
        .map(([name, text]) => {
            const of = (kind) => facts.find(([other]) => other === `${kind}(${name})`)?.[1];
            const interval =
                of("low") !== undefined
                    ? ` (90 % interval: ${value(of("low"))} to ${value(of("high"))})`
                    : "";
            const chances = facts
                .filter(([other]) => other.startsWith("p("))
                .map(([other, part]) => `${other.slice(2, -1)} ${fixedText(100 * Number(part), 1)}\u00a0%`);
            const set = facts
                .filter(([other, inside]) => other.startsWith("in(") && inside === "1")
                .map(([other]) => other.slice(3, -1));
            return `${name}: ${value(text)}${interval}${chances.length ? `; ${chances.join(", ")}` : ""}${set.length ? `; one of ${set.join(", ")} with 90 % certainty` : ""}`;
        });
}

function drawPlace(now, begun) {
    const { places } = what,
        two = places[0]?.length > 1;
    const xs = places.map((one) => one[0]),
        ys = places.map((one, i) => (two ? one[1] : i));
    const [low, high] = paddedSpan(extentOf(xs, [now[0]])),
        [bottom, top] = paddedSpan(extentOf(ys, [two ? now[1] : 0]));
    const up = (place) => (two ? place[1] : (top + bottom) / 2);
    return makeCanvas(
        "Where this row stands among the others",
        min(520, max(280, byId("what-if").clientWidth - 20)),
        320,
        (pen, width, height) => {
            const at = frame(
                pen,
                width,
                height,
                {
                    x: { low, high, label: "component 1" },
                    y: { low: bottom, high: top, label: two ? "component 2" : "rows" },
                },
                ink,
            );
            pen.marks(xs.keys(), xs.map(at.x), ys.map(at.y), { colour: ink.soft, shape: "circle" }, 2);
            if (begun)
                pen.marks(
                    [0],
                    [at.x(begun[0])],
                    [at.y(up(begun))],
                    { colour: ink.text, shape: "circle", hollow: 1 },
                    7,
                );
            pen.marks([0], [at.x(now[0])], [at.y(up(now))], { colour: ink.bad, shape: "diamond" }, 8);
        },
    );
}

const numbersIn = (cells) => cells.slice(columnsWith("id").length).map(Number);

async function updateWhatIf() {
    const asked = ++what.asked;
    const told = await predictRow();
    const placed = await oneRow(["transform"], "place.csv");
    if (asked !== what.asked) return;
    byId("what-said").replaceChildren(
        ...predictionWords(told).map((words) => makeElement("p", { class: "sentence" }, words)),
    );
    if (!placed.cells) return;
    const now = numbersIn(placed.cells);
    what.begun ||= now;
    byId("what-place").replaceChildren(
        drawPlace(now, what.begun),
        paragraph("Diamond: this row now. Ring: as it was. Dots: the other rows.", "note"),
    );
}

let moving = 0;
function move(place, cell) {
    what.cells[place] = cell;
    clearTimeout(moving);
    moving = setTimeout(() => safely(updateWhatIf), 60);
}

function moverOf({ place, name, kind, low, high, whole, levels, few }) {
    const now = what.cells[place];
    if (kind !== "number" || few) {
        const values = kind === "number" ? few.map(String) : levels.map(([level]) => level);
        return field(
            name,
            choice([["", "missing"], ...values.map((one) => [one, one])], now, (value) => move(place, value)),
        );
    }
    const shown = makeElement("output", now === "" ? "missing" : briefText(Number(now)));
    const slider = makeElement("input", {
        type: "range",
        min: low,
        max: high,
        step: whole ? 1 : (high - low) / 200 || 1,
        value: now === "" ? (low + high) / 2 : now,
        oninput: () => {
            shown.textContent = briefText(Number(slider.value));
            move(place, slider.value);
        },
    });
    return makeElement("div", { class: "mover" }, field(name, slider), shown);
}

function showMovers() {
    byId("movers").replaceChildren(...what.moved.map(moverOf));
    const rest = what.columns.filter((column) => !what.moved.includes(column)).slice(0, MOST_LISTED);
    const more = choice(
        [["", "another column …"], ...rest.map(({ place, name }) => [place, name])],
        "",
        (place) => {
            if (place === "") return;
            what.moved.push(work.profile.columns[place]);
            showMovers();
        },
    );
    if (rest.length) byId("movers").append(field("Move", more));
}

async function takeRow(index) {
    what.cells = await look("row", index);
    what.begun = null;
    showMovers();
    await updateWhatIf();
}

// Columns that matter most come first, where the program says which do.
async function orderColumns(columns) {
    const words = ["evaluate", "model.ald", work.table.file, ...work.table.options, "--importance", "--json"];
    const parts = ["importance.features", "importance.vip"];
    const told = await ask({ command: words, files: answerFiles(), wanted: [], parts });
    if (!told || told.code !== 0) return columns;
    const [features, vip] = parts.map((part) => told.output[part] || []),
        weight = new Map();
    features.forEach((feature, k) => {
        for (const name of [feature, feature.replace(/=[^=]*$/, "")])
            weight.set(name, max(weight.get(name) || 0, vip[k] || 0));
    });
    return [...columns].sort((a, b) => (weight.get(b.name) || 0) - (weight.get(a.name) || 0));
}

async function otherPlaces() {
    const words = ["transform", "model.ald", work.table.file, ...work.table.options, "-o", "places.csv"];
    const told = await ask({
        command: words,
        files: answerFiles(),
        wanted: ["places.csv"],
        most: MOST_MARKS,
    });
    if (!told || told.code !== 0) return [];
    const lines = (await told.files["places.csv"].text()).split("\n").slice(1),
        shown = columnsWith("id").length + 2;
    return lines
        .map((line) => numbersIn(line.split(",").slice(0, shown)))
        .filter((place) => place.every(Number.isFinite));
}

async function showWhatIf() {
    const usable = work.table && columnsWith("target").length > 0;
    byId("what-part").hidden = !usable;
    if (!usable) return;
    const columns = work.profile.columns.filter(isFeature);
    what = {
        asked: 0,
        model: asEntry(work.answer.files["model.ald"]),
        ways: [["--interval=0.9", "--probabilities"], ["--interval=0.9"], ["--probabilities"], []],
        places: await otherPlaces(),
        columns: await orderColumns(columns),
    };
    what.moved = what.columns.slice(0, MOST_MOVED);
    byId("what-row").max = work.profile.rows;
    byId("what-row").value = 1;
    await takeRow(0);
}

function listenForWhatIf() {
    byId("what-row").onchange = ({ target }) =>
        target.validity.valid && safely(() => takeRow(Number(target.value) - 1));
}
