// What the page was given, as the pictures ask for it. `report`, `selection`, `choice` (what the reader has chosen) and
// `ink` (the colours of the theme) belong to the whole page; app.js sets them.

let report, selection, ink;
const choice = { response: 0, class: 0, x: 0, y: 1, colour: "target" };

function makeReport(json) {
  const { rows } = json, ids = numbersOf(rows && rows.ids), part = numbersOf(rows && rows.part);
  return {
    ...json, shown: rows ? rows.shown : 0, scores: (json.scores || []).map(numbersOf), named: Boolean(rows && rows.names),
    id: (row) => (ids ? ids[row] : row + 1),
    name: (row) => (rows.names ? rows.names[row] : `row ${report.id(row)}`),
    isTest: (row) => Boolean(part && part[row]),
    hasTest: Boolean(part && part.includes(1)),
  };
}

// The target as chosen. Numbers: {measured, predicted, title}. Classes: codes, names, and score(c), how strongly each
// row is taken for class c; a label is two classes, without it and with it.
function target() {
  const { task, response, predicted, responses } = report;
  if (!response || task === "none") return null;
  if (task === "classification") return classTarget();
  const k = choice.response, { name, unit } = responses[k], found = predicted && numbersOf(predicted[k]), measured = numbersOf(response[k]);
  if (task === "multilabel") return labelTarget(name, measured, found);
  return { name, measured, predicted: found, title: unit ? `${name} (${unit})` : name };
}

function classTarget() {
  const { response, predicted, probabilities } = report;
  return {
    name: report.target_name || "class", classes: report.classes, measured: numbersOf(response[0]), predicted: predicted && numbersOf(predicted[0]),
    score: probabilities && ((c) => numbersOf(probabilities[c])), chance: report.probabilities_are !== "scores",
  };
}

function labelTarget(name, measured, scores) {
  const codes = (values) => Uint8Array.from(values, (value) => (Number.isNaN(value) ? 255 : value > 0.5));
  return {
    name, classes: [`not ${name}`, name], measured: codes(measured), predicted: scores && codes(scores),
    score: scores && ((c) => (c ? scores : scores.map((value) => 1 - value))),
  };
}

// Where the predictions come from, in the words of a caption.
function predictionWords() {
  const words = {
    "cross-validation": "Each row was predicted by a model that had not seen it (cross-validation). ",
    test: "Test rows were not used for the model. ",
    training: "Training rows are predicted by the model fitted to them, so they look better than new rows will. ",
  };
  const { training, test } = report.predicted_source || {};
  return (words[training] || "") + (words[test] || "");
}

function componentLabel(c) {
  const { explained_x: x, explained_y: y } = report.components[c];
  const told = [isNumber(x) && `${percent(x)} of the columns`, isNumber(y) && `${percent(y)} of the target`].filter(Boolean).join(", ");
  return `Component ${c + 1}` + (told && ` (${told})`);
}

// What is said of a row when somebody points at it.
function rowText(row) {
  const { name, measured, predicted, classes } = target() || {}, column = colourColumn();
  const words = (value) => (classes ? classes[value] ?? "no value" : brief(value, 5));
  const facts = [["row of the file", report.id(row)], report.hasTest && ["part", report.isTest(row) ? "test" : "training"],
    measured && [`${cut(name, 30)}, measured`, words(measured[row])], predicted && ["predicted", words(predicted[row])],
    ...[...new Set([choice.x, choice.y])].map((c) => report.scores[c] && [`component ${c + 1}`, brief(report.scores[c][row])]),
    column && [cut(column.name, 30), brief(column.values[row])]];
  return [cut(report.name(row), 60), ...facts.filter(Boolean).map(([label, value]) => `${label}: ${cut(value, 60)}`)].join("\n");
}

function colourColumn() {
  const [word, index] = choice.colour.split(" ");
  if (word !== "column") return null;
  const { column, values } = report.column_values[index];
  return { name: report.columns[column].name, values: numbersOf(values) };
}

// A group of rows for each colour, by what the reader has chosen to colour by.
function colouring() {
  const { title, name, classes, measured } = target() || {}, column = colourColumn();
  if (column) return { ...byNumber(column.values, extent(column.values), ink.dark), title: column.name };
  if (choice.colour === "part") return { ...byClass(numbersOf(report.rows.part), ["training", "test"], ink.dark), title: "part" };
  if (choice.colour === "target" && classes) return { ...byClass(measured, classes, ink.dark), title: name };
  if (choice.colour === "target" && measured) return { ...byNumber(measured, extent(measured), ink.dark), title };
  return { ...byClass(new Uint8Array(report.shown), ["all rows"], ink.dark), title: "" };
}
