// 2. See it: the first rows, a line per column, and what is strange. A role is what alidade does with a column.

const ROLES = {
    feature: "feature",
    target: "target",
    ignore: "left out",
    category: "feature, as categories",
    id: "name of the row",
    group: "group of rows",
    date: "feature, as days",
    weights: "weight of the row",
};
const USUAL_ROLES = ["feature", "target", "ignore"];
const COLUMNS_AT_ONCE = 50;
const EVENT = /^(status|events?|censor\w*|dead|died|death|deceased|relapsed?|failed|failure)$/i; // names of columns
const shownColumns = { from: 0, words: "" };

const columnsWith = (role) => work.profile.columns.filter((column) => column.role === role);
const isFlag = ({ few }) => few?.length === 2 && few[0] === 0 && few[1] === 1;
const isFeature = ({ role }) => ["feature", "category", "date"].includes(role);

// As the program does it without options; the last column is taken for the target.
function guessRoles() {
    const { columns, rows } = work.profile;
    columns.forEach((column, j) => {
        column.place = j;
        column.role = guessRole(column, rows);
    });
    const named = columns.find(({ name }) => /^(y|target|class|label)$/i.test(name)),
        usable = columns.filter((column) => isFeature(column));
    if (usable.length > 1) (named || usable[usable.length - 1]).role = "target";
    const seen = new Set();
    work.profile.copied = new Set(
        columns.map(({ name }) => name).filter((name) => seen.has(name) || !seen.add(name)),
    );
    work.profile.guessed = true;
    Object.assign(shownColumns, { from: 0, words: "" });
}

function guessRole({ kind, distinct, missing, counting }, rows) {
    if (kind === "empty" || kind === "date" || distinct < 2) return "ignore";
    if ((kind === "text" && distinct > (rows - missing) / 2 && distinct > 20) || counting) return "id";
    return "feature";
}

function kindWords({ kind, whole, distinct, few, levels }) {
    if (kind === "empty") return "nothing in it";
    if (kind === "date") return "dates";
    if (kind === "text")
        return `${pluralText(distinct, levels.length > 30 ? "different text" : "category").replace("categorys", "categories")}`;
    if (isFlag({ few })) return "0 or 1";
    return whole ? "whole numbers" : "numbers";
}

function spreadWords({ kind, low, high, mean, levels }) {
    if (kind === "number") return `${briefText(low)} to ${briefText(high)}, mean ${briefText(mean)}`;
    if (kind === "empty") return "";
    return (
        levels
            .slice(0, 3)
            .map(([name, count]) => `${cut(name, 14)} (${count})`)
            .join(", ") + (levels.length > 3 ? ", …" : "")
    );
}

function histogram({ name, bars, kind }) {
    const most = max(1, ...bars),
        width = 84,
        height = 22;
    return makeCanvas(`Histogram of ${name}`, width, height, (pen) =>
        bars.forEach((count, k) => {
            const high = count ? max(1.5, (count / most) * height) : 0,
                step = width / max(bars.length, kind === "number" ? 1 : 6);
            pen.box(k * step, height - high, max(1, step - 1), high, ink.accent);
        }),
    );
}

// A guessed target gives way to the first that is chosen; further ones are added.
function setRole(column, role) {
    if (role === "target" && work.profile.guessed)
        columnsWith("target").forEach((one) => (one.role = "feature"));
    if (role === "target") work.profile.guessed = false;
    if (role === "weights") columnsWith("weights").forEach((one) => (one.role = "ignore"));
    column.role = role;
    rolesChanged();
}

function rolesChanged() {
    showColumns();
    safely(showAsk);
}

function roleControls(column) {
    const usual = USUAL_ROLES.map((role) =>
        makeButton(ROLES[role], () => setRole(column, role), {
            "aria-pressed": String(column.role === role),
            "aria-label": `${column.name}: ${ROLES[role]}`,
        }),
    );
    const others = Object.keys(ROLES).filter((role) => !USUAL_ROLES.includes(role));
    const more = choice(
        [["", "more …"], ...others.map((role) => [role, ROLES[role]])],
        others.includes(column.role) ? column.role : "",
        (role) => role && setRole(column, role),
    );
    more.setAttribute("aria-label", `${column.name}: another role`);
    more.classList.toggle("chosen", others.includes(column.role));
    return makeElement(
        "div",
        { class: "roles", role: "group", "aria-label": `Role of ${column.name}` },
        ...usual,
        more,
    );
}

function columnLine(column) {
    const { rows } = work.profile,
        { name, missing, role } = column;
    return makeElement(
        "tr",
        { class: `role-${role}` },
        makeElement("th", { scope: "row", title: name }, cut(name, 36)),
        makeElement("td", roleControls(column)),
        makeElement("td", kindWords(column)),
        makeElement(
            "td",
            { class: "number" },
            missing ? `${groupedText(missing)} (${percentText(missing / rows, 2)})` : "none",
        ),
        makeElement("td", histogram(column)),
        makeElement("td", { class: "wide" }, spreadWords(column)),
    );
}

function showColumns() {
    const { columns } = work.profile,
        words = shownColumns.words.toLowerCase();
    const found = columns.filter(({ name }) => name.toLowerCase().includes(words)),
        page = found.slice(shownColumns.from, shownColumns.from + COLUMNS_AT_ONCE);
    const focused = document.activeElement?.getAttribute("aria-label");
    const head = ["column", "what alidade does with it", "kind", "missing", "histogram", "spread"];
    byId("columns").replaceChildren(
        makeElement(
            "table",
            makeElement("caption", { class: "hidden" }, "The columns of the table"),
            makeElement(
                "thead",
                makeElement(
                    "tr",
                    ...head.map((name, j) =>
                        makeElement("th", { scope: "col", class: j === 5 && "wide" }, name),
                    ),
                ),
            ),
            makeElement("tbody", ...page.map(columnLine)),
        ),
    );
    byId("many-columns").hidden = columns.length <= COLUMNS_AT_ONCE;
    byId("columns-shown").textContent =
        `${min(found.length, shownColumns.from + 1)} to ${min(found.length, shownColumns.from + COLUMNS_AT_ONCE)} of ${pluralText(found.length, "column")}`;
    if (focused)
        [...byId("columns").querySelectorAll("[aria-label]")]
            .find((one) => one.getAttribute("aria-label") === focused)
            ?.focus();
}

function moveColumns(step) {
    shownColumns.from = max(0, shownColumns.from + step * COLUMNS_AT_ONCE);
    if (shownColumns.from >= work.profile.columns.length) shownColumns.from -= COLUMNS_AT_ONCE;
    showColumns();
}

// All columns whose names match what is searched for.
function setRoleOfFound(role) {
    const words = shownColumns.words.toLowerCase();
    if (!role) return;
    work.profile.guessed = work.profile.guessed && role !== "target";
    for (const column of work.profile.columns)
        if (column.name.toLowerCase().includes(words)) column.role = role;
    rolesChanged();
}

function showTable() {
    const { first, columns } = work.profile,
        most = min(12, columns.length);
    const names = columns.slice(0, most).map(({ name }) => cut(name, 30));
    const more = columns.length > most ? [`… ${groupedText(columns.length - most)} more`] : [];
    const cells = first.map((row) => [
        ...row.slice(0, most).map((cell) => cut(cell, 24)),
        ...(more.length ? ["…"] : []),
    ]);
    byId("preview").replaceChildren(plainTable("The first rows", [...names, ...more], cells));
    showColumns();
}

// What is strange, as sentences.
function strangeThings(related) {
    const { columns, rows, copies, copied, named } = work.profile,
        found = [];
    const list = (chosen) =>
        chosen
            .slice(0, 4)
            .map(({ name }) => cut(name, 24))
            .join(", ") + (chosen.length > 4 ? `, … (${chosen.length})` : "");
    const tell = (test, words) => {
        const chosen = columns.filter(test);
        if (chosen.length) found.push(`${list(chosen)}: ${words}`);
    };
    if (!named) found.push("The columns have no names: they are called #1, #2, … by their places.");
    if (copies)
        found.push(
            `${pluralText(copies, "row")} ${copies === 1 ? "repeats" : "repeat"} an earlier row. Copies in both training and test rows make a model look better than it is.`,
        );
    if (copied.size)
        found.push(`Several columns are called ${[...copied].slice(0, 4).join(", ")}. Columns are found by their names, so rename them in the table.`);
    tell(({ kind }) => kind === "empty", "empty; left out.");
    tell(({ kind, distinct }) => kind !== "empty" && distinct === 1, "the same in every row; left out.");
    tell(({ kind }) => kind === "date", "dates, left out; “feature, as days” takes them as numbers.");
    tell(
        ({ role, counting }) => role === "id" && counting,
        "numbers the rows; taken as their names, not as a feature.",
    );
    tell(
        ({ role, kind }) => role === "id" && kind === "text",
        "nearly every row has its own text; taken as names of the rows.",
    );
    tell(
        ({ missing, kind }) => kind !== "empty" && missing > rows / 2,
        "more than half of the cells are missing.",
    );
    const [target] = columnsWith("target");
    if (target?.kind === "number" && target.low >= 0 && !target.few)
        tell(
            (column) => isFeature(column) && isFlag(column) && EVENT.test(column.name),
            `if it says whether an event came at ${target.name} or had not come yet, this page cannot use such times. The command line can (alidade fit --event), and this page predicts with its models.`,
        );
    for (const [j, how] of related)
        if (isFeature(columns[j]))
            found.push(
                how === "same"
                    ? `${columns[j].name}: each of its values belongs to one value of the target. Leave it out, unless it will be known when you predict.`
                    : `${columns[j].name}: nearly determines the target (correlation ${fixedText(how, 3)}). Leave it out, unless it will be known when you predict.`,
            );
    return found;
}

async function showStrange() {
    const target = columnsWith("target")[0];
    const related = target ? await look("relate", target.place) : [];
    const found = strangeThings(related);
    byId("strange").replaceChildren(...found.map((words) => makeElement("li", words)));
    byId("strange-part").hidden = !found.length;
}

function listenForColumns() {
    byId("column-words").oninput = ({ target }) => {
        Object.assign(shownColumns, { words: target.value, from: 0 });
        showColumns();
    };
    byId("columns-back").onclick = () => moveColumns(-1);
    byId("columns-on").onclick = () => moveColumns(1);
    byId("all-found").append(
        choice([["", "choose …"], ...Object.entries(ROLES)], "", (role) => setRoleOfFound(role)),
    );
}
