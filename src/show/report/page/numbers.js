// Numbers as text: for files exactly as the program writes them, for people with the digits that mean something.

// The shortest of 15 to 17 digits that reads back as the same number; exponents from 1e-5 downwards.
function programText(value) {
  if (isNaN(value)) return "nan";
  if (!isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (Object.is(value, -0)) return "-0";
  if (abs(value) < 1e15 && Number.isInteger(value)) return String(value);
  for (let digits = 15; ; digits++) {
    const text = withDigits(value, digits);
    if (digits === 17 || Number(text) === value) return text;
  }
}

// As printf's %g does it.
function withDigits(value, digits) {
  const [mantissa, power] = (
    abs(value) < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits)
  ).split("e");
  return withoutZeros(mantissa) + (power ? `e${Number(power)}` : "");
}

function withoutZeros(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

const withCapital = (word) => word[0].toUpperCase() + word.slice(1);
const trueMinus = (text) => text.replace(/-/g, "\u2212");
const isNumber = (value) => value != null && isFinite(value);

// The one rule for digits: a figure, the ends of its interval and its standard error end with the second digit of the
// standard error. -2: hundreds are the last.
function decimalsFor(error) {
  if (!(error > 0) || !isFinite(error)) return 3;
  return min(12, max(-12, 1 - floor(log10(error))));
}

function fixedText(value, decimals) {
  if (!isNumber(value)) return "\u2013";
  const unit = 10 ** max(0, -decimals),
    text = (unit > 1 ? round(value / unit) * unit : value).toFixed(max(0, decimals));
  return trueMinus(Number(text) === 0 ? text.replace("-", "") : text);
}

// A number by the same rule, for files.
const roundedTo = (value, decimals) => Number(fixedText(value, decimals).replace("\u2212", "-"));

// Cells of a table: numbers of a row with this standard error, for people or for files. Without one: three digits.
function withError(value, error, forPeople) {
  if (typeof value !== "number") return value;
  if (!(error > 0)) return forPeople ? briefText(value, 3) : Number(value.toPrecision(3));
  return (forPeople ? fixedText : roundedTo)(value, decimalsFor(error));
}

// So many significant digits, without zeros at the end.
function briefText(value, digits = 4) {
  if (!isNumber(value)) return "\u2013";
  const size = abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return trueMinus(withDigits(value, digits));
  if (Number.isInteger(value)) return trueMinus(String(value));
  return trueMinus(withoutZeros(value.toFixed(max(0, digits - 1 - floor(log10(size || 1))))));
}

// An interval of 95 % is about four standard errors wide.
const errorOf = ({ low, high }) => (high - low) / 4;

function withInterval(value, low, high) {
  const decimals = decimalsFor(errorOf({ low, high }));
  if (!isNumber(low) || !isNumber(high)) return briefText(value);
  return `${fixedText(value, decimals)} [${fixedText(low, decimals)}, ${fixedText(high, decimals)}]`;
}

function plusMinus(value, error) {
  const decimals = decimalsFor(error);
  return error > 0 ? `${fixedText(value, decimals)} \u00b1 ${fixedText(error, decimals)}` : briefText(value);
}

const percentText = (part, digits = 3) => (isNumber(part) ? `${briefText(100 * part, digits)}\u00a0%` : "");

const groupedText = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const pluralText = (count, word) => `${groupedText(count)} ${word}${count === 1 ? "" : "s"}`;
