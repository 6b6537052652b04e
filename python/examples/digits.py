"""Handwritten digits of which few are labelled: 5 of each class in 1500. Rows without a class (-1) take part by their
neighbourhoods, and help."""
import alidade
import matplotlib.pyplot as plt
import numpy as np

from shared import public, save

table = alidade.read_table(public("optdigits.csv"), target="y")
X, y = table.X, table.y
rng = np.random.default_rng(0)
order = rng.permutation(len(y))
train, test = order[:1500], order[1500:]
few = np.concatenate([train[y[train] == digit][:5] for digit in range(10)])

alone = alidade.LDA(n_components=9, ridge_rel=0.1).fit(X[few], y[few])
partly = np.where(np.isin(train, few), y[train], -1)
helped = alidade.LSIR(n_components=9, n_neighbors=8).fit(X[train], partly)
for name, estimator in (("LDA of 50 labelled digits", alone), ("LSIR of the same 50 and 1450 without a label", helped)):
    print(f"{name}: {estimator.score(X[test], y[test]):.3f}")

figure, axes = plt.subplots(1, 2, figsize=(10, 4))
shown = test[:600]
for ax, estimator, name in zip(axes, (alone, helped), ("LDA, 50 rows", "LSIR, 50 labelled and 1450 unlabelled rows")):
    alidade.ScoresDisplay.from_estimator(estimator, X[shown], y[shown], ax=ax, s=8)
    ax.set_title(f"{name}: {estimator.score(X[test], y[test]):.3f}", fontsize=10)
    ax.get_legend().remove()
save(figure, "python-digits")
