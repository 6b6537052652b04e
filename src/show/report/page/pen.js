// What pictures are drawn with: paths in the notation of SVG, and texts. The same calls draw on a canvas and write SVG.
// A style is {fill, stroke, width, dash, alpha}.

const FONT = "system-ui,sans-serif";
const at2 = (value) => round(value * 100) / 100;

// [x0, y0, x1, y1, ...]; NaN interrupts the line.
function pathOf(points) {
  let path = "",
    sign = "M";
  for (let i = 0; i < points.length; i += 2) {
    const gap = isNaN(points[i] + points[i + 1]);
    if (!gap) path += sign + at2(points[i]) + " " + at2(points[i + 1]);
    sign = gap ? "M" : "L";
  }
  return path;
}

const boxPath = (x, y, width, height) => `M${at2(x)} ${at2(y)}h${at2(width)}v${at2(height)}h${at2(-width)}z`;

// Outlines about the middle as steps from corner to corner, in units of the size of a mark.
const OUTLINES = {
  square: [-1, -1, 2, 0, 0, 2, -2, 0],
  triangle: [0, -1.2, 1.2, 2, -2.4, 0],
  diamond: [0, -1.3, 1.3, 1.3, -1.3, 1.3, -1.3, -1.3],
  bar: [-0.4, -1.4, 0.8, 0, 0, 2.8, -0.8, 0],
  plus: [
    -1.3, -0.4, 0.9, 0, 0, -0.9, 0.8, 0, 0, 0.9, 0.9, 0, 0, 0.8, -0.9, 0, 0, 0.9, -0.8, 0, 0, -0.9, -0.9, 0,
  ],
};

function outlineOf(shape, r) {
  return OUTLINES[shape]
    ? `m${OUTLINES[shape].map((step) => at2(step * r)).join(" ")}z`
    : `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

function makePen(draw, write, within) {
  return {
    draw,
    write,
    within,
    line: (points, stroke, style) => draw(pathOf(points), { stroke, ...style }),
    dashed: (points, stroke) => draw(pathOf(points), { stroke, dash: "5 4" }),
    box: (x, y, width, height, fill, alpha) => draw(boxPath(x, y, width, height), { fill, alpha }),
    marks(rows, xs, ys, { colour, shape, hollow }, size) {
      const outline = outlineOf(shape, size);
      let path = "";
      for (const i of rows) path += `M${at2(xs[i])} ${at2(ys[i])}${outline}`;
      draw(path, hollow ? { stroke: colour, width: 1.4 } : { fill: colour });
    },
  };
}

function canvasPen(context) {
  const draw = (path, { fill, stroke, width = 1, dash, alpha = 1 }) => {
    const shape = new Path2D(path);
    Object.assign(context, {
      globalAlpha: alpha,
      fillStyle: fill,
      strokeStyle: stroke,
      lineWidth: width,
      lineJoin: "round",
    });
    context.setLineDash(dash ? dash.split(" ").map(Number) : []);
    if (fill) context.fill(shape);
    if (stroke) context.stroke(shape);
    context.globalAlpha = 1;
  };
  const write = (x, y, words, { fill = ink.soft, size = 11, align = "start", turn = 0 }) => {
    Object.assign(context, {
      font: `${size}px ${FONT}`,
      fillStyle: fill,
      textAlign: align === "middle" ? "center" : align,
    });
    context.save();
    context.translate(x, y);
    context.rotate((turn * Math.PI) / 180);
    context.fillText(words, 0, 0);
    context.restore();
  };
  const within = (x, y, width, height, body) => {
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    body();
    context.restore();
  };
  return { ...makePen(draw, write, within), context };
}

// Text as XML has it; what XML cannot hold is left out.
function xmlText(words) {
  return String(words)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replace(/[&<>\x22]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function svgPen(width, height, paper) {
  const parts = [];
  const attributes = (list) =>
    Object.entries(list)
      .map(([name, value]) => (value === undefined ? "" : ` ${name}="${value}"`))
      .join("");
  const draw = (d, { fill = "none", stroke, width: thick, dash, alpha }) => {
    if (d)
      parts.push(
        `<path${attributes({ d, fill, stroke, "stroke-width": thick, "stroke-dasharray": dash, opacity: alpha })}/>`
      );
  };
  const write = (x, y, words, { fill = ink.soft, size = 11, align, turn }) => {
    const transform = turn ? `rotate(${turn} ${at2(x)} ${at2(y)})` : undefined,
      style = attributes({ x: at2(x), y: at2(y), fill, "font-size": size, "text-anchor": align, transform });
    parts.push(`<text${style}>${xmlText(words)}</text>`);
  };
  const within = (x, y, wide, high, body) => {
    const id = `clip${parts.length}`;
    parts.push(
      `<clipPath id="${id}"><rect${attributes({ x, y, width: wide, height: high })}/></clipPath><g clip-path="url(#${id})">`
    );
    body();
    parts.push("</g>");
  };
  const result = () =>
    `<svg xmlns="http://www.w3.org/2000/svg"${attributes({ width, height, "font-family": FONT })}>` +
    `<rect width="100%" height="100%" fill="${paper}"/>\n${parts.join("\n")}\n</svg>\n`;
  return { ...makePen(draw, write, within), result };
}
