"""What transform returns: an array, or a data frame where set_output asks for one."""


def container(estimator, values, X, config):
    columns = estimator.get_feature_names_out()
    if config == "pandas":
        import pandas
        return pandas.DataFrame(values, index=getattr(X, "index", None) if hasattr(X, "columns") else None,
                                columns=columns, copy=False)
    if config == "polars":
        import polars
        return polars.DataFrame(values, schema=list(columns))
    raise ValueError(f"output config must be in ['default', 'pandas', 'polars'], got {config}")
