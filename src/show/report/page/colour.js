// Colours and marks. Classes: the eight of Okabe and Ito, told apart by those who confuse red and green, then twelve that
// are as far from these and from each other as the background allows; beyond eight the mark changes as well. Numbers:
// violet to yellow with evenly rising lightness.

const hues = (text) => text.split(" ").map((hue) => `#${hue}`);
const CLASSES = hues(
    "0072b2 d55e00 009e73 cc79a7 e69f00 56b4e9 a89f2e 7f7f7f 440022 9900ff 000099 005500 991166 ff22ff 2222ff 00cc00 884400 6600aa 334466 ff0066"
  ),
  CLASSES_DARK = hues(
    "4ba3dc ff8a3d 2cc79a e39ac4 f0b429 8ed0f5 f0e442 b4b4b4 aa00ff cc2266 777700 00ff00 ff33dd 0066ff 8866aa 55ffcc eeeedd bb77ff 00aa00 008888"
  ),
  RAMP = hues(
    "410169 3f1084 352795 223aa2 00509e 036194 036f93 047c93 018994 039694 06a490 01b286 1cc071 65c75f 93cd4b bbd039 dfd32c"
  );
const SHAPES = ["circle", "square", "triangle", "diamond", "plus", "bar"];
const RAMP_STEPS = 13,
  NO_VALUE = { label: "", colour: "#8a8a8a", shape: "plus" };

function classLook(index, dark) {
  const list = dark ? CLASSES_DARK : CLASSES;
  return { colour: list[index % 20], shape: SHAPES[floor(index / 8) % SHAPES.length] };
}

// The ramp without the stops that are faint on the background.
function rampColour(part, dark) {
  return RAMP[(dark ? 4 : 1) + round(min(1, max(0, part)) * (RAMP_STEPS - 1))];
}

// A group per row, 255 where there is no value, and how each group looks: by class.
function byClass(values, names, dark) {
  const key = Uint8Array.from(values, (value) => (value < names.length ? value % 255 : 255)),
    groups = names.slice(0, 255).map((label, c) => ({ label, ...classLook(c, dark) }));
  groups[255] = NO_VALUE;
  return { key, groups };
}

// By a number, in steps of the ramp.
function byNumber(values, [low, high], dark) {
  const last = RAMP_STEPS - 1,
    step = (value) => (high > low ? (value - low) / (high - low) : 0.5) * last,
    key = Uint8Array.from(values, (value) => (isNaN(value) ? 255 : round(min(last, max(0, step(value)))))),
    groups = [];
  for (let s = 0; s <= last; s++) groups[s] = { colour: rampColour(s / last, dark), shape: "circle" };
  groups[255] = NO_VALUE;
  return { key, groups, low, high };
}
