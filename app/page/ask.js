// 3. Ask: what should be predicted, by the best that is found or by a method of one's own choice.

const isSearch = () => byId("way-search").checked;
const memoryWord = () => `--max-memory=${round(expectedMemory())}M`;

function questionWords() {
    const targets = columnsWith("target"),
        features = work.profile.columns.filter(isFeature).length;
    const kinds = { real: "numbers", classes: "classes" },
        { name, kind } = targets[0] || {};
    if (!features) return "No column is a feature: there is nothing to compute with.";
    if (!targets.length)
        return `No target: components of ${pluralText(features, "column")} are found without one, by a method of your choice.`;
    const what =
        targets.length === 1
            ? `${name} (${kinds[targetKind()] || "labels"}${kind === "number" && targetKind() === "classes" ? ": few different whole numbers" : ""})`
            : `${targets.length} columns: ${targets
                  .map(({ name }) => name)
                  .slice(0, 6)
                  .join(", ")}`;
    return `Predict ${what} from ${pluralText(features, "column")} of ${pluralText(work.profile.rows, "row")}.`;
}

// All columns, or the first and the last of them: others are found in the list of columns.
function listedColumns() {
    const usable = work.profile.columns.filter(({ kind, distinct }) => kind !== "empty" && distinct > 1);
    if (usable.length <= MOST_LISTED) return usable;
    const half = MOST_LISTED / 2,
        chosen = usable.slice(half, -half).filter(({ role }) => role === "target");
    return [...usable.slice(0, half), ...chosen.slice(0, half), ...usable.slice(-half)];
}

function askFor(place) {
    columnsWith("target").forEach((one) => (one.role = "feature"));
    if (place !== "") work.profile.columns[place].role = "target";
    work.profile.guessed = false;
    rolesChanged();
}

async function showAsk() {
    const { columns, smooth } = work.profile,
        targets = columnsWith("target");
    const none = ["", targets.length > 1 ? `${targets.length} columns` : "nothing"],
        names = listedColumns().map(({ name, place }) => [place, name]);
    const list = choice([none, ...names], targets.length === 1 ? String(targets[0].place) : "", askFor);
    list.id = "target";
    byId("target").replaceWith(list);
    byId("question").textContent = questionWords();
    byId("missing-part").hidden = !columns.some((column) => isFeature(column) && column.missing);
    const curves = columns.filter((column) => isFeature(column) && column.kind === "number").length >= 15;
    byId("steps-part").hidden = !curves && !rowSteps.length;
    if (curves && smooth > 0.9 && !work.table.stepsShown)
        byId("steps-part").open = work.table.stepsShown = true;
    if (!targets.length) byId("way-method").checked = true;
    byId("way-search").disabled = byId("task-part").hidden = !targets.length;
    markMethods();
    showWay();
    changeSteps(rowSteps);
    await showStrange();
}

// What was asked of one table says nothing of the next.
function askAnew() {
    rowSteps = [];
    byId("task").value = "";
}

function showWay() {
    byId("search-part").hidden = !isSearch();
    byId("method-part").hidden = isSearch();
    byId("go").textContent = isSearch() ? "Find the best" : "Fit";
}

// What is given to read_table in Python, and what to the search or the fit.
function askedOptions() {
    const search = isSearch(),
        task = byId("task").value;
    const reading = [...roleOptions(search), ...missingOptions(), ...(task ? [["task", task]] : [])];
    const limit = byId("limit").value;
    const options = search
        ? [...stepOptions(), ...foldOptions(), ...(limit ? [["time-limit", limit]] : [])]
        : [
              ["method", byId("method").value],
              ["n-components", byId("n-components").value],
              ["components-rule", "at-most"],
              ...settingOptions(),
              ...stepOptions(),
              ...(willPredict() && countParts(false) >= 10 ? [["intervals", "10"]] : []),
          ].filter(([, value]) => value !== "");
    const roles = work.profile.columns.map(({ role }) => role);
    return { search, reading, options, verb: willPredict() ? "predict" : "transform", kind: targetKind(), roles };
}

const running = { began: 0, tried: new Set() };

// "comparing pls": what is being tried; the journal counts the fits.
function showProgress({ stage, done, left }) {
    const seconds = (performance.now() - running.began) / 1000,
        clock = (time) => (time < 90 ? `${ceil(time)} s` : `${ceil(time / 60)} min`);
    if (done > 0) byId("bar").value = done;
    else byId("bar").removeAttribute("value");
    const tried = methodList.find(({ name }) => stage === `comparing ${name}`)?.title;
    byId("stage").textContent =
        `${tried ? `Comparing ${inSentence(tried)}` : withCapital(stage)}: ${percentText(done, 2) || "begun"} after ${clock(seconds)}${left >= 0 ? `, about ${clock(left)} left` : ""}`;
    if (!tried || running.tried.has(tried)) return;
    running.tried.add(tried);
    byId("tried").textContent = `Tried so far: ${[...running.tried].join(", ")}`;
}

function setBusy(busy) {
    for (const id of ["go", "other", "file"]) byId(id).disabled = busy;
    byId("running").hidden = !busy;
    byId("stop").disabled = false;
    byId("tried").textContent = "";
    if (!busy) byId("stage").textContent = "";
    Object.assign(running, { began: performance.now(), tried: new Set() });
}

// The search writes a journal as it goes; when it is stopped, the same search with that journal and no time left takes
// the best of what was tried (docs/tuning.md).
async function runSearch(words, files) {
    const chunks = [],
        wanted = ["model.ald", "result.json"];
    const journal = { name: "journal", take: (bytes) => chunks.push(bytes) };
    const own = ["--resume=journal", "--json=result.json", memoryWord()];
    const found = await command([...words, ...own], files, wanted, showProgress, journal).catch((error) => {
        if (error !== STOPPED || running.stopped !== "keep") throw error;
    });
    if (found) return found;
    if (!chunks.length) throw new Error("Nothing was finished yet when the search was stopped.");
    byId("stage").textContent = "Stopped. Fitting the best so far …";
    const limited = words.filter((word) => !word.startsWith("--time-limit="));
    const kept = await command(
        [...limited, ...own, "--time-limit=0.001"],
        { ...files, journal: asEntry(new Blob(chunks)) },
        wanted,
        showProgress,
    );
    return { ...kept, stopped: true };
}

const runFit = (words, files) => command([...words, memoryWord()], files, ["model.ald"], showProgress);

// The search or the fit, then what is made of the model, one command after the other.
async function go() {
    const { file, entry, options: reading } = work.table,
        asked = askedOptions();
    const words = [
        asked.search ? "tune" : "fit",
        file,
        ...reading,
        ...asWords(asked.reading),
        ...asWords(asked.options),
        "-o",
        "model.ald",
    ];
    const table = asked.verb === "predict" ? "predictions.csv" : "scores.csv";
    const groups = asWords(asked.reading.filter(([name]) => name === "groups"));
    const further = {
        "report.html": ["report", "model.ald", file, ...reading, ...groups, "-o", "report.html"],
        [table]: [asked.verb, "model.ald", file, ...reading, "-o", table],
    };
    running.stopped = "";
    const found = await (asked.search ? runSearch : runFit)(words, { [file]: entry });
    const made = { ...found.files },
        files = { [file]: entry, "model.ald": asEntry(found.files["model.ald"]) },
        messages = [found.messages];
    // A model is kept although its report or its predictions cannot be made, or are not waited for.
    let failed = "",
        halted = false;
    try {
        for (const [name, line] of Object.entries(further)) {
            const result = await ask({ command: line, files, wanted: [name] }, showProgress);
            if (result.code === 0) made[name] = result.files[name];
            else failed ||= failureWords(result);
            messages.push(result.messages);
        }
    } catch (error) {
        halted = error === STOPPED && running.stopped !== "" && !found.stopped; // by its button, not by another table
        if (!halted) throw error;
        failed = "Stopped: the model is here, and what had been made of it by then.";
    }
    work.answer = {
        files: made,
        sentence: await sentenceOf(made["report.html"]),
        result: made["result.json"] ? JSON.parse(await made["result.json"].text()) : null,
        asked,
        stopped: found.stopped,
        messages: messages.join("\n"),
        commands: [...work.table.first, words, ...Object.values(further)].map((line) => shellLine(line, work.table)),
    };
    byId("stop").disabled = true;
    await showAnswer(halted);
    fail(failed);
}

async function busily(action, stopWords = "Stop") {
    fail("");
    byId("stop").textContent = stopWords;
    setBusy(true);
    await safely(action);
    setBusy(false);
}

function listenForQuestions() {
    byId("go").onclick = () => busily(go, isSearch() ? "Stop, and keep the best so far" : "Stop");
    byId("stop").onclick = () => {
        running.stopped = isSearch() ? "keep" : "drop";
        byId("stop").disabled = true;
        stopProgram();
    };
    byId("way-search").onchange = byId("way-method").onchange = showWay;
    byId("task").onchange = () => {
        byId("question").textContent = questionWords();
        markMethods();
    };
}
