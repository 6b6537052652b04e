// Steps that are applied to each row (spectra), with a picture of some rows before and after. The program does them in a
// fit (src/fit/prepare/row_plan.c); here they are done to the few rows that are shown.

const STEPS = {
    snv: { words: "scale each row to mean 0 and standard deviation 1 (SNV)", fields: [] },
    msc: { words: "multiplicative scatter correction to the mean row (MSC)", fields: [] },
    detrend: { words: "subtract a polynomial trend from each row (detrend)", fields: [["degree", 2, 0, 10]] },
    savgol: {
        words: "smooth or differentiate each row (Savitzky-Golay)",
        fields: [
            ["window", 11, 3, 101],
            ["degree", 2, 0, 10],
            ["derivative", 1, 0, 4],
        ],
    },
};
const MOST_CURVES = 40;
let rowSteps = []; // [{kind, values}]

const stepText = ({ kind, values }) => [kind, ...values].join(":");
const stepOptions = () => (rowSteps.length ? [["rows", rowSteps.map(stepText).join(",")]] : []);

const meanOf = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

function snvRow(row) {
    const mean = meanOf(row),
        spread = sqrt(row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (row.length - 1));
    return row.map((value) => (spread > 0 ? (value - mean) / spread : 0));
}

function mscRow(row, reference) {
    const mean = meanOf(row),
        centre = meanOf(reference);
    let cross = 0,
        square = 0;
    row.forEach((value, j) => {
        cross += (value - mean) * (reference[j] - centre);
        square += (reference[j] - centre) ** 2;
    });
    const slope = cross && square ? cross / square : 0;
    return row.map((value) => (value - mean + slope * centre) / (slope || 1));
}

// Orthonormal polynomials up to a degree on n equally spaced points, and their derivatives of one order per point.
function polynomials(n, degree, order) {
    const points = Array.from({ length: n }, (_, i) => (2 * i - n + 1) / max(1, n - 1)),
        orders = Array.from({ length: order + 1 }, () => []);
    orders.forEach((list, m) => (list[0] = points.map(() => Number(m === 0))));
    const squares = [n];
    for (let k = 0; k < degree; k++) {
        const ratio = k ? squares[k] / squares[k - 1] : 0;
        orders.forEach((list, m) => {
            list[k + 1] = points.map(
                (t, i) =>
                    t * list[k][i] + (m ? m * orders[m - 1][k][i] : 0) - (k ? ratio * list[k - 1][i] : 0),
            );
        });
        squares[k + 1] = orders[0][k + 1].reduce((sum, value) => sum + value * value, 0);
    }
    const slope = (2 / max(1, n - 1)) ** order,
        unit = (list, factor) =>
            list.map((values, k) => values.map((value) => (value * factor) / sqrt(squares[k])));
    return { values: unit(orders[0], 1), slopes: unit(orders[order], slope) };
}

function detrendRow(row, degree) {
    const { values } = polynomials(row.length, min(degree, row.length - 1), 0);
    return values.reduce((left, p) => {
        const along = p.reduce((sum, value, j) => sum + value * left[j], 0);
        return left.map((value, j) => value - along * p[j]);
    }, row);
}

function savgolRow(row, window, degree, order) {
    const w = min(window, row.length),
        { values, slopes } = polynomials(w, degree, order);
    const weights = slopes[0].map((_, i) =>
        values[0].map((__, j) => values.reduce((sum, p, k) => sum + slopes[k][i] * p[j], 0)),
    );
    return row.map((_, j) => {
        const first = min(max(j - floor(w / 2), 0), row.length - w);
        return weights[j - first].reduce((sum, weight, i) => sum + weight * row[first + i], 0);
    });
}

// The mean row of msc is that of the rows shown; a fit takes the mean of all.
function applyStep({ kind, values }, rows) {
    const reference = kind === "msc" && rows[0].map((_, j) => meanOf(rows.map((row) => row[j])));
    const one = {
        snv: snvRow,
        msc: (row) => mscRow(row, reference),
        detrend: (row) => detrendRow(row, ...values),
        savgol: (row) => savgolRow(row, ...values),
    };
    return rows.map(one[kind]);
}

function curvePicture(words, rows) {
    const width = min(
        560,
        max(280, byId("curves").clientWidth / (byId("curves").clientWidth > 900 ? 2 : 1) - 16),
    );
    const [low, high] = paddedSpan(extentOf(...rows));
    const canvas = makeCanvas(
        `${words}: ${rows.length} rows as curves over the columns`,
        width,
        220,
        (pen, wide, height) => {
            const axes = {
                x: { low: 1, high: rows[0]?.length || 1, label: "column", whole: true },
                y: { low, high, label: "" },
            };
            const at = frame(pen, wide, height, axes, ink);
            rows.forEach((row, k) =>
                pen.line(
                    row.flatMap((value, j) => [at.x(j + 1), at.y(value)]),
                    classLook(k % 8, ink.dark).colour,
                    { width: 1, alpha: 0.7 },
                ),
            );
        },
    );
    return makeElement("figure", makeElement("figcaption", words), canvas);
}

async function drawSteps() {
    if (byId("steps-part").hidden || !byId("steps-part").open) return;
    const features = work.profile.columns
        .filter((column) => isFeature(column) && column.kind === "number")
        .map(({ place }) => place);
    const every = max(1, floor(work.profile.rows / MOST_CURVES)),
        chosen = Array.from({ length: min(MOST_CURVES, work.profile.rows) }, (_, i) => i * every);
    const rows = (await look("numbers", chosen, features)).filter((row) =>
        row.every(Number.isFinite),
    );
    if (!rows.length || features.length < 3)
        return byId("curves").replaceChildren(paragraph("There are no rows of numbers to show."));
    const after = rowSteps.reduce((now, step) => applyStep(step, now), rows);
    byId("curves").replaceChildren(
        curvePicture("Before", rows),
        curvePicture(
            rowSteps.length ? `After ${rowSteps.map(stepText).join(", ")}` : "After (no step yet)",
            after,
        ),
    );
}

function stepLine(step, k) {
    const { words, fields } = STEPS[step.kind];
    const change = (value, j) => {
        step.values[j] = value;
        safely(drawSteps);
    };
    return makeElement(
        "li",
        words,
        ...fields.map(([name, , low, high], j) =>
            field(
                name,
                makeElement("input", {
                    type: "number",
                    min: low,
                    max: high,
                    step: name === "window" ? 2 : 1,
                    value: step.values[j],
                    oninput: ({ target }) =>
                        target.validity.valid && target.value !== "" && change(Number(target.value), j),
                }),
            ),
        ),
        makeButton("Remove", () => changeSteps(rowSteps.filter((_, i) => i !== k)), {
            "aria-label": `Remove step ${k + 1}`,
        }),
    );
}

function changeSteps(steps) {
    rowSteps = steps;
    byId("steps").replaceChildren(...rowSteps.map(stepLine));
    safely(drawSteps);
}

function buildSteps() {
    const list = choice(
        [["", "add a step …"], ...Object.entries(STEPS).map(([kind, { words }]) => [kind, words])],
        "",
        (kind) => {
            if (kind)
                changeSteps([...rowSteps, { kind, values: STEPS[kind].fields.map(([, usual]) => usual) }]);
            list.value = "";
        },
    );
    byId("add-step").append(list);
    byId("steps-part").ontoggle = () => safely(drawSteps);
}
