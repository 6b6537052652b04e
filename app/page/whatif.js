// "What if": the values of one row are moved; prediction, interval and its place among the other rows follow.

const MOST_MOVED = 8;
const MOST_MARKS = 2000;
let what = null; // {cells, moved, model, ids, targets, target, places, columns, begun}

// Columns by the roles that they had when the model was made: they may have others by now.
const hadRole = (...roles) => work.profile.columns.filter(({ place }) => roles.includes(work.answer.asked.roles[place]));

const isTransposed = () => work.table.options.includes("--transpose"); // then the model takes new rows as columns too

function rowBlob(cells) {
    const names = work.profile.columns.map(({ name }) => name),
        { named } = work.profile;
    if (isTransposed()) return new Blob(cells.map((cell, j) => `${named ? `${csvCell(names[j])},` : ""}${csvCell(cell)}\n`));
    return new Blob([named ? csvText(names, 1, (_, j) => cells[j]) : `${cells.map(csvCell).join(",")}\n`]);
}

async function oneRow(words, wanted) {
    const header = work.profile.named && !isTransposed() ? "yes" : "no",
        files = { "model.ald": what.model, "row.csv": asEntry(rowBlob(what.cells)) };
    const told = await ask({
        command: [words[0], "model.ald", "row.csv", `--header=${header}`, ...words.slice(1), "-o", wanted],
        files,
        wanted: [wanted],
    });
    if (told.code !== 0) return { failure: told.messages };
    const [names, cells] = readLines(await told.files[wanted].text());
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
    const facts = names.map((name, j) => [name, cells[j]]).slice(what.ids);
    const value = (text) => (text !== "" && isFinite(text) ? briefText(Number(text)) : text);
    const targets = what.targets.map(({ name }) => name),
        several = targets.length > 1;
    const isCertainty = (name) => /^(low|high|in|set|p|score)\(/.test(name) && !targets.includes(name); // "p(CO2)"
    return facts
        .filter(([name]) => !isCertainty(name))
        .map(([name, text]) => {
            const of = (kind) => facts.find(([other]) => other === `${kind}(${name})`)?.[1];
            const interval =
                of("low") !== undefined
                    ? ` (90\u00a0% interval: ${value(of("low"))} to ${value(of("high"))})`
                    : "";
            const chances = facts
                .filter(([other]) => (several ? other === `p(${name})` : isCertainty(other) && other.startsWith("p(")))
                .map(([other, part]) => `${other.slice(2, -1)}: ${fixedText(100 * Number(part), 1)}\u00a0%`);
            const set = facts
                .filter(([other, inside]) => isCertainty(other) && other.startsWith("in(") && inside === "1")
                .map(([other]) => other.slice(3, -1));
            const certain = `With 90\u00a0% certainty ${set.length > 1 ? "one of " : ""}${set.join(", ")}.`;
            return `${name}: ${value(text)}${interval}${chances.length ? `. Probabilities: ${chances.join(", ")}.` : ""} ${set.length ? certain : ""}`;
        });
}

// Where a row stands: in the plane of two components, or over the only one at the height of its target. Other rows are
// coloured by the target, as measured; this one stands as high as it is predicted.
function placeAxes(spots) {
    const { target } = what,
        two = what.places[0]?.at.length > 1;
    const along = (values) => {
        const [low, high] = paddedSpan(extentOf(values));
        return { low, high };
    };
    const x = { ...along(spots.map(({ at }) => at[0])), label: "component 1" };
    if (two) return { two, x, y: { ...along(spots.map(({ at }) => at[1])), label: "component 2" } };
    const heights = target.names ? { names: target.names } : along(spots.map(({ value }) => value));
    return { two, x, y: { ...heights, label: target.name } };
}

function colouredPlaces() {
    const { places, target } = what,
        values = places.map(({ value }) => value);
    if (target.names) return byClass(values, target.names, ink.dark);
    return byNumber(values, extentOf(values), ink.dark);
}

function drawPlace(now, begun) {
    const { places, target } = what,
        axes = placeAxes([...places, now, begun]);
    const words = `Where this row stands among the others, which are coloured by ${target.name}`;
    return makeCanvas(words, min(520, max(280, byId("what-place").clientWidth)), 320, (pen, width, height) => {
        const at = frame(pen, width, height, axes, ink),
            up = ({ at: [, second], value }) => at.y(axes.two ? second : value),
            // Rows of one class would lie on a line.
            apart = (i) => (target.names && !axes.two ? ((i * 0.618) % 1) * 16 - 8 : 0);
        const xs = places.map((one) => at.x(one.at[0])),
            ys = places.map((one, i) => up(one) + apart(i)),
            { key, groups } = colouredPlaces();
        groups.forEach((look, group) => {
            const rows = [...xs.keys()].filter((i) => key[i] === group);
            if (rows.length) pen.marks(rows, xs, ys, look, 2.4);
        });
        pen.marks([0], [at.x(begun.at[0])], [up(begun)], { colour: ink.text, shape: "circle", hollow: 1 }, 9);
        pen.marks([0], [at.x(now.at[0])], [up(now)], { colour: ink.bad, shape: "diamond" }, 7);
    });
}

const numbersIn = (cells) => cells.slice(what.ids).map(Number);

// What is predicted for the target that colours the rows, as it stands on an axis.
function predictedValue({ names, cells }) {
    const cell = cells[names.indexOf(what.target.name)] ?? cells[what.ids];
    return what.target.names ? what.target.names.indexOf(cell) : Number(cell);
}

function showPlace(now) {
    const { names } = what.target,
        legend = names && names.length <= 8 ? names.map((label, k) => ({ label, ...classLook(k, ink.dark) })) : [];
    byId("what-place").replaceChildren(
        drawPlace(now, what.begun),
        makeElement("p", { class: "legend" }, ...legend.map(legendItem)),
        paragraph(
            `Diamond: this row now. Ring: as it was. Dots: the other rows${names ? "" : `, lighter where ${what.target.name} is larger`}.`,
            "note",
        ),
    );
}

async function updateWhatIf() {
    const asked = ++what.asked;
    const told = await predictRow();
    const placed = await oneRow(["transform"], "place.csv");
    if (asked !== what.asked) return;
    byId("what-said").replaceChildren(
        ...predictionWords(told).map((words) => makeElement("p", { class: "sentence" }, words)),
    );
    if (!placed.cells) return;
    const now = { at: numbersIn(placed.cells), value: predictedValue(told) };
    what.begun ||= now;
    showPlace(now);
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
    if (rest.length) byId("movers").append(makeElement("div", { class: "unprinted" }, field("Move", more)));
}

async function takeRow(index) {
    what.cells = await look("row", index);
    what.begun = null;
    byId("what-part").hidden = false;
    showMovers();
    await updateWhatIf();
}

// Columns that matter most come first, where the program says which do.
async function orderColumns(columns) {
    const words = ["evaluate", "model.ald", work.table.file, ...work.table.options, "--importance", "--json"];
    const parts = ["importance.features", "importance.vip"];
    const told = await ask({ command: words, files: answerFiles(), wanted: [], parts });
    if (told.code !== 0) return columns;
    const [features, vip] = parts.map((part) => told.output[part] || []),
        weight = new Map();
    features.forEach((feature, k) => {
        for (const name of [feature, feature.replace(/=[^=]*$/, "")])
            weight.set(name, max(weight.get(name) || 0, vip[k] || 0));
    });
    return [...columns].sort((a, b) => (weight.get(b.name) || 0) - (weight.get(a.name) || 0));
}

// Some rows: their places on the first two components, and their target. Rows that the program has left out shift the
// others; then no row has a target.
async function otherPlaces() {
    const words = ["transform", "model.ald", work.table.file, ...work.table.options, "-o", "places.csv"];
    const told = await ask({
        command: words,
        files: answerFiles(),
        wanted: ["places.csv"],
        most: MOST_MARKS,
    });
    if (told.code !== 0) return [];
    const lines = readLines(await told.files["places.csv"].text()).slice(1),
        shown = what.ids + 2,
        every = ceil(work.profile.rows / MOST_MARKS),
        rows = lines.map((_, k) => (k + 1) * every - 1),
        aligned = lines.length === floor(work.profile.rows / every);
    const { values } = aligned ? await look("values", rows, what.target.place) : { values: [] };
    return lines
        .map((line, k) => ({ at: numbersIn(line.slice(0, shown)), value: what.target.valueOf(values[k] ?? NaN) }))
        .filter(({ at }) => at.every(Number.isFinite));
}

// The first target; classes have names, and stand at their places among them.
async function targetShown() {
    const { name, place, kind, few } = what.targets[0],
        { names } = await look("values", [], place);
    const classes = kind === "number" && few && work.answer.asked.kind === "classes";
    return { name, place, names: classes ? few.map(String) : names, valueOf: (one) => (classes ? few.indexOf(one) : one) };
}

async function showWhatIf() {
    const usable = work.table && work.answer.model?.predicts;
    if (!usable) return;
    byId("stop").disabled = false;
    what = {
        asked: 0,
        ids: hadRole("id").length,
        targets: hadRole("target"),
        model: asEntry(work.answer.files["model.ald"]),
        ways: [["--interval=0.9", "--probabilities"], ["--interval=0.9"], ["--probabilities"], []],
    };
    what.target = await targetShown();
    what.columns = await orderColumns(hadRole("feature", "category", "date"));
    what.places = await otherPlaces();
    what.moved = what.columns.slice(0, MOST_MOVED);
    byId("what-row").max = work.profile.rows;
    byId("what-row").value = 1;
    await takeRow(0);
}

function listenForWhatIf() {
    byId("what-row").onchange = ({ target }) =>
        target.validity.valid && safely(() => takeRow(Number(target.value) - 1));
}
