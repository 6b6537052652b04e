"""Two made-up tables for the page, the same on every machine: deliveries, with texts, dates and gaps, and recordings with
several labels each."""
import datetime
import random

DAYS = {"road": 1.0, "rail": 2.5, "air": 0.4}


def deliveries(rows=400):
    draw = random.Random(7)
    lines = ["order,customer,ordered,depot,transport,weight kg,distance km,fragile,remark,days"]
    for i in range(rows):
        kind, fragile = draw.choice(sorted(DAYS)), draw.choice(("yes", "no"))
        weight, distance = draw.lognormvariate(2.0, 1.0), draw.randint(20, 900)
        days = DAYS[kind] + distance / 300 + 0.02 * weight + (0.8 if fragile == "yes" else 0) + draw.gauss(0, 0.25)
        ordered = datetime.date(2025, 1, 6) + datetime.timedelta(days=draw.randrange(300))
        lines.append(",".join([f"A{1000 + i}", f"c{draw.randint(1, 25):02}", ordered.isoformat(),
                               draw.choice(("Graz", "Kiel", "Lyon", "Porto", "Turin")), kind,
                               "" if draw.random() < 0.06 else f"{weight:.1f}", str(distance), fragile, "",
                               f"{max(days, 0.1):.2f}"]))
    return "\n".join(lines) + "\n"


def recordings(rows=300, features=12):
    """Labels by signs of sums of two hidden numbers each, which the features show with noise."""
    draw = random.Random(11)
    labels = ("calm", "happy", "strong")
    turn = [[draw.gauss(0, 1) for _ in labels] for _ in range(features)]
    lines = [",".join([f"band{j + 1}" for j in range(features)] + list(labels))]
    for _ in range(rows):
        hidden = [draw.gauss(0, 1) for _ in labels]
        shown = [sum(a * b for a, b in zip(row, hidden)) + draw.gauss(0, 0.7) for row in turn]
        said = [int(value + draw.gauss(0, 0.3) > 0.2) for value in hidden]
        lines.append(",".join([f"{value:.3f}" for value in shown] + [str(one) for one in said]))
    return "\n".join(lines) + "\n"


def all_of_them():
    return {"deliveries.csv": deliveries().encode(), "recordings.csv": recordings().encode()}
