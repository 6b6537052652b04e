// From values to places and back, and the round values in between.

function linearScale(low, high, from, to) {
  const slope = high > low ? (to - from) / (high - low) : 0;
  const scale = (value) => (slope ? from + (value - low) * slope : (from + to) / 2);
  scale.invert = (place) => (slope ? low + (place - from) / slope : low);
  return Object.assign(scale, { low, high, from, to });
}

// Least and largest finite value of several lists; [0, 1] where there is none.
function extentOf(...lists) {
  let low = Infinity,
    high = -Infinity;
  for (const list of lists)
    for (let i = 0; i < list.length; i++) {
      const value = list[i];
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
  return low <= high ? [low, high] : [0, 1];
}

function paddedSpan([low, high], part = 0.04) {
  const room = high > low ? (high - low) * part : abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

// Multiples of 1, 2 or 5 times a power of ten, about `count` of them, and the decimals that tell them apart.
function roundTicks(low, high, count) {
  const wanted = (high - low) / max(1, count);
  if (!(wanted > 0) || !isFinite(wanted)) return { values: [low], decimals: 2 };
  const power = 10 ** floor(log10(wanted));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power * 1.42 >= wanted);
  const values = [];
  for (let i = ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) values.push(i * step || 0);
  return { values, decimals: max(0, -floor(log10(step) + 1e-9)) };
}
