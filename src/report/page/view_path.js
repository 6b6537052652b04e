// The path of a search: what was tried, in order, and what was taken.

function pathView({ path, chosen, rule, within, metric, metric_title: title, better }) {
  const methods = [...new Set(path.map(({ method }) => method))], look = ({ method }) => classLook(methods.indexOf(method), ink.dark);
  return {
    key: "path", title: "Path of the search", wide: true, height: () => 320,
    caption: () => `Each mark is a setting that was tried, with its standard error; faint marks were stopped early. Ringed: the one taken. ${rule || ""}`,
    axes: () => ({ x: { low: 0, high: path.length + 1, label: "step", whole: true },
      y: spanOf(`${title || metric} (${betterWords(better)})`, path.flatMap(({ mean, se }) => [mean - (se || 0), mean + (se || 0)])) }),
    paint(pen, at) {
      const xs = path.map((_, i) => at.x(i + 1)), ys = path.map(({ mean }) => at.y(mean)), ring = (colour, size) => path[chosen] && pen.marks([chosen], xs, ys, { colour, shape: "circle" }, size);
      if (isNumber(within)) pen.dashed([at.left, at.y(within), at.right, at.y(within)], ink.soft);
      path.forEach(({ mean, se }, i) => se && pen.line([xs[i], at.y(mean - se), xs[i], at.y(mean + se)], look(path[i]).colour, { alpha: 0.5 }));
      ring(ink.text, 9);
      ring(ink.paper, 7);
      path.forEach((step, i) => pen.marks([i], xs, ys, step.stopped ? { ...look(step), colour: ink.faint } : look(step), 4));
    },
    legend: () => methods.map((name, i) => legendItem(name, classLook(i, ink.dark))),
    find(at, x) {
      const step = path[Math.round(at.x.invert(x)) - 1];
      return step ? { text: pathCells(step).filter(Boolean).join("\n") } : null;
    },
    table: () => [["step", "method", "settings", "components", "mean", "se", "stopped"], path.length, (i, j) => Object.values(pathRow(path[i]))[j]],
  };
}

const pathRow = ({ step, method, settings, components, mean, se, stopped }) => ({ step, method, settings, components, mean, se, stopped: stopped ? "yes" : "no" });
const pathCells = ({ method, settings, components, mean, se, stopped }) => [method, settings, plural(components || 0, "component"),
  isNumber(se) ? `${fixed(mean, decimalsFor(se))} \u00b1 ${brief(se, 2)}` : brief(mean), stopped ? "stopped early" : ""];

function pathTable({ path, chosen, metric, metric_title: title }) {
  return plainTable("The search in numbers", ["step", "method", "settings", "components", title || metric, ""],
    path.map((step, i) => [`${step.step}${i === chosen ? " (taken)" : ""}`, ...pathCells(step)]), "000011");
}
