// The program: a worker that answers one request after the other (worker.js). Stopping is ending it; the next request
// starts another.

const program = { module: null, url: null, worker: null, waiting: [] };
let lastKey = 0;

// What the page carries as gzip in base64, several files behind each other: a line of JSON with names and sizes first.
async function unpackFiles(id) {
    const letters = atob(byId(id).textContent),
        packed = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const end = bytes.indexOf(10),
        files = {};
    let at = end + 1;
    for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) {
        files[name] = bytes.slice(at, at + size);
        at += size;
    }
    return files;
}

async function loadProgram() {
    const files = await unpackFiles("program");
    program.module = await WebAssembly.compile(files["alidade.wasm"]);
    const names = ["alidade.js", "worker.js", "cells.js", "profile.js"],
        text = names.flatMap((name) => [files[name], "\n"]);
    program.url = URL.createObjectURL(new Blob(text, { type: "text/javascript" }));
}

// A file for the program; the worker knows it again by its key.
const asEntry = (blob) => ({ key: ++lastKey, blob });

const NO_MEMORY =
    "The memory that this browser gives to a page did not suffice. Leave columns or rows out, or use the command line, which has no such limit.";

function startWorker() {
    const worker = new Worker(program.url);
    worker.postMessage({ module: program.module });
    worker.onmessage = ({ data }) => {
        const { onProgress, onJournal } = program.waiting[0];
        if (data.progress) onProgress?.(data.progress);
        else if (data.journal) onJournal?.(data.journal);
        else settle(data);
    };
    worker.onerror = (event) => {
        event.preventDefault();
        endWorker();
        settle({ failure: NO_MEMORY });
    };
    return worker;
}

function endWorker() {
    program.worker?.terminate();
    program.worker = null;
}

function settle({ answer, failure }) {
    const { resolve, reject } = program.waiting.shift();
    if (failure !== undefined) reject(new Error(/memory|Aborted|OOM/i.test(failure) ? NO_MEMORY : failure));
    else resolve(answer);
    sendNext();
}

function sendNext() {
    if (!program.waiting.length) return;
    program.worker ||= startWorker();
    program.worker.postMessage(program.waiting[0].request);
}

// Resolves to the answer; rejects with STOPPED where it was stopped.
function ask(request, onProgress, onJournal) {
    return new Promise((resolve, reject) => {
        program.waiting.push({ request, onProgress, onJournal, resolve, reject });
        if (program.waiting.length === 1) sendNext();
    });
}

function stopProgram() {
    const stopped = program.waiting;
    if (!stopped.length) return;
    endWorker();
    program.waiting = [];
    stopped.forEach(({ reject }) => reject(STOPPED));
}

// What the program said when it failed; where memory did not suffice, also what that means here.
function failureWords({ messages, code }) {
    const words =
        messages.replace(/^[^]*?(?=^alidade \w+: )/m, "").replace(/^alidade \w+: /gm, "") ||
        `The program ended with status ${code}.`;
    return /\bmemory\b/.test(words) ? `${NO_MEMORY}\n${words}` : words;
}

// A command with `files` {name: entry} that leaves the files `wanted`; a message of the program is an error.
async function command(words, files, wanted, onProgress, journal) {
    const request = { command: words, files, wanted, journal: journal?.name };
    const result = await ask(request, onProgress, journal?.take);
    if (result.code !== 0) throw new Error(failureWords(result));
    return result;
}

// What this browser lacks, as a sentence; "" where it has all.
function whatIsMissing() {
    const vector = [
        0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253,
        98, 11,
    ];
    if (typeof WebAssembly !== "object")
        return "This browser does not run WebAssembly, which this page computes with. Any browser since 2022 does, unless it is switched off.";
    if (typeof DecompressionStream !== "function")
        return "This browser cannot unpack the program in this page. Chromium since 80, Firefox since 113 and Safari since 16.4 can.";
    if (!WebAssembly.validate(new Uint8Array(vector)))
        return "This browser does not have the vector instructions of WebAssembly, which this page computes with. Any browser since 2023 has them.";
    try {
        new WebAssembly.Memory({ initial: 256, maximum: 65536 });
    } catch {
        return "This browser does not give this page the 16 MB of memory that its program starts with. Close other pages and open this one again.";
    }
    return "";
}

// Browsers of 32 bits, where they say so.
const IS_SMALL = /\b(i[3-6]86|armv[5-7]l|WOW64)\b/.test(navigator.userAgent);
const SMALL =
    "This is a browser of 32 bits: it gives a page at most about 1 GB of memory. Larger tables need a browser of 64 bits, or the command line.";
