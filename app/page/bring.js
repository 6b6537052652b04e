// 1. Bring a table: a file, what was copied in a spreadsheet, or an example.

const MOST_BYTES = 1e9;
const READING = [
    [
        "header",
        "First line",
        [
            ["", "detect"],
            ["yes", "names of the columns"],
            ["no", "a row"],
        ],
    ],
    [
        "decimal",
        "Decimal mark",
        [
            ["", "detect"],
            ["point", "point"],
            ["comma", "comma"],
        ],
    ],
    [
        "delimiter",
        "Between cells",
        [
            ["", "detect"],
            [",", "comma"],
            [";", "semicolon"],
            ["tab", "tab"],
            ["|", "bar"],
        ],
    ],
    [
        "transpose",
        "Samples stand in",
        [
            ["", "rows"],
            ["yes", "columns"],
        ],
    ],
];

// What is typed: words, and how the field looks.
const TYPED = [
    ["sheet", "Sheet of a workbook (--sheet)", { type: "text", size: 10, placeholder: "the first" }],
    ["skip", "Lines above the table (--skip)", { type: "number", min: 0, step: 1, placeholder: "0" }],
];

const OWN_FILES =
    /^(all\.csv|model\.ald|report\.html|predictions\.csv|scores\.csv|predicted\.csv|result\.json|journal|row\.csv|one\.csv|places?\.csv)$/;

const SPARSE = /\.(svm|svmlight|libsvm|mtx|mm)(\.gz)?$/i;

// The name of the file for the program: its own, without folders, and none of those that the page writes.
function plainName(name, stem) {
    const plain = name.replace(/[/\\\0\n\r]/g, "_").slice(-100),
        ending = /\.[A-Za-z0-9]{1,8}$/.test(plain) ? plain : `${plain}.csv`;
    return /^[-.~]/.test(ending) || OWN_FILES.test(ending)
        ? `${stem}-${ending.replace(/^[-.~]+/, "")}`
        : ending;
}

// How the file is to be read, as options.
function readingWords() {
    const words = [...READING, ...TYPED].map(([name]) => [name, byId(`reading-${name}`).value.trim()]);
    return words.filter(([, value]) => value).map(([name, value]) => (name === "transpose" ? "--transpose" : `--${name}=${value}`));
}

function buildReading() {
    byId("reading").append(
        ...READING.map(([name, label, options]) => {
            const list = choice(options, "", () => work.table && openTable());
            list.id = `reading-${name}`;
            return field(label, list);
        }),
        ...TYPED.map(([name, label, look]) =>
            field(
                label,
                makeElement("input", { id: `reading-${name}`, ...look, onchange: () => work.table && openTable() }),
            ),
        ),
    );
}

function takeFile(file) {
    fail("");
    if (!file.size) return fail(`${file.name} is empty.`);
    if (file.size > MOST_BYTES)
        return fail(
            `${file.name} has ${round(file.size / 1e6)} MB; a page takes at most ${MOST_BYTES / 1e6}. The command line takes any size.`,
        );
    if (/\.ald$/i.test(file.name)) return openModel(file);
    return takeTable(file.name, file);
}

function takeTable(name, blob) {
    for (const [option] of [...READING, ...TYPED]) byId(`reading-${option}`).value = "";
    askAnew();
    const given = { name, file: plainName(name, "table"), entry: asEntry(blob) };
    work.table = { ...given, given };
    return openTable();
}

// A text from the clipboard of a spreadsheet has tabs between its cells.
function takeText(text) {
    if (!text.trim()) return;
    takeTable(text.includes("\t") ? "pasted.tsv" : "pasted.csv", new Blob([text]));
}

// What the examples are asked for.
const EXAMPLES = {
    tecator: { target: ["fat"], ignore: ["water", "protein"] },
    deliveries: { group: ["customer"] },
    recordings: { target: ["calm", "happy", "strong"] },
};

async function takeExample(name, bytes) {
    if (!(await takeTable(name, new Blob([bytes])))) return;
    for (const [role, names] of Object.entries(EXAMPLES[name.replace(/\..*/, "")] || {}))
        for (const column of work.profile.columns) if (names.includes(column.name)) column.role = role;
    const asked = EXAMPLES[name.replace(/\..*/, "")]?.target;
    if (asked)
        for (const column of columnsWith("target")) if (!asked.includes(column.name)) column.role = "feature";
    rolesChanged();
}

// At the table as the worker has it.
const look = (what, ...given) =>
    ask({ table: work.table.plain, header: work.table.header, what, arguments: given });

// Megabytes that a page gets, at a guess.
const expectedMemory = () => min(IS_SMALL ? 1000 : 3500, (navigator.deviceMemory || 4) * 700);

// What commands are given. Columns of sparse files are numbers and their labels no column, so that few roles could be
// told: the commands take the plain csv file, which the first of them makes.
function usedTable(given, plain, options) {
    if (!SPARSE.test(given.name)) return { ...given, options, first: [] };
    const name = given.name.replace(SPARSE, ".csv"),
        file = plainName(name, "table");
    return { name, file, entry: plain, options: [], first: [["convert", asPath(given.name), "-o", file, ...options]] };
}

// The program writes the table as plain csv, whatever it was, and the worker looks at that. Resolves to whether the table
// is open in the end: another may have been brought.
async function openTable() {
    const table = work.table,
        { name, file, entry } = table.given;
    stopProgram();
    fail("");
    showOnly("bring");
    byId("read").textContent = `Reading ${name} …`;
    byId("read-notes").replaceChildren();
    const isOpen = await safely(async () => {
        const options = readingWords();
        const read = await ask({
            command: ["convert", file, "-o", "all.csv", ...options, memoryWord(), "--verbose"],
            files: { [file]: entry },
            wanted: ["all.csv"],
        });
        byId("read-notes").replaceChildren(...notesOf(read.messages).map((words) => paragraph(words, "note")));
        if (read.code !== 0) {
            byId("reading-part").open = true;
            throw new Error(failureWords(read));
        }
        const header = byId("reading-transpose").value ? "" : byId("reading-header").value; // names become the first line
        const plain = asEntry(read.files["all.csv"]);
        Object.assign(table, { plain, header, ...usedTable(table.given, plain, options) });
        const profile = await look("describe");
        profile.columns = JSON.parse(profile.columns);
        await nextTurn();
        if (work.table !== table) return; // another was brought
        Object.assign(work, { profile, answer: null });
        const size = plain.blob.size / 1e6;
        byId("read").textContent =
            `${name}: ${pluralText(profile.rows, "row")}, ${pluralText(profile.columns.length, "column")}.` +
            (profile.whole ? "" : " Only the first rows were looked at here; a model is fitted to all.");
        guessRoles();
        showTable();
        showOnly("bring", "see");
        await nextTurn();
        if (work.table !== table) return;
        await showAsk();
        showOnly("bring", "see", "ask");
        if (4 * size > expectedMemory())
            fail(
                `The table has ${round(size)} MB as text. A fit may need more memory than a page gets (about ${round(expectedMemory())} MB here): leave columns out, or use the command line.`,
            );
        return work.table === table;
    });
    if (work.table === table && byId("see").hidden) byId("read").textContent = "";
    return isOpen;
}

function showOnly(...names) {
    for (const name of ["bring", "see", "ask", "answer"]) byId(name).hidden = !names.includes(name);
}

function listenForTables(examples) {
    const drop = byId("drop");
    byId("file").onchange = ({ target }) => target.files[0] && takeFile(target.files[0]);
    for (const name of Object.keys(examples))
        byId(`example-${name.replace(/\..*/, "")}`).onclick = () => takeExample(name, examples[name]);
    for (const kind of ["dragover", "dragleave", "drop"])
        document.addEventListener(kind, (event) => {
            event.preventDefault();
            drop.classList.toggle("over", kind === "dragover");
            const file = kind === "drop" && event.dataTransfer.files[0];
            if (file) (byId("predict").contains(event.target) ? predictOther : takeFile)(file);
        });
    document.addEventListener("paste", (event) => {
        if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
        const file = event.clipboardData.files[0];
        if (file) takeFile(file);
        else takeText(event.clipboardData.getData("text"));
    });
    byId("take-pasted").onclick = () => takeText(byId("pasted").value);
}
