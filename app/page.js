/* The page: a table is brought, a question asked, the program answers. The state is the table, the model and what was
 * made of it; every command runs in a worker of its own (worker.js), so that stopping one is ending its worker. Texts of
 * the user are set as text, never as markup. */
"use strict";

const element = (id) => document.getElementById(id);
const state = {program: null, table: null, columns: [], model: null, worker: null};

/* What the page carries as gzip in base64: {name: bytes}. */
async function unpack(id) {
    const binary = atob(element(id).textContent);
    const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Several files one behind the other: a line of JSON with their names and sizes, then their bytes. */
async function unpackFiles(id) {
    const bytes = await unpack(id);
    const end = bytes.indexOf(10);
    const files = {};
    let at = end + 1;
    for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) {
        files[name] = bytes.slice(at, at + size);
        at += size;
    }
    return files;
}

async function loadProgram() {
    const files = await unpackFiles("program");
    const module = await WebAssembly.compile(files["alidade.wasm"]);
    const text = [files["alidade.js"], "\n", files["worker.js"]];
    return {module, url: URL.createObjectURL(new Blob(text, {type: "text/javascript"}))};
}

function whatIsMissing() {
    if (typeof WebAssembly !== "object") return "This browser does not run WebAssembly, which this page computes with. Any browser since 2022 does.";
    if (typeof DecompressionStream !== "function") return "This browser cannot unpack the program in this page. Chromium since 80, Firefox since 113 and Safari since 16.4 can.";
    if (!WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11])))
        return "This browser does not have the vector instructions of WebAssembly, which this page computes with. Any browser since 2023 has them.";
    return "";
}

function fail(text) {
    element("failure").textContent = text;
    if (text) element("failure").scrollIntoView({block: "nearest"});
}

/* One command; resolves to {code, output, messages, files}, to null where it was stopped. */
function command(words, files, wanted, onProgress) {
    return new Promise((resolve, reject) => {
        const worker = new Worker(state.program.url);
        const end = (settle, value) => {
            worker.terminate();
            state.worker = null;
            settle(value);
        };
        state.worker = {stop: () => end(resolve, null)};
        worker.onerror = (event) => end(reject, new Error(event.message || "The program ended unexpectedly; the table may need more memory than a page can have."));
        worker.onmessage = ({data}) => {
            if (data.progress) onProgress(data.progress);
            else if (data.failure) end(reject, new Error(data.failure));
            else end(resolve, data);
        };
        worker.postMessage({module: state.program.module, words, files, wanted});
    });
}

/* The same; a message of the program is an error. */
async function done(words, files, wanted, onProgress = () => {}) {
    const result = await command(words, files, wanted, onProgress);
    if (result && result.code !== 0) throw new Error(result.messages || `The program ended with status ${result.code}.`);
    return result;
}

/* Rows of a csv file that the program has written: commas, quotes doubled inside quotes. At most `most` of them. */
function parseRows(text, most) {
    const rows = [[]];
    let cell = "";
    let quoted = false;
    for (let i = 0; i < text.length && rows.length <= most; i++) {
        const letter = text[i];
        if (quoted && letter === "\"" && text[i + 1] === "\"") cell += text[++i];
        else if (letter === "\"") quoted = !quoted;
        else if (quoted || (letter !== "," && letter !== "\n")) cell += letter;
        else {
            rows[rows.length - 1].push(cell.replace(/\r$/, ""));
            cell = "";
            if (letter === "\n") rows.push([]);
        }
    }
    return rows.slice(0, -1);
}

function make(tag, text) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    return made;
}

function showPreview(rows) {
    const most = 12;
    const table = make("table");
    rows.forEach((cells, i) => {
        const row = make("tr");
        for (const cell of cells.slice(0, most)) row.append(make(i ? "td" : "th", cell));
        if (cells.length > most) row.append(make(i ? "td" : "th", i ? "…" : `… ${cells.length - most} more`));
        table.append(row);
    });
    element("preview").replaceChildren(table);
    element("preview").hidden = false;
}

/* The program keeps the ending of the name, by which it knows the format, and no path. */
function plainName(name) {
    const ending = /(\.[A-Za-z0-9]{1,8})?(\.gz)?$/.exec(name)[0];
    return "table" + (ending || ".csv");
}

async function takeTable(name, bytes) {
    if (state.worker) state.worker.stop();
    fail("");
    element("ask").hidden = element("answer").hidden = element("preview").hidden = true;
    element("read").textContent = `Reading ${name} …`;
    try {
        const file = plainName(name);
        const result = await done(["convert", file, "-o", "all.csv"], {[file]: bytes}, ["all.csv"]);
        if (!result) return;
        const head = new TextDecoder().decode(result.files["all.csv"].subarray(0, 1 << 20));
        const rows = parseRows(head, 6);
        let count = -1;
        let about = ""; /* a quoted cell may have lines of its own */
        for (const byte of result.files["all.csv"]) {
            count += byte === 10;
            if (byte === 34) about = "about ";
        }
        state.table = {file, bytes, shown: name};
        /* Without names the first line has a number; columns are then asked for by their place. */
        const named = !rows[0].some((cell) => cell.trim() !== "" && Number.isFinite(Number(cell)));
        if (!named) {
            rows.unshift(rows[0].map((cell, i) => `#${i + 1}`));
            count++;
        }
        state.columns = rows[0];
        element("read").textContent = `${name}: ${about}${count} rows, ${rows[0].length} columns.`;
        showPreview(rows);
        element("target").replaceChildren(...rows[0].map((column, i) => {
            const option = make("option", column);
            option.value = String(i);
            return option;
        }));
        element("target").value = String(rows[0].length - 1);
        element("ask").hidden = false;
    } catch (error) {
        element("read").textContent = "";
        fail(error.message);
    }
}

function showProgress({stage, done: part, left}) {
    element("bar").hidden = false;
    if (part > 0) element("bar").value = part;
    else element("bar").removeAttribute("value");
    const seconds = left >= 0 ? `, about ${left < 90 ? Math.ceil(left) + " s" : Math.ceil(left / 60) + " min"} left` : "";
    element("stage").textContent = stage + seconds;
}

function setBusy(busy) {
    element("find").disabled = element("other").disabled = busy;
    element("stop").hidden = !busy;
    element("bar").hidden = !busy;
    if (!busy) element("stage").textContent = "";
}

function saveLink(name, bytes, type) {
    const link = make("a", `Save ${name}`);
    link.href = URL.createObjectURL(new Blob([bytes], {type}));
    link.download = name;
    return link;
}

const quoted = (word) => (/^[A-Za-z0-9_.,:=/+-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'");

/* The search, then the report and the predictions of the model that it found. */
async function find() {
    const {file, bytes, shown} = state.table;
    const target = state.columns[Number(element("target").value)];
    const words = ["tune", file, `--target=${target}`];
    if (element("limit").value) words.push(`--time-limit=${element("limit").value}`);
    if (element("ignore").value.trim()) words.push(`--ignore=${element("ignore").value.trim()}`);
    const steps = [
        {words: [...words, "-o", "model.ald"], makes: "model.ald"},
        {words: ["report", "model.ald", file, `--title=${shown}`, "-o", "report.html"], makes: "report.html"},
        {words: ["predict", "model.ald", file, "-o", "predictions.csv"], makes: "predictions.csv"},
    ];
    const files = {[file]: bytes};
    let found = "";
    for (const step of steps) {
        const result = await done(step.words, files, [step.makes], showProgress);
        if (!result) return;
        files[step.makes] = result.files[step.makes];
        if (step === steps[0]) found = result.output;
    }
    state.model = files["model.ald"];
    element("found").textContent = found;
    element("saves").replaceChildren(
        saveLink("model.ald", files["model.ald"], "application/octet-stream"),
        saveLink("report.html", files["report.html"], "text/html"),
        saveLink("predictions.csv", files["predictions.csv"], "text/csv"));
    element("commands").textContent = steps.map((step) => "alidade " + step.words.map((word) => quoted(word === file ? shown : word)).join(" ")).join("\n");
    element("report").srcdoc = new TextDecoder().decode(files["report.html"]);
    element("answer").hidden = false;
    element("others").textContent = "";
    element("answering").scrollIntoView();
}

async function busily(work) {
    fail("");
    setBusy(true);
    try {
        await work();
    } catch (error) {
        fail(error.message);
    }
    setBusy(false);
}

async function predictOther(file) {
    const name = plainName(file.name).replace("table", "other");
    const files = {"model.ald": state.model, [name]: new Uint8Array(await file.arrayBuffer())};
    const result = await done(["predict", "model.ald", name, "-o", "out.csv"], files, ["out.csv"], showProgress);
    if (!result) return;
    const link = saveLink("predictions-of-" + file.name.replace(/\.[^.]*$/, "") + ".csv", result.files["out.csv"], "text/csv");
    element("others").replaceChildren(link, make("span", " " + result.messages));
}

async function takeFile(file) {
    const most = 1 << 30;
    if (file.size > most) fail(`${file.name} has ${Math.round(file.size / 1e6)} MB; a page can take at most 1000. The command line takes any size.`);
    else await takeTable(file.name, new Uint8Array(await file.arrayBuffer()));
}

function listen(examples) {
    const drop = element("drop");
    element("file").onchange = ({target}) => target.files[0] && takeFile(target.files[0]);
    element("other").onchange = ({target}) => target.files[0] && busily(() => predictOther(target.files[0]));
    for (const name of Object.keys(examples)) element(name.replace(".csv", "")).onclick = () => takeTable(name, examples[name].slice());
    for (const kind of ["dragover", "dragleave", "drop"])
        document.addEventListener(kind, (event) => {
            event.preventDefault();
            drop.classList.toggle("over", kind === "dragover");
            if (kind === "drop" && event.dataTransfer.files[0]) takeFile(event.dataTransfer.files[0]);
        });
    element("find").onclick = () => busily(find);
    element("stop").onclick = () => state.worker && state.worker.stop();
}

async function begin() {
    const missing = whatIsMissing();
    if (missing) {
        fail(missing);
        return;
    }
    try {
        state.program = await loadProgram();
        listen(await unpackFiles("examples"));
        document.documentElement.dataset.ready = "yes";
    } catch (error) {
        fail(`The program in this page did not start: ${error.message}`);
    }
}

begin();
