"""Fat in meat from near-infrared spectra: preparation of the rows, the number of components by cross-validation with an
honest figure, and which wavelengths matter."""
import alidade
import matplotlib.pyplot as plt
import numpy as np

from shared import bundled, save

table = alidade.read_table(bundled("tecator.csv"), target="fat", ignore="water,protein")

# Equal spectra stay in one part: 22 of the 215 are copies of others.
tuned = alidade.tune(bundled("tecator.csv"), "fat", "pls", components="1:12", rows="snv+savgol:11:2:1",
                     ignore="water,protein", groups="duplicates")
print(tuned)

model = tuned.model
print("coefficients:", model.coefficients()[0].shape, " T^2 beyond the 99 % limit in rows", model.outliers(table).beyond(99)[:8])

figure, axes = plt.subplots(1, 3, figsize=(13, 3.8))
alidade.CurveDisplay.from_result(tuned, ax=axes[0])
alidade.PredictionErrorDisplay.from_estimator(model, table, ax=axes[1])
alidade.WeightsDisplay.from_estimator(model, kind="coefficients", positions=np.linspace(850, 1050, 100), ax=axes[2])
axes[2].set_xlabel("wavelength, nm")
save(figure, "python-spectra")
