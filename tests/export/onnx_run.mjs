// onnx_run.mjs MODULES LIST: runs exported models in onnxruntime-web from the folder MODULES. LIST is a JSON file:
// [{path, inputs: {name: {type, dims, data}}}, ...]. Prints the outputs, one model a line. Numbers that are not finite are
// texts in both.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [modules, list] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), "package.json"));
const ort = require("onnxruntime-web");
ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";

function plain(v) {
  if (typeof v === "bigint") return Number(v);
  return typeof v === "number" && !Number.isFinite(v) ? String(v) : v;
}

function tensor({ type, dims, data }) {
  const values = type === "float64" ? Float64Array.from(data.map(Number)) : data;
  return new ort.Tensor(type, values, dims);
}

for (const model of JSON.parse(fs.readFileSync(list, "utf8"))) {
  let line;
  try {
    const session = await ort.InferenceSession.create(fs.readFileSync(model.path), { logSeverityLevel: 3 });
    const feeds = {};
    for (const [name, value] of Object.entries(model.inputs)) feeds[name] = tensor(value);
    const results = await session.run(feeds);
    line = {};
    for (const [name, value] of Object.entries(results))
      line[name] = { dims: value.dims, data: Array.from(value.data, plain) };
    await session.release();
  } catch (error) {
    line = { error: String(error) };
  }
  console.log(JSON.stringify(line));
}
