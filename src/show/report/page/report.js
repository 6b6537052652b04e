// What the page was given, as the pictures ask for it. These belong to the whole page; app.js sets them:
//   pageReport     the data                       chosenRows   the rows that are chosen
//   readerChoice   what the reader has chosen     ink          the colours of the theme
//   targetChosen   the target, or {}              rowColours   a group of rows for each colour

const PARTS = ["training", "test"];
let pageReport;
let chosenRows;
let targetChosen;
let rowColours;
let ink;
const readerChoice = { response: 0, class: 0, x: 0, y: 0, colour: "target", version: 0 };

// judged: whether a row is one of those that the figure at the top is of.
function makeReport(json) {
  const { rows } = json,
    ids = numbersOf(rows?.ids),
    part = numbersOf(rows?.part),
    hasTest = !!part?.includes(1);
  return {
    ...json,
    shown: rows?.shown || 0,
    scores: (json.scores || []).map(numbersOf),
    named: !!rows?.names,
    hasTest,
    isTest: (row) => Number(hasTest && part[row]),
    judged: (row) => !hasTest || !!part[row] === (json.headline?.source === "test"),
    id: (row) => (ids ? ids[row] : row + 1),
    name: (row) => rows.names?.[row] || `row ${pageReport.id(row)}`,
    part: (row) => PARTS[part?.[row] || 0],
  };
}

// Numbers: {name, title, measured, predicted}. Classes: codes, names, and score(c), how strongly each row is taken for
// class c; a label is two classes, without it and with it. Where the model is calibrated, half: of an interval, least: the
// score from which on a class is in the set of the row.
function targetOf({ task, response, predicted, responses, probabilities, ...rest }, k) {
  if (!response || task === "none") return {};
  const measured = numbersOf(response[k]),
    found = predicted && numbersOf(predicted[k]),
    { name, unit } = responses[k] || {};
  const half = rest.certainty?.errors[k];
  if (task === "regression") return numberTarget(name, unit, measured, found, half);
  if (task === "multilabel") return labelTarget(name, measured, found);
  return {
    name: rest.target_name || "class",
    classes: rest.classes,
    measured,
    predicted: found,
    least: -half,
    certain: rest.probabilities_are !== "scores",
    score: probabilities && ((c) => numbersOf(probabilities[c])),
  };
}

// Numbers are shown with the digits that their errors support.
function numberTarget(name, unit, measured, predicted, half) {
  const error = predicted?.map((value, i) => value - measured[i]),
    decimals = decimalsFor(rootMeanSquare(error || measured) / 10);
  return {
    name,
    measured,
    predicted,
    half,
    error,
    title: name + (unit ? ` (${unit})` : ""),
    show: (value) => fixedText(value, decimals),
    given: (value) => fixedText(value, max(0, decimals)),
  };
}

function rootMeanSquare(values) {
  const all = values.filter(isFinite);
  return sqrt(all.reduce((sum, value) => sum + value * value, 0) / all.length);
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

// Where the predictions come from, in the words of a caption: of all rows, or of those of the figure at the top.
function predictionWords(judged) {
  const { predicted_source: by, headline, hasTest } = pageReport,
    { training, test } = by || {},
    ofTest = headline?.source === "test",
    words = {
      "cross-validation": "Each training row was predicted by a model that had not seen it (cross-validation). ",
      test: "Test rows were not used for the model. ",
      training: "Training rows are predicted by the model fitted to them: new rows will look worse. ",
    };
  if (!judged || !hasTest) return (words[training] || "") + (words[test] || "");
  return `Only ${ofTest ? "test" : "training"} rows, as in the figure at the top. ${words[ofTest ? test : training] || ""}`;
}

// How many of the rows with a target fit, among those of the figure at the top, in the words of a caption.
function coverageWords(fits) {
  const rows = [...targetChosen.measured.keys()].filter((i) => pageReport.judged(i) && fits(i) != null);
  return `${percentText(rows.filter(fits).length / rows.length)} of ${pluralText(rows.length, "row")}`;
}

// A list over rows without those that the figure at the top is not of.
const judgedOnly = (list) => Float32Array.from(list, (value, i) => (pageReport.judged(i) ? value : NaN));

// The class of which there is a curve or a formula: the second of two.
const shownClass = () => (targetChosen.classes?.length === 2 ? 1 : readerChoice.class);

function componentLabel(c) {
  const { explained_x: x, explained_y: y } = pageReport.components[c];
  const told = knownOnes([
    isNumber(x) && `${percentText(x, 2)} X`,
    isNumber(y) && `${percentText(y, 2)} target`,
  ]).join(", ");
  return `Component ${c + 1}` + (told && ` (${told})`);
}

const shownComponents = () => [...new Set([readerChoice.x, readerChoice.y])];

// What is said of a row when somebody points at it.
function rowText(row) {
  const { name, measured, predicted, classes, show, given } = targetChosen,
    column = colourColumn(),
    words = (value) => classes[value] ?? "no value";
  return factText([
    [pageReport.name(row)],
    pageReport.named && ["row of the file", pageReport.id(row)],
    pageReport.hasTest && ["part", pageReport.part(row)],
    measured && [`${cut(name, 30)}, measured`, (given || words)(measured[row])],
    predicted && ["predicted", (show || words)(predicted[row])],
    ...shownComponents().map(
      (c) => pageReport.scores[c] && [`component ${c + 1}`, pageReport.scores[c][row]]
    ),
    column && [column.title, column.values[row]],
  ]);
}

// Lines "name: value".
function factText(facts) {
  const words = (value) => (typeof value === "number" ? briefText(value) : cut(value, 60));
  return facts
    .filter((fact) => fact && fact[1] !== null && fact[1] !== "")
    .map((fact) => fact.map(words).join(": "))
    .join("\n");
}

function colourColumn() {
  const [word, index] = readerChoice.colour.split(" "),
    found = word === "column" && pageReport.column_values[index];
  return found && { title: pageReport.columns[found.column].name, values: numbersOf(found.values) };
}

function colourRows() {
  const { dark } = ink,
    byTarget = readerChoice.colour === "target" && targetChosen.measured;
  const numbers =
    colourColumn() ||
    (byTarget && !targetChosen.classes && { title: targetChosen.title, values: targetChosen.measured });
  if (numbers) return { ...byNumber(numbers.values, extentOf(numbers.values), dark), title: numbers.title };
  if (readerChoice.colour === "part")
    return { ...byClass(numbersOf(pageReport.rows.part), PARTS, dark), title: "part" };
  return byTarget
    ? { ...byClass(targetChosen.measured, targetChosen.classes, dark), title: targetChosen.name }
    : byClass(new Uint8Array(pageReport.shown), [""], dark);
}
