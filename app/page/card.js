// A model card (`alidade inspect --card`): the Markdown that the program writes, and no more, as elements.

// Texts between backticks are code; a backslash makes a sign plain.
function cardWords(text) {
    const plain = (part) => part.replace(/\\([^])/g, "$1");
    return (text.match(/`[^`]*`|(?:\\[^]|[^\\`])+/g) || []).map((part) =>
        part.startsWith("`") ? makeElement("code", part.slice(1, -1)) : plain(part),
    );
}

// Lines of one kind behind each other belong together: items of a list, rows of a table.
const CARD_KINDS = [
    [/^#+ /, ([line]) => makeElement(line.startsWith("##") ? "h4" : "h3", ...cardWords(line.replace(/^#+ /, "")))],
    [/^- /, (lines) => makeElement("ul", ...lines.map((line) => makeElement("li", ...cardWords(line.slice(2)))))],
    [/^\| /, cardTable],
    [/^/, (lines) => makeElement("p", ...cardWords(lines.join(" ")))],
];

function cardTable([head, , ...lines]) {
    const line = (text, tag) =>
        makeElement(
            "tr",
            ...text
                .slice(2, -2)
                .split(/(?<!\\) \| /)
                .map((cell) => makeElement(tag, ...cardWords(cell))),
        );
    return makeElement(
        "table",
        makeElement("thead", line(head, "th")),
        makeElement("tbody", ...lines.map((text) => line(text, "td"))),
    );
}

function cardElements(text) {
    const kindOf = (line) => CARD_KINDS.findIndex(([start]) => start.test(line));
    const parts = [];
    let last = -1;
    for (const line of text.split("\n")) {
        const kind = line ? kindOf(line) : -1;
        if (kind >= 0 && (kind !== last || kind === 0)) parts.push({ kind, lines: [] });
        if (kind >= 0) parts[parts.length - 1].lines.push(line);
        last = kind;
    }
    return parts.map(({ kind, lines }) => CARD_KINDS[kind][1](lines));
}
