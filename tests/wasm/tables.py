"""The tables of five journeys through the page: (file, what is clicked, whether it is searched)."""
import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "app"))
import examples  # noqa: E402


def genes(rows=60, columns=2000):
    """Three classes by twelve of the columns; names that are no plain words."""
    draw = random.Random(5)
    lines = [",".join([f"{j}_at" for j in range(columns)] + ["tissue"])]
    for i in range(rows):
        kind = i % 3
        values = [draw.gauss(1.5 if j < 12 and j % 3 == kind else 0, 1) for j in range(columns)]
        lines.append(",".join([f"{value:.4f}" for value in values] + ["lung liver skin".split()[kind]]))
    return "\n".join(lines) + "\n"


def write(folder):
    """{name: (path, {column: role})}"""
    made = {"labels": ("recordings.csv", examples.recordings(), {"calm": "target", "happy": "target", "strong": "target"}),
            "messy": ("deliveries.csv", examples.deliveries(), {"days": "target"}),
            "genes": ("genes.csv", genes(), {})}
    found = {"classes": (os.path.join(ROOT, "data", "wine.csv"), {}),
             "spectra": (os.path.join(ROOT, "data", "tecator.csv"), {"fat": "target", "water": "left out", "protein": "left out"})}
    for name, (file, content, roles) in made.items():
        path = os.path.join(folder, file)
        with open(path, "w") as out:
            out.write(content)
        found[name] = (path, roles)
    return found
