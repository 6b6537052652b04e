// A method and its settings, from the parameter tables of the program (`alidade methods --json`).

let methodList = [];
const typed = {}; // what the reader has set, by the name of the parameter

// Parameters that every method has, in groups; those of the method come first.
const GROUPS = [
    ["Preparation of rows and columns", /^(scale|row_scale)$/],
    ["Prediction from the components", /^predictor/],
    ["What the model keeps, and random numbers", /./],
];
const ELSEWHERE = /^(n_components|rows)$/; // have controls of their own

async function loadMethods() {
    const listed = await command(["methods", "--json"], {}, []);
    methodList = JSON.parse(listed.output);
}

function sharedNames() {
    const lists = methodList.map(({ parameters }) => new Set(parameters.map(({ name }) => name)));
    return new Set([...lists[0]].filter((name) => lists.every((list) => list.has(name))));
}

// Without its capital, unless that is a name's: "Bair's ...".
const inSentence = (title) => title.replace(/^[A-Z](?=[a-z]+(?!['a-z]))/, (letter) => letter.toLowerCase());

const chosenMethod = () => methodList.find(({ name }) => name === byId("method").value);

function parameterInput({ name, type, choices, min: low, max: high, default: usual }) {
    const set = (value) => {
        if (value === "" || value === String(usual)) delete typed[name];
        else typed[name] = value;
    };
    const now = typed[name] ?? String(usual);
    if (type === "boolean")
        return choice(
            [
                ["false", "no"],
                ["true", "yes"],
            ],
            now,
            set,
        );
    if (choices.length)
        return choice(
            choices.filter((one) => one !== "given").map((one) => [one, one]), // a matrix, which the page does not take
            now,
            set,
        );
    const numeric = type === "integer" || type === "real";
    return makeElement("input", {
        type: numeric ? "number" : "text",
        step: type === "integer" ? 1 : "any",
        min: low,
        max: high,
        value: typed[name] ?? "",
        placeholder: String(usual),
        onchange: ({ target }) => set(target.value),
    });
}

function settingGroup(title, parameters, open) {
    if (!parameters.length) return null;
    return makeElement(
        "details",
        { class: "group", open: open && "open" },
        makeElement("summary", title),
        makeElement(
            "div",
            { class: "fields" },
            ...parameters.map((one) => field(one.name, parameterInput(one), one.help)),
        ),
    );
}

function showSettings() {
    const method = chosenMethod(),
        shared = sharedNames();
    const usable = method.parameters.filter(({ name }) => !ELSEWHERE.test(name)),
        left = usable.filter(({ name }) => shared.has(name)),
        groups = [
            settingGroup(
                `Settings of ${inSentence(method.title)}`,
                usable.filter(({ name }) => !shared.has(name)),
                true,
            ),
        ];
    for (const [title, names] of GROUPS) {
        groups.push(
            settingGroup(
                title,
                left.filter(({ name }) => names.test(name)),
            ),
        );
        left.splice(0, left.length, ...left.filter(({ name }) => !names.test(name)));
    }
    byId("method-words").textContent = `${method.summary} ${method.reference}.`;
    byId("settings").replaceChildren(...knownOnes(groups));
}

// What the target is, in the words of the capabilities of methods.
function targetKind() {
    const targets = columnsWith("target"),
        several = targets.length > 1,
        task = byId("task").value;
    if (!targets.length) return "no-target";
    if (task) return { classification: "classes", multilabel: "multi-label" }[task] || (several ? "several-responses" : "real");
    if (several)
        return targets.every(isFlag) ? "multi-label" : "several-responses";
    const [{ kind, few, whole, repeated }] = targets;
    return kind === "text" || (few && whole && repeated) ? "classes" : "real"; // as the program decides
}

// Whether what is asked for ends in predictions: some methods have places for the rows they were given, and no others.
const willPredict = () =>
    columnsWith("target").length > 0 &&
    (isSearch() || (chosenMethod().capabilities.includes("new-rows") && typed.predictor !== "none"));

// Methods that cannot serve such a target are listed, and cannot be chosen.
function markMethods() {
    const kind = targetKind();
    for (const one of byId("method").querySelectorAll("option"))
        one.disabled = !methodList.find(({ name }) => name === one.value).capabilities.includes(kind);
    if (!byId("method").selectedOptions[0]?.disabled) return;
    byId("method").value = byId("method").querySelector("option:not(:disabled)").value;
    showSettings();
}

function showMethods() {
    const linear = methodList.filter(({ capabilities }) => capabilities.includes("linear")),
        curved = methodList.filter(({ capabilities }) => !capabilities.includes("linear"));
    const group = (label, list) =>
        makeElement(
            "optgroup",
            { label },
            ...list.map(({ name, title }) => makeElement("option", { value: name }, `${name}: ${title}`)),
        );
    byId("method").append(
        group("Linear: directions of the columns", linear),
        group("Curved: by kernels or distances", curved),
    );
    byId("method").value = "pls";
    byId("method").onchange = showSettings;
    showSettings();
}

// [[option, value]] of what was set; what the method does not have is left out.
function settingOptions() {
    const names = new Set(chosenMethod().parameters.map(({ name }) => name));
    return Object.entries(typed)
        .filter(([name]) => names.has(name))
        .map(([name, value]) => [name.replaceAll("_", "-"), value]);
}
