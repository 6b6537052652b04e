/* alidade: supervised dimensionality reduction. This header includes the whole public interface. */
#ifndef ALIDADE_ALIDADE_H
#define ALIDADE_ALIDADE_H

#include <alidade/candidates.h>
#include <alidade/coefficients.h>
#include <alidade/compare.h>
#include <alidade/context.h>
#include <alidade/dataset.h>
#include <alidade/device.h>
#include <alidade/dimension.h>
#include <alidade/evaluate.h>
#include <alidade/export.h>
#include <alidade/importance.h>
#include <alidade/intervals.h>
#include <alidade/matrix.h>
#include <alidade/merge.h>
#include <alidade/method.h>
#include <alidade/model.h>
#include <alidade/outliers.h>
#include <alidade/plot.h>
#include <alidade/ranks.h>
#include <alidade/report.h>
#include <alidade/splits.h>
#include <alidade/status.h>
#include <alidade/tune.h>
#include <alidade/version.h>

#endif
