// Columns of numbers as the page carries them: {"f64": "..."}, base64 of little-endian bytes.

const KINDS = { f32: Float32Array, f64: Float64Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array };
const decoded = new WeakMap();

function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// A typed array, decoded once; a plain array as it is; null where there is none.
function numbersOf(column) {
  if (!column) return null;
  if (Array.isArray(column)) return column;
  if (!decoded.has(column)) {
    const [[kind, text]] = Object.entries(column);
    decoded.set(column, new KINDS[kind](bytesOf(text).buffer));
  }
  return decoded.get(column);
}
