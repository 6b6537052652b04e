// node wasm_again.mjs FOLDER TIMES FILE ARGUMENTS...: processor seconds of one command of the program that `make app` has
// built in FOLDER, as the page runs it: compiled once, then a fresh instance each time. Prints the first and the least.
import {createRequire} from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

const [folder, times, file, ...words] = process.argv.slice(2);
const built = path.resolve(folder, 'alidade');
const Alidade = createRequire(import.meta.url)(built + '.js');
const module = await WebAssembly.compile(fs.readFileSync(built + '.wasm'));
const name = path.basename(file);

async function once() {
    const began = process.cpuUsage();
    const program = await Alidade({
        thisProgram: 'alidade',
        quit: (status, ended) => { throw ended; },
        stdin: () => null,
        stdout: () => {},
        stderr: () => {},
        instantiateWasm: (imports, done) => {
            WebAssembly.instantiate(module, imports).then((made) => done(made, module));
            return {};
        },
    });
    program.FS.writeFile(name, fs.readFileSync(file));
    if (program.callMain(words.map((word) => (word === file ? name : word))) !== 0) throw new Error('the command failed');
    const {user, system} = process.cpuUsage(began);
    return (user + system) / 1e6;
}

const seconds = [];
process.setMaxListeners(0);
for (let i = 0; i < Number(times); i++) seconds.push(await once());
console.log(seconds[0], Math.min(...seconds));
