library(testthat)
library(alidade)

# Within the tree of the project a warning that no test expects is a failure.
test_check("alidade", stop_on_warning = nzchar(Sys.getenv("ALIDADE")))
