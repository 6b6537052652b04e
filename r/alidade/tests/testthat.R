library(testthat)
library(alidade)

test_check("alidade")
