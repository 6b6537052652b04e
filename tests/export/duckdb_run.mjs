// duckdb_run.mjs MODULES: DuckDB from the folder MODULES. Each line of standard input is a JSON list of statements; the
// names and the rows of the last one's result are printed as a line of JSON, numbers that are not finite as texts.
import path from "node:path";
import readline from "node:readline";
import { createRequire } from "node:module";

const require = createRequire(path.join(path.resolve(process.argv[2]), "package.json"));
const { DuckDBInstance } = require("@duckdb/node-api");
const instance = await DuckDBInstance.create(":memory:");

for await (const line of readline.createInterface({ input: process.stdin })) {
  let answer;
  const connection = await instance.connect();
  try {
    let result;
    for (const statement of JSON.parse(line)) result = await connection.runAndReadAll(statement);
    answer = { names: result.columnNames(), rows: result.getRowsJson() };
  } catch (error) {
    answer = { error: String(error) };
  }
  connection.closeSync();
  console.log(JSON.stringify(answer));
}
