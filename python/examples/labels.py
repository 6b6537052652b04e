"""News texts with several labels each: 944 words, sparse, and the 20 most frequent labels. Components that the labels
share beside components that ignore them."""
import alidade
import matplotlib.pyplot as plt
import numpy as np

from shared import public, save

table = alidade.read_table(public("rcv1-top944.svm.gz"))
X, Y = table.X[:3000], np.asarray(table.y)[:3000]  # X is a sparse matrix
Y = Y[:, np.argsort(-Y.sum(axis=0))[:20]]
train, test = slice(0, 2000), slice(2000, None)

METHODS = {"OPLS": alidade.OPLS(ridge_rel=0.1), "PCA": alidade.PCA()}
components = [2, 5, 10, 20]
curves, judged = {name: [] for name in METHODS}, {}
for name, estimator in METHODS.items():
    for k in components:
        estimator.set_params(n_components=k, task="multilabel", predictor="one-vs-rest").fit(X[train], Y[train])
        judged[name, k] = alidade.evaluate(estimator, X[test], y=Y[test])
        curves[name].append(judged[name, k]["macro_auc"])
    print(name.ljust(5), " ".join(f"{k}: {value:.3f}" for k, value in zip(components, curves[name])))

figure, axes = plt.subplots(1, 2, figsize=(10, 3.8))
for (name, values), colour in zip(curves.items(), ("#0072b2", "#d55e00")):
    axes[0].plot(components, values, marker="o", label=name, color=colour)
    of_each = [row["value"] for row in judged[name, 5].rows if row["metric"] == "auc" and row["of"]]
    axes[1].plot(range(len(of_each)), of_each, "o", label=name, color=colour)
axes[0].set(xlabel="components", ylabel="macro AUC on 1000 other texts", xticks=components)
axes[1].set(xlabel="label, the most frequent first", ylabel="AUC of each label, 5 components", xticks=range(0, 20, 5))
axes[0].legend()
axes[1].legend()
save(figure, "python-labels")
