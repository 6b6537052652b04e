"""Work that the page keeps in the browser: offered again after it was kept, and only then; once opened it can be used,
and kept again, when it is kept no longer; what another version of the page kept opens as its model alone."""
import driving

# Work as older versions kept it: without a form, without all that this version has.
AGE = """new Promise((done) => { indexedDB.open('alidade', 1).onsuccess = ({target: {result: database}}) => {
    const transaction = database.transaction('work', 'readwrite'), store = transaction.objectStore('work');
    store.get('last').onsuccess = ({target: {result: last}}) => {
        delete last.form; delete last.table.first; delete last.table.given; delete last.answer.asked.roles;
        store.put(last, 'last'); };
    transaction.oncomplete = () => { database.close(); done(0); }; }; })"""


def check_other_tables(page):
    """A table that the model does not fit is refused by name."""
    with open("strange.csv", "w") as file:
        file.write("order,depot,transport,weight kg,distance km,fragile\nB1,Oslo,road,3,100,no\n")
    page.give_file("#other", "strange.csv")
    page.wait("document.getElementById('others').textContent.includes('Oslo')")
    with open("lacking.csv", "w") as file:
        file.write("order,depot\nB1,Graz\n")
    page.give_file("#other", "lacking.csv")
    page.wait("document.getElementById('others').textContent.includes('transport')")


def check_not_kept(page):
    """A browser that does not keep: the box is not ticked, and a sentence says so."""
    page.run("(() => { IDBObjectStore.prototype.put = () => { throw new Error('full'); }; return 0; })()")
    page.click("#keep")
    page.wait("document.getElementById('failure').textContent === 'The browser did not keep the work: full'")
    assert not page.run("document.getElementById('keep').checked")


def check_older(page):
    """Kept work of an older version: a sentence says so, and the model opens and predicts."""
    page.run(AGE)
    driving.begin(page)
    page.wait("!document.getElementById('last').hidden")
    assert "by another version of this page: deliveries.csv" in driving.text(page, "last"), driving.text(page, "last")
    page.click("#last button")
    page.wait("!document.getElementById('answer').hidden && document.querySelector('#found h4')")
    assert driving.text(page, "failure") == "", driving.text(page, "failure")
    page.give_file("#other", "strange.csv")
    page.wait("document.getElementById('others').textContent.includes('Oslo')")


def check(page, fit_now):
    driving.begin(page)
    assert page.run("document.getElementById('last').hidden")
    page.click("#example-deliveries")
    driving.read(page)
    fit_now(page)
    check_other_tables(page)
    page.click("#keep")
    page.wait("document.getElementById('said').textContent.includes('Kept')")
    predictions = driving.text(page, "what-said")
    driving.begin(page)
    page.wait("!document.getElementById('last').hidden")
    page.click("#last button")
    page.wait("!document.getElementById('answer').hidden && document.getElementById('what-said').textContent")
    assert driving.text(page, "what-said") == predictions
    page.click("#keep")
    page.wait("document.getElementById('said').textContent.startsWith('Nothing is kept')")
    check_other_tables(page)
    page.click("#keep")
    page.wait("document.getElementById('said').textContent.startsWith('Kept')")
    check_older(page)
    if isinstance(page, driving.Chromium):  # what a driver of Firefox changes is its own
        check_not_kept(page)
    driving.begin(page)
    page.wait("!document.getElementById('last').hidden")
    page.click("#last button:last-of-type")
    page.wait("document.getElementById('last').hidden")
    driving.begin(page)
    assert page.run("document.getElementById('last').hidden")
    print("kept work, also of an older version, unknown categories and missing columns: as they should be")
