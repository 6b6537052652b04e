// What was asked, as options of the command line, from which the commands and the Python script come too.

// By name where a name is plain and only one column has it, otherwise by place; neighbours as a range.
function columnWord({ name, place }) {
    const { named, copied } = work.profile;
    return named && /^[A-Za-z_][\w -]*$/.test(name) && !copied.has(name) ? name : `#${place + 1}`;
}

function columnWords(columns) {
    const runs = [];
    for (const column of columns) {
        const last = runs[runs.length - 1];
        if (last && last.to.place === column.place - 1) last.to = column;
        else runs.push({ from: column, to: column });
    }
    return runs
        .flatMap(({ from, to }) => {
            const count = to.place - from.place + 1;
            if (count > 2) return [`#${from.place + 1}..#${to.place + 1}`];
            return count === 2 ? [columnWord(from), columnWord(to)] : [columnWord(from)];
        })
        .join(",");
}

// [[option, value]] of the roles. A fit knows no groups: there such columns are left out.
function roleOptions(search) {
    const of = (...roles) => work.profile.columns.filter(({ role }) => roles.includes(role));
    const dates = columnsWith("date").length > 0;
    // Dates that are not wanted as numbers, and columns the program would leave out by itself, need no word.
    const left = of("ignore", ...(search ? [] : ["group"])).filter(({ kind }) => dates || kind !== "date");
    return [
        ["target", of("target")],
        ["ignore", left],
        ["id", of("id")],
        ["categorical", of("category")],
        ["weights", of("weights")],
        ["groups", search ? of("group") : []],
    ]
        .filter(([, columns]) => columns.length)
        .map(([name, columns]) => [name, columnWords(columns)])
        .concat(dates ? [["dates", "numbers"]] : []);
}

// Missing cells of features, and rows without a target.
function missingOptions() {
    const gaps = work.profile.columns.some((column) => isFeature(column) && column.missing),
        unlabelled = columnsWith("target").some(({ missing }) => missing);
    return [
        ...(gaps ? [["missing", byId("missing").value]] : []),
        ...(unlabelled ? [["unlabelled-rows", "drop"]] : []),
    ];
}

// Rows that have a target, or groups of them: what the folds of a cross-validation are made of.
function countParts(search) {
    const groups = search ? columnsWith("group") : [],
        gaps = max(0, ...columnsWith("target").map(({ missing }) => missing));
    return groups.length ? max(...groups.map(({ distinct }) => distinct)) : work.profile.rows - gaps;
}

// Where there are few of them, the folds that the program takes by itself would be more than the parts: the choice is
// judged on five, and each training part of those has as many as it has rows.
function foldOptions() {
    const parts = countParts(true),
        outer = min(5, parts);
    if (parts >= 12 || parts < 3) return [];
    return [
        ["folds", String(parts - ceil(parts / outer))],
        ["outer-folds", String(outer)],
    ];
}

const asWords = (options) => options.map(([name, value]) => `--${name}=${value}`);

const shellWord = (word) =>
    /^[\w.,:=/+#-]+$/.test(word) && !word.startsWith("#") ? word : `'${word.replaceAll("'", "'\\''")}'`;

const asPath = (name) => (name.startsWith("-") ? `./${name}` : name);

// A command with the file by its own name; what would be written over it has another.
function shownWords(words, { file, name }) {
    const shown = (word, k) => (word === name && words[k - 1] === "-o" ? `new-${word}` : word);
    return ["alidade", ...words.map((word, k) => (word === file ? asPath(name) : shown(word, k)))];
}

const shellLine = (words, table) => shownWords(words, table).map(shellWord).join(" ");

const pythonText = (text) =>
    JSON.stringify(text).replace(
        /[\u007f-\uffff]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );

function pythonValue(value) {
    if (value === "true" || value === "false") return value === "true" ? "True" : "False";
    return value !== "" && Number.isFinite(Number(value)) ? value : pythonText(value);
}

const pythonOptions = (options) =>
    options.map(([name, value]) => `${name.replaceAll("-", "_")}=${pythonValue(value)}`);

// Options of the reading, as they are given to the program: "--sheet=2", "--transpose".
function readingOptions() {
    return (work.table.options || []).map((word) => {
        const [name, value] = word.slice(2).split(/=(.*)/s);
        return [name, value ?? "true"];
    });
}

// A script that repeats an answer: `call` is the search or the fit.
function pythonScript({ search, reading, options, verb }) {
    const name = pythonText(work.table.name),
        quoted = (options) =>
            pythonOptions(options).map((word) =>
                word.replace(/^(target|ignore|id|categorical|weights|groups|sheet)=(\d.*)$/, '$1="$2"'),
            ),
        file = [name, ...quoted(readingOptions())].join(", "),
        given = quoted(reading);
    const call = search
        ? [
              `found = alidade.tune(${["table", ...pythonOptions(options)].join(", ")})`,
              "print(found)",
              "model = found.model",
          ]
        : [`model = alidade.fit(${["table", ...pythonOptions(options)].join(", ")})`];
    const first = work.table.first.map(
        (words) => `subprocess.run([${shownWords(words, work.table).map(pythonText).join(", ")}], check=True)`,
    );
    return [
        ...(first.length ? ["import subprocess", ""] : []),
        "import alidade",
        "",
        ...first,
        `table = alidade.read_table(${[file, ...given].join(", ")})`,
        ...call,
        'model.save("model.ald")',
        `alidade.report(model, table, title=${name}).save("report.html")`,
        `print(model.${verb}(${file})[:5])`,
        "",
    ].join("\n");
}
