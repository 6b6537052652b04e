// What happens when the page is opened.

async function begin() {
    readInk();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        readInk();
        if (work.profile) rolesChanged();
        if (work.answer) safely(showAnswer);
    });
    const missing = whatIsMissing();
    if (missing) return fail(missing);
    byId("small").textContent = IS_SMALL ? SMALL : "";
    try {
        await loadProgram();
        await loadMethods(); // before tables are taken: each stops what is computed
        buildReading();
        buildSteps();
        listenForTables(await unpackFiles("examples"));
        listenForColumns();
        listenForQuestions();
        listenForWhatIf();
        byId("other").onchange = ({ target }) => target.files[0] && predictOther(target.files[0]);
        byId("keep").onchange = keepWork;
        showMethods();
        await offerLastWork();
        document.documentElement.dataset.ready = "yes";
    } catch (error) {
        fail(`The program in this page did not start: ${error.message}`);
    }
}

begin();
