// What the page was given, as the pictures ask for it. These belong to the whole page; app.js sets them:
//   report       the data                       selection   the rows that are chosen
//   choice       what the reader has chosen     ink         the colours of the theme
//   goal         the target as chosen, or {}    colours     a group of rows for each colour

let report, selection, ink, goal, colours;
const choice = { response: 0, class: 0, x: 0, y: 0, colour: "target", version: 0 };

function makeReport(json) {
  const { rows } = json,
    ids = numbersOf(rows?.ids),
    part = numbersOf(rows?.part);
  return {
    ...json,
    shown: rows?.shown || 0,
    scores: (json.scores || []).map(numbersOf),
    named: Boolean(rows?.names),
    hasTest: Boolean(part?.includes(1)),
    id: (row) => (ids ? ids[row] : row + 1),
    name: (row) => rows.names?.[row] || `row ${report.id(row)}`,
    part: (row) => (part?.[row] ? "test" : "training"),
  };
}

// Numbers: {name, title, measured, predicted}. Classes: codes, names, and score(c), how strongly each row is taken for
// class c; a label is two classes, without it and with it.
function targetOf({ task, response, predicted, responses, probabilities, ...rest }, k) {
  if (!response || task === "none") return {};
  const measured = numbersOf(response[k]),
    found = predicted && numbersOf(predicted[k]),
    { name, unit } = responses[k] || {};
  if (task === "regression") return numberTarget(name, unit, measured, found);
  if (task === "multilabel") return labelTarget(name, measured, found);
  return {
    name: rest.target_name || "class",
    classes: rest.classes,
    measured,
    predicted: found,
    certain: rest.probabilities_are !== "scores",
    score: probabilities && ((c) => numbersOf(probabilities[c])),
  };
}

// Numbers are told with the digits that their errors support.
function numberTarget(name, unit, measured, predicted) {
  const error = predicted?.map((value, i) => value - measured[i]),
    decimals = decimalsFor(rootMeanSquare(error || measured) / 10);
  return {
    name,
    measured,
    predicted,
    error,
    title: name + (unit ? ` (${unit})` : ""),
    show: (value) => fixed(value, decimals),
  };
}

function rootMeanSquare(values) {
  const known = values.filter(isFinite);
  return sqrt(known.reduce((sum, value) => sum + value * value, 0) / known.length);
}

function labelTarget(name, measured, scores) {
  const codes = (values) => Uint8Array.from(values, (value) => (isNaN(value) ? 255 : value > 0.5));
  return {
    name,
    classes: [`not ${name}`, name],
    measured: codes(measured),
    predicted: scores && codes(scores),
    score: scores && ((c) => (c ? scores : scores.map((value) => 1 - value))),
  };
}

// Where the predictions come from, in the words of a caption.
function predictionWords() {
  const { training, test } = report.predicted_source || {},
    words = {
      "cross-validation": "Each row was predicted by a model that had not seen it (cross-validation). ",
      test: "Test rows were not used for the model. ",
      training: "Training rows are predicted by the model fitted to them: new rows will look worse. ",
    };
  return (words[training] || "") + (words[test] || "");
}

function componentLabel(c) {
  const { explained_x: x, explained_y: y } = report.components[c];
  const told = known([isNumber(x) && `${percent(x, 2)} X`, isNumber(y) && `${percent(y, 2)} target`]).join(
    ", "
  );
  return `Component ${c + 1}` + (told && ` (${told})`);
}

const shownComponents = () => [...new Set([choice.x, choice.y])];

// What is said of a row when somebody points at it.
function rowText(row) {
  const { name, measured, predicted, classes, show } = goal,
    column = colourColumn(),
    words = show || ((value) => classes[value] ?? "no value");
  return factText([
    [report.name(row)],
    report.named && ["row of the file", report.id(row)],
    report.hasTest && ["part", report.part(row)],
    measured && [`${cut(name, 30)}, measured`, words(measured[row])],
    predicted && ["predicted", words(predicted[row])],
    ...shownComponents().map((c) => report.scores[c] && [`component ${c + 1}`, report.scores[c][row]]),
    column && [column.title, column.values[row]],
  ]);
}

// Lines "name: value".
function factText(facts) {
  const words = (value) => (typeof value === "number" ? brief(value) : cut(value, 60));
  return facts
    .filter((fact) => fact && fact[1] !== null && fact[1] !== "")
    .map((fact) => fact.map(words).join(": "))
    .join("\n");
}

function colourColumn() {
  const [word, index] = choice.colour.split(" "),
    found = word === "column" && report.column_values[index];
  return found && { title: report.columns[found.column].name, values: numbersOf(found.values) };
}

function colouring() {
  const { dark } = ink,
    byTarget = choice.colour === "target" && goal.measured;
  const numbers =
    colourColumn() || (byTarget && !goal.classes && { title: goal.title, values: goal.measured });
  if (numbers) return { ...byNumber(numbers.values, extent(numbers.values), dark), title: numbers.title };
  if (choice.colour === "part")
    return { ...byClass(numbersOf(report.rows.part), ["training", "test"], dark), title: "part" };
  return byTarget
    ? { ...byClass(goal.measured, goal.classes, dark), title: goal.name }
    : byClass(new Uint8Array(report.shown), [""], dark);
}
