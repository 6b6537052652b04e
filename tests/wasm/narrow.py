"""Nothing stands out of the page on the right: on a small telephone, whatever is opened; where two columns just have room;
and when a telephone is turned."""
import driving


def answer(page, example):
    page.run(f"(() => {{ document.getElementById('example-{example}').click(); return 0; }})()")
    page.wait(f"!document.getElementById('ask').hidden && document.getElementById('read').textContent.startsWith('{example}.csv: ')")
    page.run("(() => { document.getElementById('way-method').click(); document.getElementById('go').click(); return 0; })()")
    page.wait("!document.getElementById('answer').hidden && document.getElementById('what-said').textContent")
    page.wait("document.querySelector('#what-place canvas') && !document.getElementById('go').disabled")
    page.run("(() => { document.querySelectorAll('details').forEach((one) => (one.open = true)); return 0; })()")
    page.settle()


def fits(page, width):
    found = page.run("[innerWidth, document.scrollingElement.scrollWidth]")
    assert found[0] == width >= found[1], found


def check(page):
    driving.begin(page, width=320)
    for example in "deliveries", "tecator", "recordings":
        answer(page, example)
        fits(page, 320)
    driving.begin(page, width=850)
    answer(page, "tecator")
    fits(page, 850)
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=850, deviceScaleFactor=1, mobile=False)
    page.settle()
    fits(page, 390)
