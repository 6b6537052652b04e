// 4. Answer: what was found and how good it is, the report, predictions of other tables.

const metricWords = {
    rmse: "typical error (RMSE)",
    accuracy: "share of rows predicted right",
    macro_auc: "mean AUC of the labels",
};

const wordsOf = (metric) => metricWords[metric] || metric;

const settingWords = (parameters) =>
    Object.entries(parameters)
        .map(([name, value]) => `${name}=${value}`)
        .join(" ");

// The first sentence of a report (FORMAT.md): it stands in its first lines.
async function sentenceOf(report) {
    if (!report) return "";
    const [, words] = /"sentence":\s*("(?:[^"\\]|\\.)*")/.exec(await report.slice(0, 2e5).text()) || [];
    return words ? JSON.parse(words) : "";
}

// What is compared with the answer, in words.
const RIVALS = {
    mean: "always predicting the mean",
    median: "always predicting the median",
    majority: "always predicting the most frequent class",
    "label shares": "always predicting how frequent each label is",
};

function headline({ result, stopped, sentence }) {
    if (!result) return sentence || "The model was fitted.";
    const { chosen, nested, metric } = result,
        title = methodList.find(({ name }) => name === chosen.method)?.title || chosen.method,
        words = wordsOf(metric);
    const what = `${title} with ${pluralText(chosen.components, "component")}${stopped ? ", the best so far" : ""}.`;
    if (!nested || !isNumber(nested.mean))
        return `${what} The ${words} is ${briefText(chosen.mean, 3)} on the ${chosen.count === 1 ? "only fold" : `${chosen.count} folds`} that it was chosen by, which is optimistic: the search was stopped before its choice could be judged on other rows.`;
    const spread = nested.count > 1 ? nested.std / sqrt(nested.count) : 0;
    const rivals = [
        [nested.baseline_mean, RIVALS[nested.baseline] || nested.baseline],
        [nested.all_features_mean, "a penalised linear model on all columns"],
    ].filter(([value]) => isNumber(value));
    return `${what} On rows that played no part in the choice the ${words} is ${plusMinus(nested.mean, spread)}${rivals.length ? `; ${rivals.map(([value, name]) => `${name}: ${briefText(value, 3)}`).join(", ")}` : ""}.`;
}

// The best row of each method, best first.
function bestOfMethods({ rows, larger_is_better: larger, chosen }) {
    const best = new Map();
    const better = (a, b) => (larger ? a.mean > b.mean : a.mean < b.mean);
    const isChosen = (row) =>
        row.method === chosen.method &&
        row.components === chosen.components &&
        settingWords(row.parameters) === settingWords(chosen.parameters);
    for (const row of rows) {
        if (!isNumber(row.mean)) continue;
        const now = best.get(row.method);
        if (
            isChosen(row) ||
            !now ||
            (!isChosen(now) && !row.left_after && (now.left_after || better(row, now)))
        )
            best.set(row.method, row);
    }
    return [...best.values()]
        .sort((a, b) => (better(a, b) ? -1 : 1))
        .map((row) => ({ ...row, isChosen: isChosen(row) }));
}

function comparisonTable(result) {
    const rows = bestOfMethods(result).map(
        ({ method, components, parameters, mean, std_error: error, left_after: left, count, isChosen }) => [
            method,
            components,
            plusMinus(mean, error),
            isChosen ? "chosen" : left ? `clearly behind after ${count} folds` : "",
            settingWords(parameters),
        ],
    );
    return plainTable(
        `The best of each method, by the ${wordsOf(result.metric)} in cross-validation; of those within one standard error of the best the simplest is chosen`,
        ["method", "components", wordsOf(result.metric), "outcome", "settings"],
        rows,
    );
}

function componentsPicture({ rows, chosen, metric }) {
    const same = rows.filter(
        ({ method, parameters, mean }) =>
            method === chosen.method &&
            settingWords(parameters) === settingWords(chosen.parameters) &&
            isNumber(mean),
    );
    if (same.length < 2) return null;
    const bars = same.map(({ mean, std_error: error }) => [mean - 2 * (error || 0), mean + 2 * (error || 0)]),
        [low, high] = paddedSpan(extentOf(bars.flat()));
    const canvas = makeCanvas(
        `${withCapital(wordsOf(metric))} by the number of components; ${chosen.components} are chosen`,
        min(620, max(280, byId("found").clientWidth - 20)),
        240,
        (pen, width, height) => {
            const last = max(...same.map(({ components }) => components));
            const at = frame(
                pen,
                width,
                height,
                {
                    x: { low: 0.5, high: last + 0.5, label: "components", whole: true },
                    y: { low, high, label: wordsOf(metric) },
                },
                ink,
            );
            pen.box(at.x(chosen.components) - 8, at.top, 16, at.bottom - at.top, ink.accent, 0.18);
            const xs = same.map(({ components }) => at.x(components)),
                ys = same.map(({ mean }) => at.y(mean));
            bars.forEach(([from, to], i) =>
                pen.line([xs[i], at.y(from), xs[i], at.y(to)], ink.accent, { width: 2, alpha: 0.6 }),
            );
            pen.line(
                xs.flatMap((x, i) => [x, ys[i]]),
                ink.accent,
                { width: 1.8 },
            );
            pen.marks(xs.keys(), xs, ys, { colour: ink.accent, shape: "circle" }, 3.6);
        },
    );
    return makeElement(
        "figure",
        makeElement("figcaption", "How many components (bars: two standard errors)"),
        canvas,
    );
}

// Notes and warnings of the program, without what it says of its files.
function notesOf(messages) {
    const lines = messages.split("\n").filter((line) => /^(note|time)\b|warning:/.test(line));
    return [
        ...new Set(lines.map((line) => line.replace(/^(note|time)\s+/, "").replace(/^alidade \w+: /, ""))),
    ];
}

// As a blob: a text of many megabytes would take the page's thread for longer than a frame.
function showReport(file) {
    const frame = byId("report");
    URL.revokeObjectURL(frame.src);
    frame.src = URL.createObjectURL(new Blob([file], { type: "text/html;charset=utf-8" }));
}

// Where the rest was stopped, `halted`, there is no row to move.
async function showAnswer(halted) {
    const { result, files, messages, commands } = work.answer;
    work.answer.model = await describeModel();
    showOnly(...(work.table ? ["bring", "see", "ask", "answer"] : ["bring", "answer"]));
    byId("headline").textContent = headline(work.answer);
    byId("found").replaceChildren(
        ...knownOnes([result && componentsPicture(result), result && comparisonTable(result)]),
    );
    const notes = notesOf(messages);
    byId("notes").replaceChildren(...notes.map((words) => makeElement("li", words)));
    byId("notes-part").hidden = !notes.length;
    byId("notes-part").open = !result; // those of a search are about its candidates
    byId("report-part").hidden = !files["report.html"];
    if (files["report.html"]) showReport(files["report.html"]);
    byId("commands").textContent = commands.join("\n");
    byId("others").replaceChildren();
    showSaves();
    byId("what-part").hidden = true;
    if (!halted) await safely(showWhatIf);
    byId("answering").scrollIntoView();
    byId("answering").focus({ preventScroll: true });
}

async function showPredictions(name, blob, messages) {
    const kind = work.answer.model?.predicts ? "predictions" : "scores",
        [names, ...rows] = readLines(await blob.slice(0, 65536).text()).slice(0, 11);
    byId("others").replaceChildren(
        ...notesOf(messages).map((words) => paragraph(words, "warning")),
        makeElement("p", saveLink(`${kind}-of-${name.replace(/\.[^.]*$/, "")}.csv`, blob)),
        plainTable(`The first ${kind}`, names, rows),
    );
}

// The name of the file that is read: where the table of the model was sparse and became csv, another becomes csv too,
// with the names of its columns.
async function sameKind(name, files) {
    if (!work.table?.first?.length || !SPARSE.test(name)) return name;
    const made = await command(["convert", name, "-o", "all.csv", memoryWord()], files, ["all.csv"]);
    files["all.csv"] = asEntry(made.files["all.csv"]);
    return "all.csv";
}

const predictOther = (file) =>
    busily(async () => {
        const name = plainName(file.name, "other");
        const files = { "model.ald": asEntry(work.answer.files["model.ald"]), [name]: asEntry(file) };
        byId("others").replaceChildren();
        const verb = work.answer.model?.predicts ? "predict" : "transform",
            options = work.table?.options || readingWords(),
            skipped = options.filter((word) => word.startsWith("--skip=")), // all else the model knows
            read = await sameKind(name, files),
            words = [verb, "model.ald", read, ...skipped, "-o", "predicted.csv"];
        const told = await ask({ command: words, files, wanted: ["predicted.csv"] }, showProgress);
        if (told.code === 0) await showPredictions(file.name, told.files["predicted.csv"], told.messages);
        else byId("others").replaceChildren(paragraph(failureWords(told), "warning"));
    });

// A model that was saved before: it predicts, without the rows it came from.
const openModel = (file) =>
    busily(async () => {
        stopProgram();
        const entry = asEntry(file);
        const card = await command(["inspect", "model.ald", "--card"], { "model.ald": entry }, []);
        Object.assign(work, { table: null, profile: null });
        work.answer = {
            files: { "model.ald": file },
            result: null,
            messages: "",
            commands: [],
            asked: { options: [["method", file.name]] },
        };
        await showAnswer();
        byId("read").textContent =
            `${file.name}: a model` +
            (byId("predict").hidden ? ". It has places for its own rows alone." : ", which takes another table below.");
        byId("headline").textContent = `The model of ${file.name}.`;
        byId("found").replaceChildren(
            scrollRegion("What the model says of itself", "card scroll", ...cardElements(card.output)),
        );
    });
