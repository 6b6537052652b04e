"""A response that depends on ten columns by two unknown directions, not linearly: how many are there, and which."""
import alidade
import matplotlib.pyplot as plt

from shared import save

table = alidade.generate("rational", n=600, random_state=1)  # y = x1 / (0.5 + (x2 + 1.5)^2) + noise
found = alidade.dimension(table, method="sir", permutations=99, max_components=5)
print(found)

model = alidade.fit(table, method="sir", n_components=found.choices["permutation"], predictor="knn")
print(model.importance("standardized", table))
linear = alidade.fit(table, method="pls", n_components=2)
for name, fitted in (("sir and neighbours", model), ("pls, linear", linear)):
    print(name, "r2", round(fitted.evaluate(alidade.generate("rational", n=600, random_state=2))["r2"], 3))

figure, axes = plt.subplots(1, 3, figsize=(13, 3.8))
axes[0].bar([row["components"] for row in found.rows], [row["eigenvalue"] for row in found.rows], color="#0072b2")
axes[0].set(xlabel="component", ylabel="eigenvalue", title=f"the test says {found.choices['permutation']}")
z = model.transform(table)
for k in (0, 1):
    axes[1 + k].scatter(z[:, k], table.y, s=8, color="#0072b2")
    axes[1 + k].set(xlabel=f"component {k}", ylabel="y")
save(figure, "python-directions")
