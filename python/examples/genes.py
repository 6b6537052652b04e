"""Four kinds of tumour from 2308 genes and 83 patients: more columns than rows. Which method, how good, and which genes
are chosen again when patients are drawn again."""
import alidade
import matplotlib.pyplot as plt
import numpy as np

from shared import public, save

table = alidade.read_table(public("srbct.csv"), target="y")
compared = alidade.compare(table, methods="lda ridge_rel=0.1,pls", components="1:3", splits=5)
print(compared)

model = alidade.fit(table, method="lda", n_components=3, ridge_rel=0.1)
stable = alidade.stability(model, table, resamples=20, permuted=0)
print(stable)

# What the components show of patients that they have not seen: the rows of a fit itself always look good.
X, y = table.X, table.y
order = np.random.default_rng(0).permutation(len(y))
train, test = order[:55], order[55:]
unseen = alidade.LDA(n_components=2, ridge_rel=0.1).fit(X[train], y[train])

figure, axes = plt.subplots(1, 3, figsize=(13, 3.8))
alidade.CurveDisplay.from_result(compared, ax=axes[0])
alidade.ScoresDisplay.from_estimator(unseen, X[test], y[test], ax=axes[1], s=24)
axes[1].set_title("28 patients that had no part in the fit", fontsize=10)
names, shares = zip(*stable.features()[:12])
axes[2].barh(names[::-1], shares[::-1], color="#0072b2")
axes[2].set_title("how often a gene is a leading one", fontsize=10)
save(figure, "python-genes")
