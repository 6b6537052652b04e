// node alidade.mjs FOLDER ARGUMENTS...: runs the program that `make app` has built in FOLDER as if it were installed:
// it sees the files of this machine, and its output and exit status are those of the command line.
import {createRequire} from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

const [folder, ...words] = process.argv.slice(2);
const built = path.resolve(folder, 'alidade');
const Alidade = createRequire(import.meta.url)(built + '.js');

/* Every folder at the top of this machine under its own name, but for those that the program brings along. */
function showFiles({FS, NODEFS}) {
    for (const name of fs.readdirSync('/')) {
        const at = '/' + name;
        if (['dev', 'proc', 'sys'].includes(name) || !fs.statSync(at).isDirectory()) continue;
        if (!FS.analyzePath(at).exists) FS.mkdir(at);
        FS.mount(NODEFS, {root: at}, at);
    }
    FS.chdir(process.cwd());
}

const program = await Alidade({
    thisProgram: 'alidade',
    wasmBinary: fs.readFileSync(built + '.wasm'),
    preRun: [(module) => showFiles(module)],
});
process.exitCode = program.callMain(words);
