// 5. Take along: files, pictures, commands and a script. Work is kept in the browser only where the reader asks for it.

const SPREADS = ["spread.mean", "statistics/scatter", "score_variances"]; // arrays by which a row is unusual

// Kind, words, whether rows are drawn, and of which models.
const PICTURES = [
    ["scores", "rows in the plane of two components", true, ({ components }) => components > 1],
    ["projection", "rows along the component", true, ({ components }) => components === 1],
    ["predicted", "predicted against measured", true, ({ target, predicts }) => predicts && target === "real"],
    ["confusion", "which classes are confused", true, ({ target, predicts }) => predicts && target === "classes"],
    ["labels", "rows by each label", true, ({ target, components }) => target === "labels" && components > 1],
    ["importance", "importance of the columns", true, ({ linear }) => linear],
    ["weights", "weights of the columns", true, ({ linear }) => linear],
    ["outliers", "unusual rows", true, ({ linear, arrays }) => linear && SPREADS.some((name) => name in arrays)],
    ["spectrum", "eigenvalues", false, ({ eigenvalues }) => eigenvalues.length > 0],
    ["tuning", "the curve of the search", false, ({ arrays }) => "tuning/mean" in arrays],
];
const FORMULAS = ["linear", "ridge", "one-vs-rest", "gaussian", "logistic"]; // predictors

const EXPORTS = { c: "C", onnx: "ONNX", sql: "SQL", json: "JSON" };

function saveLink(name, blob, words) {
    const link = makeElement("a", { download: name, class: "save" }, words || `Save ${name}`);
    link.href = URL.createObjectURL(blob);
    return link;
}

// What is made when it is asked for: a command that leaves one file.
function makeOnDemand(words, name, arguments_) {
    const button = makeButton(words, () =>
        busily(async () => {
            const made = await command(arguments_, answerFiles(), [name], showProgress);
            const blob = made.files[name] || new Blob([made.output]);
            const link = saveLink(name, blob);
            button.replaceWith(link);
            link.click();
            link.focus();
        }),
    );
    return button;
}

function answerFiles() {
    const model = { "model.ald": asEntry(work.answer.files["model.ald"]) };
    return work.table ? { ...model, [work.table.file]: work.table.entry } : model;
}

// What decides which pictures and exports there are.
async function describeModel() {
    const parts = ["method", "target", "n_components", "eigenvalues", "arrays", "parameters", "exports"];
    const told = await ask({
        command: ["inspect", "model.ald", "--json"],
        files: { "model.ald": asEntry(work.answer.files["model.ald"]) },
        wanted: [],
        parts,
    });
    if (told.code !== 0) return null;
    const model = told.output,
        method = methodList.find(({ name }) => name === model.method);
    return {
        ...model,
        components: model.n_components,
        linear: method?.capabilities.includes("linear"),
        takesRows: method?.capabilities.includes("new-rows"),
        predicts: Object.keys(model.arrays).some((name) => name.startsWith("predictor/")),
    };
}

// The model for other programs.
function exportButtons({ exports, linear, target, parameters }) {
    const found = Object.entries(EXPORTS)
        .filter(([ending]) => exports.includes(ending))
        .map(([ending, words]) =>
            makeOnDemand(`Export as ${words}`, `model.${ending}`, ["export", "model.ald", "-o", `model.${ending}`]),
        );
    if (linear && target !== "none" && FORMULAS.includes(parameters.predictor))
        found.push(
            makeOnDemand("Formula", "formula.csv", ["inspect", "model.ald", "--coefficients", "formula.csv"]),
        );
    return found;
}

function pictureButtons(model) {
    const { file, options } = work.table || {};
    return PICTURES.filter(([, , rows, serves]) => (!rows || file) && serves(model)).map(([kind, words, rows]) =>
        makeOnDemand(words, `${kind}.svg`, [
            "plot",
            "model.ald",
            ...(rows ? [file, ...options] : []),
            `--kind=${kind}`,
            "-o",
            `${kind}.svg`,
        ]),
    );
}

function showSaves() {
    const { files, asked, commands, model } = work.answer;
    byId("predict").hidden = !model?.takesRows;
    byId("predict-what").textContent = `${model?.predicts ? "Predictions" : "Scores"} of another table`;
    byId("predict-words").textContent = model?.predicts
        ? "This model predicts its rows."
        : "Its rows get scores on the components of this model.";
    const script = work.table && new Blob([pythonScript(asked)], { type: "text/x-python" });
    byId("saves").replaceChildren(
        ...knownOnes([
            ...Object.entries(files)
                .filter(([name]) => name !== "result.json")
                .map(([name, blob]) => saveLink(name, blob)),
            script && saveLink("repeat.py", script),
            commands.length && saveLink("repeat.sh", new Blob([`#!/bin/sh -e\n${commands.join("\n")}\n`])),
            makeOnDemand("Model card", "card.md", ["inspect", "model.ald", "--card"]),
            ...(model ? exportButtons(model) : []),
        ]),
    );
    byId("python").textContent = work.table ? pythonScript(asked) : "";
    byId("repeat-part").hidden = !work.table;
    const pictures = model ? pictureButtons(model) : [];
    byId("pictures").replaceChildren(...pictures);
    byId("pictures-part").hidden = !pictures.length;
    byId("keep").checked = false;
}

// How kept work looks, to be raised where table, profile or answer change: of work of another form, which another
// version of the page kept, only the model is opened.
const KEPT_FORM = 2;

const openStore = () =>
    new Promise((resolve, reject) => {
        const asked = indexedDB.open("alidade", 1);
        asked.onupgradeneeded = () => asked.result.createObjectStore("work");
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error);
    });

// One action on the store; resolves to its result once that is written.
async function inStore(mode, action) {
    const database = await openStore();
    return new Promise((resolve, reject) => {
        const transaction = database.transaction("work", mode, { durability: "strict" }),
            asked = action(transaction.objectStore("work"));
        transaction.oncomplete = () => resolve(asked.result);
        transaction.onabort = () => reject(transaction.error);
    }).finally(() => database.close());
}

const keepWork = () =>
    safely(async () => {
        if (!byId("keep").checked) {
            await inStore("readwrite", (store) => store.delete("last"));
            return say("Nothing is kept.");
        }
        const { table, profile, answer } = work;
        await inStore("readwrite", (store) =>
            store.put({ form: KEPT_FORM, table, profile, answer, date: new Date() }, "last"),
        ).catch(({ message }) => {
            byId("keep").checked = false;
            throw new Error(`The browser did not keep the work: ${message}`);
        });
        say("Kept in this browser.");
    });

// Firefox takes files away with the record that they came from: what is opened has its own.
const copyOf = async (blob) => new Blob([await blob.arrayBuffer()], { type: blob.type });

async function offerLastWork() {
    const last = await inStore("readonly", (store) => store.get("last")).catch(() => null);
    if (!last) return;
    const offer = byId("last"),
        name = last.table?.name || "a model",
        date = last.date.toLocaleString();
    const openItsModel = () =>
        safely(async () => {
            offer.hidden = true;
            await openModel(new File([await copyOf(last.answer.files["model.ald"])], "model.ald"));
        });
    const reopen = () =>
        safely(async () => {
            offer.hidden = true;
            const { given, entry, plain } = last.table || {},
                { files } = last.answer;
            for (const one of new Set([given?.entry, entry, plain]))
                if (one) Object.assign(one, asEntry(await copyOf(one.blob)));
            for (const name of Object.keys(files)) files[name] = await copyOf(files[name]);
            Object.assign(work, { table: last.table, profile: last.profile });
            askAnew();
            if (work.table) {
                byId("read").textContent = `${work.table.name}: as you left it.`;
                showTable();
                await showAsk();
            }
            work.answer = last.answer;
            await showAnswer();
            byId("keep").checked = true;
        });
    const forget = () =>
        safely(async () => {
            await inStore("readwrite", (store) => store.delete("last"));
            offer.hidden = true;
        });
    const [words, button] =
        last.form === KEPT_FORM
            ? [`Kept from ${date}: ${name}. `, makeButton("Open it", reopen)]
            : [
                  `Kept from ${date} by another version of this page: ${name}. Only its model can be opened. `,
                  makeButton("Open its model", openItsModel),
              ];
    offer.replaceChildren(words, button, " ", makeButton("Forget it", forget));
    offer.hidden = false;
}
