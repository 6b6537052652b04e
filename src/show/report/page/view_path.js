// The path of a search: what was tried, in order, and what was taken.

function pathView({ path, chosen, rule, within, metric_title: title, better }) {
  const methods = [...new Set(path.map(({ method }) => method))],
    perLine = (width) => max(1, floor((width - 60) / 90)),
    look = (k) => ({ ...classLook(k, ink.dark), shape: SHAPES[k % SHAPES.length] }),
    names = ["step", "method", "settings", "components", "mean", "se", "stopped"];
  return {
    key: "path",
    title: "Path of the search",
    wide: true,
    height: () => 320,
    places: (at) => path.map(({ step }) => at.x(step)),
    caption: () =>
      `${betterWords(better)} Each mark is a setting that was tried, with its standard error; faint: stopped early; ringed: the one taken. ${rule || ""}`,
    axes: (width) => ({
      x: { low: 0, high: path.at(-1).step + 1, label: "step", whole: true },
      y: spanOf(
        title,
        path.flatMap(({ mean, se }) => [mean - (se || 0), mean + (se || 0)])
      ),
      edge: { top: 12 + 16 * ceil(methods.length / perLine(width)) },
    }),
    paint(pen, at, width) {
      const xs = this.places(at),
        ys = path.map(({ mean }) => at.y(mean)),
        ring = (colour, size) =>
          path[chosen] && pen.marks([chosen], xs, ys, { colour, shape: "circle" }, size);
      if (isNumber(within)) pen.dashed([at.left, at.y(within), at.right, at.y(within)], ink.soft);
      ring(ink.text, 9);
      ring(ink.paper, 7);
      path.forEach(({ mean, se, method, stopped }, i) => {
        const mark = look(methods.indexOf(method));
        if (stopped) mark.colour = ink.faint;
        if (se) pen.line([xs[i], at.y(mean - se), xs[i], at.y(mean + se)], mark.colour, { alpha: 0.5 });
        pen.marks([i], xs, ys, mark, 4);
      });
      methods.forEach((name, k) => {
        const x = 60 + 90 * (k % perLine(width)),
          y = 10 + 16 * floor(k / perLine(width));
        pen.marks([0], [x], [y], look(k), 4);
        pen.write(x + 9, y + 4, cut(name, 12), { fill: ink.text });
      });
    },
    table: () => [
      names,
      path.length,
      (i, j, forPeople) => (j > 3 ? withError : (one) => one)(path[i][names[j]], path[i].se, forPeople),
    ],
  };
}

function pathTable({ path, chosen, words, metric_title: title }) {
  return plainTable(
    words || "In numbers",
    ["step", "method", "settings", "components", title, "note"],
    path
      .map(({ step, method, settings, components, mean, se, stopped }, i) => [
        step,
        method,
        settings,
        components,
        plusMinus(mean, se),
        i === chosen ? "taken" : stopped && "stopped early",
      ])
      .filter((_, i) => !path[i].folded)
  );
}
