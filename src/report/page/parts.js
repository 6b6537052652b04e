// The parts of the page from top to bottom; one is left out where there is nothing to show.

function pageParts() {
  const { compare, tune, shown, columns, headline } = report;
  return [
    headPart(), headline && isNumber(headline.value) && part("quality", "", [headlineView(report)]),
    compare && part("comparison", "The comparison", compareViews(compare), compareTable(compare)),
    tune && part("search", "The search", [pathView(tune)], pathTable(tune)),
    shown && part("rows", "The rows", rowViews(), null, controls()),
    columns && part("columns", "The columns", columnViews()),
    part("components", "The components", curveViews()),
    report.outliers && part("unusual", "Unusual rows", [outlierView()], outlierList()),
    shown && element("section", { id: "table" }, element("h2", {}, "All rows")),
    aboutPart(),
  ];
}

function part(id, title, views, after, before) {
  if (!views.length) return null;
  const made = views.map(makePicture);
  pictures.push(...made);
  return element("section", { id: `part-${id}` }, title && element("h2", {}, title), before,
    element("div", { class: "pictures" }, ...made.map(({ figure }) => figure), after && after.className === "card" && after), after && after.className !== "card" && after);
}

function rowViews() {
  const { classes, predicted, score } = target() || {}, views = [];
  if (report.scores.length) views.push(scoresView());
  if (predicted) views.push(...(classes ? [confusionView()] : [predictedView(), residualView()]));
  if (classes && score) views.push(ownScoreView(), rocView());
  return views;
}

function headPart() {
  const { title, headline, method_title: method, rows, warnings, figures, made_by: by } = report;
  const sample = rows && rows.sampled && `Drawn: a sample of ${grouped(rows.shown)} of the ${grouped(rows.n)} rows; the shading counts all of them.`;
  const list = (figures || []).slice(0, 12).map(({ title: words, name, of, value }) => [words || name, of || "", brief(value)]);
  return element("header", {}, element("p", { class: "kind" }, [by && `${by.program} ${by.version}`, method].filter(Boolean).join(" \u00b7 ")), element("h1", {}, title),
    headline && element("p", { id: "sentence" }, headline.sentence), sample && element("p", { class: "note" }, sample),
    warnings && warnings.length && element("div", { class: "warning", role: "note" }, ...warnings.map((words) => element("p", {}, `Warning: ${words}`))),
    list.length && element("details", {}, element("summary", {}, "Further figures"), plainTable("Further figures of the same predictions", ["figure", "of", "value"], list, "001")));
}

function controls() {
  const { responses, classes, components, column_values: values, columns, hasTest, task } = report;
  const number = (list, name) => list.map((_, i) => [i, name(i)]), pick = (name) => (value) => chosen(name, name === "colour" ? value : Number(value)), many = components.length > 1;
  const colours = [target() && ["target", task === "regression" ? "response" : "class"], hasTest && ["part", "test or training"], ["none", "one colour"],
    ...(values || []).map(({ column }, i) => [`column ${i}`, columns[column].name])].filter(Boolean);
  return element("div", { class: "bar controls" },
    responses.length > 1 && selectField(task === "multilabel" ? "Label" : "Response", number(responses, (i) => responses[i].name), choice.response, pick("response")),
    classes.length > 2 && (report.probabilities || report.coefficients) && selectField("Class", number(classes, (i) => classes[i]), choice.class, pick("class")),
    many && selectField("Across", number(components, (i) => `component ${i + 1}`), choice.x, pick("x")),
    many && selectField("Up", number(components, (i) => `component ${i + 1}`), choice.y, pick("y")),
    selectField("Colour", colours, choice.colour, pick("colour")),
    element("span", { id: "count" }), element("button", { type: "button", onclick: () => selection.clear() }, "Clear"),
    element("div", { id: "legend" }), element("p", { class: "note hint" }, "Drag a rectangle over marks: its rows stay coloured everywhere. Shift adds, a click chooses one row."));
}

function showLegend() {
  const host = byId("legend"), { title, groups, low, high } = choice.colours;
  if (!host) return;
  const ramp = () => {
    const canvas = Object.assign(element("canvas"), { width: RAMP_STEPS, height: 1 }), context = canvas.getContext("2d");
    for (let s = 0; s < RAMP_STEPS; s++) Object.assign(context, { fillStyle: groups[s].colour }).fillRect(s, 0, 1, 1);
    return [`${brief(low)} `, canvas, ` ${brief(high)}`];
  };
  host.replaceChildren(...(title ? [element("strong", {}, cut(title, 40)), " "] : []), ...(low === null ? groups.slice(0, 60).filter(({ label }) => title && label !== "no value").map((group) => legendItem(group.label, group)) : ramp()));
}

function aboutPart() {
  const { settings, preparation, files, commands, made_by: by } = report, listed = (list, name) => list && list.length && [element("h3", {}, name), element("ul", {}, ...list.map((words) => element("li", {}, words)))];
  return element("section", { id: "about" }, element("h2", {}, "How it was made"),
    ...(commands && commands.length ? [element("h3", {}, "Commands that repeat it"), element("pre", { tabindex: 0 }, commands.join("\n"))] : []), ...(listed(preparation, "Preparation of the data") || []),
    settings && settings.length && plainTable("Settings", ["setting", "value", ""], settings.map(([name, value, usual]) => [name, String(value), usual ? "default" : ""])),
    files && files.length && plainTable("Files", ["role", "file", "rows", "columns", "SHA-256"], files.map((file) => [file.role, file.name, file.rows ?? "", file.columns ?? "", file.sha256 || ""]), "0011"),
    by && element("p", { class: "note" }, `Made by ${by.program} ${by.version}. This page needs no network and sends nothing.`));
}
