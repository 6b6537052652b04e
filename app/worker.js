/* The program in a worker. The page sends one request after the other,
 *     {command: words, files: {name: {key, blob}}, wanted: [names], journal, most}
 *                                                                             a command; journal names a file that is
 *                                                                             sent as it grows, most is how many lines
 *                                                                             of a wanted file suffice, parts what
 *                                                                             of its JSON
 *     {table: {key, blob}, header, what, arguments}                           one of `looks` (profile.js) at a csv
 *                                                                             file of the program
 * and gets {progress: {stage, done, left}}, {journal: bytes} while a command runs, and at the end
 *     {answer}    or    {failure: text}.
 * A command is a fresh instance with its files in memory; nothing is read from elsewhere. Files travel as blobs, which
 * cost the page nothing, and the last few are kept here by their keys. */
"use strict";

const decoder = new TextDecoder();
const kept = new Map();
const MOST_KEPT = 4;
const MOST_UNPACKED = 1e9;
let module = null;

/* A file of gzip that unpacks to more than a page takes, or to far more than tables do, is refused before the program
 * reads it: the browser counts its bytes sooner. What is wrong with others the program says. */
async function refuseBomb(blob, bytes) {
    if (bytes[0] !== 31 || bytes[1] !== 139) return;
    const most = Math.min(MOST_UNPACKED, Math.max(1e8, 200 * bytes.length));
    const reader = blob.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let count = 0; count <= most; ) {
        const { done, value } = await reader.read().catch(() => ({ done: true }));
        if (done) return;
        count += value.length;
    }
    reader.cancel();
    const size = (count) => `${Math.round(count / 1e6)} MB`;
    throw new Error(
        `The file of ${size(bytes.length)} unpacks to more than ${size(most)}, which a page does not take. Unpack it and leave rows or columns out, or use the command line.`,
    );
}

async function bytesOf({ key, blob }) {
    const known = kept.get(key),
        bytes = known || new Uint8Array(await blob.arrayBuffer());
    if (!known) await refuseBomb(blob, bytes);
    kept.delete(key);
    kept.set(key, bytes);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
    return bytes;
}

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

/* Posts what a file has gained since the last call. */
function follower(program, name) {
    let sent = 0;
    return () => {
        if (!name || !program.FS.analyzePath(name).exists) return;
        const size = program.FS.stat(name).size;
        if (size <= sent) return;
        const node = program.FS.lookupPath(name).node;
        postMessage({ journal: node.contents.slice(sent, size) });
        sent = size;
    };
}

/* About `most` lines of a file behind its first, evenly spread: all that the page would look at. */
function thinned(bytes, most) {
    const text = decoder.decode(bytes),
        lines = [];
    for (let at = 0; at < text.length; ) {
        const { next } = readLine(text, at);
        lines.push(text.slice(at, next));
        at = next;
    }
    const every = Math.ceil((lines.length - 1) / most);
    return lines.filter((_, i) => i === 0 || i % every === 0).join("");
}

/* {part: value} of what a command has printed as JSON: "importance.vip". */
function partsOf(text, parts) {
    const found = JSON.parse(text),
        at = (path) => path.split(".").reduce((inside, name) => inside?.[name], found);
    return Object.fromEntries(parts.map((path) => [path, at(path)]));
}

async function runCommand({ command, files, wanted, journal, most, parts }) {
    const output = [];
    const messages = [];
    let follow = () => {};
    const ready = {};
    for (const [name, file] of Object.entries(files)) ready[name] = await bytesOf(file);
    const program = await Alidade({
        thisProgram: "alidade",
        noInitialRun: true,
        stdin: () => null,
        stdout: lines((line) => output.push(line)),
        stderr: lines((line) => {
            if (!line.startsWith('{"stage":')) {
                messages.push(line);
                return;
            }
            postMessage({ progress: JSON.parse(line) });
            follow();
        }),
        preRun: [(made) => (made.ENV.ALIDADE_PROGRESS = "json")],
        instantiateWasm: (imports, done) => {
            WebAssembly.instantiate(module, imports).then(
                (made) => done(made, module),
                (error) => postMessage({ failure: String(error) }),
            );
            return {};
        },
    });
    for (const [name, bytes] of Object.entries(ready)) program.FS.writeFile(name, bytes, { canOwn: true });
    follow = follower(program, journal);
    const code = program.callMain(command);
    const made = {};
    for (const name of wanted)
        if (program.FS.analyzePath(name).exists) {
            const bytes = program.FS.readFile(name);
            made[name] = new Blob([most ? thinned(bytes, most) : bytes]);
        }
    const text = output.join("\n");
    return {
        code,
        output: parts && code === 0 ? partsOf(text, parts) : text,
        messages: messages.join("\n"),
        files: made,
    };
}

async function answer(request) {
    return request.command ? runCommand(request) : lookAt(request, await bytesOf(request.table));
}

onmessage = async ({ data }) => {
    if (data.module) {
        module = data.module;
        return;
    }
    try {
        postMessage({ answer: await answer(data) });
    } catch (error) {
        postMessage({ failure: String((error && error.message) || error) });
    }
};
