// The parts of the page from top to bottom; one is left out where there is nothing to show.

function pageParts() {
  const { compare, tune, shown, columns, headline, outliers } = pageReport;
  return [
    headPart(pageReport),
    headline?.baselines?.length > 0 &&
      isNumber(headline.value) &&
      makePart("How good it is", [headlineView(pageReport)]),
    compare && makePart("The comparison", compareViews(compare), compareTable(compare)),
    tune && makePart("The search", [pathView(tune)], pathTable(tune)),
    shown && makePart("The rows", rowViews(), null, makeControls(pageReport)),
    columns && makePart("The columns", columnViews()),
    makePart("The components", curveViews()),
    outliers && makePart("Unusual rows", [outlierView()], null, null, outlierList()),
    shown && makeElement("section", { id: "table" }, makeElement("h2", "All rows")),
    aboutPart(pageReport),
  ];
}

function makePart(title, views, after, before, inside) {
  if (!views.length) return null;
  const narrow = views.filter(({ wide }) => !wide);
  if (narrow.length === 1 && !inside) narrow[0].wide = true;
  const made = views.map(makePicture);
  allPictures.push(...made);
  return makeElement(
    "section",
    makeElement("h2", title),
    before,
    makeElement(
      "div",
      { class: narrow.length % 2 ? "pictures" : "pictures pairs" },
      ...made.map(({ figure }) => figure),
      inside
    ),
    after
  );
}

function rowViews() {
  const { classes, predicted, score, certain, least } = targetChosen,
    views = pageReport.scores.length ? [scoresView()] : [];
  if (predicted) views.push(...(classes ? [confusionView()] : [predictedView(), residualView()]));
  if (classes && score) views.push(ownScoreView(), rocView());
  if (score && certain) views.push(reliabilityView());
  if (score && isNumber(least)) views.push(setView());
  return views;
}

const makeParagraph = (words, style) => words && makeElement("p", { class: style }, words);

function headPart({ title, headline, method_title: method, warnings, figures }) {
  return makeElement(
    "header",
    makeParagraph(method, "note"),
    makeElement("h1", title),
    makeParagraph(headline?.sentence, "sentence"),
    ...warnings.map((words) => makeParagraph(`Warning: ${words}`, "warning")),
    figures?.length > 0 &&
      makeElement(
        "details",
        makeElement("summary", "Further figures"),
        plainTable(
          "Of the same predictions, with standard errors",
          ["figure", "of", "value"],
          figures.map(({ title: words, name, of, value, error }) => [
            words || name,
            of,
            plusMinus(value, error),
          ])
        )
      )
  );
}

function makeControls({ responses, classes, components, column_values: values, columns, hasTest, task }) {
  const field = (shown, label, name, list, words) =>
    shown &&
    selectField(
      label,
      list.map((one, i) => [i, words(one, i)]),
      readerChoice[name],
      (value) => applyChoice(name, Number(value))
    );
  const colourNames = knownOnes([
      targetChosen.measured && ["target", targetChosen.classes ? "class" : "response"],
      hasTest && ["part", "test or training"],
      ["none", "one colour"],
      ...(values || []).map(({ column }, i) => [`column ${i}`, columns[column].name]),
    ]),
    many = components.length > 1,
    component = (_, c) => `component ${c + 1}`;
  return makeElement(
    "div",
    { class: "bar controls" },
    field(
      responses.length > 1,
      task === "multilabel" ? "Label" : "Response",
      "response",
      responses,
      ({ name }) => name
    ),
    field(classes.length > 2, "Class", "class", classes, String),
    field(many, "Across", "x", components, component),
    field(many, "Up", "y", components, component),
    selectField("Colour", colourNames, readerChoice.colour, (value) => applyChoice("colour", value)),
    makeElement("strong", { id: "count" }),
    makeButton("Clear", () => chosenRows.clear()),
    makeElement("div", { id: "legend", tabindex: 0, role: "group", "aria-label": "Colours" }),
    makeParagraph(
      "Drag a rectangle over marks: its rows stay coloured everywhere. Shift adds rows, a click chooses one.",
      "note line"
    )
  );
}

function showLegend() {
  const { title, groups, low, high } = rowColours,
    canvas = makeElement("canvas", { width: RAMP_STEPS, height: 1 }),
    context = canvas.getContext("2d");
  const named = groups.filter(({ label }, k) => label && k < 60).map(legendItem),
    parts = PARTS.map((label, hollow) => legendItem({ label, colour: ink.text, shape: "circle", hollow }));
  if (isNumber(low))
    for (let s = 0; s < RAMP_STEPS; s++)
      Object.assign(context, { fillStyle: groups[s].colour }).fillRect(s, 0, 1, 1);
  byId("legend")?.replaceChildren(
    makeElement("strong", cut(title || "", 40)),
    ...(isNumber(low) ? [briefText(low), canvas, briefText(high)] : named),
    ...(pageReport.hasTest ? parts : [])
  );
}

// What was done; what there is nothing to say of is left out.
function aboutPart({ settings, resolved, preparation, files, commands, made_by: by }) {
  const titled = (list, title, ...made) => (list.length ? [makeElement("h3", title), ...made] : []);
  return makeElement(
    "section",
    makeElement("h2", "How it was made"),
    ...titled(commands, "Commands that repeat it", makeElement("pre", { tabindex: 0 }, commands.join("\n"))),
    ...titled(
      preparation,
      "Preparation of the data",
      makeElement("ul", ...preparation.map((words) => makeElement("li", words)))
    ),
    settings.length > 0 &&
      plainTable(
        "Settings",
        ["setting", "value", "note"],
        [
          ...settings.map(([name, value, usual]) => [name, value, usual && "default"]),
          ...(resolved || []).map((found) => [...found, "found by the fit"]),
        ]
      ),
    files.length > 0 &&
      plainTable(
        "Files",
        ["role", "file", "rows", "columns", "SHA-256"],
        files.map(({ role, name, rows, columns, sha256 }) => [role, name, rows, columns, sha256])
      ),
    makeParagraph(
      `Made by ${by.program} ${by.version}. This page needs no network and sends nothing.`,
      "note"
    )
  );
}
