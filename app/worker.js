/* One command of the program, in a worker that ends with it. The page sends
 *     {module, words, files: {name: bytes}, wanted: [names]}
 * and gets, while the command runs, {progress: {stage, done, left}}, and at the end
 *     {code, output, messages, files: {name: bytes}}    or    {failure: text}.
 * The program and its files are in this worker's memory; nothing is read from elsewhere. */
"use strict";

const decoder = new TextDecoder();

/* Collects the bytes of a stream and calls `take` with each line. */
function lines(take) {
    let bytes = [];
    return (byte) => {
        if (byte === null) return;
        if (byte !== 10) {
            bytes.push(byte);
            return;
        }
        take(decoder.decode(new Uint8Array(bytes)));
        bytes = [];
    };
}

function progressOf(line) {
    if (!line.startsWith("{\"stage\":")) return null;
    return JSON.parse(line);
}

async function runCommand({module, words, files, wanted}) {
    const output = [];
    const messages = [];
    const program = await Alidade({
        thisProgram: "alidade",
        noInitialRun: true,
        stdin: () => null,
        stdout: lines((line) => output.push(line)),
        stderr: lines((line) => {
            const progress = progressOf(line);
            if (progress) postMessage({progress});
            else messages.push(line);
        }),
        preRun: [(made) => { made.ENV.ALIDADE_PROGRESS = "json"; }],
        instantiateWasm: (imports, done) => {
            WebAssembly.instantiate(module, imports)
                .then((made) => done(made, module), (error) => postMessage({failure: String(error)}));
            return {};
        },
    });
    for (const [name, bytes] of Object.entries(files)) program.FS.writeFile(name, bytes);
    const code = program.callMain(words);
    const made = {};
    for (const name of wanted) if (program.FS.analyzePath(name).exists) made[name] = program.FS.readFile(name);
    postMessage({code, output: output.join("\n"), messages: messages.join("\n"), files: made},
        Object.values(made).map((bytes) => bytes.buffer));
}

onmessage = (event) => {
    runCommand(event.data).catch((error) => postMessage({failure: String(error && error.message || error)}));
};
